// The words around the scene: title, facts, labels of the cells, legend.

import { css, lineColour, mapOfColours } from "./colours.js";
import { bound, number, plural } from "./format.js";
import { layerAtPlace } from "./shades.js";
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

const wordFor = (runs) =>
  (runs.every((run) => run.solids.every((solid) => !solid.surface)) ? "ball" : "body");

const alike = (runs, key) => runs.every((run) => run[key] === runs[0][key]);

// Vertices are bodies, but not those that one counts.
function bodyFacts(list, runs) {
  const [run] = runs;
  const others = run.bodies - run.vertices;
  if (others > 0 || run.vertices === 0) fact(list, "", plural(others, wordFor(runs)));
  if (run.vertices === 0) return;
  const sheets = run.surfaces.filter(({ triangles }) => triangles.length > 0).length;
  if (sheets > 0) fact(list, "", plural(sheets, "surface"));
  if (sheets < run.surfaces.length) fact(list, "", plural(run.surfaces.length - sheets, "chain"));
  fact(list, "", plural(run.vertices, "vertex"));
}

export function showFacts({ runs, positionError, orientationError, version }) {
  const [run] = runs;
  const title = run.title || run.scene || "Carom";
  const scene = alike(runs, "scene") && run.scene ? run.scene : "Comparison";
  const shared = alike(runs, "title") ? title : scene;
  document.title = `${shared} · Carom`;
  document.getElementById("title").textContent = shared;
  const list = document.getElementById("facts");
  if (runs.length > 1) fact(list, "", plural(runs.length, "run"));
  else if (run.operator) fact(list, "operator", run.operator);
  else if (run.method) fact(list, "scheme", run.method);
  if (alike(runs, "bodies") && alike(runs, "vertices")) bodyFacts(list, runs);
  if (run.timeStep > 0 && alike(runs, "timeStep")) fact(list, "step", `${number(run.timeStep)} s`);
  if (alike(runs, "frames")) fact(list, "", plural(run.frames, "frame"));
  fact(list, "positions", `± ${bound(positionError)} m`);
  if (orientationError > 0) fact(list, "orientations", `± ${bound(orientationError)} rad`);
  if (run.scene && run.scene !== shared && alike(runs, "scene")) fact(list, "scene", run.scene);
  for (const notice of notices(runs)) list.append(element("li", notice, "notice"));
  list.lastChild.title = `Carom ${version}`;
  showDescription(runs);
}

// What the scene's file says of itself: one line of it, and all of it for who opens it.
function showDescription(runs) {
  const [{ description, figure }] = runs;
  const box = document.getElementById("description");
  box.hidden = !(description || figure) || !alike(runs, "description");
  if (box.hidden) return;
  const words = [description.trim().replace(/[ \t]*\n[ \t]*/g, " "), figure ? `(${figure})` : ""];
  const text = words.filter(Boolean).join(" ");
  box.querySelector("summary").textContent = text;
  box.querySelector("p").textContent = text;
}

function notices(runs) {
  const found = runs.filter((run) => run.end)
    .map((run) => (runs.length > 1 ? `${run.name}: ${run.end}` : run.end));
  const thinned = runs.find((run) => run.frames < run.framesGiven);
  if (thinned) found.push(`${thinned.frames} of ${thinned.framesGiven} frames kept, to limit the file's size`);
  const weakened = runs.find((run) => run.arrows.times.length < run.arrows.given);
  if (weakened) {
    found.push(`${weakened.arrows.times.length} of ${weakened.arrows.given} impulses kept, of each moment the strongest`);
  }
  return found;
}

/** One label above each cell, where there are several. */
export function labelCells(runs, cells) {
  if (runs.length < 2) return;
  runs.forEach((run, k) => {
    const label = element("div", "", "cell-label");
    const swatch = element("i", "", "swatch");
    swatch.style.background = css(lineColour(k, isDark()));
    label.append(swatch, element("span", run.name));
    if (run.name !== run.title && !alike(runs, "title")) label.append(element("small", run.title));
    if (run.name === run.title && run.operator) label.append(element("small", run.operator));
    cells[k].before(label);
  });
}

/** What the ends and the middle of the map of colours mean; nothing where bodies have colours of their own. */
function meaningOf({ colour }, { speeds: { cap, fastest }, deepestLayer }) {
  if (colour === "speed" && cap > 0) {
    const top = fastest > 1.02 * cap ? `≥ ${number(cap, 3)}` : number(cap, 3);
    // The map's middle is a quarter of the range (mapPlace).
    return { name: "speed, m/s", ends: ["0", number(cap / 4, 3), top] };
  }
  if (colour !== "layer") return null;
  const deepest = Math.max(1, deepestLayer);
  const middle = deepest > 1 ? String(Math.round(layerAtPlace(0.5, deepest))) : "";
  return { name: "deepest layer", ends: ["0", middle, String(deepest)] };
}

/** `stage`: whose speeds and layers are shown. */
export function showLegend(options, stage) {
  const legend = document.getElementById("legend");
  const meaning = meaningOf(options, stage);
  legend.hidden = meaning === null;
  if (legend.hidden || legend.dataset.colour === options.colour) return;
  legend.dataset.colour = options.colour;
  const canvas = element("canvas");
  canvas.width = 256;
  canvas.height = 1;
  const image = new ImageData(new Uint8ClampedArray(mapOfColours()), 256, 1);
  canvas.getContext("2d").putImageData(image, 0, 0);
  const ends = element("div", "", "ends");
  ends.append(...meaning.ends.map((text) => element("span", text)));
  const scale = element("div", "", "scale");
  scale.append(canvas, ends);
  legend.replaceChildren(element("span", meaning.name, "name"), scale);
}

function arrow(length) {
  const result = element("span", "", "arrow");
  result.innerHTML = `<svg viewBox="0 0 ${length} 10" width="${length}" height="10">` +
    `<path d="M0 5h${length - 8}" /><path class="head" d="M${length - 9} 1l9 4l-9 4z" /></svg>`;
  return result;
}

/** What arrows mean at the moment; `longest`: the impulse of one of full length, N s. */
export function showImpulseLegend(isShown, longest) {
  const legend = document.getElementById("impulse-legend");
  legend.hidden = !isShown;
  if (!isShown) return;
  if (legend.childElementCount === 0) {
    legend.append("impulse, N s", arrow(44), element("b"), arrow(22), element("b"),
      element("small", "length grows with the root; the scale follows the strongest of the moment"));
  }
  const texts = longest > 0 ? [number(longest, 2), number(longest / 4, 2)] : ["–", "–"];
  legend.querySelectorAll("b").forEach((item, k) => {
    if (item.textContent !== texts[k]) item.textContent = texts[k];
  });
}
