// How long an arrow is. Impulses of one run differ by many powers of ten, an impact against what rests:
// the scale follows the strongest impulse of the moment, and within a moment lengths grow with the root.

import { lastAtOrBefore } from "./data.js";

/** The share of the longest arrow's length: a quarter of the impulse is half as long. */
export const lengthShare = (impulse, longest) =>
  (longest > 0 ? Math.sqrt(Math.min(1, impulse / longest)) : 0);

export class ImpulseScale {
  /**
   * `arrows`: of each run, {times, strengths}; all runs share one scale. `fade`: s after which the
   * scale has fallen to 1/e of an impulse that nothing followed. It depends on the time alone, so that
   * every visit to a moment shows the same picture.
   */
  constructor(arrows, fade) {
    const all = arrows.flatMap(({ times, strengths }) =>
      Array.from(times, (time, k) => [time, strengths[k]]));
    all.sort((a, b) => a[0] - b[0]);
    this.times = [];
    this.levels = [];
    for (const [time, strength] of all) {
      const last = this.times.length - 1;
      const before = last < 0 ? 0
        : this.levels[last] * (fade > 0 ? Math.exp((this.times[last] - time) / fade) : 0);
      if (last >= 0 && this.times[last] === time) {
        this.levels[last] = Math.max(this.levels[last], strength);
      } else {
        this.times.push(time);
        this.levels.push(Math.max(before, strength));
      }
    }
  }

  /** The impulse of the longest arrow, N s; 0 before the first one. */
  at(time) {
    if (this.times.length === 0 || time < this.times[0]) return 0;
    return this.levels[lastAtOrBefore(this.times, time)];
  }
}
