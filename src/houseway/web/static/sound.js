// Sounds of cards, chips and the shuffle, made in the page: nothing is loaded.
let audio, out;

export const volume = () => (localStorage.getItem("sound") === "on" ? Number(localStorage.getItem("volume") ?? 0.5) : 0);

function ready() {
  const loud = volume();
  if (!loud || !navigator.userActivation?.hasBeenActive) return undefined;
  if (!audio) {
    audio = new AudioContext();
    out = audio.createGain();
    out.connect(audio.destination);
  }
  out.gain.value = loud;
  return audio.currentTime + 0.005;
}

function noise(at, long, low, high, loud) {
  const frames = Math.ceil(audio.sampleRate * long), buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 2;
  const source = audio.createBufferSource(), band = audio.createBiquadFilter(), gain = audio.createGain();
  source.buffer = buffer;
  band.type = "bandpass";
  band.frequency.setValueAtTime(low, at);
  band.frequency.linearRampToValueAtTime(high, at + long);
  gain.gain.value = loud;
  source.connect(band).connect(gain).connect(out);
  source.start(at);
}

function tone(at, pitch, long, loud, shape = "sine") {
  const source = audio.createOscillator(), gain = audio.createGain();
  source.type = shape;
  source.frequency.value = pitch;
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  source.connect(gain).connect(out);
  source.start(at);
  source.stop(at + long + 0.02);
}

/** A card slides over the felt and comes to lie; chips click on one another. */
export const sounds = {
  card(wait = 0) { const at = ready(); if (at) { noise(at + wait, 0.13, 2600, 700, 0.4); tone(at + wait + 0.11, 150, 0.06, 0.12); } },
  turn(wait = 0) { const at = ready(); if (at) { noise(at + wait, 0.05, 1200, 3000, 0.4); noise(at + wait + 0.06, 0.04, 2400, 900, 0.3); } },
  chip(wait = 0) { const at = ready(); if (at) [3150, 2480, 2790].forEach((pitch, i) => tone(at + wait + i * 0.032 + Math.random() * 0.01, pitch * (0.97 + Math.random() * 0.06), 0.05, 0.15 - 0.03 * i, "triangle")); },
  shuffle() { const at = ready(); if (at) for (let i = 0; i < 22; i++) noise(at + i * 0.028 + (i > 13 ? 0.12 : 0), 0.05, 1500 + 60 * (i % 14), 800, 0.22); },
  win() { const at = ready(); if (at) [523, 659, 784, 1047].forEach((pitch, i) => { tone(at + i * 0.085, pitch, 0.34, 0.13); tone(at + i * 0.085, pitch * 2, 0.16, 0.03); }); },
  jackpot() { const at = ready(); if (at) [523, 659, 784, 1047, 784, 1047, 1319, 1568].forEach((pitch, i) => { tone(at + i * 0.14, pitch, 0.6, 0.16); tone(at + i * 0.14, pitch / 2, 0.6, 0.1, "triangle"); }); },
};
