// Sounds made of a few notes, no files, and the phone's buzz. Any tap unlocks them.

import { setting } from './settings.js';

// per note: hertz, start and length in seconds, shape
const NOTES = {
  tap: [[700, 0, 0.04, 'triangle']],
  play: [[330, 0, 0.07, 'triangle'], [220, 0.03, 0.08, 'triangle']],
  capture: [[392, 0, 0.09, 'triangle'], [523, 0.08, 0.12, 'triangle']],
  pisti: [[523, 0, 0.1, 'square'], [659, 0.1, 0.1, 'square'], [784, 0.2, 0.1, 'square'], [1047, 0.3, 0.25, 'square']],
  turn: [[660, 0, 0.12, 'sine'], [880, 0.14, 0.18, 'sine']],
  nudge: [[880, 0, 0.1, 'sine'], [880, 0.16, 0.1, 'sine'], [880, 0.32, 0.1, 'sine']],
  dice: [[900, 0, 0.03, 'triangle'], [640, 0.05, 0.03, 'triangle'], [780, 0.1, 0.04, 'triangle']],
  gele: [[300, 0, 0.14, 'sine'], [220, 0.15, 0.22, 'sine']],
  tick: [[1200, 0, 0.03, 'sine']],
  record: [[660, 0, 0.06, 'sine'], [990, 0.07, 0.08, 'sine']],
  recorded: [[990, 0, 0.06, 'sine'], [660, 0.07, 0.08, 'sine']],
  end: [[523, 0, 0.16, 'triangle'], [392, 0.17, 0.16, 'triangle'], [523, 0.34, 0.3, 'triangle']],
};
const LOUDNESS = { sine: 0.16, triangle: 0.18, square: 0.05 };
const BUZZING = ['turn', 'nudge'];

let audio = null;

function unlock() {
  const Audio = window.AudioContext || window.webkitAudioContext;
  if (!audio && Audio) audio = new Audio();
  if (audio && audio.state !== 'running') audio.resume().catch(() => {});
}

export function sound(name) {
  if (BUZZING.includes(name) && setting('sound') && setting('vibration') && navigator.vibrate) navigator.vibrate(30);
  if (!audio || audio.state !== 'running' || !setting('sound')) return;
  for (const [pitch, start, length, shape] of NOTES[name] || []) {
    const at = audio.currentTime + start;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = shape;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUDNESS[shape], at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume);
    volume.connect(audio.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}

for (const tap of ['pointerup', 'click', 'keydown']) document.addEventListener(tap, unlock, true);
