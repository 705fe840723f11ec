// The page "Bağlantı yok": asks now and then whether the house answers again, and then loads what was wanted.

const EVERY = 4000;
const PATIENCE = 8000;
const SILENT = [502, 504]; // a proxy's words: the house behind it does not answer
const button = document.querySelector('[data-retry]');
const words = document.getElementById('retrying');
let asking = false;

async function answers() {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE);
  try {
    return !SILENT.includes((await fetch('/sw.js', { method: 'HEAD', cache: 'no-store', signal: late.signal })).status);
  } catch (error) {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(aloud) {
  if (asking || (document.hidden && !aloud)) return;
  asking = true;
  if (aloud) words.textContent = 'Deneniyor…';
  const back = await answers();
  asking = false;
  if (!back) {
    if (aloud) words.textContent = 'Hâlâ bağlantı yok.';
  } else if (location.pathname === button.dataset.retry) location.replace('/');
  else location.reload();
}

button.addEventListener('click', () => ask(true));
window.addEventListener('online', () => ask(false));
document.addEventListener('visibilitychange', () => ask(false));
setInterval(ask, EVERY, false);
