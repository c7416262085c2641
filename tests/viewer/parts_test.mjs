// The parts of the viewer that need no browser.

import assert from "node:assert/strict";
import test from "node:test";
import { boxOfMoment, sharedScale, viewBoxes } from "../../viewer/src/boxes.js";
import { Clock, comfortableRate, neighbouringRate } from "../../viewer/src/clock.js";
import { mapColour, oklch } from "../../viewer/src/colours.js";
import { creaseEdges, isConvex, rayMeets, smoothedSurface } from "../../viewer/src/crease.js";
import { lastAtOrBefore, namesOf, Run } from "../../viewer/src/data.js";
import { DepthOrder } from "../../viewer/src/depth_order.js";
import { bound, fixed, number } from "../../viewer/src/format.js";
import { floorHeight, heightMap, rangeOf } from "../../viewer/src/heights.js";
import { nearestEdge, nearestTriangle, surfaceColours, vertexNormals } from "../../viewer/src/meshes.js";
import { strongestWave, waveMap } from "../../viewer/src/waves.js";
import { ImpulseScale, lengthShare } from "../../viewer/src/impulse_scale.js";
import { labels, ticks } from "../../viewer/src/ticks.js";
import { variationOf } from "../../viewer/src/variation.js";

test("numbers read as a person writes them", () => {
  assert.equal(number(0.1 + 0.2), "0.3");
  assert.equal(number(-1234.5678, 6), "−1234.57");
  assert.equal(number(1e-7), "10⁻⁷");
  assert.equal(number(2.5e12, 3), "2.5·10¹²");
  assert.equal(number(NaN), "–");
  assert.equal(bound(3.01e-7), "3.1·10⁻⁷");
  assert.equal(bound(2e-15), "2·10⁻¹⁵");
  assert.equal(fixed(-0.5, 0.01), "−0.50");
});

test("ticks are round, increasing and inside", () => {
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  for (const [lower, upper] of [[-3e-5, 7e-5], [1e9, 1e9 + 3], [-1, 0.01], [0.1, 0.100001]]) {
    const found = ticks(lower, upper, 4);
    assert(found.length >= 2 && found.length <= 9, `${found}`);
    found.forEach((x, k) => {
      assert(x >= lower - 1e-6 * (upper - lower) && x <= upper + 1e-6 * (upper - lower));
      assert(k === 0 || x > found[k - 1]);
    });
  }
});

test("runs are called by what tells them apart", () => {
  const runs = (...pairs) => pairs.map(([operator, title]) => ({ operator, title }));
  assert.deepEqual(namesOf(runs(["gr", "a"], ["lcp", "a"])), ["gr", "lcp"]);
  assert.deepEqual(namesOf(runs(["gr", "a"], ["gr", "b"])), ["a", "b"]);
  assert.deepEqual(namesOf(runs(["", "gr"], ["", "lcp"])), ["gr", "lcp"]);
  assert.deepEqual(namesOf(runs(["gr", "a"], ["gr", "a"])), ["gr (1)", "gr (2)"]);
});

test("one tick alone is none: the next finer step is taken", () => {
  assert.deepEqual(ticks(-48, 46, 3), [-40, -20, 0, 20, 40]);
});

test("counts have ticks at whole numbers only", () => {
  assert.deepEqual(ticks(0, 1.08, 3, true), [0, 1]);
  assert.deepEqual(ticks(0, 2.16, 4, true), [0, 1, 2]);
  assert.deepEqual(ticks(0, 108, 4, true), [0, 50, 100]);
  for (let upper = 0.5; upper < 40; upper += 0.37) {
    for (const tick of ticks(0, upper, 3, true)) assert.equal(tick, Math.round(tick));
  }
});

test("arrows show an impact and, soon after it, what rests", () => {
  const times = [0.1];
  const strengths = [1000];
  for (let k = 1; k <= 90; ++k) {
    times.push(0.1 + 0.01 * k);
    strengths.push(0.001);
  }
  const scale = new ImpulseScale([{ times, strengths }, { times: [0.1], strengths: [5] }], 0.01);
  assert.equal(scale.at(0), 0);
  assert.equal(scale.at(0.1), 1000);
  assert(scale.at(0.11) < 1000 && scale.at(0.11) > 300, "fades, does not jump");
  assert.equal(scale.at(0.9), 0.001);
  assert.equal(scale.at(5), 0.001, "as at the last impulse");
  assert.equal(lengthShare(0.001, scale.at(0.9)), 1);
  assert.equal(lengthShare(1, 4), 0.5);
  assert.equal(lengthShare(9, 4), 1);
  assert.equal(lengthShare(1, 0), 0);
  for (let k = 1; k < times.length; ++k) assert(scale.at(times[k]) <= scale.at(times[k - 1]));
});

