// The words around the scene: title, facts, labels of the cells, legend.

import { css, lineColour, speedMap } from "./colours.js";
import { bound, number, plural } from "./format.js";
import { isDark } from "./theme.js";

function element(tag, text, className) {
  const result = document.createElement(tag);
  if (text) result.textContent = text;
  if (className) result.className = className;
  return result;
}

function fact(list, name, value, className) {
  const item = element("li", "", className);
  if (name) item.append(`${name} `);
  item.append(element("b", value));
  list.append(item);
}

const alike = (runs, key) => runs.every((run) => run[key] === runs[0][key]);

export function showFacts({ runs, positionError, version }) {
  const [run] = runs;
  const title = run.title || run.scene || "Carom";
  const shared = alike(runs, "title") || runs.length === 1 ? title : run.scene || "Comparison";
  document.title = `${shared} · Carom`;
  document.getElementById("title").textContent = shared;
  const list = document.getElementById("facts");
  if (runs.length > 1) fact(list, "", plural(runs.length, "run"));
  else if (run.operator) fact(list, "operator", run.operator);
  if (alike(runs, "bodies")) fact(list, "", plural(run.bodies, "ball"));
  if (run.timeStep > 0 && alike(runs, "timeStep")) fact(list, "step", `${number(run.timeStep)} s`);
  if (alike(runs, "frames")) fact(list, "", plural(run.frames, "frame"));
  fact(list, "positions", `± ${bound(positionError)} m`);
  if (run.scene && run.scene !== shared && alike(runs, "scene")) fact(list, "scene", run.scene);
  for (const notice of notices(runs)) list.append(element("li", notice, "notice"));
  list.lastChild.title = `Carom ${version}`;
}

function notices(runs) {
  const found = [];
  const thinned = runs.find((run) => run.frames < run.framesGiven);
  if (thinned) found.push(`${thinned.frames} of ${thinned.framesGiven} frames kept, to limit the file's size`);
  const weakened = runs.find((run) => run.arrows.times.length < run.arrows.given);
  if (weakened) {
    found.push(`the strongest ${weakened.arrows.times.length} of ${weakened.arrows.given} impulses kept`);
  }
  return found;
}

/** One label per cell, where there are several. */
export function labelCells(runs, cells) {
  if (runs.length < 2) return;
  runs.forEach((run, k) => {
    const label = element("div", "", "cell-label");
    const swatch = element("i", "", "swatch");
    swatch.style.background = css(lineColour(k, isDark()));
    label.append(swatch, element("span", run.operator || run.title));
    if (run.operator && !alike(runs, "title")) label.append(element("small", run.title));
    cells[k].append(label);
  });
}

/** `cap`: the speed of the last colour, m/s. */
export function showLegend(options, { cap, fastest }) {
  const legend = document.getElementById("legend");
  legend.hidden = options.colour !== "speed" || !(cap > 0);
  if (legend.hidden || legend.childElementCount > 0) return;
  const canvas = element("canvas");
  canvas.width = 256;
  canvas.height = 1;
  const image = new ImageData(new Uint8ClampedArray(speedMap()), 256, 1);
  canvas.getContext("2d").putImageData(image, 0, 0);
  const ends = element("div", "", "ends");
  const top = fastest > 1.02 * cap ? `≥ ${number(cap, 3)}` : number(cap, 3);
  // The map's middle is a quarter of the range (mapPlace).
  ends.append(...["0", number(cap / 4, 3), top].map((text) => element("span", text)));
  legend.append("speed, m/s", canvas, ends);
}
