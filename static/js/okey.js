// The page of an okey table: throws, lays, takes okeys and opens with what is lifted, dropped or ticked. Knows no rule.

import './table.js';
import './flights.js';
import { refuse } from './notice.js';
import { post } from './post.js';
import { lift, tileOf, up } from './rack.js';
import { keys } from './rackkeys.js';
import { setting } from './settings.js';
import { close, open } from './sheets.js';
import { magnify } from './spread.js';
import { table } from './state.js';

const TAKES_NO_TAP = 1000;
const NO_DOUBLE_TAP = 400;
const FORGETS_AFTER = 4000;
const ANSWER_WITHIN = 5000;

let asked = null; // {what, at}: a second tap on the same means it
let sending = null; // {tiles, played, at}
let ending = null; // {tile, meld}: an okey that waits for its end
let returnable = 0;
const said = new WeakMap(); // what a button that asks said before

const legal = () => document.getElementById('legal').dataset;
const words = (text) => (text || '').split(' ').filter(Boolean);

/** What throwing this tile costs, and why; null where it costs nothing. */
function cost(tile) {
  const found = words(legal().costly).map((word) => word.split('>')).find(([name]) => name === tile);
  return found ? { points: found[1], why: legal()[found[2]].replace('%', found[1]) } : null;
}

// ---- what a lifted tile may do

/** Meld to what the tile does there: `lay`, `lay?` where an end is to be chosen, `swap`. */
function places(tile) {
  const found = new Map();
  for (const [list, wish] of [[legal().lays, 'lay'], [legal().swaps, 'swap']]) {
    for (const word of words(list)) {
      const [name, meld] = word.split('>');
      if (name === tile) found.set(parseInt(meld, 10), meld.endsWith('?') ? 'lay?' : wish);
    }
  }
  return found;
}

function paint() {
  const tile = up();
  const found = tile ? places(tile) : new Map();
  document.querySelectorAll('.laid').forEach((meld) => {
    const wish = found.get(Number(meld.dataset.meld));
    meld.classList.toggle('fits', wish !== undefined || (tile && pairArea(meld) !== null && pairOf(tile) !== undefined));
    meld.classList.toggle('frees', wish === 'swap');
  });
  answered();
  document.querySelectorAll('.opening').forEach((sheet) => {
    const button = sheet.querySelector('[data-do=open]');
    button.disabled = !legal()[sheet.dataset.kind];
    if (!button.dataset.fail) return;
    const failing = Boolean(asked) && asked.what === 'fail';
    button.textContent = failing ? `Yine de aç +${button.dataset.fail}` : 'Yere aç';
    button.classList.toggle('asking', failing);
  });
  document.querySelectorAll('#rack .tile').forEach((other) => other.classList.toggle('sending', Boolean(sending) && sending.tiles.includes(other.dataset.tile)));
  const button = document.getElementById('drop');
  if (!button) return;
  const means = tile && asked && asked.what === `discard ${tile}` && cost(tile);
  button.disabled = !tile || table().dataset.turn !== table().dataset.seat;
  button.textContent = means ? `Yine de at +${cost(tile).points}` : 'Taşı at';
  button.classList.toggle('asking', Boolean(means));
}

/** What was sent has come back with a new picture, or never will. */
function answered() {
  if (!sending || (sending.played === table().dataset.played && Date.now() - sending.at < ANSWER_WITHIN)) return;
  sending = null;
  if (document.querySelector('.opening:not([hidden])')) close();
}

function send(tiles, values) {
  if (sending) return refuse('Önceki hamlen gönderiliyor. Birazdan yeniden dene.');
  if (!post(values)) return;
  sending = { tiles, played: table().dataset.played, at: Date.now() };
  lift(null);
}

function throwTile(tile) {
  const costs = setting('askcostly') && cost(tile);
  if (!costs || confirmed(`discard ${tile}`, NO_DOUBLE_TAP)) return send([tile], { do: 'discard', tile });
  lift(tile);
  refuse(`${costs.why} Yine de atmak için bir daha dokun.`);
}