test("labels of near values name what they share once", () => {
  const near = labels([12.3400001, 12.3400002, 12.3400003]);
  assert.equal(near.base, 12.3400002);
  assert.deepEqual(near.texts, ["−10⁻⁷", "0", "+10⁻⁷"]);
  assert.deepEqual(labels([0, 0.5, 1]).texts, ["0", "0.5", "1"]);
});

test("round-off counts as constant, against the series' scale", () => {
  assert(variationOf({ values: [1, 1 + 1e-15], scale: 0 }).isConstant);
  assert(!variationOf({ values: [1, 1 + 1e-8], scale: 0 }).isConstant);
  assert(!variationOf({ values: [1e-17, -1e-17], scale: 0 }).isConstant);
  assert(variationOf({ values: [1e-17, -1e-17], scale: 1 }).isConstant);
  assert(variationOf({ values: [0, 0], scale: 0 }).isConstant);
  assert(!variationOf({ values: [NaN], scale: 0 }).isConstant);
});

test("the clock stays within its run, loops, or stops", () => {
  const clock = new Clock(1, 3);
  clock.rate = 1;
  clock.seek(7);
  assert.equal(clock.time, 3);
  clock.seek(NaN);
  assert.equal(clock.time, 3);
  clock.play();
  assert.equal(clock.time, 1);
  clock.advance(2.5);
  assert.equal(clock.time, 1.5);
  clock.setLoop(false);
  clock.advance(9);
  assert.equal(clock.time, 3);
  assert(!clock.playing);
});

test("rates go up and down in steps of 1, 2, 5", () => {
  let rate = 0.01;
  for (const next of [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]) {
    rate = neighbouringRate(rate, 1);
    assert.equal(rate, next);
  }
  for (const next of [5, 2, 1, 0.5, 0.2, 0.1, 0.05]) {
    rate = neighbouringRate(rate, -1);
    assert.equal(rate, next);
  }
  assert.equal(comfortableRate(10), 1);
  assert.equal(comfortableRate(0.006), 0.001);
  assert.equal(comfortableRate(2000), 100);
});

test("the frame at or before a time", () => {
  const times = [0, 1, 2, 2.5];
  assert.deepEqual([-1, 0, 0.5, 2, 2.4, 9].map((t) => lastAtOrBefore(times, t)), [0, 0, 0, 2, 2, 3]);
});

test("colours of speed grow evenly lighter", () => {
  assert.deepEqual(oklch(1, 0, 0).map((x) => Math.round(255 * x)), [255, 255, 255]);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (let k = 1; k <= 50; ++k) {
    assert(luminance(mapColour(k / 50)) > luminance(mapColour((k - 1) / 50)), `at ${k}`);
  }
});

// Corner k of the cube is at the bits of k; the triangles of a face are cut along a diagonal.
function cube() {
  const vertices = Float32Array.from({ length: 24 }, (_, k) => ((Math.floor(k / 3) >> (k % 3)) & 1 ? 1 : -1));
  const faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
  const triangles = Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
  return { vertices, triangles };
}

test("a cube has twelve edges, and normals along the axes", () => {
  const surface = cube();
  const edges = creaseEdges(surface).map(([a, b]) => a ^ b);
  assert.equal(edges.length, 12);
  assert(edges.every((bits) => [1, 2, 4].includes(bits)), "a diagonal of a face is no edge");
  const { positions, normals } = smoothedSurface(surface);
  for (let k = 0; k < normals.length; k += 3) {
    const normal = Array.from(normals.subarray(k, k + 3));
    assert.deepEqual(normal.map(Math.abs).sort(), [0, 0, 1]);
    const outwards = normal.reduce((sum, x, axis) => sum + x * positions[k + axis], 0);
    assert.equal(outwards, 1);
  }
});

test("a surface that ends has edges there, and shallow angles have none", () => {
  const roof = (height) => ({
    vertices: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, height, 1, 1, height, 0, 2, 0, 1, 2, 0]),
    triangles: Uint32Array.from([0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4]),
  });
  assert.equal(creaseEdges(roof(0)).length, 6);
  assert.equal(creaseEdges(roof(0.2)).length, 6, "the ridge is 23 degrees");
  assert.equal(creaseEdges(roof(0.3)).length, 7, "33 degrees");
  const { normals } = smoothedSurface(roof(0.2));
  assert(Math.abs(normals[3 * 2 + 1]) < 0.1, "smooth at the ridge, where the faces have 0.2");
});

