// The page of Klasik Okey: throws what is lifted, or finishes with it. Knows no rule.

import './table.js';
import './flights.js';
import { refuse } from './notice.js';
import { post } from './post.js';
import { columns, flip, lift, up } from './rack.js';
import { table } from './state.js';

const onTurn = () => table().dataset.turn === table().dataset.seat;

function play(deed, without) {
  if (!up()) return refuse(without);
  if (post({ do: deed, tile: up() })) lift(null);
  return undefined;
}

const deeds = {
  throw: () => play('discard', 'Önce atacağın taşa dokun.'),
  finish: () => play('finish', 'Önce bitireceğin taşa, on beşinciye dokun.'),
};

function paint() {
  const drop = document.getElementById('drop');
  const finish = document.getElementById('finish');
  if (!drop) return;
  drop.disabled = !up() || !onTurn();
  const ready = (document.getElementById('legal').dataset.finish || '').split(' ').includes(up());
  drop.classList.toggle('primary', !ready);
  finish.classList.toggle('primary', ready);
}

document.addEventListener('mokali:drop', ({ detail: { tile, target } }) => {
  lift(tile);
  if (target.matches('[data-drop]')) deeds.finish();
  else deeds.throw();
});

document.addEventListener('mokali:lifted', paint);
document.addEventListener('htmx:after:swap', paint);

document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  if (deeds[button.dataset.ui]) deeds[button.dataset.ui]();
  else if (button.dataset.sort) post({ do: 'assist', sort: button.dataset.sort, cols: columns() });
});

// ---- keys, while the table has the focus

const KEYS = { b: '#finish', d: '#stock[data-do="draw"]', y: '#side' };
const SORTS = { s: 'runs', ç: 'pairs' };

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select, textarea') || !event.target.closest('#table')) return;
  const tile = event.target.closest('#rack .tile');
  if (event.key === 'Delete' && tile) {
    lift(tile.dataset.tile);
    deeds.throw();
  } else if (event.key === 'o' && tile && tile.matches('.wild, .down')) flip(tile.dataset.tile);
  else if (SORTS[event.key] && document.querySelector('#sort:not(.none)')) post({ do: 'assist', sort: SORTS[event.key], cols: columns() });
  else if (KEYS[event.key]) document.querySelector(KEYS[event.key])?.click();
});

paint();
