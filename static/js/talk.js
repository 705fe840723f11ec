// What people say: lines are read aloud and counted, phrases become bubbles; the sheets, the mute, the way to the recorder.

import { hideMuted, isMuted, nameOf, numberOf, show } from './bubble.js';
import { say } from './notice.js';
import { save, setting } from './settings.js';
import { close, open } from './sheets.js';
import { sound } from './sound.js';
import { keep, kept } from './talked.js';
import { dropMuted } from './voices.js';
import { serverNow } from './wire.js';

const FRESH = 6000; // a phrase older than this is history
const SHOWN = 4000;

const place = (id) => document.getElementById(id);

// ---- lines and phrases: new ones are read aloud and counted; what was said before this page is not

let told = null; // the last line that was told; null before the first look

const isReading = () => document.body.dataset.sheet === 'chat';

function tell(line) {
  const words = line.querySelector('.words');
  const face = words.querySelector('img');
  const text = face ? face.alt : words.textContent;
  say([`${nameOf(line)}: ${text}`]);
  if (serverNow() - Number(line.dataset.at) > FRESH) return;
  sound('tap');
  if (line.dataset.kind === 'phrase') show(`seat ${line.dataset.seat || nameOf(line)}`, line, words.cloneNode(true), SHOWN);
}

function follow() {
  const log = place('lines');
  if (!log) return;
  const lines = Array.from(log.querySelectorAll('[data-n]'));
  const newest = lines.length ? numberOf(lines[lines.length - 1]) : 0;
  const all = [...lines, ...place('messages').children];
  all.forEach((item) => item.classList.toggle('muted-line', isMuted(nameOf(item))));
  const heard = lines.filter((line) => !line.classList.contains('muted-line'));
  if (told !== null) heard.filter((line) => numberOf(line) > told).forEach(tell);
  const fresh = newest > (told || 0);
  told = Math.max(told || 0, newest);
  if (kept.read === null) read(newest); // before one's time
  else if (isReading() && newest > kept.read) read(newest);
  if (isReading() && fresh) log.parentElement.scrollTop = log.parentElement.scrollHeight;
  count(heard.filter((line) => line.dataset.kind === 'chat' && numberOf(line) > kept.read).length);
}

function read(newest) {
  kept.read = newest;
  keep();
}

function count(unread) {
  const button = place('talk');
  if (!button) return;
  if (unread) button.dataset.unread = unread > 9 ? '9+' : unread;
  else delete button.dataset.unread;
  button.setAttribute('aria-label', unread ? `Mesajlar, ${unread} yeni` : 'Mesajlar');
}

// ---- taps

function mute(button) {
  const name = button.parentElement.querySelector('bdi').textContent;
  const others = setting('muted').filter((other) => other !== name);
  save('muted', isMuted(name) ? others : [...others, name]);
  dropMuted();
  hideMuted();
  paint();
  follow();
}

/** What the server does not know: whom this device has silenced, and whether it can record. */
function paint() {
  document.querySelectorAll('[data-ui="mute"]').forEach((button) => {
    const name = button.parentElement.querySelector('bdi').textContent;
    button.setAttribute('aria-pressed', String(isMuted(name)));
    button.hidden = button.parentElement.dataset.seat === place('table').dataset.seat; // oneself
  });
  const mic = place('mic');
  if (mic && !window.isSecureContext) mic.setAttribute('aria-disabled', 'true');
}

document.addEventListener('click', ({ target }) => {
  const control = target.closest('[data-ui]');
  if (!control) return;
  if (control.dataset.ui === 'talk') open(place('talk').dataset.unread ? 'chat' : 'phrases', control);
  if (control.dataset.ui === 'mute') mute(control);
  if (control.dataset.ui === 'chat' || control.dataset.ui === 'talk') {
    const log = place('lines').parentElement;
    log.scrollTop = log.scrollHeight;
    follow();
  }
});

// ---- the recorder is loaded when the microphone is first touched, by finger or key

let recorder = null;
let finger = null; // the one that touched it, until it is up again

for (const end of ['pointerup', 'pointercancel']) {
  document.addEventListener(end, ({ pointerId }) => { if (pointerId === finger) finger = null; }, true);
}

function record(event) {
  if (recorder || !event.target.closest('#mic') || (event.type === 'click' && event.detail)) return;
  const since = performance.now();
  finger = event.type === 'pointerdown' ? event.pointerId : null;
  recorder = import('./recorder.js').then((module) => module.begin(since, finger), () => { recorder = null; });
}

document.addEventListener('pointerdown', record);
document.addEventListener('click', record);

// ---- writing: the field is emptied when the line goes out, and has it back where the line was refused

let sent = '';

document.addEventListener('htmx:ws:after:message:outgoing', ({ detail }) => {
  const { do: deed, text } = JSON.parse(detail.message.data);
  const field = document.querySelector('.line-form input');
  if (deed === 'say') close();
  sent = deed === 'chat' ? text : ''; // a refusal answers what went out last
  if (sent) field.value = '';
});

document.addEventListener('htmx:after:settle', ({ target }) => {
  const field = document.querySelector('.line-form input');
  if (target.id !== 'refusal' || !sent) return;
  if (field && !field.value) field.value = sent;
  sent = '';
});

// the keyboard covers the lower part of the page: the sheet stands above it
if (window.visualViewport) {
  const fit = () => document.body.style.setProperty('--keyboard', `${Math.max(0, innerHeight - visualViewport.height - visualViewport.offsetTop)}px`);
  visualViewport.addEventListener('resize', fit);
  visualViewport.addEventListener('scroll', fit);
}

document.addEventListener('htmx:after:swap', () => { paint(); follow(); });
paint();
follow();
