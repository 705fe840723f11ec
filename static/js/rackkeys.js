// What every table with a rack does by button and key: sorts, flips an okey, throws. Keys count while the table has the focus.

import { post } from './post.js';
import { columns, flip } from './rack.js';

const SORTS = { s: 'runs', ç: 'pairs' };

const sort = (how) => post({ do: 'assist', sort: how, cols: columns() });

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button[data-sort]');
  if (button) sort(button.dataset.sort);
});

/** `named` are the layout's own keys, each with its button; `throwTile` throws the tile that has the focus. */
export function keys(named, throwTile) {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input, select, textarea') || !target.closest('#table')) return;
    const tile = target.closest('#rack .tile');
    if (key === 'Delete' && tile && !event.repeat) throwTile(tile.dataset.tile);
    else if (key === 'o' && tile && tile.matches('.wild, .down')) flip(tile.dataset.tile);
    else if (SORTS[key] && document.querySelector('#sort:not(.none)')) sort(SORTS[key]);
    else if (named[key]) document.querySelector(named[key])?.click();
  });
}
