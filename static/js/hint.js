// A hint or a lesson: what it speaks of has a ring, and goes with the next move. Loaded with the first one.

const hint = () => document.getElementById('hint');

/** Classes live here, not in the fragments, so each swap paints them anew. */
function paint() {
  const { played, marks = '' } = hint().dataset;
  const taught = document.getElementById('lesson')?.dataset.marks ?? '';
  const stale = played !== document.getElementById('table').dataset.played;
  if (stale) hint().replaceChildren();
  document.querySelectorAll('.hinted').forEach((one) => one.classList.remove('hinted'));
  `${stale ? '' : marks} ${taught}`.split(' ').forEach((id) => id && document.getElementById(id)?.classList.add('hinted'));
}

document.addEventListener('htmx:after:swap', paint);
document.addEventListener('click', ({ target }) => {
  if (!target.closest('[data-ui="unhint"]')) return;
  hint().dataset.played = '';
  paint();
});
paint();
