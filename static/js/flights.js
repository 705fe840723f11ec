// What travels on an okey table: a drawn tile to the rack, a thrown one to its pile.

import { box, fly } from './fly.js';
import { table } from './state.js';

const NEW = 1500;

let before = null;

const rack = () => new Map(Array.from(document.querySelectorAll('#rack .tile'), (tile) => [tile.dataset.tile, box(tile)]));
const face = (place) => document.querySelector(`${place} .mini`)?.dataset.tile || '';

document.addEventListener('htmx:before:swap', () => {
  if (!document.getElementById('rack')) return;
  const piles = Array.from(document.querySelectorAll('.thrown'), ({ id }) => [id, face(`#${id}`)]);
  before = { rack: rack(), thrown: face('#throw'), piles, stock: box(document.querySelector('#stock')), side: box(document.querySelector('#side')) };
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
    fly(tile, document.querySelector('#side[data-do="return"]') ? before.side : before.stock);
  }
  if (gone.length === 1 && !drawn.length && face('#throw') !== before.thrown) fly(document.querySelector('#throw .mini'), before.rack.get(gone[0]));
  for (const [id, tile] of before.piles) {
    const seat = id.slice('thrown-'.length);
    if (seat !== table().dataset.seat && face(`#${id}`) && face(`#${id}`) !== tile) fly(document.querySelector(`#${id} .mini`), box(document.querySelector(`#seat-${seat} .ring`)));
  }
  before = null;
});
