// The scene above the plots: one drawing surface, divided into one cell per run.

import { ColorManagement, LinearSRGBColorSpace, WebGLRenderer } from "three";
import { boxOfMoment, sharedScale, viewBoxes } from "./boxes.js";
import { SharedCamera } from "./camera.js";
import { ImpulseScale } from "./impulse_scale.js";
import { cornersOf } from "./shapes.js";
import { onThemeChange, themeColour } from "./theme.js";
import { View } from "./view.js";

ColorManagement.enabled = false;

// The scale of arrows fades over this share of the run after an impact.
const kFadeShare = 0.01;

// The longest arrow, in radii. In the plane it points into its ball and has to come out of it; in space
// longer ones would hide a pile.
const kArrowRadii = 2.6;
const kArrowRadiiInSpace = 1.3;

// With more bodies than this, pictures are not multisampled.
const kMostSampled = 3000;

// The speed below which 99 of 100 moving balls are, and the fastest, as levels.
function speedsOf(run) {
  const counts = new Uint32Array(16385);
  let moving = 0;
  let highest = 0;
  for (const level of run.levels) {
    if (level === 0) continue;
    ++counts[level];
    ++moving;
    if (level > highest) highest = level;
  }
  let level = 0;
  for (let seen = 0; seen < 0.99 * moving; seen += counts[level]) ++level;
  return [level, highest];
}

/** Above `cap` all balls have the last colour: 99 of 100 moving balls are slower, but for those of one bad run. */
export function speedRange(runs) {
  const speeds = runs.filter((run) => run.hasSpeeds)
    .map((run) => speedsOf(run).map((level) => level * run.speedQuantum));
  return {
    cap: sharedScale(speeds.map(([cap]) => cap)),
    fastest: Math.max(0, ...speeds.map(([, fastest]) => fastest)),
  };
}

function upOf(runs) {
  const run = runs[0];
  if (run.up && Math.hypot(...run.up) > 0) return run.up;
  return run.shapes.find((shape) => shape.type === "half_plane")?.normal ?? [0, 1, 0];
}

function normalised(v) {
  const length = Math.hypot(...v);
  return v.map((x) => x / length);
}

function medianRadius(run) {
  return [...run.radii].sort((a, b) => a - b)[run.bodies >> 1] ?? 1;
}

/** Columns of equal cells in which a scene of this shape is largest. */
export function columnsFor(count, width, height, aspect) {
  let best = 1;
  let largest = 0;
  for (let columns = 1; columns <= count; ++columns) {
    const cell = [width / columns, height / Math.ceil(count / columns)];
    const scale = Math.min(cell[0] / aspect, cell[1]);
    if (scale > largest * 1.001) [best, largest] = [columns, scale];
  }
  return best;
}

export class Stage {
  /**
   * `elements.renderer`: that of an earlier stage on the same canvas, if there was one; `kept`: an earlier
   * stage whose frame of the world is kept, so that its camera can look the same way again.
   */
  constructor(runs, elements, onInvalid, kept = null) {
    this.runs = runs;
    this.elements = elements;
    this.onInvalid = onInvalid;
    // Balls and lines smooth their own edges; solids and walls in space leave it to the multisampling, which
    // is dear where software draws. Throws where there is no WebGL 2.
    const bodies = runs.reduce((sum, run) => sum + run.bodies - run.vertices, 0);
    const antialias = runs[0].dimension === 3 && bodies <= kMostSampled;
    this.renderer = elements.renderer ?? new WebGLRenderer({ canvas: elements.canvas, antialias });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.autoClear = false;
    const boxes = viewBoxes(runs, cornersOf);
    const [lower, upper] = boxes.most;
    const half = kept?.half ?? upper.map((x, axis) => Math.max(1e-300, (x - lower[axis]) / 2));
    this.half = half;
    const origin = kept?.common.origin ?? upper.map((x, axis) => (x + lower[axis]) / 2);
    if (runs[0].dimension !== 3) origin[2] = 0;
    this.speeds = speedRange(runs);
    this.deepestLayer = Math.max(0, ...runs.map((run) => run.deepestLayer ?? 0));
    const arrowRadii = runs[0].dimension === 3 ? kArrowRadiiInSpace : kArrowRadii;
    const common = {
      origin,
      size: 2 * Math.max(...half),
      half,
      up: upOf(runs),
      castsShadows: antialias,
      speedCap: this.speeds.cap,
      deepestLayer: this.deepestLayer,
      reach: Math.max(arrowRadii * medianRadius(runs[0]), 0.06 * Math.max(...half)),
    };
    const lengths = runs.map((run) => run.times[run.frames - 1] - run.times[0]);
    this.impulses = new ImpulseScale(runs.map((run) => run.arrows), kFadeShare * Math.max(...lengths));
    this.longestImpulse = 0;
    this.common = common;
    this.views = runs.map((run) => new View(run, common));
    this.escapes = boxes.most !== boxes.all;
    const around = boxes.all.map((corner) => corner.map((x, axis) => Math.abs(x - origin[axis])));
    const halfOfAll = around[0].map((x, axis) => Math.max(half[axis], x, around[1][axis]));
    this.camera = new SharedCamera(runs[0].dimension === 3, { most: half, all: halfOfAll }, normalised(upOf(runs)), onInvalid);
    this.cells = runs.map(() => this.addCell());
    this.layOut();
    this.camera.fit();
    const observer = new ResizeObserver(() => { this.layOut(); onInvalid(); });
    observer.observe(elements.stage);
    const forgetTheme = onThemeChange(() => { this.recolour(); onInvalid(); });
    this.release = () => { observer.disconnect(); forgetTheme(); };
    this.recolour();
  }

