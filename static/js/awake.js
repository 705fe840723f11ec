// Keeps the screen on while this person sits at a table that is not over, where the browser can.

import { table } from './state.js';

let lock = null;

async function keep() {
  const { seat, stage } = table().dataset;
  const wanted = seat !== '' && stage !== 'ended';
  if (!wanted && lock) { lock.release(); lock = null; }
  if (!wanted || lock || document.hidden || !navigator.wakeLock) return;
  lock = 'asked';
  try {
    lock = await navigator.wakeLock.request('screen');
    lock.addEventListener('release', () => { lock = null; });
  } catch (error) {
    lock = null; // low battery, or not allowed
  }
}

document.addEventListener('visibilitychange', keep);
document.addEventListener('htmx:after:swap', keep);
document.addEventListener('click', keep);
keep();
