// The strip that says how the connection is.

const TEXTS = {
  closed: 'Bağlantı koptu, yeniden bağlanılıyor…',
  offline: 'İnternet yok. Bağlanınca kaldığın yerden devam edersin.',
  restarting: 'Mokali yenileniyor, birkaç saniye sürer.',
  halted: 'Bağlantı durdu. Devam etmek için dokun.',
  elsewhere: 'Bu koltuk başka sekmede açık.',
};
const BACK = 1500;
const PATIENCE = 30000;

let shown = null;
let since = 0;
let playedBefore = null;
let backTimer;

/** Shows `trouble`, a key of TEXTS, or, with null after one, for a moment that it is over. Call it as often as you like. */
export function banner(trouble) {
  if (trouble !== shown) {
    const was = shown;
    shown = trouble;
    if (!was) { since = Date.now(); playedBefore = played(); }
    if (trouble) draw(trouble, TEXTS[trouble], trouble === 'elsewhere' && 'Buraya al');
    else back(was);
  } else if (trouble && trouble !== 'elsewhere' && Date.now() - since > PATIENCE) {
    if (!document.querySelector('#banner button')) draw(trouble, TEXTS[trouble], 'Yenile');
  }
}

/** After the first picture that followed: how much happened meanwhile. */
export function missed() {
  const moves = playedBefore === null ? 0 : played() - playedBefore;
  playedBefore = null;
  if (moves > 0 && shown === null) back('closed', `Bağlandın. Sen yokken ${moves} hamle oldu.`);
}

function back(was, text = 'Bağlandın') {
  if (was === 'elsewhere') return draw('', '');
  draw('back', text);
  backTimer = setTimeout(() => draw('', ''), BACK);
}

function draw(state, text, button) {
  clearTimeout(backTimer);
  const strip = document.getElementById('banner');
  if (!strip) return;
  strip.textContent = text;
  strip.dataset.state = state;
  strip.hidden = !text;
  if (!button) return;
  const reload = Object.assign(document.createElement('button'), { type: 'button', textContent: button });
  reload.dataset.ui = 'reload';
  strip.append(reload);
}

function played() {
  const table = document.getElementById('table');
  return table ? Number(table.dataset.played) : 0;
}

document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-ui="reload"]')) location.reload();
});
