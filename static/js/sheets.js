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
  document.body.dataset.sheet = name;
  sheet.tabIndex = -1;
  sheet.focus({ preventScroll: true });
  sheet.querySelector('[hx-trigger="needed once"]')?.dispatchEvent(new CustomEvent('needed'));
  return true;
}

export function close() {
  if (!sheet) return;
  sheet.hidden = true;
  delete document.body.dataset.sheet;
  sheet = null;
  const back = opener && opener.isConnected ? opener : opener && opener.id && document.getElementById(opener.id);
  if (back) back.focus({ preventScroll: true });
  opener = null;
}

document.addEventListener('click', (event) => {
  if (!sheet || sheet.contains(event.target) || event.target.closest('#refusal')) return;
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
  if (link && showRule(link)) event.preventDefault();
});

let rule = ''; // the anchor that is to be shown as soon as it is there

/** A link to a rule opens it in the sheet where the page has one, so that nobody leaves the table. */
function showRule(link) {
  const rules = document.getElementById('sheet-rules');
  const { hash, pathname } = new URL(link.href);
  if (!rules || !(rules.contains(link) || pathname === new URL(rules.querySelector('[hx-get]').getAttribute('hx-get'), location).pathname)) return false;
  rule = hash.slice(1);
  if (sheet !== rules) open('rules');
  toRule();
  return true;
}

function toRule() {
  const place = rule && document.getElementById(rule);
  if (!place) return;
  place.scrollIntoView();
  rule = '';
}

document.addEventListener('htmx:after:swap', toRule);

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
  delete document.body.dataset.sheet;
  sheet = null;
  opener = null;
});