function onMeld(tile, element, under) {
  const meld = Number(element.dataset.meld);
  const okey = under && document.elementFromPoint(under.clientX, under.clientY).closest('.wild');
  const area = pairArea(element);
  if (area !== null && !places(tile).has(meld)) return layPair(tile, area);
  const wish = places(tile).get(meld) || (okey && !tileOf(tile).matches('.wild') ? 'swap' : 'lay');
  if (wish === 'swap') return send([tile], { do: 'swap', tile, meld });
  if (wish === 'lay') return send([tile], { do: 'lay', tiles: [tile], meld });
  ending = { tile, meld };
  open('end', element);
}

/** The seat in whose pair area this meld lies, where a pair may be laid there; else null. */
function pairArea(meld) {
  const owner = meld.matches('.pair') ? meld.closest('ul').id.slice('melds-'.length) : '';
  return words(legal().areas).includes(owner) ? Number(owner) : null;
}

const pairOf = (tile) => Array.from(document.querySelectorAll('#sheet-open-pairs .pick'), tilesOf).find((pair) => pair.includes(tile));

function layPair(tile, area) {
  const pair = pairOf(tile);
  if (!pair) return refuse('Önce taşı eşiyle yan yana diz, sonra çiftin üstüne bırak.');
  return send(pair, { do: 'open', kind: 'pairs', area, melds: [pair] });
}

/** Whether this was asked for a moment ago; else it is asked for now. A tap sooner than `after` is no answer yet. */
function confirmed(what, after = 0) {
  const age = asked !== null && asked.what === what ? Date.now() - asked.at : FORGETS_AFTER;
  if (age < after) return false;
  const yes = age < FORGETS_AFTER;
  asked = yes ? null : { what, at: Date.now() };
  if (!yes) setTimeout(() => { if (asked && asked.what === what) { asked = null; forget(); } }, FORGETS_AFTER);
  return yes;
}

function forget() {
  document.querySelectorAll('[data-ask].asking').forEach((button) => {
    button.classList.remove('asking');
    button.lastElementChild.replaceChildren(...(said.get(button) || []));
  });
  document.querySelectorAll('.opening:not([hidden])').forEach(sum);
  paint();
}

document.addEventListener('mokali:drop', ({ detail: { tile, target, under } }) => {
  if (target.matches('.laid')) onMeld(tile, target, under);
  else if (target.matches('#throw, #drop')) throwTile(tile);
  else open(document.getElementById('open-melds').dataset.why ? 'open-pairs' : 'open-melds', tileOf(tile));
});

document.addEventListener('mokali:lifted', ({ detail }) => {
  if (asked && asked.what.startsWith('discard') && asked.what !== `discard ${detail}`) asked = null;
  paint();
});

// ---- buttons

document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (event.target.closest('#melds')) return onFelt(event, event.target.closest('.laid'));
  if (!button) return;
  if (button.dataset.ask && !allowed(button)) return stopIt(event);
  if (button.dataset.why) {
    stopIt(event);
    return refuse(button.dataset.why);
  }
  if (button.dataset.ui === 'throw') {
    stopIt(event);
    if (up()) throwTile(up());
    else refuse('Önce atacağın taşa dokun.');
  } else if (/^open-/.test(button.dataset.ui)) {
    tick(document.getElementById(`sheet-${button.dataset.ui}`));
  } else if (button.dataset.sort) {
    document.querySelectorAll('.opening').forEach(tick);
  } else if (button.dataset.end && ending) {
    close();
    send([ending.tile], { do: 'lay', tiles: [ending.tile], meld: ending.meld, end: button.dataset.end });
  } else if (button.dataset.do === 'open') {
    lay(button.closest('.opening'), button);
  }
}, true);

function stopIt(event) {
  event.preventDefault();
  event.stopPropagation();
}

function onFelt(event, meld) {
  if (document.querySelector('.sheet:not([hidden])[role=dialog]')) return;
  stopIt(event);
  if (!up()) return magnify();
  if (meld) onMeld(up(), meld, event.detail ? event : null);
  else lift(null);
}

/** What says so wants a second tap, and tells before what it costs. "Geri bırak" takes none right after the draw. */
function allowed(button) {
  if (button.dataset.do === 'return' && Date.now() - returnable < TAKES_NO_TAP) return false;
  if (confirmed(button.dataset.do, button.dataset.warn ? NO_DOUBLE_TAP : 0)) return true;
  const label = button.lastElementChild;
  if (!button.classList.contains('asking')) said.set(button, Array.from(label.childNodes));
  button.classList.add('asking');
  label.textContent = button.dataset.ask;
  if (button.dataset.warn) refuse(button.dataset.warn);
  return false;
}

