// The microphone: a tap starts and the next one sends, or it records for as long as it is held. Loaded when first touched.

import { clearRefusal, refuse, say } from './notice.js';
import { sound } from './sound.js';
import { hush } from './voices.js';
import { refuseFor, trouble } from './wire.js';

const LONGEST = 29500; // milliseconds; the house takes half a second more
const SHORTEST = 500;
const HOLD = 400;
const KEPT = 60000; // so long a message that did not arrive may be sent again
const KINDS = ['audio/mp4;codecs=mp4a.40.2', 'audio/mp4', 'audio/webm;codecs=opus'];
const HELP = { href: '/ses', text: 'Nasıl açılır?' };
const WHY = {
  NotAllowedError: ['Mikrofona izin yok. Tarayıcının adres satırındaki simgeye dokun, mikrofona izin ver, sonra yeniden dene.', HELP],
  NotFoundError: ['Bu cihazda mikrofon bulunamadı. Kulaklığın varsa tak, yeniden dokun.'],
  NotReadableError: ['Mikrofon şu anda başka bir uygulamada. Onu kapat, yeniden dokun.'],
};
WHY.SecurityError = WHY.NotAllowedError;
WHY.OverconstrainedError = WHY.NotFoundError;
WHY.AbortError = WHY.NotReadableError;
const UNKNOWN = ['Ses kaydı başlamadı. Tarayıcını güncelle ya da sayfayı yenile, yeniden dokun.'];

const bar = document.getElementById('recorder');
const mic = () => document.getElementById('mic');

let now = null; // the recording: { recorder, stream, pieces, began, level, address }
let asking = false;
let pressed = null; // { at, id } of the finger on the microphone, null once it is up
let frame = 0;
let unsent = null; // { blob, address, timer }

// ---- the microphone

function cannot() {
  if (!window.isSecureContext) return ['Bu adres güvenli (https) değil, tarayıcı mikrofonu bu yüzden açmıyor.', HELP];
  if (navigator.mediaDevices && window.MediaRecorder) return null;
  if (/iPhone|iPad|iPod/.test(navigator.userAgent)) return ['Sesli mesaj için iOS 14.3 ya da yenisi gerekir.'];
  return UNKNOWN;
}

function tellWhy([text, link]) {
  refuse(text, { code: 'microphone', link });
}

async function start() {
  const reason = cannot();
  if (reason) return tellWhy(reason);
  if (trouble() === 'elsewhere') return refuseFor('elsewhere');
  if (asking || now) return undefined;
  asking = true;
  clearRefusal();
  forgetUnsent();
  let stream = null;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true } });
    listen(stream);
  } catch (error) {
    if (stream) stream.getTracks().forEach((track) => track.stop());
    tellWhy(WHY[error.name] || UNKNOWN);
  }
  asking = false;
  return undefined;
}

function listen(stream) {
  const mimeType = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
  const recorder = new MediaRecorder(stream, Object.assign({ audioBitsPerSecond: 24000 }, mimeType && { mimeType }));
  const begun = { recorder, stream, pieces: [], began: performance.now(), level: meter(stream), address: mic().dataset.send };
  recorder.addEventListener('dataavailable', ({ data }) => { if (data.size) begun.pieces.push(data); });
  stream.getTracks().forEach((track) => track.addEventListener('ended', cancel)); // a phone call
  recorder.start();
  now = begun;
  hush(true);
  sound('record');
  draw();
  tick();
}

function meter(stream) {
  const Audio = window.AudioContext || window.webkitAudioContext;
  const context = new Audio();
  const analyser = context.createAnalyser();
  analyser.fftSize = 256;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Uint8Array(analyser.fftSize);
  return {
    end: () => context.close(),
    read: () => {
      analyser.getByteTimeDomainData(samples);
      return Math.min(1, samples.reduce((most, sample) => Math.max(most, Math.abs(sample - 128)), 0) / 64);
    },
  };
}

/** The recording is over: its microphone is given back, and whoever waited speaks. */
function stop() {
  const { recorder, stream, level } = now;
  cancelAnimationFrame(frame);
  stream.getTracks().forEach((track) => track.removeEventListener('ended', cancel));
  return new Promise((resolve) => {
    recorder.addEventListener('stop', resolve, { once: true });
    if (recorder.state === 'inactive') resolve();
    else recorder.stop();
  }).then(() => {
    stream.getTracks().forEach((track) => track.stop());
    level.end();
    const { pieces } = now;
    now = null;
    draw();
    return new Blob(pieces, { type: recorder.mimeType });
  });
}

