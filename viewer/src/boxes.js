// What the first picture shows: most of what moves, and all of it; and what is there at one moment.

// Bodies that fly off are left out of the first picture where without them it is half as large; at most
// this share of all bodies, and at least one.
const kMostEscaped = 0.05;
const kWorthIt = 2;
// The picture of everything is at most so many times as large as that of the first frame.
const kMostGrowth = 1e4;
const kSampledFrames = 200;
// Of walls that reach farther than this many times the size of the bodies' box only the near part is shown.
const kNearWalls = 2;

const empty = () => [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];

function include(box, [lower, upper]) {
  for (let axis = 0; axis < 3; ++axis) {
    box[0][axis] = Math.min(box[0][axis], lower[axis]);
    box[1][axis] = Math.max(box[1][axis], upper[axis]);
  }
}

const isEmpty = (box) => !(box[0][0] <= box[1][0]);
const sizeOf = (box) => (isEmpty(box) ? 0 : Math.max(...box[1].map((x, axis) => x - box[0][axis])));

function sampledFrames(run) {
  const stride = Math.max(1, Math.floor(run.frames / kSampledFrames));
  const frames = [];
  for (let frame = 0; frame < run.frames; frame += stride) frames.push(frame);
  frames.push(run.frames - 1);
  return frames;
}

/** The box of each body over all frames. */
function bodyBoxes(run) {
  const boxes = Array.from({ length: run.bodies }, empty);
  for (const frame of sampledFrames(run)) {
    for (let body = 0; body < run.bodies; ++body) {
      if (!run.isThere(body, frame)) continue;
      const lower = [0, 0, 0];
      const upper = [0, 0, 0];
      for (let axis = 0; axis < 3; ++axis) {
        const x = run.coordinate(frame, body, axis);
        const radius = axis < run.axes ? run.radii[body] : 0;
        lower[axis] = x - radius;
        upper[axis] = x + radius;
      }
      include(boxes[body], [lower, upper]);
    }
  }
  return boxes;
}

/** How far a box reaches from a point. */
const reachFrom = (middle, box) => Math.max(...middle.map((x, axis) =>
  Math.max(x - box[0][axis], box[1][axis] - x)));

/** {most, all}: boxes [lower, upper]; the same one where nothing escapes. `cornersOf`: points of a shape. */
export function viewBoxes(runs, cornersOf) {
  const first = empty();
  for (const run of runs) {
    if (run.bodies > 0) include(first, run.boxOf(0));
    for (const { b, point } of run.springs ?? []) if (b < 0) include(first, [point, point]);
    for (const shape of run.shapes) for (const corner of cornersOf(shape)) include(first, [corner, corner]);
  }
  if (isEmpty(first)) {
    const unit = [[-1, -1, -1], [1, 1, 1]];
    return { most: unit, all: unit };
  }
  const middle = first[0].map((x, axis) => (x + first[1][axis]) / 2);
  const limit = kMostGrowth * sizeOf(first);
  const boxes = runs.flatMap((run, number) => bodyBoxes(run).map((box) => ({ box, number })))
    .map((each) => ({ ...each, reach: reachFrom(middle, each.box) }))
    .sort((a, b) => a.reach - b.reach);
  const clamp = (box) => {
    for (let axis = 0; axis < 3; ++axis) {
      box[0][axis] = Math.max(box[0][axis], middle[axis] - limit);
      box[1][axis] = Math.min(box[1][axis], middle[axis] + limit);
    }
    return box;
  };
  const boxOf = (some) => {
    const box = [[...first[0]], [...first[1]]];
    for (const { box: each } of some) include(box, each);
    return clamp(box);
  };
  const all = boxOf(boxes);
  const most = smallest(runs, boxes, boxOf, all);
  return { most, all };
}

