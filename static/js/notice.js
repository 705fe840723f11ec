// Short words to the person: the line that is read aloud, the refusal and the toast.

const place = (id) => document.getElementById(id);
const SPOKEN_KEPT = 12;

let refusalTimer;
let toastTimer;

/** Sentences for the screen reader, in order; an older one is never overwritten while it is being read. */
export function say(sentences) {
  const live = place('live');
  if (!live) return;
  for (const sentence of sentences) {
    const line = document.createElement('p');
    line.textContent = sentence;
    live.append(line);
  }
  while (live.childElementCount > SPOKEN_KEPT) live.firstElementChild.remove();
}

/** Why something can't be done; `link` ({ href, text }) leads to what helps. */
export function refuse(text, { code = 'local', link = null } = {}) {
  const refusal = place('refusal');
  if (!refusal) return;
  refusal.textContent = text;
  if (link) refusal.append(' ', Object.assign(document.createElement('a'), { href: link.href, textContent: link.text }));
  refusal.dataset.code = code;
  showRefusal();
}

export function clearRefusal() {
  clearTimeout(refusalTimer);
  const refusal = place('refusal');
  if (!refusal) return;
  refusal.textContent = '';
  delete refusal.dataset.code;
  refusal.hidden = true;
}

function showRefusal() {
  const refusal = place('refusal');
  clearTimeout(refusalTimer);
  refusal.hidden = refusal.textContent.trim() === '';
  refusalTimer = setTimeout(() => {
    // whoever has walked to the link by keyboard keeps it until the next action
    if (!refusal.contains(document.activeElement)) clearRefusal();
  }, 6000);
}

export function toast(text, by) {
  const box = place('toast');
  if (!box) return;
  clearTimeout(toastTimer);
  box.textContent = text;
  if (by) box.append(Object.assign(document.createElement('small'), { textContent: by }));
  box.hidden = false;
  toastTimer = setTimeout(() => { box.hidden = true; }, 1200);
}

// the server's own refusal, drawn as a fragment
document.addEventListener('htmx:after:settle', ({ target }) => {
  if (target.id === 'refusal') showRefusal();
  if (target.id === 'hint' || taught()) import('./hint.js');
});

const taught = () => document.querySelector('#lesson .guide') !== null;
if (taught()) import('./hint.js');
