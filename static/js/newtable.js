// Opening a table: the footer says what will be played, in the words of what is chosen (data-said, data-differs).

import './once.js';
import './settings.js';

const form = document.querySelector('form[action][method="post"]');
const line = document.getElementById('said');
const more = document.getElementById('differences');
const count = form.querySelector('[data-count]');

// What cannot be chosen with so many people gives way to what is usual.
function settle() {
  const seats = form.elements.namedItem('seats').value;
  form.querySelectorAll('[data-seats]').forEach((input) => {
    input.disabled = !input.dataset.seats.split(' ').includes(seats);
    if (input.disabled && input.checked) usual(input.name);
  });
}

function usual(name) {
  form.querySelector(`input[name="${name}"][data-usual]`).checked = true;
}

function summarize() {
  settle();
  const chosen = Array.from(form.querySelectorAll('input:checked, input[type="hidden"]'));
  const differences = chosen.filter((input) => input.dataset.differs);
  const counted = differences.length ? `${differences.length} fark` : '';
  line.textContent = chosen.flatMap((input) => input.dataset.said || []).join(' · ');
  more.textContent = counted && `${counted}: ${differences.map((input) => input.dataset.differs).join(' · ')}`;
  more.hidden = !counted;
  if (count) count.textContent = counted;
  form.querySelectorAll('.rule-field').forEach((field) => {
    field.classList.toggle('changed', Boolean(field.querySelector('[data-differs]:checked')));
  });
}

form.addEventListener('change', summarize);
form.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-ui="usual"]');
  if (!button) return;
  const input = button.parentElement.querySelector('[data-usual]');
  input.checked = true;
  input.focus();
  summarize();
});
window.addEventListener('pageshow', summarize); // going back, the browser keeps what was chosen
