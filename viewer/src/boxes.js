// What the first picture shows: most of what moves, and all of it.

// Bodies that fly off are left out of the first picture where without them it is half as large; at most
// this share of all bodies, and at least one.
const kMostEscaped = 0.05;
const kWorthIt = 2;
// The picture of everything is at most so many times as large as that of the first frame.
const kMostGrowth = 1e4;
const kSampledFrames = 200;

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

/** Of one number per run: the largest, or the second where one run is `factor` times beyond the others. */
export function sharedScale(sizes, factor = 10) {
  const sorted = [...sizes].filter((size) => size > 0).sort((a, b) => b - a);
  if (sorted.length === 0) return 0;
  return sorted.length > 1 && sorted[0] > factor * sorted[1] ? sorted[1] : sorted[0];
}
