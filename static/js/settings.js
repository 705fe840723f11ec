// This device's settings: kept in localStorage, set by controls with data-setting; early.js makes classes of them.

const KEY = 'mokali.settings';
const DEFAULTS = { sound: true, vibration: true, theme: 'system', four: false, onerow: false, numbered: false, onetap: false, askcostly: true, large: false, muted: [] };

let kept = read();

export const setting = (name) => kept[name];

function read() {
  let saved = null;
  try { saved = JSON.parse(localStorage.getItem(KEY)); } catch (error) { /* no storage: the defaults */ }
  return Object.assign({}, DEFAULTS, saved);
}

function fill() {
  kept = read();
  document.querySelectorAll('[data-setting]').forEach((control) => {
    const value = kept[control.dataset.setting];
    control.checked = control.type === 'radio' ? control.value === value : value === true;
  });
}

export function save(name, value) {
  kept[name] = value;
  try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch (error) { /* holds for this page only */ }
  window.dispatchEvent(new Event('mokali:settings'));
}

document.addEventListener('change', ({ target }) => {
  if (target.matches('[data-setting]')) save(target.dataset.setting, target.type === 'radio' ? target.value : target.checked);
});

window.addEventListener('storage', fill); // another tab has changed them
window.addEventListener('pageshow', fill); // the browser puts back what was ticked before
fill();
