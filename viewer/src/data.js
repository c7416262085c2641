// What the page was given: runs with their frames, decoded from the JSON that make_page wrote
// (src/carom/study/page.h says how numbers are stored).

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  return bytes;
}

const doublesOf = (base64) => new Float64Array(bytesOf(base64).buffer);

/** Reads differences: zigzag, seven bits per byte, lowest first. Arithmetic is modulo 2^32. */
class DifferenceReader {
  constructor(base64) {
    this.bytes = bytesOf(base64);
    this.place = 0;
  }

  next() {
    let value = 0;
    let shift = 0;
    let byte;
    do {
      byte = this.bytes[this.place++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte >= 128);
    return (value >>> 1) ^ -(value & 1);
  }
}

/** Whole numbers of quanta, `count` per frame, from their second differences over the frames. */
function decodeNumbers(base64, frames, count) {
  const reader = new DifferenceReader(base64);
  const numbers = new Int32Array(frames * count);
  for (let i = 0; i < count; ++i) numbers[i] = reader.next();
  for (let frame = 1; frame < frames; ++frame) {
    const now = frame * count;
    const before = now - count;
    for (let i = 0; i < count; ++i) {
      const step = frame === 1 ? 0 : numbers[before + i] - numbers[before - count + i];
      numbers[now + i] = (numbers[before + i] + step + reader.next()) | 0;
    }
  }
  return numbers;
}

/** Whole numbers, `count` per frame, from their differences from frame to frame. */
function decodeLevels(base64, frames, count) {
  const levels = new Uint16Array(frames * count);
  if (base64 === "") return levels;
  const reader = new DifferenceReader(base64);
  for (let k = 0; k < levels.length; ++k) {
    levels[k] = (k < count ? 0 : levels[k - count]) + reader.next();
  }
  return levels;
}

function decodeArrows(arrows) {
  const vectors = new Float32Array(bytesOf(arrows.vectors).buffer);
  const strengths = Float32Array.from({ length: vectors.length / 6 }, (_, k) =>
    Math.hypot(vectors[6 * k + 3], vectors[6 * k + 4], vectors[6 * k + 5]));
  return {
    given: arrows.given,
    times: doublesOf(arrows.times),
    vectors,
    normals: new Float32Array(bytesOf(arrows.normals).buffer),
    bodies: new Int32Array(bytesOf(arrows.bodies).buffer),
    strengths,
  };
}

/** Triangles: three numbers per vertex, then three numbers of vertices per triangle. */
function decodeSurface({ vertices, triangles }) {
  return {
    vertices: new Float32Array(bytesOf(vertices).buffer),
    triangles: new Uint32Array(bytesOf(triangles).buffer),
  };
}

const withSurface = (raw) => (raw.surface ? { ...raw, surface: decodeSurface(raw.surface) } : raw);

/** A deformable surface or chain: the bodies from `first` on are its vertices, counted from 0 here. */
function decodeSurfaceOfVertices(raw) {
  const numbers = (base64) => new Uint32Array(bytesOf(base64).buffer);
  return {
    ...raw, triangles: numbers(raw.triangles), edges: numbers(raw.edges), chain: numbers(raw.chain),
  };
}

/** The last index k with times[k] <= time, or 0. */
export function lastAtOrBefore(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where a shape's motion has brought it at a time. */
export function offsetAt({ times, offsets }, time) {
  const k = lastAtOrBefore(times, time);
  if (time <= times[k] || k + 1 >= times.length) return offsets[k];
  const share = (time - times[k]) / (times[k + 1] - times[k]);
  return offsets[k].map((x, axis) => x + share * (offsets[k + 1][axis] - x));
}

// In Run.solidOf: a ball that does not turn.
const kNoSolid = 0xffffffff;

export class Run {
  constructor(raw) {
    this.title = raw.title;
    this.operator = raw.operator;
    this.method = raw.method ?? "";
    this.scene = raw.scene;
    this.description = raw.description ?? "";
    this.figure = raw.figure ?? "";
    this.springs = raw.springs ?? [];
    this.dimension = raw.dimension;
    this.timeStep = raw.timeStep;
    this.period = raw.period ?? [0, 0, 0];
    this.up = raw.up;
    this.radii = doublesOf(raw.radii);
    // The first time and the last at which each body is there; null where all are all the while.
    this.presence = raw.presence === undefined ? null : doublesOf(raw.presence);
    this.bodies = this.radii.length;
    this.names = raw.names;
    this.times = doublesOf(raw.times);
    this.frames = this.times.length;
    this.framesGiven = raw.framesGiven;
    this.axes = raw.dimension === 3 ? 3 : 2;
    this.origin = raw.origin;
    this.quantum = raw.quantum;
    this.numbers = decodeNumbers(raw.positions, this.frames, this.bodies * this.axes);
    this.hasSpeeds = raw.speeds !== undefined;
    this.speedQuantum = raw.speedQuantum ?? 0;
    this.levels = this.hasSpeeds ? decodeLevels(raw.speeds, this.frames, this.bodies) : null;
    this.hasLayers = raw.layers !== undefined;
    this.layers = this.hasLayers ? decodeLevels(raw.layers, this.frames, this.bodies) : null;
    this.deepestLayer = this.hasLayers ? this.layers.reduce((a, b) => Math.max(a, b), 0) : 0;
    this.heights = raw.heights ?? null;
    this.end = raw.end ?? "";
    this.endTime = this.times[this.frames - 1];
    this.shapes = raw.shapes.map(withSurface);
    this.solids = (raw.solids ?? []).map(withSurface);
    this.surfaces = (raw.surfaces ?? []).map(decodeSurfaceOfVertices);
    this.surfaceNumbers = new Int32Array(this.bodies).fill(-1);
    this.surfaces.forEach(({ first, count }, k) => this.surfaceNumbers.fill(k, first, first + count));
    this.vertices = this.surfaces.reduce((sum, { count }) => sum + count, 0);
    this.turns = raw.orientations !== undefined;
    if (this.turns) {
      this.solidOf = new Uint32Array(bytesOf(raw.solidOf).buffer);
      this.components = raw.dimension === 3 ? 4 : 2;
      this.orientationNumbers = decodeNumbers(raw.orientations, this.frames, this.bodies * this.components);
    }
    this.series = raw.series.map((series) => ({
      ...series,
      times: doublesOf(series.times),
      values: doublesOf(series.values),
    }));
    this.arrows = decodeArrows(raw.arrows);
  }

  nameOf(body) {
    return this.names[body] || `body ${body}`;
  }

  /** What a body that turns is made of, {type, radius or surface}; null for a ball that does not. */
  solidFor(body) {
    return this.turns && this.solidOf[body] !== kNoSolid ? this.solids[this.solidOf[body]] : null;
  }

  /** Drawn as a ball, whether it turns or not. */
  isBall(body) {
    return !this.solidFor(body)?.surface;
  }

  /** The surface or chain that a body is a vertex of, or null. */
  surfaceOf(body) {
    return this.surfaces[this.surfaceNumbers[body]] ?? null;
  }

  /** Bodies come and go from frame to frame. */
  isThere(body, frame) {
    const { presence, times } = this;
    return presence === null || (presence[2 * body] <= times[frame] && times[frame] <= presence[2 * body + 1]);
  }

  /** The frame at or before a time, and how far the time lies on the way to the next, 0 to 1. */
  locate(time) {
    const frame = lastAtOrBefore(this.times, time);
    if (frame + 1 >= this.frames || time <= this.times[frame]) return { frame, fraction: 0 };
    const fraction = (time - this.times[frame]) / (this.times[frame + 1] - this.times[frame]);
    return { frame, fraction };
  }

  coordinate(frame, body, axis) {
    if (axis >= this.axes) return 0;
    const number = this.numbers[(frame * this.bodies + body) * this.axes + axis];
    return this.origin[axis] + this.quantum * number;
  }

  /** The way from one place to another along an axis; in a periodic world the shortest one. */
  way(from, to, axis) {
    const length = this.period[axis];
    const way = to - from;
    return length > 0 ? way - length * Math.round(way / length) : way;
  }

  /** Three numbers per body. Between two frames: on the straight line from one to the other. */
  positionsAt(time, out) {
    const { frame, fraction } = this.locate(time);
    const { axes, bodies, numbers, origin, quantum } = this;
    const now = frame * bodies * axes;
    const next = fraction > 0 ? now + bodies * axes : now;
    for (let body = 0; body < bodies; ++body) {
      for (let axis = 0; axis < axes; ++axis) {
        const k = body * axes + axis;
        const from = quantum * numbers[now + k];
        const way = fraction > 0 ? this.way(from, quantum * numbers[next + k], axis) : 0;
        out[3 * body + axis] = origin[axis] + from + fraction * way;
      }
      if (axes === 2) out[3 * body + 2] = 0;
    }
    return out;
  }

  /**
   * Quaternions w, x, y, z of all bodies. Between two frames: the straight line from one to the other,
   * brought back to length 1. The stored one of a quaternion and its negative is the nearer to the frame
   * before it.
   */
  orientationsAt(time, out) {
    const { frame, fraction } = this.locate(time);
    const { bodies, components, orientationNumbers: numbers } = this;
    const now = frame * bodies * components;
    const next = fraction > 0 ? now + bodies * components : now;
    const q = [0, 0, 0, 0];
    const places = components === 4 ? [0, 1, 2, 3] : [0, 3];
    for (let body = 0; body < bodies; ++body) {
      places.forEach((place, k) => {
        const at = body * components + k;
        q[place] = numbers[now + at] + fraction * (numbers[next + at] - numbers[now + at]);
      });
      const length = Math.hypot(...q);
      for (let k = 0; k < 4; ++k) out[4 * body + k] = q[k] / length;
    }
    return out;
  }

  /** Speeds jump at impacts: that of the frame at or before the time. */
  speedAt(time, body) {
    return this.hasSpeeds ? this.levelAt(this.locate(time).frame, body) * this.speedQuantum : NaN;
  }

  levelAt(frame, body) {
    return this.levels[frame * this.bodies + body];
  }

  /** The deepest layer of contact that acts on a body; 0: none. */
  layerAt(frame, body) {
    return this.layers[frame * this.bodies + body];
  }

  /** The smallest box around the balls of one frame, as [lower, upper]. */
  boxOf(frame) {
    const lower = [Infinity, Infinity, Infinity];
    const upper = [-Infinity, -Infinity, -Infinity];
    for (let body = 0; body < this.bodies; ++body) {
      if (!this.isThere(body, frame)) continue;
      for (let axis = 0; axis < 3; ++axis) {
        const x = this.coordinate(frame, body, axis);
        const radius = axis < this.axes ? this.radii[body] : 0;
        lower[axis] = Math.min(lower[axis], x - radius);
        upper[axis] = Math.max(upper[axis], x + radius);
      }
    }
    return [lower, upper];
  }
}

/** What runs are called beside each other: by their operators or their titles, where these differ. */
export function namesOf(runs) {
  for (const key of ["operator", "title"]) {
    const names = runs.map((run) => run[key]);
    if (names.every(Boolean) && new Set(names).size === runs.length) return names;
  }
  return runs.map((run, k) => `${run.operator || run.title} (${k + 1})`);
}

export function readPage(text) {
  const raw = JSON.parse(text);
  if (raw.format !== 1) throw new Error(`data of format ${raw.format}; this viewer reads format 1`);
  const runs = raw.runs.map((run) => new Run(run));
  namesOf(runs).forEach((name, k) => { runs[k].name = name; });
  return {
    version: raw.carom,
    positionError: raw.positionError,
    speedError: raw.speedError,
    orientationError: raw.orientationError,
    runs,
  };
}
