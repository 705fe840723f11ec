// The melds on the felt: as large as they all fit, how many are out of sight, and what is new among them.

import { table } from './state.js';

const FRESH = 1200;

let before = null;

const spread = () => document.querySelector('#melds .spread');
const texts = () => new Map(Array.from(document.querySelectorAll('.laid'), (meld) => [meld.dataset.meld, meld.getAttribute('aria-label')]));

/** The largest of four sizes with which nothing has to scroll, else the smallest. */
function fit() {
  const box = spread();
  if (!box) return;
  for (const density of ['large', '0', '1', '2']) {
    table().dataset.density = density;
    if (box.scrollHeight <= box.clientHeight + 1) break;
  }
  count();
}

function count() {
  const box = spread();
  const more = document.querySelector('#melds .more');
  if (!box || !more) return;
  const end = box.getBoundingClientRect().bottom;
  const hidden = Array.from(box.querySelectorAll('.laid')).filter((meld) => meld.getBoundingClientRect().bottom > end + 8).length;
  more.textContent = hidden ? `${hidden} per daha` : '';
  more.hidden = !hidden;
}

/** Large tiles for eyes that want them, and back. */
export function magnify(on = !table().classList.contains('magnified')) {
  table().classList.toggle('magnified', on);
  count();
}

document.addEventListener('htmx:before:swap', () => { before = table() && texts(); });

document.addEventListener('htmx:after:swap', () => {
  fit();
  for (const [index, text] of texts()) {
    if (!before || before.get(index) === text) continue;
    const meld = document.querySelector(`.laid[data-meld="${index}"]`);
    meld.classList.add('fresh');
    setTimeout(() => meld.classList.remove('fresh'), FRESH);
  }
});

document.addEventListener('scroll', count, true);
window.addEventListener('resize', fit);
document.fonts?.ready.then(fit);
fit();
