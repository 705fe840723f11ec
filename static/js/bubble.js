// Bubbles: what is said shows at the seat of whoever says it, else at the messages button. They lie over the table and follow it.

import { setting } from './settings.js';

const place = (id) => document.getElementById(id);

export const numberOf = (item) => Number(item.dataset.n);
export const nameOf = (item) => item.querySelector('bdi').textContent;
export const isMuted = (name) => setting('muted').includes(name);

const bubbles = new Map(); // by what they are called: { box, item, timer }

function anchorOf({ dataset: { seat } }) {
  const chair = seat !== undefined && document.querySelector(`.seat[data-seat="${seat}"], .chair[data-seat="${seat}"]`);
  return chair && chair.getClientRects().length ? chair : place('talk');
}

/** A voice stands on its seat; words below it, one under another, and where there is no room, and at chairs, above. */
export function settle() {
  const filled = new Map();
  for (const { box, item } of bubbles.values()) {
    const anchor = anchorOf(item);
    const spot = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = box;
    const voice = box.matches('div');
    const before = filled.get(anchor) || 0;
    if (!voice || anchor === place('talk')) filled.set(anchor, before + height + 8);
    box.classList.toggle('on', voice && anchor !== place('talk'));
    if (box.classList.contains('on')) {
      box.style.left = `${Math.max(4, spot.right - width)}px`;
      box.style.top = `${Math.max(0, spot.top + Math.min(4, (spot.height - height) / 2))}px`;
      continue;
    }
    const over = anchor.matches('.chair') || spot.bottom + before + height + 6 > innerHeight;
    const middle = spot.left + spot.width / 2;
    const left = Math.max(4, Math.min(innerWidth - width - 4, middle - width / 2));
    box.classList.toggle('over', over);
    box.style.left = `${left}px`;
    box.style.top = `${over ? Math.max(4, spot.top + 14 - height - before) : spot.bottom + 2 + before}px`;
    box.style.setProperty('--tip', `${Math.max(12, Math.min(width - 12, middle - left))}px`);
  }
}

export function show(key, item, content, milliseconds) {
  hide(key);
  const box = document.createElement(content.dataset.ui ? 'div' : 'p');
  box.className = 'bubble';
  if (anchorOf(item) === place('talk')) box.append(Object.assign(document.createElement('b'), { textContent: nameOf(item) }), ' ');
  box.append(content);
  place('bubbles').append(box);
  bubbles.set(key, { box, item, timer: milliseconds && setTimeout(hide, milliseconds, key) });
  settle();
}

export function hide(key) {
  const bubble = bubbles.get(key);
  if (!bubble) return;
  clearTimeout(bubble.timer);
  bubble.box.remove();
  bubbles.delete(key);
}

export function hideMuted() {
  for (const [key, { item }] of bubbles) if (isMuted(nameOf(item))) hide(key);
}

window.addEventListener('resize', settle);
document.addEventListener('htmx:after:swap', settle);
