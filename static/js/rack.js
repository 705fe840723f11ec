// The own rack: where its tiles lie, and how fingers, taps and keys move them. What they are worth is the server's word.

import { capture, ghostOf } from './ghost.js';
import { refuse } from './notice.js';
import { post } from './post.js';
import { sound } from './sound.js';
import { table } from './state.js';
import { refuseFor, trouble } from './wire.js';

const DRAG_FROM = 8;
const DOUBLE_TAP = 350;
const CLICK_AFTER_TAP = 500;
const SLOTS = 30;
const SEND_AFTER = 100;

const lying = matchMedia('(orientation: landscape)');

let lifted = null;
let drag = null; // {source, tile, id, x, y, ghost, over}
let tapped = { tile: null, at: 0 }; // `at` is always the finger's own clock: a busy page hears of it late
let touched = { at: -CLICK_AFTER_TAP, dragged: false }; // what the next click is the echo of
let kept = null; // {n, cols, slots}: what was made here and may not be on the screen's next picture yet
let timer = 0;
let wished = null; // {slot, held}: where the tile that is being drawn is to lie
let stop = null; // the one rack place that Tab reaches

const rack = () => document.getElementById('rack');
const tiles = () => Array.from(document.querySelectorAll('#rack .tile'));
const cols = () => (lying.matches ? 15 : 10);
const side = () => (lying.matches ? 'wide' : 'tall');

export const tileOf = (name) => document.getElementById(`tile-${name}`);
export const lift = (name) => {
  if (name && name !== lifted) sound('tap');
  lifted = name;
  paint();
};
export const up = () => lifted;
export const columns = cols;

function slotOf(tile) {
  const [row, col] = tile.dataset[side()].split('-').map(Number);
  return row * cols() + col;
}

function slots() {
  const names = Array(SLOTS).fill('');
  tiles().forEach((tile) => { names[slotOf(tile)] = tile.dataset.tile; });
  return names;
}

function lay(names) {
  names.forEach((name, slot) => {
    const tile = name && tileOf(name);
    if (tile) tile.dataset[side()] = `${Math.floor(slot / cols())}-${String(slot % cols()).padStart(2, '0')}`;
  });
}

// ---- moving tiles

/** Puts a tile on a slot; on another tile it goes before or after it, and the others make room. */
function drop(name, slot, after) {
  if (trouble() === 'elsewhere') return refuseFor('elsewhere');
  const names = slots();
  names[names.indexOf(name)] = '';
  if (names[slot]) makeRoom(names, name, slot, after);
  else names[slot] = name;
  lay(names);
  changed();
  lift(null);
}

function makeRoom(names, name, slot, after) {
  const free = names.map((other, n) => (other ? -1 : n)).filter((n) => n >= 0);
  const row = (n) => Math.floor(n / cols());
  const far = (n) => Math.abs(n - slot) + (row(n) === row(slot) ? 0 : SLOTS);
  const empty = free.reduce((best, n) => (far(n) < far(best) ? n : best));
  const right = empty > slot;
  const place = right ? slot + (after ? 1 : 0) : slot - (after ? 0 : 1);
  const step = right ? -1 : 1;
  for (let n = empty; n !== place; n += step) names[n] = names[n + step];
  names[place] = name;
}

function changed(down = tiles().filter((tile) => tile.classList.contains('down')).map((tile) => tile.dataset.tile)) {
  kept = { n: Math.max(Number(rack().dataset.n), kept ? kept.n : 0) + 1, cols: cols(), slots: slots(), down, sent: false };
  table().classList.add('waits');
  clearTimeout(timer);
  timer = setTimeout(send, SEND_AFTER);
}

function send() {
  clearTimeout(timer);
  if (!kept || kept.sent || trouble()) return; // without a line it goes out once there is one again
  const { n, cols: width, slots: names, down } = kept;
  kept.sent = post({ do: 'rack', cols: width, slots: names, down, n });
}

export function flip(name) {
  const down = tiles().filter((tile) => tile.classList.contains('down')).map((tile) => tile.dataset.tile);
  changed(down.includes(name) ? down.filter((other) => other !== name) : [...down, name]);
  lift(null);
}

