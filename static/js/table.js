// What every table page does, waiting, playing and ended; each layout's own file (pisti.js) imports it. Load it before htmx.js.

import './awake.js';
import { say, toast } from './notice.js';
import './seal.js';
import './settings.js';
import { close, open } from './sheets.js';
import { sound } from './sound.js';
import { table } from './state.js';
import './talk.js';
import { go } from './wire.js';

if (document.querySelector('.waiting')) import('./share.js'); // an invitation; whoever comes later needs none

document.addEventListener('mokali:message', ({ detail }) => {
  if (detail.say) say(detail.say);
  if (detail.toast) toast(detail.toast.text, detail.toast.by);
  if (detail.sounds) detail.sounds.forEach(sound);
  if (detail.nudge) {
    sound('nudge');
    toast(`${detail.nudge} seni dürttü`);
    say([`${detail.nudge} seni dürttü.`]);
  }
});

// a key that is held is pressed once: what it asked for it does not answer
document.addEventListener('keydown', (event) => {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ') && event.target.closest('button')) event.preventDefault();
}, true);

// ---- leaving a running game is asked once; after the server's answer, or a second, the lobby

let leaving = null;

document.addEventListener('htmx:ws:before:message:outgoing', (event) => {
  if (event.detail.message.values.do !== 'leave' || table().dataset.stage !== 'playing') return;
  if (event.target.closest('#sheet-leave') || !open('leave', event.target)) return;
  event.preventDefault();
});

document.addEventListener('htmx:ws:after:message:outgoing', ({ detail }) => {
  if (JSON.parse(detail.message.data).do === 'leave') leaving = setTimeout(go, 1000, '/');
});

document.addEventListener('htmx:after:settle', ({ target }) => {
  if (target.id === 'refusal') { clearTimeout(leaving); leaving = null; }
});

document.addEventListener('htmx:ws:after:message:incoming', ({ detail }) => {
  if (leaving !== null && detail.message.data[0] !== '{') go('/');
});

// ---- "Durumu oku": what lies open and the own hand, in words

function read() {
  close();
  const words = [];
  document.querySelectorAll('#step, #seats .seat, #pile [aria-label], #pile p, .talk > *, .swap, #melds [aria-label], #board [aria-label], #hand [aria-label], #rack [aria-label]').forEach((place) => {
    if (place.getClientRects().length) words.push(place.getAttribute('aria-label') || place.innerText.replace(/\s+/g, ' ').trim());
  });
  say([words.join('. ')]);
}

document.addEventListener('keydown', (event) => {
  const typing = event.ctrlKey || event.metaKey || event.target.matches('input, textarea');
  if (event.key === 'i' && !typing && event.target.closest('#table')) read();
});

document.addEventListener('click', ({ target }) => { if (target.closest('[data-ui="read"]')) read(); });
