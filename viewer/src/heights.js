// A map of heights beside the scene, seen from above, of a layer of grains, say; and of their waves.

import { mapColour } from "./colours.js";
import { offsetAt } from "./data.js";
import { number } from "./format.js";
import { strongestWave, waveMap } from "./waves.js";

const kBarPieces = 64;

/** The height of the floor that a run's map is measured from. */
export function floorHeight(run, time) {
  const shape = run.shapes[run.heights.floor];
  if (!shape) return 0;
  return (shape.point?.[2] ?? 0) + (shape.motion ? offsetAt(shape.motion, time)[2] : 0);
}

/**
 * Twice the mean height of the bodies over each cell, row by row: the surface of a column of even
 * density. `positions`: three numbers per body. NaN where nothing stands.
 */
export function heightMap({ cell, lower, length }, positions, floor, isThere = () => true) {
  const [columns, rows] = length.map((x) => Math.max(1, Math.ceil(x / cell)));
  const sums = new Float64Array(columns * rows);
  const counts = new Uint32Array(columns * rows);
  const place = (x, axis, count) =>
    Math.min(count - 1, Math.max(0, Math.floor(((x - lower[axis]) / length[axis]) * count)));
  for (let k = 0; k < positions.length; k += 3) {
    if (!isThere(k / 3)) continue;
    const at = place(positions[k + 1], 1, rows) * columns + place(positions[k], 0, columns);
    sums[at] += 2 * (positions[k + 2] - floor);
    ++counts[at];
  }
  return { columns, rows, values: sums.map((sum, k) => (counts[k] > 0 ? sum / counts[k] : NaN)) };
}

/** The smallest and the largest value that there is. */
export function rangeOf(values) {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { least, most };
}

/**
 * Low is dark, y upwards; where there is no number nothing is drawn. `sides`: what the map covers, in
 * any unit. Returns the range.
 */
function paint(canvas, map, sides) {
  const { least, most } = rangeOf(map.values);
  const image = new ImageData(map.columns, map.rows);
  map.values.forEach((value, k) => {
    if (Number.isNaN(value)) return;
    const share = most > least ? (value - least) / (most - least) : 0.5;
    const at = 4 * ((map.rows - 1 - Math.floor(k / map.columns)) * map.columns + (k % map.columns));
    mapColour(share).forEach((x, channel) => { image.data[at + channel] = Math.round(255 * x); });
    image.data[at + 3] = 255;
  });
  canvas.width = map.columns;
  canvas.height = map.rows;
  canvas.style.aspectRatio = `${sides[0]} / ${sides[1]}`;
  canvas.getContext("2d").putImageData(image, 0, 0);
  return { least, most };
}

/** A canvas with a line below it. */
class Picture {
  constructor(name) {
    this.element = document.createElement("figure");
    this.element.className = name;
    this.canvas = document.createElement("canvas");
    this.caption = document.createElement("figcaption");
    const row = document.createElement("div");
    row.className = "map-row";
    row.append(this.canvas, this.makeBar());
    this.element.append(row, this.caption);
  }

  /** What the colours mean: the largest value above, the least below. */
  makeBar() {
    const bar = document.createElement("div");
    bar.className = "bar";
    const colours = document.createElement("canvas");
    [colours.width, colours.height] = [1, kBarPieces];
    const image = new ImageData(1, kBarPieces);
    for (let k = 0; k < kBarPieces; ++k) {
      mapColour(1 - k / (kBarPieces - 1)).forEach((x, channel) => { image.data[4 * k + channel] = Math.round(255 * x); });
      image.data[4 * k + 3] = 255;
    }
    colours.getContext("2d").putImageData(image, 0, 0);
    const ends = document.createElement("div");
    ends.className = "bar-ends";
    this.ends = [0, 1, 2].map(() => document.createElement("span"));
    ends.append(...this.ends);
    bar.append(colours, ends);
    return bar;
  }

  showRange({ least, most }) {
    const texts = least <= most ? [most, (least + most) / 2, least].map((value) => number(value, 3)) : ["–", "", "–"];
    this.ends.forEach((span, k) => { span.textContent = k === 0 ? `${texts[k]} m` : texts[k]; });
  }
}

export class HeightPicture {
  /** `cell`: the element of the run's part of the scene. */
  constructor(run, cell) {
    this.run = run;
    this.positions = new Float64Array(3 * run.bodies);
    this.heights = new Picture("heights");
    this.waves = new Picture("waves");
    const box = document.createElement("div");
    box.className = "maps";
    box.append(this.heights.element, this.waves.element);
    cell.append(box);
  }

  show(time) {
    const { run } = this;
    const { length } = run.heights;
    run.positionsAt(time, this.positions);
    const { frame } = run.locate(time);
    this.map = heightMap(run.heights, this.positions, floorHeight(run, time), (body) => run.isThere(body, frame));
    const { least, most } = paint(this.heights.canvas, this.map, length);
    this.heights.showRange({ least, most });
    this.heights.caption.textContent = `heights, ${number(least, 3)} to ${number(most, 3)} m`;
    this.waveMap = waveMap(this.map);
    const { columns, rows } = this.waveMap;
    this.waves.showRange(paint(this.waves.canvas, this.waveMap, [columns / length[0], rows / length[1]]));
    const strongest = strongestWave(this.waveMap, length);
    this.waves.caption.textContent =
      strongest > 0 ? `waves, the strongest ${number(strongest, 3)} m long` : "no waves";
  }
}
