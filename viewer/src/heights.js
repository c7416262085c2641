// A map of heights beside the scene, seen from above: of a layer of grains, say.

import { mapColour } from "./colours.js";
import { offsetAt } from "./data.js";
import { number } from "./format.js";

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
export function heightMap({ cell, lower, length }, positions, floor) {
  const [columns, rows] = length.map((x) => Math.max(1, Math.ceil(x / cell)));
  const sums = new Float64Array(columns * rows);
  const counts = new Uint32Array(columns * rows);
  const place = (x, axis, count) =>
    Math.min(count - 1, Math.max(0, Math.floor(((x - lower[axis]) / length[axis]) * count)));
  for (let k = 0; k < positions.length; k += 3) {
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

export class HeightPicture {
  /** `cell`: the element of the run's part of the scene. */
  constructor(run, cell) {
    this.run = run;
    this.positions = new Float64Array(3 * run.bodies);
    this.element = document.createElement("figure");
    this.element.className = "heights";
    this.canvas = document.createElement("canvas");
    this.caption = document.createElement("figcaption");
    this.element.append(this.canvas, this.caption);
    cell.append(this.element);
  }

  show(time) {
    const { run } = this;
    run.positionsAt(time, this.positions);
    const map = heightMap(run.heights, this.positions, floorHeight(run, time));
    this.map = map;
    const { least, most } = rangeOf(map.values);
    const image = new ImageData(map.columns, map.rows);
    map.values.forEach((value, k) => {
      if (Number.isNaN(value)) return; // left transparent
      const share = most > least ? (value - least) / (most - least) : 0.5;
      // y upwards
      const at = 4 * ((map.rows - 1 - Math.floor(k / map.columns)) * map.columns + (k % map.columns));
      mapColour(share).forEach((x, channel) => { image.data[at + channel] = Math.round(255 * x); });
      image.data[at + 3] = 255;
    });
    this.canvas.width = map.columns;
    this.canvas.height = map.rows;
    this.canvas.style.aspectRatio = `${run.heights.length[0]} / ${run.heights.length[1]}`;
    this.canvas.getContext("2d").putImageData(image, 0, 0);
    this.caption.textContent = `heights, ${number(least, 3)} to ${number(most, 3)} m`;
  }
}