// ---- pictures from the server

function settle() {
  if (!rack()) return;
  if (kept && Number(rack().dataset.n) >= kept.n) kept = null;
  if (kept && kept.cols === cols()) lay(kept.slots.map((name) => (name && tileOf(name) ? name : '')));
  if (kept && !kept.sent) send();
  table().classList.toggle('waits', kept !== null);
  if (lifted && !tileOf(lifted)) lifted = null;
  if (drag && drag.tile && !document.contains(drag.source)) {
    endDrag();
    refuse('Bu taş artık elinde değil.');
  }
  arrived();
  paint();
}

function arrived() {
  if (!wished) return;
  const tile = tiles().find((other) => !wished.held.includes(other.dataset.tile));
  if (!tile) return;
  const { slot } = wished;
  wished = null;
  drop(tile.dataset.tile, slot, false);
}

/** Classes and tab stops live here, not in the fragments, so each swap paints them anew. */
function paint() {
  tiles().forEach((tile) => {
    const is = tile.dataset.tile === lifted;
    tile.classList.toggle('lifted', is);
    tile.setAttribute('aria-pressed', String(is));
  });
  const places = tiles().concat(Array.from(document.querySelectorAll('.slot')));
  const here = places.find((place) => place.id === stop) || places[0];
  places.forEach((place) => { place.tabIndex = place === here ? 0 : -1; });
  document.dispatchEvent(new CustomEvent('mokali:lifted', { detail: lifted }));
}

// ---- fingers: a tap is read at pointerup, a drag from 8 px on

const draggable = (target) => target.closest('#rack .tile, #stock[data-do="draw"]:not(:disabled), #side[data-do="draw"]:not(:disabled)');

document.addEventListener('pointerdown', (event) => {
  const second = drag !== null;
  endDrag();
  if (second && !event.isPrimary) return; // a second finger puts everything back
  const source = draggable(event.target) || event.target.closest('.slot');
  if (!source || event.button !== 0 || !event.isPrimary) return;
  drag = { source, tile: source.dataset.tile && source.closest('#rack') ? source.dataset.tile : null, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, over: null };
});

window.addEventListener('pointermove', (event) => {
  if (!drag || event.pointerId !== drag.id || drag.source.matches('.slot')) return;
  const x = event.clientX - drag.x;
  const y = event.clientY - drag.y;
  if (!drag.ghost && Math.hypot(x, y) < DRAG_FROM) return;
  if (!drag.ghost) startDrag(event);
  drag.ghost.style.transform = `translate(${x}px, ${y - 28}px) scale(1.25)`;
  aim(place(event));
});

window.addEventListener('pointerup', (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const { source, tile, ghost } = drag;
  const target = ghost && place(event);
  endDrag();
  touched = { at: event.timeStamp, dragged: ghost !== null };
  if (!ghost) return source.closest('#rack, #holder') ? tap(source, event) : undefined;
  if (!target) return;
  const slot = target.matches('.slot') ? Number(target.dataset.slot) : target.closest('#rack') ? slotOf(target) : null;
  if (!tile) return slot === null ? undefined : draw(source, slot);
  if (slot === null) document.dispatchEvent(new CustomEvent('mokali:drop', { detail: { tile, target, under: event } }));
  else if (target !== source) drop(tile, slot, pastMiddle(target, event.clientX));
});

window.addEventListener('pointercancel', endDrag);
window.addEventListener('blur', endDrag);

function place({ clientX, clientY }) {
  const under = document.elementFromPoint(clientX, clientY);
  return under && under.closest('#rack .tile, .slot, .laid, #throw, #drop, #melds, [data-drop]');
}

function pastMiddle(element, x) {
  const box = element.getBoundingClientRect();
  return x > box.left + box.width / 2;
}