async function finish() {
  if (!now || now.ending) return;
  now.ending = true;
  const { began, address } = now;
  const long = performance.now() - began;
  const blob = await stop();
  sound('recorded');
  hush(false);
  if (long < SHORTEST || !blob.size) refuse('Çok kısa oldu, gönderilmedi. Bas, konuş, bir daha bas.', { code: 'too_short' });
  else send(blob, address);
}

async function cancel() {
  if (!now || now.ending) return;
  now.ending = true;
  await stop();
  hush(false);
  say(['Sesli mesaj gönderilmedi.']);
}

// ---- sending

async function send(blob, address) {
  forgetUnsent();
  mic()?.classList.add('sending');
  let again = true;
  try {
    const answer = await fetch(address, { method: 'POST', body: blob });
    again = [409, 429, 503].includes(answer.status);
    if (answer.ok) sent();
    else await refused(answer);
  } catch (error) {
    refuse('Sesli mesaj gönderilemedi: bağlantı yok.', { code: 'offline' });
  }
  mic()?.classList.remove('sending');
  if (again && !now) offer(blob, address);
}

async function refused(answer) {
  const { code, text, rule } = await answer.json().catch(() => ({ code: 'broken', text: 'Sesli mesaj gönderilemedi.' }));
  const rules = document.querySelector('#sheet-rules [hx-get]').getAttribute('hx-get');
  refuse(text, { code, link: rule && { href: `${rules}#${rule}`, text: 'Kural' } });
}

function sent() {
  clearRefusal();
  say(['Sesli mesaj gönderildi.']);
}

function offer(blob, address) {
  unsent = { blob, address, timer: setTimeout(() => { forgetUnsent(); draw(); }, KEPT) };
  draw();
}

function forgetUnsent() {
  if (unsent) clearTimeout(unsent.timer);
  unsent = null;
}

// ---- what is shown

function draw() {
  bar.hidden = !(now || unsent);
  bar.classList.toggle('unsent', !now);
  mic()?.setAttribute('aria-pressed', String(Boolean(now)));
}

function tick() {
  if (!now || now.ending) return;
  const gone = performance.now() - now.began;
  if (gone >= LONGEST) { finish(); return; }
  const left = String(Math.ceil(30 - gone / 1000));
  const [shown, level] = bar.children;
  if (shown.textContent !== left) shown.textContent = left;
  bar.classList.toggle('last', gone > 20000);
  level.firstElementChild.style.transform = `scaleX(${now.level.read().toFixed(2)})`;
  frame = requestAnimationFrame(tick);
}

// ---- fingers and keys

const over = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest('[data-ui="unsay"]');

function down(id) {
  pressed = { at: performance.now(), id };
  if (now) { pressed = null; finish(); return; }
  start();
}

function up(event) {
  if (pressed === null || pressed.id !== event.pointerId) return; // another finger plays on
  const held = performance.now() - pressed.at >= HOLD;
  pressed = null;
  if (over(event)) cancel();
  else if (held && now) finish(); // where the browser was still asking, the next tap sends
}

document.addEventListener('pointerdown', (event) => {
  if (event.target.closest('#mic') && event.button === 0) down(event.pointerId);
});
document.addEventListener('pointerup', up);
document.addEventListener('pointercancel', ({ pointerId }) => { if (pressed && pressed.id === pointerId) pressed = null; });
document.addEventListener('contextmenu', (event) => { if (event.target.closest('#mic')) event.preventDefault(); });

document.addEventListener('click', (event) => {
  if (event.target.closest('#mic') && event.detail === 0) { // by keyboard
    if (!now) start();
    else if (performance.now() - now.began > SHORTEST) finish(); // else the key is still held
  }
  const control = event.target.closest('#recorder [data-ui]');
  if (!control) return;
  if (now) cancel();
  else if (control.dataset.ui === 'resend' && unsent) send(unsent.blob, unsent.address);
  else forgetUnsent();
  if (!now) draw();
});

document.addEventListener('keydown', ({ key }) => { if (key === 'Escape' && now) cancel(); });
document.addEventListener('visibilitychange', () => { if (document.hidden) cancel(); });
window.addEventListener('pagehide', cancel);
document.addEventListener('htmx:after:swap', () => {
  mic()?.setAttribute('aria-pressed', String(Boolean(now)));
  if (mic() || !now || now.ending) return;
  cancel();
  refuse('Artık burada konuşamazsın: koltuğundan kalktın. Sesli mesaj gönderilmedi.', { code: 'not_here' });
});

/** The touch that had this file loaded is the first that counts; the finger may be up again by now. */
export function begin(since, finger) {
  pressed = finger === null ? null : { at: since, id: finger };
  start();
}