// ---- the opening sheets

const reading = (row) => row.querySelector('select');
const ticked = (sheet) => Array.from(sheet.querySelectorAll('.pick')).filter((row) => row.querySelector('input').checked);

const tilesOf = (row) => words(row.querySelector('input').dataset.tiles);

function worth(row) {
  const select = reading(row);
  const by = select && select.selectedOptions[0].dataset.value;
  return Number(by || row.querySelector('input').dataset.value);
}

/** Everything that can be laid, as the rack proposes it; without help it is for the player to tick. */
function tick(sheet) {
  if (asked && asked.what === 'fail') asked = null;
  sheet.querySelectorAll('input[data-value]').forEach((box) => { box.checked = true; });
  sum(sheet);
}

function sum(sheet) {
  const rows = ticked(sheet);
  const bar = Number(sheet.dataset.bar);
  const total = rows.reduce((so, row) => so + worth(row), 0);
  const waived = rows.length > 0 && Number(sheet.dataset.waives) === rows.flatMap(tilesOf).length;
  const missing = waived ? 0 : bar - total;
  const pairs = sheet.dataset.kind === 'pairs';
  const unit = pairs ? 'çift' : 'puan';
  const line = sheet.querySelector('.sum');
  const text = !sheet.dataset.bar ? `${rows.length} ${pairs ? 'çift' : 'per'} seçili`
    : waived && total < bar ? `${total}/${bar}: tek taşın kalıyor, baraj aranmaz`
      : missing > 0 ? `${total}/${bar}: ${missing} ${unit} eksik` : `${total}/${bar}: açabilirsin`;
  const warns = asked && asked.what === 'fail'; // what it costs stands there until it is answered or forgotten
  if (!warns && line.textContent !== text) line.textContent = text;
  sheet.classList.toggle('able', rows.length > 0 && !(missing > 0));
  return missing;
}

function lay(sheet, button) {
  const missing = sum(sheet);
  const rows = ticked(sheet);
  if (!rows.length) return refuse('Önce yere konacak taşları seç.');
  if (button.dataset.fail && !(missing <= 0) && !confirmed('fail', NO_DOUBLE_TAP)) {
    const why = missing > 0 ? `${missing} puan eksik, yere inmez:` : 'Baraja yetmezse yere inmez:';
    sheet.querySelector('.sum').textContent = `${why} ${button.dataset.fail} ceza yazılır. Yine de açmak için bir daha dokun.`;
    return paint();
  }
  const melds = rows.map((row) => {
    const names = tilesOf(row);
    const kind = reading(row) && reading(row).value;
    return kind ? { as: kind, tiles: names } : names;
  });
  send(melds.flatMap((meld) => meld.tiles || meld), { do: 'open', kind: sheet.dataset.kind, melds });
}

document.addEventListener('change', ({ target }) => {
  const sheet = target.closest('.opening');
  if (!sheet) return;
  if (asked && asked.what === 'fail') asked = null;
  sum(sheet);
  paint();
});

// ---- pictures from the server

let before = {};

document.addEventListener('htmx:before:swap', () => {
  const back = document.querySelector('#side[data-do="return"]');
  before = { played: table().dataset.played, back: Boolean(back) };
});

document.addEventListener('htmx:after:swap', () => {
  if (!document.getElementById('legal')) return;
  if (!before.back && document.querySelector('#side[data-do="return"]')) returnable = Date.now();
  document.querySelectorAll('.opening').forEach(sum);
  paint();
});

document.addEventListener('htmx:after:settle', ({ target }) => {
  if (target.id === 'refusal' && target.dataset.code) { sending = null; paint(); }
});

keys({ a: '#open-melds', d: '#stock[data-do="draw"]', y: '#side[data-do="draw"]' }, throwTile);

document.addEventListener('keydown', ({ key }) => { if (key === 'Escape') magnify(false); });

if (document.getElementById('legal')) document.querySelectorAll('.opening').forEach(sum);
paint();
