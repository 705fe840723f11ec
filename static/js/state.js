// What the last picture says, put where style and scripts look for it; counts seconds by the server's clock.

import { say } from './notice.js';
import { sound } from './sound.js';
import { go, serverNow } from './wire.js';

const LAST = 10; // seconds of a clock, or of a pause to whoever has not said "Devam", that can be heard

export const table = () => document.getElementById('table');

let focused = null;

function follow() {
  const main = table();
  if (!main) return;
  for (const part of ['state', 'me']) {
    const { goto, ...facts } = document.getElementById(part)?.dataset || {};
    Object.assign(main.dataset, facts);
    if (goto) go(goto);
  }
  const mine = main.dataset.seat !== '' && main.dataset.turn === main.dataset.seat;
  main.classList.toggle('mine', mine);
  document.body.classList.toggle('mine', mine);
  document.title = (mine ? '(!) ' : '') + document.title.replace(/^\(!\) /, '');
  Promise.resolve().then(keepFocus); // once the others have painted
  count();
}

/** Focus never falls to <body>: what has gone hands it to its neighbour, else to the table. */
function keepFocus() {
  const active = document.activeElement;
  if (!focused || (active && active !== document.body && !active.disabled)) return;
  const { id, place } = focused;
  const again = id && document.getElementById(id);
  const section = place && document.getElementById(place);
  const next = [again, section && section.querySelector('button:not(:disabled), a[href], input')]
    .find((element) => element && !element.disabled && element.offsetParent !== null);
  const main = table();
  main.tabIndex = -1;
  (next || main).focus({ preventScroll: true });
}

document.addEventListener('focusin', ({ target }) => {
  const section = target.closest('#table section[id]');
  focused = table() && table().contains(target) ? { id: target.id, place: section && section.id } : null;
});

// a tap on bare ground gives focus away on purpose; a swap doesn't
document.addEventListener('pointerdown', ({ target }) => {
  if (!target.closest('button, a, input')) focused = null;
});

function count() {
  const now = serverNow();
  if (now === null) return;
  tick(now);
  document.querySelectorAll('[data-since]').forEach((element) => {
    const seconds = Math.max(0, Math.floor((now - Number(element.dataset.since)) / 1000));
    write(element, minutes(seconds));
  });
  document.querySelectorAll('[data-until]').forEach((element) => {
    const left = Math.max(0, Math.ceil((Number(element.dataset.until) - now) / 1000));
    const changed = write(element, left < 100 ? `${left} sn` : minutes(left));
    if (changed && left && left <= LAST && element.closest('[data-do="ready"][aria-pressed="false"]')) sound('tick');
  });
}

/** The move clock: the seconds in the bar, the ring at the seat, and a warning in the last ten. */
function tick(now) {
  const main = table();
  const clock = document.getElementById('clock');
  const face = clock && clock.querySelector('[role="timer"]');
  main.classList.toggle('ticking', Boolean(face));
  if (!face) { main.classList.remove('hurry'); return; }
  const whole = Number(clock.dataset.seconds) * 1000;
  const left = Math.min(whole, Math.max(0, Number(clock.dataset.ends) - now));
  const seconds = Math.ceil(left / 1000);
  main.style.setProperty('--time', `${(left / whole) * 100}%`);
  main.classList.toggle('hurry', seconds <= LAST);
  const changed = write(face, minutes(seconds));
  if (!changed || !main.classList.contains('mine') || !seconds || seconds > LAST) return;
  sound('tick');
  if (seconds === LAST) say([`${LAST} saniyen kaldı.`]);
}

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

function write(element, text) {
  if (element.textContent === text) return false;
  element.textContent = text;
  return true;
}

document.addEventListener('htmx:after:swap', follow);
setInterval(count, 1000);
follow();
