// Voice messages: a queue, one at a time; where the browser plays nothing unasked, a bubble with a button waits.

import { hide, isMuted, nameOf, numberOf, show } from './bubble.js';
import { toast } from './notice.js';
import { setting } from './settings.js';
import { keep, kept } from './talked.js';
import { serverNow, trouble } from './wire.js';

const NEWCOMER = 15000; // whoever comes to a table hears what was said just now, not ten minutes of it

const TRIES = 4;
const REST = 2000; // until what could not be had is asked for again

const audio = new Audio();
let waiting = []; // what has not been heard, in order
let playing = null;
let refused = false; // by the browser: nothing plays before the next tap
let hushed = false; // the person speaks
let resting = 0; // a timer: what could not be had is tried again then
let unlocked = false;
const failed = new Map(); // by number, how often

const voiceOf = (item) => `voice ${item.dataset.n}`;

function bubbleOf(item, button) {
  const content = item.querySelector('button').cloneNode(true);
  content.querySelector('.cut').remove();
  content.dataset.n = item.dataset.n;
  content.classList.toggle('sounding', !button);
  content.setAttribute('aria-label', button ? `Dinle: ${nameOf(item)}` : `${nameOf(item)} konuşuyor`);
  show(voiceOf(item), item, content);
}

const isHeard = (item) => numberOf(item) <= kept.heard.after || kept.heard.also.includes(numberOf(item));

function mark(item) {
  if (isHeard(item)) return;
  kept.heard.also.push(numberOf(item));
  keep();
}

function gather() {
  const list = document.getElementById('messages');
  if (!list) return;
  const items = Array.from(list.children);
  if (kept.heard === null) {
    if (serverNow() === null) return; // the first heartbeat says what is long ago
    const old = items.filter((item) => serverNow() - Number(item.dataset.at) > NEWCOMER);
    kept.heard = { after: old.length ? numberOf(old[old.length - 1]) : 0, also: [] };
    keep();
  }
  const there = new Set(items.map(numberOf));
  waiting.filter((item) => !there.has(numberOf(item))).forEach((item) => hide(voiceOf(item))); // deleted meanwhile
  waiting = waiting.filter((item) => there.has(numberOf(item)));
  const known = new Set([...waiting, ...(playing ? [playing] : [])].map(numberOf));
  for (const item of items.filter((one) => !known.has(numberOf(one)) && !isHeard(one))) {
    if (isMuted(nameOf(item))) mark(item);
    else waiting.push(item.cloneNode(true));
  }
  next();
}

const stuck = (item) => failed.get(numberOf(item)) >= TRIES;

/** Plays what is due; what has to wait for a tap shows itself. Without a line, and in a tab that only looks on, nothing is due. */
function next() {
  if (playing || hushed || resting || trouble()) return;
  const silent = refused || !setting('sound');
  firstOfEach().filter((item) => silent || stuck(item)).forEach((item) => bubbleOf(item, true));
  const due = !silent && waiting.find((item) => !stuck(item));
  if (due) play(due);
}

/** What of each person waits longest: their bubbles would lie on one another. */
const firstOfEach = () => waiting.filter((item, n) => waiting.findIndex((other) => nameOf(other) === nameOf(item)) === n);

async function play(item) {
  playing = item;
  waiting = waiting.filter((other) => numberOf(other) !== numberOf(item));
  audio.src = item.dataset.src;
  bubbleOf(item, false);
  try {
    await audio.play();
    refused = false;
  } catch (error) {
    if (playing !== item) return;
    if (error.name === 'NotAllowedError') {
      if (!refused && !document.body.dataset.sheet) toast('Sesi aç: ekrana dokun');
      refused = true;
      waiting.unshift(item);
      playing = null;
      next();
    } else {
      missed();
    }
  }
}

function over() {
  if (!playing) return;
  silent();
  mark(playing);
  playing = null;
  next();
}

/** Not to be had just now, which may be the line: it waits, and is tried again. */
function missed() {
  if (!playing) return;
  failed.set(numberOf(playing), (failed.get(numberOf(playing)) || 0) + 1);
  putBack();
  clearTimeout(resting);
  resting = setTimeout(() => { resting = 0; gather(); }, REST);
}

audio.addEventListener('ended', over);
audio.addEventListener('error', () => { if (playing && audio.error) missed(); });
audio.addEventListener('playing', () => { if (playing) document.body.dataset.hearing = playing.dataset.n; });

/** While the person speaks, nobody else does. */
export function hush(on) {
  hushed = on;
  if (on) putBack();
  else next();
}

/** What plays waits again, before everything else. */
function putBack() {
  if (!playing) return;
  silent();
  waiting.unshift(playing);
  playing = null;
}

function silent() {
  audio.pause();
  hide(voiceOf(playing));
  delete document.body.dataset.hearing;
}

// any tap gives the browser leave to play; what waited for it begins
function unlock() {
  if (!unlocked && !playing) {
    unlocked = true;
    audio.src = silence();
    audio.play().catch(() => { unlocked = false; });
  }
  if (refused) {
    refused = false;
    next();
  }
}

/** Nothing at all, a tenth of a second long: what is played in a tap may later play by itself. */
function silence() {
  const rate = 8000;
  const size = rate / 10;
  const head = new DataView(new ArrayBuffer(44 + size));
  const letters = (at, text) => Array.from(text).forEach((letter, n) => head.setUint8(at + n, letter.charCodeAt(0)));
  letters(0, 'RIFF');
  head.setUint32(4, 36 + size, true);
  letters(8, 'WAVEfmt ');
  [[16, 16, 4], [20, 1, 2], [22, 1, 2], [24, rate, 4], [28, rate, 4], [32, 1, 2], [34, 8, 2], [40, size, 4]].forEach(([at, value, bytes]) => {
    if (bytes === 4) head.setUint32(at, value, true);
    else head.setUint16(at, value, true);
  });
  letters(36, 'data');
  for (let n = 44; n < 44 + size; n += 1) head.setUint8(n, 128);
  return URL.createObjectURL(new Blob([head.buffer], { type: 'audio/wav' }));
}

for (const tap of ['pointerup', 'click', 'keydown']) document.addEventListener(tap, unlock, true);

// ---- taps

function hear(button) {
  const item = button.closest('[data-src]') || waiting.find((other) => other.dataset.n === button.dataset.n);
  if (!item || hushed || (playing && numberOf(playing) === numberOf(item))) return;
  putBack();
  play(item.cloneNode(true));
}

/** Whoever was silenced speaks no more. */
export function dropMuted() {
  waiting = waiting.filter((item) => !isMuted(nameOf(item)));
  if (playing && isMuted(nameOf(playing))) over();
}

document.addEventListener('click', ({ target }) => {
  const control = target.closest('[data-ui="hear"]');
  if (control) hear(control);
});

document.addEventListener('htmx:after:swap', gather);
document.addEventListener('mokali:message', ({ detail }) => {
  if ('now' in detail && kept.heard === null) gather();
  if (!('acting' in detail)) return;
  if (trouble()) putBack(); // another tab has taken over
  next();
});
window.addEventListener('mokali:settings', () => {
  if (!setting('sound')) putBack();
  next();
});
gather();