test("convex surfaces are told from others", () => {
  const surface = cube();
  assert(isConvex(surface));
  surface.vertices.set([-0.5, -0.5, -0.5], 0);
  assert(!isConvex(surface), "a dented corner");
});

test("rays meet surfaces where they are", () => {
  const surface = cube();
  assert.equal(rayMeets(surface, [0.3, 0.2, 5], [0, 0, -1]), 4);
  assert.equal(rayMeets(surface, [0.3, 0.2, 0], [0, 0, -1]), 1, "from inside");
  assert.equal(rayMeets(surface, [1.1, 0.2, 5], [0, 0, -1]), Infinity);
  assert.equal(rayMeets(surface, [0.3, 0.2, 5], [0, 0, 1]), Infinity, "behind");
});

test("a map of heights has twice the mean height over each cell, above a floor that moves", () => {
  const run = {
    heights: { cell: 1, lower: [-1, 0], length: [3, 2], floor: 0 },
    shapes: [{ point: [0, 0, 0.5], motion: { times: [0, 2], offsets: [[0, 0, 0], [0, 0, 1]] } }],
  };
  const floor = floorHeight(run, 1);
  assert.equal(floor, 1);
  // Two bodies over the first cell, one over the last, one beyond the window's edge.
  const positions = [-0.5, 0.5, 2, -0.1, 0.9, 4, 1.9, 1.9, 1.25, 9, 0.1, 3];
  const { columns, rows, values } = heightMap(run.heights, positions, floor);
  assert.deepEqual([columns, rows], [3, 2]);
  assert.deepEqual(Array.from(values), [4, NaN, 4, NaN, NaN, 0.5]);
  assert.deepEqual(rangeOf(values), { least: 0.5, most: 4 });
  assert.equal(floorHeight({ heights: { floor: -1 }, shapes: [] }, 0), 0);
});

test("a cosine is two waves of half its height, and of its length", () => {
  const [columns, rows] = [12, 9];
  const angle = (i, j) => 2 * Math.PI * ((2 * i) / columns - j / rows);
  const values = Float64Array.from({ length: columns * rows }, (_, k) =>
    5 + 3 * Math.cos(angle(k % columns, Math.floor(k / columns)) + 0.7));
  const waves = waveMap({ columns, rows, values });
  assert.deepEqual([waves.columns, waves.rows], [11, 9]);
  waves.values.forEach((value, k) => {
    const [p, q] = [(k % 11) - 5, Math.floor(k / 11) - 4];
    const expected = (p === 2 && q === -1) || (p === -2 && q === 1) ? 1.5 : 0;
    assert(Math.abs(value - expected) < 1e-12, `${p} ${q}: ${value}`);
  });
  const length = strongestWave(waves, [6, 18]);
  assert(Math.abs(length - 1 / Math.hypot(2 / 6, 1 / 18)) < 1e-12);
  assert.equal(strongestWave(waveMap({ columns: 3, rows: 2, values: [1, 1, NaN, 1, 1, 1] }), [3, 2]), 0);
});

test("spheres are drawn from the farthest to the nearest, equal ones in their order", () => {
  const eye = [0.5, -2, 30];
  let seed = 7;
  const random = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
  for (const count of [0, 1, 2, 5000]) {
    const centres = Float32Array.from({ length: 3 * count }, () => Math.round(40 * random()) / 2 - 10);
    const radii = Float64Array.from({ length: count }, () => (random() < 0.5 ? 0.5 : 2));
    const depths = new DepthOrder(count);
    for (const distance of [0, 1e-6, 30, 1e9]) { // again and again with the same arrays
      eye[2] = distance;
      const power = Array.from(radii, (radius, k) =>
        Math.fround(Math.max(0, [0, 1, 2].reduce((sum, axis) => sum + (centres[3 * k + axis] - eye[axis]) ** 2, 0) - radius ** 2)));
      const wanted = power.map((_, k) => k).sort((a, b) => power[b] - power[a] || a - b);
      assert.deepEqual(Array.from(depths.update(centres, 3, radii, eye)), wanted);
    }
  }
});

