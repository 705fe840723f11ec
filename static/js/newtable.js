// Opening a table: the footer says what will be played, in the words of what is chosen (data-summary).

import './once.js';
import './settings.js';

const form = document.querySelector('form[data-summary]');
const line = form && document.getElementById(form.dataset.summary);

function summarize() {
  const chosen = Array.from(form.querySelectorAll('input[data-summary]:checked'), (input) => input.dataset.summary);
  line.textContent = [form.dataset.game, ...chosen].join(' · ');
}

if (line) {
  form.addEventListener('change', summarize);
  window.addEventListener('pageshow', summarize); // going back, the browser keeps what was chosen
}
