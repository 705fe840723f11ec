// The page's one socket: what may go out, whether it still lives, when to connect anew. htmx opens it and draws; no game here.

import { banner, missed } from './banner.js';
import { clearRefusal, refuse } from './notice.js';

const SILENCE = 12000;
const HEARTBEAT = 5000;
const DOUBLE_TAP = 400;
const HOME = 4001;
const NO_TABLE = 4004;
const TAP_CODES = [4008, 1009];
const WHY = {
  connecting: 'Bağlanılıyor. Birazdan yeniden dokun.',
  closed: 'Bağlantı yok, bir şey gönderilmedi. Bağlanınca yeniden dokun.',
  offline: 'İnternet yok, bir şey gönderilmedi. Bağlanınca yeniden dokun.',
  restarting: 'Mokali yenileniyor, bir şey gönderilmedi. Birazdan yeniden dokun.',
  halted: 'Bağlantı durdu, bir şey gönderilmedi. Bağlanınca yeniden dokun.',
  elsewhere: 'Bu koltuk başka sekmede açık. Burada oynamak için “Buraya al”.',
};

let connection = null;
let state = 'connecting';
let alive = Date.now();
let acting = true;
let offset = null;
let newest = 0;
let failures = 0; // sockets in a row that closed before their first word
let fresh = false;
let tapped = 0; // when a finger or a key last did something, by its own clock: a busy page hears of it late
let sent = { deed: '', at: 0 };

/** The server's clock in milliseconds, null before its first heartbeat. */
export const serverNow = () => (offset === null ? null : Date.now() + offset);

/** Why nothing can be sent now, a key of WHY, or null. */
export function trouble() {
  if (state === 'halted' || state === 'gone') return 'halted';
  if (navigator.onLine === false) return 'offline';
  if (state !== 'open') return state;
  if (connection.socket.readyState !== WebSocket.OPEN || Date.now() - alive > SILENCE) return 'closed';
  return acting ? null : 'elsewhere';
}

export const refuseFor = (reason) => refuse(WHY[reason]);

/** Leaves the page for good, without an entry in the browser's history. */
export function go(address) {
  state = 'gone';
  location.replace(address);
}

function tell() {
  if (state === 'gone') return;
  const reason = trouble();
  document.body.dataset.wire = reason || 'open';
  if (reason !== 'connecting') banner(reason);
}

function reconnect() {
  if (state === 'gone') return;
  alive = Date.now();
  if (state !== 'restarting') state = 'closed';
  tell();
  htmx.process(document.querySelector('.wire'), true);
}

function on(name, handle) {
  document.addEventListener(`htmx:ws:${name}`, (event) => handle(event.detail, event));
}

on('before:connection', (detail) => { connection = detail.connection; });

on('after:connection', (detail) => {
  connection = detail.connection;
  connection.queue.length = 0; // nothing of before is ever replayed (RL-28)
  alive = Date.now();
  newest = 0;
  fresh = true;
  acting = true; // else the server says so at once
  sent = { deed: '', at: 0 }; // what was lost may be sent again at once
});

on('close', ({ connection: closed, reason, code }) => {
  if (closed !== connection || reason !== 'closed' || state === 'gone') return;
  alive = Date.now();
  failures = state === 'open' ? 0 : failures + 1;
  closed.attempt = failures; // htmx would begin anew at each open
  if (code === HOME) return go('/');
  if (code === NO_TABLE) return go(location.pathname); // its page says why
  if (TAP_CODES.includes(code)) {
    state = 'halted';
  } else {
    state = code === 1012 || state === 'restarting' ? 'restarting' : 'closed';
    // what htmx gives up, we don't
    if (!htmx.config.ws.reconnectCodes.includes(code)) setTimeout(reconnect, Math.min(failures + 1, 5) * (700 + Math.random() * 600));
  }
  tell();
});

/** What is done, whichever way round and in whichever chair: the answer to a first tap may put another under the second. */
const deedOf = (values) => JSON.stringify(values, (key, value) => (key === 'chair' || typeof value === 'boolean' ? undefined : value));

for (const tap of ['pointerup', 'keydown', 'click']) {
  document.addEventListener(tap, ({ timeStamp }) => { tapped = timeStamp; }, true);
}

on('before:message:outgoing', ({ message }, event) => {
  const reason = trouble();
  const deed = deedOf(message.values);
  const table = document.getElementById('table');
  const played = table && table.dataset.played;
  // what the table has done meanwhile may be done again (a double's next move), unless the button says otherwise
  const anew = sent.played !== played && !event.target.closest('[data-once]');
  const twice = sent.deed === deed && !anew && tapped - sent.at < DOUBLE_TAP;
  if (!reason) sent = { deed, played, at: tapped }; // five fast taps are one
  if (reason || twice) {
    event.preventDefault();
    if (reason) refuseFor(reason);
    return;
  }
  if (table) message.values.played = Number(played);
  message.data = JSON.stringify(message.values); // without htmx's headers
  clearRefusal();
});

on('error', ({ url }) => { if (url) refuseFor(trouble() || 'closed'); });

on('before:message:incoming', ({ connection: from, message }, event) => {
  if (from !== connection) return event.preventDefault(); // the last words of a socket given up
  alive = Date.now();
  // not before the server has spoken: until then `played` may be old
  if (state !== 'gone' && connection.socket.readyState === WebSocket.OPEN) state = 'open';
  const revision = /data-revision=\\?"(\d+)/.exec(message.data);
  if (!revision) return;
  if (Number(revision[1]) < newest) return event.preventDefault(); // never older over newer (RL-25)
  newest = Number(revision[1]);
});

function tellOf(detail) {
  document.dispatchEvent(new CustomEvent('mokali:message', { detail }));
}

on('after:message:incoming', ({ message: { data } }) => {
  if (data[0] === '{') {
    const message = JSON.parse(data);
    if ('now' in message) offset = message.now - Date.now();
    if ('acting' in message) acting = message.acting;
    tellOf(message);
  } else if (data.includes('id="news"')) {
    tellOf(JSON.parse(document.getElementById('news').dataset.news));
  }
  tell();
  if (fresh && data[0] !== '{') {
    fresh = false;
    missed();
  }
});

setInterval(() => {
  // between two tries of htmx the socket is CLOSED and `alive` is young: its own delays stand
  if (state !== 'halted' && Date.now() - alive > SILENCE) reconnect();
  tell();
}, 500);

function awake() {
  if (document.hidden || state === 'halted') return;
  if (state !== 'open' || trouble() === 'closed' || Date.now() - alive > HEARTBEAT + 1000) reconnect();
}

document.addEventListener('visibilitychange', awake);
window.addEventListener('pageshow', (event) => { if (event.persisted) awake(); });
window.addEventListener('online', () => { if (state !== 'halted') reconnect(); });
window.addEventListener('offline', tell);

for (const tap of ['pointerup', 'keydown']) {
  document.addEventListener(tap, () => { if (state === 'halted') reconnect(); });
}
