// A match that is over, step by step: by tap, swipe, key, slider or by itself. Every step is a link; this only saves the way.

import { say } from './notice.js';
import { save, setting } from './settings.js';
import './share.js';
import { close } from './sheets.js';

const KEPT = 80; // steps that are remembered
const SWIPE = 36;
const TAP = 10;
const PARTS = ['table', 'hands', 'place', 'keys', 'choices'];

const known = new Map(); // address -> promise of its parts
const part = (id) => document.getElementById(id);
const place = () => part('place').dataset;
const seek = part('seek');

let running = 0; // the timer of the next step
let wanted = null; // the address that was asked for last
let aim = Number(place().step); // and its step: quick taps count from there
let pace = Number(setting('pace')) || Number(document.querySelector('[data-pace][data-usual]').dataset.pace);

function address(step, eyes = place().eyes) {
  const url = new URL(location.href);
  url.search = new URLSearchParams({ an: step, koltuk: eyes });
  url.hash = '';
  return url.href;
}

function load(href) {
  if (!known.has(href)) {
    const ask = fetch(`${href}&parca=1`).then((answer) => {
      if (!answer.ok) throw new Error(answer.status);
      return answer.text();
    });
    ask.catch(() => known.delete(href));
    known.set(href, ask);
    if (known.size > KEPT) known.delete(known.keys().next().value);
  }
  return known.get(href);
}

/** Show a step. `push` makes a place in the history that the back button finds. */
async function show(step, { eyes = place().eyes, push = false, quiet = false } = {}) {
  const to = Math.max(0, Math.min(Number(place().last), step));
  const href = address(to, eyes);
  wanted = href;
  aim = to;
  let text;
  try {
    text = await load(href);
  } catch (error) {
    if (wanted === href) location.assign(href); // the whole page says what is wrong
    return;
  }
  if (wanted !== href) return;
  remember(href, push);
  paint(text);
  if (!quiet && place().told) say([place().told]);
  if (to < Number(place().last)) load(address(to + 1, eyes)).catch(() => {});
}

function remember(href, push) {
  if (href === location.href) return;
  try {
    if (push) history.pushState(null, '', href);
    else history.replaceState(null, '', href);
  } catch (error) { /* a browser that finds it too often: the next step will do */ }
}

function paint(text) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const focused = document.activeElement;
  const scrolled = ['hands', 'choices'].map((id) => part(id).scrollTop);
  for (const id of PARTS) part(id).replaceWith(page.getElementById(id));
  ['hands', 'choices'].forEach((id, n) => { part(id).scrollTop = scrolled[n]; });
  document.body.classList.toggle('open', place().hands !== '0');
  settle();
  if (focused && !focused.isConnected) refocus(focused);
}

function refocus(old) {
  const same = (old.id && part(old.id)) || (old.dataset.eyes && part('choices').querySelector(`[data-eyes="${old.dataset.eyes}"]`))
    || (old.dataset.step && part('choices').querySelector(`[data-step="${old.dataset.step}"]`));
  (same && !same.matches('a:not([href])') ? same : part('run')).focus({ preventScroll: true }); // what can't be used any more gives it on
}

/** What is not in the parts: the slider, the running button, the chosen pace. */
function settle() {
  const { step, last, told } = place();
  seek.value = step;
  seek.setAttribute('aria-valuetext', `${last} hamleden ${step}. ${told}`);
  const run = part('run');
  run.setAttribute('aria-pressed', String(Boolean(running)));
  run.setAttribute('aria-label', running ? 'Durdur' : 'Oynat');
  document.querySelectorAll('[data-pace]').forEach((button) => button.setAttribute('aria-pressed', String(Number(button.dataset.pace) === pace)));
  fit();
}

/** Melds as large as they all fit, as at the table. */
function fit() {
  const box = document.querySelector('#melds .spread');
  if (!box) return;
  for (const density of ['large', '0', '1', '2']) {
    part('table').dataset.density = density;
    if (box.scrollHeight <= box.clientHeight + 1) break;
  }
}