  /** The drawing area of a run, in a frame with room for its label. */
  addCell() {
    const frame = document.createElement("div");
    frame.className = "frame";
    const cell = document.createElement("div");
    cell.className = "cell";
    frame.append(cell);
    this.elements.cells.append(frame);
    this.camera.attach(cell);
    return cell;
  }

  recolour() {
    this.background = themeColour("stage");
    for (const view of this.views) view.recolour();
  }

  layOut() {
    const { stage, cells } = this.elements;
    const [width, height] = [Math.max(1, stage.clientWidth), Math.max(1, stage.clientHeight)];
    const count = this.runs.length;
    const aspect = this.camera.inSpace ? 1 : this.half[0] / this.half[1];
    const columns = columnsFor(count, width, height, Math.min(4, Math.max(0.25, aspect)));
    cells.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    cells.style.gridAutoRows = "1fr";
    cells.classList.toggle("single", count === 1);
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    const cell = this.cells[0].getBoundingClientRect();
    this.camera.resize(Math.max(1, cell.width), Math.max(1, cell.height));
  }

  /** Shows what is there at the moment that is drawn. */
  fitMoment() {
    const [lower, upper] = boxOfMoment(this.views, cornersOf);
    const { origin } = this.common;
    this.camera.fitBox(upper.map((x, axis) => Math.max(1e-300, (x - lower[axis]) / 2)),
      upper.map((x, axis) => (axis < this.runs[0].axes ? (x + lower[axis]) / 2 - origin[axis] : 0)));
  }

  update(time, options) {
    const shown = this.views.map((view) =>
      view.arrows.strongest(view.arrowsFrom(time, options.afterglow), time));
    this.longestImpulse = Math.max(this.impulses.at(time), ...shown);
    for (const view of this.views) view.update(time, options, this.longestImpulse);
  }

  render() {
    const { renderer } = this;
    for (const view of this.views) view.shadows?.render(renderer);
    const whole = this.elements.stage.getBoundingClientRect();
    const ratio = renderer.getPixelRatio();
    renderer.setScissorTest(false);
    renderer.setClearColor(this.background);
    renderer.clear();
    renderer.setScissorTest(true);
    this.views.forEach((view, k) => {
      const cell = this.cells[k].getBoundingClientRect();
      const box = [cell.left - whole.left, whole.bottom - cell.bottom, cell.width, cell.height];
      renderer.setViewport(...box);
      renderer.setScissor(...box);
      view.uniforms.pixel.value = this.camera.pixel(cell.height * ratio);
      if (this.camera.inSpace) {
        view.balls.orderFrom(this.camera.camera.position.toArray());
        if (view.vertices.mesh.visible) view.vertices.orderFrom(this.camera.camera.position.toArray());
      }
      view.scene.traverse((object) => {
        object.userData.segments?.setResolution(cell.width * ratio, cell.height * ratio, ratio);
      });
      view.light(this.camera.camera);
      renderer.render(view.scene, this.camera.camera);
    });
  }

  /** Makes room for another stage on the same canvas. */
  dispose() {
    this.release();
    this.camera.dispose();
    for (const view of this.views) {
      view.scene.traverse((object) => {
        object.geometry?.dispose();
        object.material?.dispose();
        if (object.isInstancedMesh) object.dispose();
      });
      view.uniforms.colourMap.value.dispose();
      view.shadows?.dispose();
    }
    this.elements.cells.replaceChildren();
  }

  /** The place of a pointer event in cell k, -1 to 1 on both axes. */
  pointIn(k, event) {
    const cell = this.cells[k].getBoundingClientRect();
    return [
      (2 * (event.clientX - cell.left)) / cell.width - 1,
      1 - (2 * (event.clientY - cell.top)) / cell.height,
    ];
  }

  /** Where a point of the world is on the page, pixels from its upper left corner. */
  pixelOf(k, point) {
    const cell = this.cells[k].getBoundingClientRect();
    const [x, y] = this.views[k].projectPoint(point, this.camera.camera);
    return [cell.left + ((x + 1) / 2) * cell.width, cell.top + ((1 - y) / 2) * cell.height];
  }

  pick(k, event) {
    const { camera, inSpace } = this.camera;
    const reach = 3 * this.camera.pixel(this.cells[k].clientHeight);
    const slack = inSpace ? 0 : reach;
    const chainSlack = inSpace ? reach * camera.position.distanceTo(this.camera.target) : reach;
    return this.views[k].pick(this.pointIn(k, event), camera, { slack, chainSlack });
  }
}
