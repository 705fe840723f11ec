// The own cards: lift, play, drag and keys. Which may be played, and when, is the server's word (aria-disabled, turn).

import { capture, ghostOf } from './ghost.js';
import { refuse } from './notice.js';
import { post } from './post.js';
import { setting } from './settings.js';
import { sound } from './sound.js';
import { table } from './state.js';
import { refuseFor, trouble } from './wire.js';

const CARD = 'button[data-card]';
const DRAG_FROM = 8;
const PLAY_FROM = 40;
const CLICK_AFTER_TAP = 500;
const ANSWER_WITHIN = 5000;

let lifted = []; // names; one, or as many as the server wants together (data-pick)
let pending = null; // {cards, held, played, at, cut}: sent, not yet answered
let drag = null; // {card, id, x, y, ghost}
let tappedAt = -CLICK_AFTER_TAP;

const hand = () => Array.from(document.querySelectorAll(CARD));
const held = () => hand().map((card) => card.dataset.card);
const find = (name) => hand().find((card) => card.dataset.card === name);
const wanted = () => Number(document.getElementById('hand')?.dataset.pick || 1);
const mine = () => table().dataset.turn === table().dataset.seat;
const barred = (card) => card.getAttribute('aria-disabled') === 'true';
const usable = (card) => Boolean(card && card.dataset.do) && mine() && !pending;
const playable = (card) => usable(card) && !barred(card);

function tap(card) {
  const name = card.dataset.card;
  if (pending && pending.cards.includes(name)) return;
  if (wanted() > 1) return choose(name);
  if (usable(card) && barred(card)) return ask(card);
  if (playable(card) && (lifted.includes(name) || (setting('onetap') && card.dataset.do === 'play'))) return play([card]);
  lift(lifted.includes(name) ? [] : [name]);
}

/** One of several that go together. */
function choose(name) {
  if (lifted.includes(name)) lift(lifted.filter((other) => other !== name));
  else if (lifted.length < wanted()) lift([...lifted, name]);
  else refuse(`${wanted()} kart seçtin: önce birini geri indir.`);
}

function lift(names) {
  if (names.some((name) => !lifted.includes(name))) sound('tap');
  lifted = names;
  paint();
}

/** A card that may not be played is sent all the same: the server says which rule forbids it, and changes nothing. */
function ask(card) {
  const reason = trouble();
  if (reason) return refuseFor(reason);
  lift([]);
  card.dispatchEvent(new CustomEvent(card.getAttribute('hx-trigger')));
}

function play(cards) {
  if (cards.length !== wanted() || !cards.every(playable)) return;
  const reason = trouble();
  if (reason) return refuseFor(reason);
  const names = cards.map((card) => card.dataset.card);
  pending = { cards: names, held: held(), played: table().dataset.played, at: Date.now(), cut: false };
  lifted = [];
  paint();
  if (names.length > 1) post({ do: cards[0].dataset.do, cards: names });
  else cards[0].dispatchEvent(new CustomEvent(cards[0].getAttribute('hx-trigger') || 'click')); // the one click that reaches htmx
}

/** Classes live here, not in the fragments, so each swap paints them anew. */
function paint() {
  hand().forEach((card) => {
    const up = lifted.includes(card.dataset.card);
    card.classList.toggle('lifted', up);
    card.setAttribute('aria-pressed', String(up));
    card.classList.toggle('sending', pending !== null && pending.cards.includes(card.dataset.card));
  });
  const button = document.querySelector('[data-ui="play-lifted"]');
  if (!button) return;
  button.disabled = lifted.length !== wanted() || !lifted.every((name) => playable(find(name)));
  const count = button.querySelector('[data-picked]');
  if (count) count.textContent = lifted.length;
}

