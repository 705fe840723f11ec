// A form goes out once, however fast its button is tapped: a second copy would be refused as somebody else's.

const AGAIN_AFTER = 3000;
const sent = new WeakMap();

document.addEventListener('submit', (event) => {
  const before = sent.get(event.target) || 0;
  if (Date.now() - before < AGAIN_AFTER) event.preventDefault();
  else sent.set(event.target, Date.now());
});
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) document.querySelectorAll('form').forEach((form) => sent.delete(form));
});
