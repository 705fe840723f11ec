// The page of a Tavla table: a checker is tapped or dragged to a lit goal, a die is chosen first where one wishes.

import './table.js';
import { box, fly } from './fly.js';
import { capture, ghostOf } from './ghost.js';
import { clearRefusal, refuse } from './notice.js';
import { post } from './post.js';
import { setting } from './settings.js';
import { sound } from './sound.js';
import { table } from './state.js';

const DRAG_FROM = 8;
const TAKES_BACK_WITHIN = 1000; // the last die waits so long for "Geri al" (TV-14)

let picked = null; // the place whose checker is in the hand
let die = null; // chosen first
let coming = null; // {step, timer}: the last die, not yet sent
let drag = null; // {point, id, x, y, ghost}
let tappedAt = 0;

const points = () => Array.from(document.querySelectorAll('[data-point]'));
const pointOf = (place) => document.querySelector(`[data-point="${place}"]`);
const mine = () => table().dataset.turn === table().dataset.seat && table().dataset.phase === 'move';
const legal = () => document.getElementById('legal');

/** What may be played now, with the chosen die where one is chosen. */
function steps() {
  if (!mine()) return [];
  const all = Array.from(legal().dataset.steps.matchAll(/(\w+)>(\w+):(\d)(\*?)/g), ([, from, to, value, hit]) => ({ from, to, die: Number(value), hit: Boolean(hit) }));
  return die === null ? all : all.filter((step) => step.die === die);
}

function pick(place) {
  if (place !== null && place !== picked) sound('tap');
  picked = place;
  paint();
}

function tap(point) {
  const place = point.dataset.point;
  if (coming || !mine()) return pick(null);
  const goal = picked !== null && steps().find((step) => step.from === picked && step.to === place);
  if (goal) return go(goal);
  const from = steps().filter((step) => step.from === place);
  if (from.length && setting('onetap') && new Set(from.map((step) => step.to)).size === 1) return go(from[0]);
  if (from.length) return pick(picked === place ? null : place);
  ask(place, Number(point.dataset.own));
}

/** What can't be played is sent all the same where it is a move: the server says which rule forbids it. */
function ask(place, own) {
  const distance = picked === null ? die || Number(document.querySelector('[data-die]')?.dataset.die) : number(picked) - number(place);
  const from = picked === null ? place : picked;
  pick(null);
  if ((from === place && !own) || from === 'off') return;
  if (!(distance >= 1 && distance <= 6)) return refuse('Zarların oraya götürmüyor: yanan bir yere dokun.');
  post({ do: 'move', from: from === 'bar' ? 'bar' : Number(from), die: distance });
}

const number = (place) => ({ bar: 25, off: 0 })[place] ?? Number(place);

function go(step) {
  pick(null);
  if (!legal().dataset.closing) return send(step);
  coming = { step, timer: setTimeout(() => send(step), TAKES_BACK_WITHIN) };
  paint();
}

function send(step) {
  coming = null;
  die = null;
  post({ do: 'move', from: step.from === 'bar' ? 'bar' : Number(step.from), die: step.die });
  paint();
}

function takeBack() {
  if (!coming) return false;
  clearTimeout(coming.timer);
  coming = null;
  paint();
  return true;
}

/** Classes live here, not in the fragments, so each swap paints them anew. */
function paint() {
  const now = coming ? [] : steps();
  const goals = new Map(now.filter((step) => step.from === picked).map((step) => [step.to, step]));
  if (coming) goals.set(coming.step.to, coming.step);
  points().forEach((point) => {
    const place = point.dataset.point;
    point.classList.toggle('can', picked === null && now.some((step) => step.from === place));
    point.classList.toggle('picked', picked === place || Boolean(coming) && coming.step.from === place);
    point.classList.toggle('goal', goals.has(place));
    point.classList.toggle('hits', Boolean(goals.get(place)?.hit));
    point.classList.toggle('coming', Boolean(coming) && coming.step.to === place);
  });
  document.querySelectorAll('button.die').forEach((button) => {
    const chosen = Number(button.dataset.die) === die && button === document.querySelector(`button[data-die="${die}"]`);
    button.classList.toggle('chosen', chosen);
    button.setAttribute('aria-pressed', String(chosen));
  });
  const undo = document.getElementById('undo');
  if (undo && coming) undo.disabled = false;
}