test("a small sphere behind the limb of a large one is drawn first, though its middle is nearer", () => {
  //  eye  . - - (  O  )     the large one's limb is seen at 30 degrees, sqrt(100 - 25) = 8.66 away;
  //         ` - - - o       the small one spans 29.6 to 35.4 degrees at 9.8
  const angle = (32.5 * Math.PI) / 180;
  const centres = [0, 0, -10, 0, 9.8 * Math.sin(angle), -9.8 * Math.cos(angle)];
  assert(Math.hypot(centres[4], centres[5] + 10) > 5.5, "they would overlap");
  assert.deepEqual(Array.from(new DepthOrder(2).update(centres, 3, [5, 0.5], [0, 0, 0])), [1, 0]);
});

// Four vertices of a square in z = 0, with its diagonal from the first to the third.
const square = { places: Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]), triangles: [0, 1, 2, 0, 2, 3] };
const ray = (origin, direction) => ({
  origin: { x: origin[0], y: origin[1], z: origin[2] }, direction: { x: direction[0], y: direction[1], z: direction[2] },
});

test("normals of vertices are means of their triangles, however small these are", () => {
  for (const size of [1, 1e-9]) {
    const places = square.places.map((x) => size * x);
    const normals = new Float32Array(12).fill(7);
    vertexNormals(places, square.triangles, normals);
    assert.deepEqual(Array.from(normals), [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
    places[3 * 3 + 2] = size; // the second triangle leans over
    vertexNormals(places, square.triangles, normals);
    assert.deepEqual(Array.from(normals.subarray(3, 6)), [0, 0, 1]);
    // Its area vector is (1, -1, 1), that of the other (0, 0, 1).
    const expected = [1, -1, 2].map((x) => x / Math.sqrt(6));
    expected.forEach((x, axis) => assert(Math.abs(normals[axis] - x) < 1e-6, `${normals.subarray(0, 3)}`));
  }
});

test("a ray meets the nearest triangle from either side, and names the nearest vertex", () => {
  const { places, triangles } = square;
  assert.deepEqual(nearestTriangle(places, triangles, ray([0.9, 0.2, 3], [0, 0, -1])), { vertex: 1, way: 3 });
  assert.deepEqual(nearestTriangle(places, triangles, ray([0.1, 0.8, -2], [0, 0, 1])), { vertex: 3, way: 2 });
  assert.equal(nearestTriangle(places, triangles, ray([1.1, 0.2, 3], [0, 0, -1])).way, Infinity);
  assert.equal(nearestTriangle(places, triangles, ray([0.5, 0.2, 3], [0, 0, 1])).way, Infinity, "behind");
});

test("a ray passes a chain within reach, or not", () => {
  const { places } = square;
  const chain = [0, 1, 1, 2];
  const down = (x, y) => ray([x, y, 5], [0, 0, -1]);
  assert.deepEqual(nearestEdge(places, chain, down(0.3, 0.05), 0.1), { vertex: 0, way: 5 });
  assert.equal(nearestEdge(places, chain, down(1.02, 0.9), 0.1).vertex, 2);
  assert.equal(nearestEdge(places, chain, down(0.3, 0.2), 0.1).way, Infinity);
  assert.equal(nearestEdge(places, chain, down(1, 1.05), 0.1).vertex, 2, "beyond its end, within reach");
  assert.equal(nearestEdge(places, chain, down(1, 1.2), 0.1).way, Infinity);
  // In the plane the nearest edge wins.
  const flat = nearestEdge(places, chain, down(0.97, 0.08), 0.1, false);
  assert(Math.abs(flat.way - 0.03) < 1e-7);
});

test("the sides of a surface have different colours", () => {
  for (let number = 0; number < 20; ++number) {
    const [front, back] = surfaceColours(number);
    assert(Math.hypot(...front.map((x, k) => x - back[k])) > 0.3, `${front} ${back}`);
  }
});

/** A run of balls of radius 1 whose places are given per frame: [[x, y], ...]. */
function madeUpRun(frames) {
  const run = {
    axes: 2, bodies: frames[0].length, frames: frames.length, radii: frames[0].map(() => 1), shapes: [],
    isThere: () => true,
    coordinate: (frame, body, axis) => (axis < 2 ? frames[frame][body][axis] : 0),
  };
  run.boxOf = (frame) => {
    const xs = [0, 1].map((axis) => frames[frame].map((place) => place[axis]));
    return [[Math.min(...xs[0]) - 1, Math.min(...xs[1]) - 1, 0], [Math.max(...xs[0]) + 1, Math.max(...xs[1]) + 1, 0]];
  };
  return run;
}

test("the first picture shows what moves within reason, and all of it is offered", () => {
  const row = [[0, 0], [3, 0], [6, 0], [9, 0], [12, 0]];
  const spread = madeUpRun([row, row.map(([x]) => [10 * x, 40])]);
  const wide = viewBoxes([spread]);
  assert.equal(wide.most, wide.all);
  assert.deepEqual(wide.all, [[-1, -1, 0], [121, 41, 0]]);
  const escaped = madeUpRun([row, [...row.slice(0, 4), [5000, 0]]]);
  const { most, all } = viewBoxes([escaped]);
  assert.deepEqual(most, [[-1, -1, 0], [13, 1, 0]]);
  assert.deepEqual(all, [[-1, -1, 0], [5001, 1, 0]]);
});

test("one bad run ruins neither the picture nor the scales of the others", () => {
  const row = [[0, 0], [3, 0], [6, 0]];
  const good = madeUpRun([row, row.map(([x]) => [x, 5])]);
  const bad = madeUpRun([row, row.map(([x]) => [x, 1e5])]);
  assert.deepEqual(viewBoxes([good, bad, good]).most, [[-1, -1, 0], [7, 6, 0]]);
  assert.equal(sharedScale([3, 70000, 2]), 3);
  assert.equal(sharedScale([3, 20, 2]), 20);
  assert.equal(sharedScale([0, 0]), 0);
});

test("what is there at a moment: bodies without the few or the run that flew off, and walls that are near", () => {
  const view = (places, shapes = []) => ({
    run: { bodies: places.length, axes: 2, radii: places.map(() => 1), springs: [], shapes, isThere: () => true },
    positions: Float64Array.from(places.flatMap(([x, y]) => [x, y, 0])),
  });
  const corners = ({ a, b }) => (a ? [a, b] : []);
  const close = Array.from({ length: 40 }, (_, k) => [k % 8, k >> 3]);
  assert.deepEqual(boxOfMoment([view(close)], corners), [[-1, -1, 0], [8, 5, 0]]);
  assert.deepEqual(boxOfMoment([view([...close, [900, 0]])], corners), [[-1, -1, 0], [8, 5, 0]]);
  assert.deepEqual(boxOfMoment([view(close.slice(0, 2)), view([[0, 0], [5000, 0]])], corners), [[-1, -1, 0], [2, 1, 0]]);
  const floor = { type: "half_plane", point: [0, -6, 0], normal: [0, 1, 0] };
  assert.deepEqual(boxOfMoment([view(close, [floor])], corners), [[-1, -6, 0], [8, 5, 0]]);
  const far = { ...floor, point: [0, -60, 0] };
  assert.deepEqual(boxOfMoment([view(close, [far])], corners), [[-1, -1, 0], [8, 5, 0]]);
  const slope = { type: "segment", a: [-1000, -1, 0], b: [1000, -1, 0] };
  assert.deepEqual(boxOfMoment([view(close, [slope])], corners), [[-19, -1, 0], [26, 5, 0]]);
  assert.deepEqual(boxOfMoment([view([], [slope])], corners), [[-1000, -1, 0], [1000, -1, 0]]);
});

test("bodies come and go from frame to frame", () => {
  const base64 = (numbers) => Buffer.from(Float64Array.from(numbers).buffer).toString("base64");
  const run = new Run({
    dimension: 2, radii: base64([1, 2]), names: ["a", "b"], times: base64([0, 1, 2]), framesGiven: 3,
    origin: [5, 6], quantum: 1, positions: Buffer.alloc(3 * 2 * 2).toString("base64"), shapes: [], series: [],
    arrows: { given: 0, times: "", vectors: "", normals: "", bodies: "" }, presence: base64([0, 1, 1, 2]),
  });
  const there = (body) => [0, 1, 2].map((frame) => run.isThere(body, frame));
  assert.deepEqual(there(0), [true, true, false]);
  assert.deepEqual(there(1), [false, true, true]);
  assert.deepEqual(run.boxOf(0), [[4, 5, 0], [6, 7, 0]]);
  assert.deepEqual(run.boxOf(2), [[3, 4, 0], [7, 8, 0]]);
  const heights = { cell: 1, lower: [0, 0], length: [2, 2] };
  const positions = [0.5, 0.5, 1, 1.5, 1.5, 3];
  assert.equal(heightMap(heights, positions, 0).values.filter((h) => h > 0).length, 2);
  assert.equal(heightMap(heights, positions, 0, (body) => body === 0).values.filter((h) => h > 0).length, 1);
});
