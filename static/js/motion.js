// A played card travels from its player to the pile, 200 ms. It shows what has happened and holds nobody up.

import { table } from './state.js';

const LENGTH = 200;

let before = null;
let running = null;

const top = () => Array.from(document.querySelectorAll('#pile [data-card]')).pop();
const box = (element) => element && element.getBoundingClientRect();

document.addEventListener('htmx:before:swap', () => {
  if (running) running.cancel();
  if (!table()) return;
  const { turn } = table().dataset;
  const own = Array.from(document.querySelectorAll('button[data-card]'), (card) => [card.dataset.card, box(card)]);
  before = { card: top() && top().dataset.card, own: new Map(own), seat: box(document.querySelector(`#seats [data-seat="${turn}"]`)) };
});

document.addEventListener('htmx:after:swap', () => {
  const card = top();
  if (!before || !card || !card.animate || card.dataset.card === before.card) return;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const from = before.own.get(card.dataset.card) || before.seat;
  const to = box(card);
  if (!from || !from.width || !to.width) return;
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  running = card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration: LENGTH, easing: 'ease-out' });
});