function aim(target) {
  if (drag.over === target) return;
  if (drag.over) drag.over.classList.remove('aim', 'over');
  drag.over = target;
  if (!target || target === drag.source) return;
  const slot = target.closest('#rack') && document.getElementById(`slot-${slotOf(target)}`);
  if (slot) drag.over = slot;
  (slot || target).classList.add(slot || target.matches('.slot') ? 'aim' : 'over');
}

function startDrag(event) {
  const { source, x, y } = drag;
  drag.ghost = drag.tile ? ghostOf(source) : ghostOf(source.querySelector('.stack, .mini'), { left: x - 14, top: y - 20 });
  source.dataset.drag = '';
  capture(source, event.pointerId);
}

function endDrag() {
  if (!drag) return;
  if (drag.ghost) drag.ghost.remove();
  if (drag.over) drag.over.classList.remove('aim', 'over');
  delete drag.source.dataset.drag;
  drag = null;
}

function draw(source, slot) {
  const from = source.id === 'stock' ? 'stock' : 'side';
  if (post({ do: 'draw', from })) wished = { slot, held: slots().filter(Boolean) };
}

// After a drag a browser may swallow the click of the next tap on a button: then it is made good.
document.addEventListener('pointerup', ({ target, isPrimary }) => {
  const button = target.closest('button, a, label');
  if (!touched.dragged || !button || !isPrimary || button.closest('#rack, #holder')) return;
  touched.dragged = false;
  const late = setTimeout(() => button.click(), 80);
  document.addEventListener('click', () => clearTimeout(late), { once: true, capture: true });
}, true);

document.addEventListener('contextmenu', (event) => { if (event.target.closest('#rack, #holder, #board')) event.preventDefault(); });

// ---- taps and keys

function tap(source, { timeStamp: at, clientX }) {
  const name = source.dataset.tile;
  const double = name && tapped.tile === name && at - tapped.at < DOUBLE_TAP;
  tapped = { tile: name || null, at };
  if (double && source.matches('.wild, .down')) return flip(name);
  if (!name) return lifted ? drop(lifted, Number(source.dataset.slot), false) : undefined;
  if (lifted && lifted !== name) return drop(lifted, slotOf(source), pastMiddle(source, clientX));
  lift(lifted === name ? null : name);
}

document.addEventListener('click', (event) => {
  const source = event.target.closest('#rack .tile, .slot');
  if (!source) {
    // the echo of a drag from the stock is no tap on it
    if (event.target.closest('#stock, #side') && touched.dragged && event.timeStamp - touched.at < CLICK_AFTER_TAP) stopIt(event);
    if (lifted && !event.target.closest('#melds, #throw, #drop, [data-drop], .sheet, #refusal')) lift(null);
    return;
  }
  stopIt(event);
  if (event.timeStamp - touched.at > CLICK_AFTER_TAP) tap(source, { timeStamp: event.timeStamp, clientX: source.getBoundingClientRect().left });
}, true);

function stopIt(event) {
  event.preventDefault();
  event.stopPropagation();
}

document.addEventListener('keydown', (event) => {
  const here = event.target.closest('#rack .tile, .slot');
  if (!here) return;
  const step = { ArrowLeft: -1, ArrowUp: -cols(), ArrowRight: 1, ArrowDown: cols() }[event.key];
  if (event.key === 'Escape') lift(null);
  if (!step) return;
  event.preventDefault();
  const from = here.matches('.slot') ? Number(here.dataset.slot) : slotOf(here);
  const to = from + step;
  if (to < 0 || to >= SLOTS) return;
  const next = tiles().find((tile) => slotOf(tile) === to) || document.getElementById(`slot-${to}`);
  stop = next.id;
  paint();
  next.focus();
});

document.addEventListener('focusin', ({ target }) => {
  const here = target.closest('#rack .tile, .slot');
  if (!here || here.id === stop) return;
  stop = here.id;
  paint();
});

window.addEventListener('resize', settle); // also when the phone is turned
document.addEventListener('htmx:after:swap', settle);
document.addEventListener('mokali:message', () => { if (kept && !kept.sent) send(); });
window.addEventListener('pagehide', send);
document.addEventListener('visibilitychange', () => { if (document.hidden) send(); });

settle();