function settle() {
  const now = held();
  lifted = lifted.filter((name) => now.includes(name)).slice(0, wanted());
  if (drag && !document.contains(drag.card)) {
    endDrag();
    refuse('Bu kart artık elinde değil.');
  }
  // the table went on: it was done, also where the very card came back
  if (pending && (pending.played !== table().dataset.played || !pending.cards.every((name) => now.includes(name)))) pending = null;
  if (pending && pending.cut) {
    // still the same deal: the card never left (RL-27)
    if (now.every((card) => pending.held.includes(card))) refuse('Bağlantı koptuğu için kartın gitmedi. Yeniden dene.');
    pending = null;
  }
  paint();
}

function release() {
  pending = null;
  paint();
}

document.addEventListener('htmx:after:swap', settle);
document.addEventListener('htmx:ws:after:connection', () => { if (pending) pending.cut = true; });
document.addEventListener('htmx:ws:error', ({ target }) => { if (target.matches(`${CARD}, #post`)) release(); });
document.addEventListener('htmx:after:settle', ({ target }) => { if (target.id === 'refusal' && target.dataset.code) release(); });
document.addEventListener('mokali:message', ({ detail }) => {
  if (detail.hb && pending && Date.now() - pending.at > ANSWER_WITHIN) release();
});

// ---- fingers: a tap is read at pointerup, a drag from 8 px on

document.addEventListener('pointerdown', (event) => {
  const second = drag !== null;
  endDrag();
  if (second && !event.isPrimary) return; // a second finger puts everything back
  const card = event.target.closest(CARD);
  if (!card || event.button !== 0 || !event.isPrimary) return;
  drag = { card, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null };
});

window.addEventListener('pointermove', (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const x = event.clientX - drag.x;
  const y = event.clientY - drag.y;
  if (!drag.ghost && Math.hypot(x, y) < DRAG_FROM) return;
  if (!drag.ghost) startDrag(event);
  drag.ghost.style.transform = `translate(${x}px, ${y - 28}px) scale(1.25)`;
  drag.ghost.classList.toggle('armed', y <= -PLAY_FROM && playable(drag.card));
});

window.addEventListener('pointerup', (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const { card, ghost, y } = drag;
  endDrag();
  tappedAt = event.timeStamp; // the finger's own clock: a busy page hears of it late
  if (!ghost) return tap(card);
  const inside = event.clientX >= 0 && event.clientX < innerWidth && event.clientY >= 0;
  if (inside && event.clientY - y <= -PLAY_FROM) drop(card);
});

/** Let go over the table. */
function drop(card) {
  if (wanted() > 1) choose(card.dataset.card);
  else if (usable(card) && barred(card)) ask(card);
  else if (playable(card)) play([card]);
  else lift([card.dataset.card]);
}

window.addEventListener('pointercancel', endDrag);
window.addEventListener('blur', endDrag);

function startDrag(event) {
  drag.ghost = ghostOf(drag.card);
  drag.card.dataset.drag = '';
  capture(drag.card, event.pointerId);
}

function endDrag() {
  if (!drag) return;
  if (drag.ghost) drag.ghost.remove();
  delete drag.card.dataset.drag;
  drag = null;
}

document.addEventListener('contextmenu', (event) => { if (event.target.closest(CARD)) event.preventDefault(); });

// ---- clicks: keyboards, switches and screen readers; after a finger's tap they are its echo

document.addEventListener('click', (event) => {
  const card = event.target.closest(CARD);
  if (card) {
    if (event instanceof CustomEvent) return; // our own, from play()
    event.stopPropagation(); // htmx would send at the first tap
    if (event.timeStamp - tappedAt > CLICK_AFTER_TAP) tap(card);
  } else if (event.target.closest('[data-ui="play-lifted"]')) {
    play(lifted.map(find));
  } else if (lifted.length && wanted() === 1) {
    lift([]);
  }
}, true);

document.addEventListener('keydown', (event) => {
  const card = event.target.closest(CARD);
  if (!card) return;
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (step) {
    const cards = hand();
    cards[(cards.indexOf(card) + step + cards.length) % cards.length].focus();
    event.preventDefault();
  } else if (event.key === 'Escape') {
    lift([]);
  }
});

if (table()) settle();
