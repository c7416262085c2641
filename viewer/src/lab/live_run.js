// A run that goes on while it is looked at, with what the viewer's drawing asks of recorded runs
// (data.js, Run): where bodies are now, a short past for the trails, the impulses of the last moments.

import { includeNearPlanes } from "../boxes.js";

const kNoSolid = -1;
const kHistory = 240; // frames kept for the trails
const kSpeedLevels = 16384;

const kNoArrows = {
  given: 0, times: new Float64Array(), vectors: new Float32Array(), normals: new Float32Array(),
  bodies: new Int32Array(), strengths: new Float32Array(),
};

export class LiveRun {
  /** `engine`: a Run of the module. */
  constructor(engine) {
    this.engine = engine;
    this.name = "";
    this.mostFrames = kHistory; // room for the trails
    this.speedCap = 0;
    this.collisions = 0;
    this.virial = 0; // sum of the impulses between bodies, times their distance
    this.fraction = 1; // of the way from the frame before to this one, as it is drawn
    this.describe();
  }

  /** After every edit that may have changed what there is. */
  describe() {
    const facts = this.engine.describe();
    this.facts = facts;
    this.title = facts.title;
    this.settings = facts.settings;
    this.operator = facts.settings.operator;
    this.dimension = facts.dimension;
    this.axes = facts.dimension;
    this.period = facts.period;
    this.up = facts.settings.gravity.map((x) => -x);
    const { bodies } = facts;
    this.bodies = bodies.count;
    this.radii = bodies.radii;
    this.masses = bodies.masses;
    this.names = bodies.names;
    this.turns = bodies.turns;
    this.solids = bodies.solids;
    this.solidOf = bodies.solidOf;
    this.shapes = facts.shapes.map((shape) =>
      (shape.moves ? { ...shape, motion: { times: [0], offsets: [[0, 0, 0]] } } : shape));
    this.springs = facts.springs;
    this.surfaces = facts.surfaces.map((surface) => ({ ...surface, chain: chainOf(surface) }));
    this.surfaceNumbers = new Int32Array(this.bodies).fill(-1);
    this.surfaces.forEach(({ first, count }, k) => this.surfaceNumbers.fill(k, first, first + count));
    this.vertices = this.surfaces.reduce((sum, { count }) => sum + count, 0);
    this.hasSpeeds = true;
    this.forget();
    this.look();
    const velocities = this.engine.velocities();
    for (let body = 0; body < this.bodies; ++body) {
      this.speedCap = Math.max(this.speedCap, Math.hypot(...velocities.subarray(3 * body, 3 * body + 3)));
    }
    const size = this.boxOf(0).reduce((sum, p, k) => sum + (k ? 1 : -1) * Math.max(...p), 0);
    if (!(this.speedCap > 0)) {
      this.speedCap = Math.sqrt(2 * Math.max(1e-6, Math.hypot(...this.up) * Math.max(1e-3, Math.abs(size))));
    }
    this.speedQuantum = this.speedCap / kSpeedLevels;
    this.levels = Uint16Array.of(kSpeedLevels); // what the fastest colour stands for
  }

  /** The past is another scene's. */
  forget() {
    this.times = [];
    this.past = [];
    this.arrows = kNoArrows;
  }

  /** Reads where everything is now. */
  look() {
    const { engine } = this;
    this.positions = engine.positions();
    this.velocities = engine.velocities();
    this.orientations = engine.orientations();
    if (this.shapes.some(({ moves }) => moves)) {
      const offsets = engine.offsets();
      this.shapes.forEach(({ motion }, k) => { if (motion) motion.offsets[0] = offsets[k]; });
    }
    this.report = engine.report();
    this.time = this.report.time;
    const last = this.times.length - 1;
    if (last >= 0 && this.times[last] >= this.time) {
      if (this.times[last] > this.time) { this.times = []; this.past = []; } else {
        this.past[last] = this.positions;
        return;
      }
    }
    this.times.push(this.time);
    this.past.push(this.positions);
    if (this.times.length > kHistory) { this.times.shift(); this.past.shift(); }
  }

  /** Takes steps; false when the run cannot go on. */
  advance(steps) {
    const result = this.engine.advance(steps);
    if (result.fault) return { fault: result.fault };
    this.look();
    this.addArrows(this.engine.contacts());
    return { done: result.steps, stopped: result.steps < steps ? result.message : "" };
  }

  /** Twelve numbers each: time, point, impulse, normal, bodies. */
  addArrows(flat) {
    for (let k = 0; k < flat.length; k += 12) {
      ++this.collisions;
      const [a, b] = [flat[k + 10], flat[k + 11]];
      if (b >= 0) this.virial += Math.hypot(flat[k + 4], flat[k + 5], flat[k + 6]) * (this.radii[a] + this.radii[b]);
    }
    const most = 2000;
    const count = Math.min(most, flat.length / 12);
    const from = flat.length / 12 - count;
    const keep = [];
    const { arrows } = this;
    const kept = Math.max(0, most - count);
    for (let k = Math.max(0, arrows.times.length - kept); k < arrows.times.length; ++k) {
      if (this.time - arrows.times[k] <= this.memory) keep.push(k);
    }
    const total = keep.length + count;
    const next = {
      given: total, times: new Float64Array(total), vectors: new Float32Array(6 * total),
      normals: new Float32Array(3 * total), bodies: new Int32Array(2 * total), strengths: new Float32Array(total),
    };
    keep.forEach((k, at) => {
      next.times[at] = arrows.times[k];
      next.vectors.set(arrows.vectors.subarray(6 * k, 6 * k + 6), 6 * at);
      next.normals.set(arrows.normals.subarray(3 * k, 3 * k + 3), 3 * at);
      next.bodies.set(arrows.bodies.subarray(2 * k, 2 * k + 2), 2 * at);
      next.strengths[at] = arrows.strengths[k];
    });
    for (let k = 0; k < count; ++k) {
      const one = flat.subarray(12 * (from + k), 12 * (from + k) + 12);
      setArrow(next, keep.length + k, {
        time: one[0], point: one.subarray(1, 4), impulse: one.subarray(4, 7), normal: one.subarray(7, 10),
        a: one[10], b: one[11],
      });
    }
    this.arrows = next;
  }

