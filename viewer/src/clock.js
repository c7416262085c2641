// The one time that everything on the page shows.

const kSteps = [1, 2, 5];

/** Playback lasts about as long as the run, but between 4 and 30 seconds; 1, 2 or 5 times a power. */
export function comfortableRate(duration) {
  if (!(duration > 0)) return 1;
  if (duration >= 4 && duration <= 30) return 1;
  return nearestStep(duration / (duration < 4 ? 6 : 20));
}

function nearestStep(rate) {
  const power = 10 ** Math.floor(Math.log10(rate));
  let best = power;
  for (const step of [...kSteps, 10]) {
    if (Math.abs(Math.log(rate / (step * power))) < Math.abs(Math.log(rate / best))) {
      best = step * power;
    }
  }
  return Number(best.toPrecision(1));
}

/** The next rate of 1, 2, 5, 10, ... up or down. */
export function neighbouringRate(rate, direction) {
  const power = 10 ** Math.floor(Math.log10(rate * 1.0001));
  const steps = [0.5, ...kSteps, 10].map((step) => Number((step * power).toPrecision(1)));
  const at = steps.findIndex((step) => step >= rate * 0.999);
  const next = steps[at + direction] ?? rate;
  return Math.min(1e6, Math.max(1e-9, next));
}

export class Clock {
  constructor(begin, end) {
    this.begin = begin;
    this.end = end;
    this.time = begin;
    this.rate = comfortableRate(end - begin);
    this.playing = false;
    this.loop = true;
    this.listeners = [];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  seek(time) {
    if (!Number.isFinite(time)) return;
    this.time = Math.min(this.end, Math.max(this.begin, time));
    this.changed();
  }

  play() {
    if (this.time >= this.end) this.time = this.begin;
    this.playing = this.end > this.begin;
    this.changed();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  setRate(rate) {
    this.rate = rate;
    this.changed();
  }

  setLoop(loop) {
    this.loop = loop;
    this.changed();
  }

  /** Lets `seconds` of the viewer's life pass. */
  advance(seconds) {
    if (!this.playing) return;
    this.time += seconds * this.rate;
    if (this.time >= this.end) {
      const duration = this.end - this.begin;
      this.time = this.loop ? this.begin + ((this.time - this.begin) % duration) : this.end;
      this.playing = this.loop;
    }
    this.changed();
  }
}
