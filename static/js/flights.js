// What has moved on an okey table travels for 200 ms: a drawn tile to the rack, a thrown one to its pile. It holds nobody up.

import { table } from './state.js';

const LENGTH = 200;
const NEW = 1500;

let before = null;

const box = (element) => element && element.getBoundingClientRect();
const rack = () => new Map(Array.from(document.querySelectorAll('#rack .tile'), (tile) => [tile.dataset.tile, box(tile)]));
const face = (place) => document.querySelector(`${place} .mini`)?.dataset.tile || '';

function fly(element, from) {
  if (!element || !from || !from.width || !element.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const to = box(element);
  if (!to.width) return;
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration: LENGTH, easing: 'ease-out' });
}

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
