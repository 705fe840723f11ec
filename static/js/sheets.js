// Sheets: data-ui=NAME opens #sheet-NAME; data-ui=close, Escape and a tap outside close it. Focus stays in and goes back.

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';

// at a hand's end the score sheet is a part of the page: the server shows it, nobody closes it
const isDialog = (element) => element.getAttribute('role') === 'dialog';

let sheet = null;
let opener = null;

export function open(name, control) {
  const next = document.getElementById(`sheet-${name}`);
  if (!next) return false;
  if (!isDialog(next)) { next.focus({ preventScroll: true }); return false; }
  if (!sheet) opener = control || document.activeElement;
  if (sheet) sheet.hidden = true;
  sheet = next;
  sheet.hidden = false;
  sheet.tabIndex = -1;
  sheet.focus({ preventScroll: true });
  return true;
}

export function close() {
  if (!sheet) return;
  sheet.hidden = true;
  sheet = null;
  const back = opener && opener.isConnected ? opener : opener && opener.id && document.getElementById(opener.id);
  if (back) back.focus({ preventScroll: true });
  opener = null;
}

document.addEventListener('click', (event) => {
  if (!sheet || sheet.contains(event.target)) return;
  const control = event.target.closest('[data-ui]');
  const same = control === opener;
  close();
  // the hand stays usable under a sheet and another sheet opens at once; any other tap only closes
  if (event.target.closest('button[data-card], #rack .tile, .slot') || (control && !same)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener('click', (event) => {
  const control = event.target.closest('[data-ui]');
  if (control && control.dataset.ui === 'close') close();
  else if (control) open(control.dataset.ui, control);
  const link = event.target.closest('a[href*="#"]');
  if (link && showRule(new URL(link.href).hash.slice(1))) event.preventDefault();
});

/** A link to a rule opens it in the sheet where the page has one, so that nobody leaves the table. */
function showRule(id) {
  const rules = document.getElementById('sheet-rules');
  const rule = id && document.getElementById(id);
  if (!rules || !rule || !rules.contains(rule)) return false;
  open('rules');
  rule.scrollIntoView();
  return true;
}

document.addEventListener('keydown', (event) => {
  if (!sheet) return;
  if (event.key === 'Escape') return close();
  if (event.key !== 'Tab') return;
  const stops = Array.from(sheet.querySelectorAll(FOCUSABLE)).filter((element) => element.getClientRects().length > 0);
  const at = stops.indexOf(document.activeElement);
  const next = event.shiftKey ? at - 1 : at + 1;
  event.preventDefault();
  if (stops.length) stops[(next + stops.length) % stops.length].focus();
});

// `hidden` is in htmx's morphIgnore: a swap leaves an open sheet open, unless it took it away or made a part of the page of it
document.addEventListener('htmx:after:swap', () => {
  if (!sheet || (sheet.isConnected && isDialog(sheet))) return;
  sheet.hidden = true;
  sheet = null;
  opener = null;
});