// Without the few that reach farthest, or without the one run that does, where that halves the picture.
function smallest(runs, boxes, boxOf, all) {
  const candidates = [];
  const leaving = Math.max(1, Math.floor(kMostEscaped * boxes.length));
  if (boxes.length > 2 * leaving) candidates.push(boxOf(boxes.slice(0, boxes.length - leaving)));
  if (runs.length > 1) {
    runs.forEach((_, left) => candidates.push(boxOf(boxes.filter(({ number }) => number !== left))));
  }
  const best = candidates.reduce((a, b) => (sizeOf(b) < sizeOf(a) ? b : a), all);
  return sizeOf(all) > kWorthIt * sizeOf(best) ? best : all;
}

/** Walls without ends that are near a box belong to the picture: the floor under what falls. */
export function includeNearPlanes(box, shapes, axes) {
  const size = sizeOf(box);
  const [lower, upper] = box.map((corner) => [...corner]);
  for (const { type, point, normal } of shapes) {
    if (type !== "half_plane") continue;
    for (let axis = 0; axis < axes; ++axis) {
      const x = point[axis];
      if (Math.abs(normal[axis]) < 0.1 || x < lower[axis] - 2 * size || x > upper[axis] + 2 * size) continue;
      box[0][axis] = Math.min(box[0][axis], x);
      box[1][axis] = Math.max(box[1][axis], x);
    }
  }
}

/**
 * The box of what is there at one moment: bodies but for the few, or the run, that have flown off, where springs are
 * held, and walls as far as they are near. `views`: [{run, positions}], three numbers for each body.
 */
export function boxOfMoment(views, cornersOf) {
  const held = empty();
  const bodies = [];
  for (const [number, { run, positions, frame }] of views.entries()) {
    for (const { b, point } of run.springs ?? []) if (b < 0) include(held, [point, point]);
    for (let body = 0; body < run.bodies; ++body) {
      if (!run.isThere(body, frame)) continue;
      const place = Array.from(positions.subarray(3 * body, 3 * body + 3));
      const ends = [-1, 1].map((side) => place.map((x, axis) => x + (axis < run.axes ? side * run.radii[body] : 0)));
      bodies.push({ place, ends, number });
    }
  }
  const median = [0, 1, 2].map((axis) =>
    bodies.map(({ place }) => place[axis]).sort((a, b) => a - b)[bodies.length >> 1]);
  bodies.sort((a, b) => reachFrom(median, a.ends) - reachFrom(median, b.ends));
  const boxOf = (some) => {
    const box = held.map((corner) => [...corner]);
    for (const { ends } of some) include(box, ends);
    return box;
  };
  const all = boxOf(bodies);
  // Without the few that are farthest, or without one run, where that halves the picture.
  const fewer = [boxOf(bodies.slice(0, bodies.length - Math.floor(kMostEscaped * bodies.length)))];
  if (views.length > 1) views.forEach((_, left) => fewer.push(boxOf(bodies.filter(({ number }) => number !== left))));
  const least = fewer.reduce((a, b) => (sizeOf(b) < sizeOf(a) ? b : a));
  const box = sizeOf(all) > kWorthIt * sizeOf(least) ? least : all;
  const { shapes, axes } = views[0].run;
  const corners = shapes.flatMap(cornersOf);
  if (isEmpty(box)) for (const corner of corners) include(box, [corner, corner]);
  if (isEmpty(box)) return [[-1, -1, -1], [1, 1, 1]];
  includeNearPlanes(box, shapes, axes);
  const far = kNearWalls * sizeOf(box);
  const nearest = box.map((corner, side) => corner.map((x) => (side ? x + far : x - far)));
  for (const corner of corners) {
    const place = corner.map((x, axis) => Math.min(nearest[1][axis], Math.max(nearest[0][axis], x)));
    include(box, [place, place]);
  }
  return box;
}

/** Of one number per run: the largest, or the second where one run is `factor` times beyond the others. */
export function sharedScale(sizes, factor = 10) {
  const sorted = [...sizes].filter((size) => size > 0).sort((a, b) => b - a);
  if (sorted.length === 0) return 0;
  return sorted.length > 1 && sorted[0] > factor * sorted[1] ? sorted[1] : sorted[0];
}