function choose(value) {
  die = die === value ? null : value;
  if (picked !== null && !steps().some((step) => step.from === picked)) picked = null;
  paint();
}

function settle() {
  if (!mine()) { takeBack(); picked = null; die = null; }
  if (die !== null && !document.querySelector(`button[data-die="${die}"]`)) die = null;
  if (picked !== null && !steps().some((step) => step.from === picked)) picked = null;
  paint();
}

window.addEventListener('pagehide', () => { if (coming) { clearTimeout(coming.timer); send(coming.step); } }); // it was played

// ---- fingers: a tap is read at pointerup, a drag from 8 px on

document.addEventListener('pointerdown', (event) => {
  endDrag();
  const point = event.target.closest('[data-point]');
  if (!point || event.button !== 0 || !event.isPrimary || !table()) return;
  drag = { point, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null };
});

window.addEventListener('pointermove', (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const x = event.clientX - drag.x;
  const y = event.clientY - drag.y;
  if (!drag.ghost && (Math.hypot(x, y) < DRAG_FROM || !lift(event))) return;
  drag.ghost.style.transform = `translate(${x}px, ${y - 24}px) scale(1.2)`;
});

function lift(event) {
  const place = drag.point.dataset.point;
  const disc = drag.point.querySelector('.disc:last-child');
  if (coming || !disc || !steps().some((step) => step.from === place)) return false;
  pick(place);
  drag.ghost = ghostOf(disc);
  capture(drag.point, event.pointerId);
  return true;
}

window.addEventListener('pointerup', (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const { point, ghost } = drag;
  endDrag();
  tappedAt = event.timeStamp;
  if (!ghost) return tap(point);
  const target = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-point]');
  if (target && target !== point) tap(target);
  else pick(null);
});

window.addEventListener('pointercancel', endDrag);
window.addEventListener('blur', endDrag);

function endDrag() {
  if (drag && drag.ghost) drag.ghost.remove();
  drag = null;
}

// ---- clicks: keyboards and screen readers; after a finger's tap they are its echo

document.addEventListener('click', (event) => {
  const point = event.target.closest('[data-point]');
  const button = event.target.closest('button[data-die]');
  if (point) {
    event.stopPropagation();
    if (!event.detail || event.timeStamp - tappedAt > 500) tap(point); // a key's click has no detail
  } else if (button) {
    choose(Number(button.dataset.die));
  } else if (event.target.closest('#undo') && takeBack()) {
    clearRefusal();
    if (event.target.closest('[data-able]')) return; // what was sent of this throw is taken back with it (TV-14)
    event.preventDefault();
    event.stopPropagation();
  } else if (picked !== null) {
    pick(null);
  }
}, true);

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.target.matches('input, textarea') || !table()) return;
  if (event.key === 'Escape') pick(null);
  if (mine() && document.querySelector(`button[data-die="${event.key}"]`)) choose(Number(event.key));
});

// ---- what has moved travels

let before = null;

const standing = () => new Map(points().map((point) => [point.dataset.point, { own: Number(point.dataset.own), other: Number(point.dataset.other), from: box(point.querySelector('.disc:last-child')) }]));

document.addEventListener('htmx:before:swap', () => { before = document.getElementById('board') ? standing() : null; });

document.addEventListener('htmx:after:swap', () => {
  if (before && document.getElementById('board')) {
    const after = standing();
    for (const whose of ['own', 'other']) {
      const gone = Array.from(before).find(([place, was]) => after.has(place) && after.get(place)[whose] < was[whose]);
      const come = Array.from(after).find(([place, now]) => before.has(place) && now[whose] > before.get(place)[whose]);
      if (gone && come) fly(pointOf(come[0]).querySelector('.disc:last-child'), gone[1].from);
    }
  }
  before = null;
  settle();
});

if (table()) settle();
