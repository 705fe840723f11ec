// A played card travels from its player to the pile.

import { box, fly } from './fly.js';
import { table } from './state.js';

let before = null;
let running = null;

const top = () => Array.from(document.querySelectorAll('#pile [data-card]')).pop();

document.addEventListener('htmx:before:swap', () => {
  if (running) running.cancel();
  if (!table()) return;
  const { turn } = table().dataset;
  const own = Array.from(document.querySelectorAll('button[data-card]'), (card) => [card.dataset.card, box(card)]);
  before = { card: top() && top().dataset.card, own: new Map(own), seat: box(document.querySelector(`#seats [data-seat="${turn}"]`)) };
});

document.addEventListener('htmx:after:swap', () => {
  const card = top();
  if (before && card && card.dataset.card !== before.card) running = fly(card, before.own.get(card.dataset.card) || before.seat);
});
