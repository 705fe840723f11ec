// Mokali on the home screen: registers the service worker, and offers "Ana ekrana ekle" where the browser can.
// Only in a secure context: over https, or on the machine itself. On plain http browsers have neither.

const ALONE = matchMedia('(display-mode: standalone)').matches || navigator.standalone === true;
const IPHONE = navigator.standalone === false && / Version\/.* Safari\//.test(navigator.userAgent); // others there can't
const place = document.getElementById('install');
let offer = null;

function show(what) {
  place.hidden = false;
  for (const part of place.children) part.hidden = part.dataset.install !== what;
}

function end() {
  offer = null;
  place.hidden = true;
}

if (window.isSecureContext && navigator.serviceWorker) {
  window.addEventListener('load', () => navigator.serviceWorker.register('/sw.js').catch(() => {})); // storage may be shut
}

if (window.isSecureContext && place && !ALONE) {
  if (IPHONE) show('words');
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault(); // the browser's own bar stays away: asked is who taps
    offer = event;
    show('button');
  });
  window.addEventListener('appinstalled', end);
  place.addEventListener('click', async ({ target }) => {
    if (!offer || !target.closest('button')) return;
    offer.prompt();
    await offer.userChoice;
    end();
  });
}
