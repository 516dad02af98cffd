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

export const sounds = {
  card(order = 0) { const at = ready(); if (at) noise(at + order * 0.05, 0.09, 2200, 900, 0.5); },
  turn() { const at = ready(); if (at) noise(at, 0.06, 1200, 2600, 0.45); },
  chip() { const at = ready(); if (at) { tone(at, 2900, 0.05, 0.16, "triangle"); tone(at + 0.035, 2300, 0.06, 0.12, "triangle"); } },
  shuffle() { const at = ready(); if (at) for (let i = 0; i < 14; i++) noise(at + i * 0.032, 0.05, 1500 + 60 * i, 800, 0.22); },
  win() { const at = ready(); if (at) [523, 659, 784].forEach((pitch, i) => tone(at + i * 0.09, pitch, 0.28, 0.14)); },
  jackpot() { const at = ready(); if (at) [523, 659, 784, 1047, 784, 1047, 1319, 1568].forEach((pitch, i) => { tone(at + i * 0.14, pitch, 0.6, 0.16); tone(at + i * 0.14, pitch / 2, 0.6, 0.1, "triangle"); }); },
};
