// What travels on an okey table: a drawn tile to the rack, a thrown one to its pile.

import { box, fly } from './fly.js';
import { table } from './state.js';

const NEW = 1500;

let before = null;

const rack = () => new Map(Array.from(document.querySelectorAll('#rack .tile'), (tile) => [tile.dataset.tile, box(tile)]));
const left = () => parseInt(document.querySelector('#stock .num')?.textContent, 10);
const face = (place) => document.querySelector(`${place} .mini`)?.dataset.tile || '';

document.addEventListener('htmx:before:swap', () => {
  if (!document.getElementById('rack')) return;
  const piles = Array.from(document.querySelectorAll('.thrown'), ({ id }) => [id, face(`#${id}`)]);
  before = { turn: table().dataset.turn, left: left(), rack: rack(), thrown: face('#throw'), piles, taken: face('#side'), stock: box(document.querySelector('#stock')), side: box(document.querySelector('#side')) };
});

document.addEventListener('htmx:after:swap', () => {
  if (!before || !document.getElementById('rack')) return;
  const own = rack();
  const drawn = Array.from(own.keys()).filter((name) => !before.rack.has(name));
  const gone = Array.from(before.rack.keys()).filter((name) => !own.has(name));
  if (drawn.length === 1 && !gone.length) {
    const tile = document.getElementById(`tile-${drawn[0]}`);
    tile.classList.add('new');
    setTimeout(() => tile.classList.remove('new'), NEW);
    fly(tile, left() < before.left ? before.stock : drawn[0].slice(0, -1) === before.taken && before.side);
  }
  if (gone.length === 1 && !drawn.length && face('#throw') !== before.thrown) fly(document.querySelector('#throw .mini'), before.rack.get(gone[0]));
  for (const [id, tile] of before.piles) {
    const seat = id.slice('thrown-'.length);
    // the pile of anybody else changes where a tile of it is taken
    if (seat === before.turn && seat !== table().dataset.seat && face(`#${id}`) && face(`#${id}`) !== tile) fly(document.querySelector(`#${id} .mini`), box(document.querySelector(`#seat-${seat} .ring`)));
  }
  before = null;
});