  /** Shows these pushes and no others, at the present time. */
  showPushes(pushes) {
    const count = pushes.length;
    const next = {
      given: count, times: new Float64Array(count), vectors: new Float32Array(6 * count),
      normals: new Float32Array(3 * count), bodies: new Int32Array(2 * count), strengths: new Float32Array(count),
    };
    pushes.forEach(({ point, impulse, a, b }, k) =>
      setArrow(next, k, { time: this.time, point, impulse, normal: impulse, a, b }));
    this.arrows = next;
  }

  /** How long impulses are remembered, s of the simulation. */
  get memory() {
    return this.keepFor ?? 0.2;
  }

  get frames() { return this.times.length; }

  nameOf(body) { return this.names[body] || `body ${body}`; }
  solidFor(body) {
    return this.turns && this.solidOf[body] !== kNoSolid ? this.solids[this.solidOf[body]] : null;
  }
  isBall(body) { return !this.solidFor(body)?.surface; }
  surfaceOf(body) { return this.surfaces[this.surfaceNumbers[body]] ?? null; }

  locate() { return { frame: this.times.length - 1, fraction: 0 }; }
  coordinate(frame, body, axis) { return this.past[Math.max(0, frame)][3 * body + axis]; }
  /** The way from one place to another along an axis; in a periodic world the shortest one. */
  way(from, to, axis) {
    const length = this.period[axis];
    const way = to - from;
    return length > 0 ? way - length * Math.round(way / length) : way;
  }

  /** In slow motion on the way from the last step but one to the last. */
  positionsAt(_time, out) {
    const before = this.past[this.past.length - 2];
    if (!(this.fraction < 1) || !before) { out.set(this.positions); return out; }
    for (let k = 0; k < out.length; ++k) {
      out[k] = before[k] + this.fraction * this.way(before[k], this.positions[k], k % 3);
    }
    return out;
  }

  isThere() { return true; }
  orientationsAt(_time, out) { out.set(this.orientations); return out; }
  speedAt(_time, body) { return Math.hypot(...this.velocities.subarray(3 * body, 3 * body + 3)); }
  levelAt(frame, body) {
    const last = this.times.length - 1;
    if (frame >= last || last === 0) return this.speedAt(0, body) / this.speedQuantum;
    const [a, b] = [this.past[frame], this.past[frame + 1]];
    const passed = this.times[frame + 1] - this.times[frame];
    const way = Math.hypot(b[3 * body] - a[3 * body], b[3 * body + 1] - a[3 * body + 1], b[3 * body + 2] - a[3 * body + 2]);
    return (passed > 0 ? way / passed : 0) / this.speedQuantum;
  }

  boxOf() {
    const lower = [Infinity, Infinity, Infinity];
    const upper = [-Infinity, -Infinity, -Infinity];
    const include = (place, radius) => {
      for (let axis = 0; axis < 3; ++axis) {
        const r = axis < this.axes ? radius : 0;
        lower[axis] = Math.min(lower[axis], place[axis] - r);
        upper[axis] = Math.max(upper[axis], place[axis] + r);
      }
    };
    for (let body = 0; body < this.bodies; ++body) {
      include(this.positions.subarray(3 * body, 3 * body + 3), this.radii[body]);
    }
    includeNearPlanes([lower, upper], this.shapes, this.axes);
    // A ball on a string may swing.
    for (const { a, b, point } of this.springs) {
      if (b >= 0) continue;
      const place = this.positions.subarray(3 * a, 3 * a + 3);
      const length = Math.hypot(...point.map((x, axis) => x - place[axis]));
      include(point, 0.05 * length);
      for (const side of [-0.7, 0.7]) include([point[0] + side * length, place[1], place[2]], 0);
    }
    return [lower, upper];
  }
}

function setArrow(arrows, k, { time, point, impulse, normal, a, b }) {
  arrows.times[k] = time;
  arrows.vectors.set(point, 6 * k);
  arrows.vectors.set(impulse, 6 * k + 3);
  const length = Math.hypot(...normal) || 1;
  for (let axis = 0; axis < 3; ++axis) arrows.normals[3 * k + axis] = normal[axis] / length;
  arrows.bodies[2 * k] = a;
  arrows.bodies[2 * k + 1] = b;
  arrows.strengths[k] = Math.hypot(...impulse);
}

/** The edges that are sides of no triangle. */
function chainOf({ triangles, edges }) {
  const sides = new Set();
  const key = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = triangles.subarray(k, k + 3);
    sides.add(key(a, b)).add(key(b, c)).add(key(c, a));
  }
  const chain = [];
  for (let k = 0; k < edges.length; k += 2) {
    if (!sides.has(key(edges[k], edges[k + 1]))) chain.push(edges[k], edges[k + 1]);
  }
  return Uint32Array.from(chain);
}
