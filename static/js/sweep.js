// A finished trick lies for a moment, then goes to its winner. The next card, or another picture of it, ends that at once.

import { box, leave } from './fly.js';
import { table } from './state.js';

const LIES = 600;

let swept = ''; // the trick that lies or goes, by how many were taken
let timer = 0;
let running = [];

function stop() {
  clearTimeout(timer);
  running.forEach((motion) => motion.cancel());
  running = [];
}

function sweep(trick) {
  const seat = trick.dataset.to;
  const to = box(seat === table().dataset.seat ? document.getElementById('hand') : document.querySelector(`#seat-${seat}`));
  running = Array.from(trick.querySelectorAll('.card:not(.spot)'), (card) => leave(card, to)).filter(Boolean);
}

document.addEventListener('htmx:after:swap', () => {
  const trick = document.querySelector('#trick.done');
  const now = trick ? trick.dataset.tricks : '';
  if (now === swept) return;
  stop();
  swept = now;
  if (trick) timer = setTimeout(sweep, LIES, trick);
});
