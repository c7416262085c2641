// The paths of balls over the last stretch of time, fading towards the past.

import { Segments } from "./segments.js";
import { bodyColour, mapColour } from "./colours.js";

const kMostPieces = 40000;
/** With more balls than this only those that were clicked have trails. */
export const kMostTrails = 300;

export class Trails {
  constructor(run, { origin, shades }) {
    this.run = run;
    this.origin = origin;
    this.shades = shades;
    const needed = Math.min(run.bodies, kMostTrails) * ((run.mostFrames ?? run.frames) + 1);
    this.segments = new Segments(Math.min(kMostPieces, needed), 1.6, {
      inSpace: run.dimension === 3,
    });
    this.segments.mesh.renderOrder = 1;
    this.palette = Array.from({ length: 33 }, (_, k) => mapColour(k / 32));
  }

  /** `positions`: where the balls are shown at `time`; `length`: s. */
  update(time, positions, { bodies, length }) {
    const { run, segments } = this;
    segments.clear();
    const { frame } = run.locate(time);
    let first = frame;
    while (first > 0 && run.times[first - 1] >= time - length) --first;
    const stride = Math.max(1, Math.ceil(((frame - first + 1) * bodies.length) / segments.capacity));
    for (const body of bodies) {
      if (body >= run.bodies) continue;
      // Of a body that came since: from where it was first.
      let since = first;
      while (since < frame && !run.isThere(body, since)) ++since;
      this.addPath(body, time, positions, { first: since, frame, stride, length });
    }
    segments.finish();
  }

  addPath(body, time, positions, { first, frame, stride, length }) {
    const strength = (at) => Math.max(0, 1 - (time - at) / length) ** 1.5 * 0.9;
    let from = this.pointAt(first, body);
    let fromStrength = strength(this.run.times[first]);
    const own = this.shades.isOn ? null : bodyColour(body);
    for (let k = first + stride; k < frame + stride; k += stride) {
      const at = Math.min(k, frame);
      const to = this.pointAt(at, body);
      const toStrength = strength(this.run.times[at]);
      if (this.isOneWay(from, to)) {
        this.segments.add(from, to, own ?? this.colourAt(at, body), fromStrength, toStrength);
      }
      from = to;
      fromStrength = toStrength;
    }
    const here = [0, 1, 2].map((axis) => positions[3 * body + axis] - this.origin[axis]);
    if (this.isOneWay(from, here)) {
      this.segments.add(from, here, own ?? this.colourAt(frame, body), fromStrength, 0.9);
    }
  }

  /** False where a ball went round a periodic world: no line across the picture. */
  isOneWay(from, to) {
    return [0, 1, 2].every((axis) => {
      const length = this.run.period[axis];
      return !(length > 0) || Math.abs(to[axis] - from[axis]) < length / 2;
    });
  }

  pointAt(frame, body) {
    return [0, 1, 2].map((axis) => this.run.coordinate(frame, body, axis) - this.origin[axis]);
  }

  colourAt(frame, body) {
    return this.palette[Math.round(32 * this.shades.place(frame, body))];
  }
}