// ---- by itself

function stop() {
  clearTimeout(running);
  running = 0;
}

function tick() {
  const counted = part('table').querySelector('.sheet.shown') ? 2.5 : 1; // a counted hand is read
  running = setTimeout(async () => {
    const mine = running;
    await show(Number(place().step) + 1);
    if (running !== mine) return;
    if (Number(place().step) >= Number(place().last)) stop();
    else tick();
    settle();
  }, pace * counted);
}

async function toggle() {
  if (running) stop();
  else {
    if (Number(place().step) >= Number(place().last)) await show(0, { push: true });
    tick();
  }
  settle();
}

// ---- by hand

function go(step, options) {
  stop();
  show(step, options);
}

const by = (way) => go(aim + way);

document.addEventListener('click', (event) => {
  const { target } = event;
  if (target.closest('#run')) toggle();
  const speed = target.closest('[data-pace]');
  if (speed) {
    pace = Number(speed.dataset.pace);
    save('pace', pace);
    if (running) { stop(); tick(); }
    settle();
  }
  const link = target.closest('a[data-step], a[data-eyes]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.dataset.eyes !== undefined) return show(Number(place().step), { eyes: link.dataset.eyes, push: true });
  if (link.id === 'on' || link.id === 'back') return by(link.id === 'on' ? 1 : -1);
  const far = link.matches('.twice, [data-jump]');
  go(Number(link.dataset.step), { push: far });
  if (link.matches('[data-jump]')) close();
  return undefined;
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.body.dataset.sheet || event.target === seek) return;
  const link = { PageUp: 'hand-back', PageDown: 'hand-on' }[event.key];
  if (event.key === 'ArrowRight') by(1);
  else if (event.key === 'ArrowLeft') by(-1);
  else if (event.key === 'Home') go(0, { push: true });
  else if (event.key === 'End') go(Number(place().last), { push: true });
  else if (event.key === ' ' && event.target.matches('a[role=button]')) event.target.click();
  else if (event.key === ' ' && !event.target.closest('button, a')) toggle();
  else if (link && part(link).dataset.step) go(Number(part(link).dataset.step), { push: true });
  else return;
  event.preventDefault();
});

seek.addEventListener('input', () => go(Number(seek.value), { quiet: true }));
seek.addEventListener('change', () => go(Number(seek.value), { push: true }));

let down = null;

document.addEventListener('pointerdown', (event) => {
  down = event.isPrimary && !event.button && event.target.closest('#table') && !event.target.closest('[data-ui], a, .sheet') ? { x: event.clientX, y: event.clientY } : null;
});

document.addEventListener('pointerup', (event) => {
  if (!down || document.body.dataset.sheet) return;
  const { x, y } = down;
  const dx = event.clientX - x;
  const dy = event.clientY - y;
  down = null;
  if (Math.abs(dx) > SWIPE && Math.abs(dx) > Math.abs(dy)) by(dx < 0 ? 1 : -1);
  else if (Math.hypot(dx, dy) < TAP) {
    const { left, width } = part('table').getBoundingClientRect();
    by(x - left < width / 3 ? -1 : 1);
  }
});

window.addEventListener('popstate', () => {
  stop();
  const asked = new URLSearchParams(location.search);
  show(Number(asked.get('an') ?? first.step), { eyes: asked.get('koltuk') ?? first.eyes });
});
window.addEventListener('resize', fit);
// who opens a sheet, to share a moment or to look with other eyes, finds this moment there
document.addEventListener('click', ({ target }) => { if (running && target.closest('[data-ui]')) stop(); });
document.addEventListener('visibilitychange', () => { if (document.hidden) { stop(); settle(); } });

const first = { ...place() };
settle();
if (first.step < Number(first.last)) load(address(Number(first.step) + 1)).catch(() => {});
