// The page of Klasik Okey: throws what is lifted, or finishes with it. Knows no rule.

import './table.js';
import './flights.js';
import { refuse } from './notice.js';
import { post } from './post.js';
import { lift, up } from './rack.js';
import { keys } from './rackkeys.js';
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
  if (button && deeds[button.dataset.ui]) deeds[button.dataset.ui]();
});

keys({ b: '#finish', d: '#stock[data-do="draw"]', y: '#side' }, (tile) => {
  lift(tile);
  deeds.throw();
});

paint();
