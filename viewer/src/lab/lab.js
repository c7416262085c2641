// The lab: a scene that is run while hands change it.

import { icons } from "../icons.js";
import { Stage } from "../stage.js";
import { Bench } from "./bench.js";
import { Editor } from "./editor.js";
import { Hand } from "./hand.js";
import { ImpactReader } from "./impact_reader.js";
import { connectKeys } from "./keys.js";
import { Overlay } from "./overlay.js";
import { Panel } from "./panel.js";
import { presets } from "./presets.js";
import { Special } from "./special.js";
import { Strips } from "./strips.js";

const byId = (id) => document.getElementById(id);
const kBudget = 12; // ms of each picture for steps
const kAfterglow = 0.18; // s for which an impulse stays visible

export class Lab {
  constructor(engine) {
    this.engine = engine;
    this.bench = new Bench(engine);
    this.hand = new Hand(this);
    this.strips = new Strips(byId("strips"));
    this.playing = false;
    this.rate = 1;
    this.owed = 0; // s of the scene that have passed on the clock and not in steps
    this.tool = "drag";
    this.selected = null;
    this.impact = new ImpactReader(this);
    this.pictures = 0;
    this.costs = [];
    this.stepCost = 0;
    this.preset = null;
    this.renderer = null;
    this.options = {
      colour: "speed", trails: true, trailLength: 1, arrows: true, contacts: false, surfaceEdges: false,
      smooth: true, vertices: false, followed: [], hovered: null, afterglow: 0,
    };
    this.editor = new Editor({
      onApply: (text) => this.open(text, this.bench.operators, { keepsOperators: false }),
      onPresent: () => this.writePresent(),
    });
    this.special = new Special(this);
    this.panel = new Panel(this);
    connectKeys(this);
  }

  // ---- scenes ---------------------------------------------------------------------------------------

  /** A fault, or null. Operators that the scene does not name are still possible. */
  open(text, operators, { preset = null, rate = null } = {}) {
    const fault = this.bench.open(text, operators);
    if (fault) return fault;
    this.preset = preset;
    this.rate = rate ?? (preset ? preset.rate ?? 1 : this.rate);
    this.selected = null;
    this.impact.forget();
    this.hush();
    this.editor.show(text);
    this.rebuild({ keepsView: false });
    this.special.show(preset);
    this.begin();
    return null;
  }

  openPreset(id) {
    const preset = presets.find((one) => one.id === id) ?? presets[0];
    const fault = this.open(preset.text, preset.operators, { preset });
    if (fault) {
      this.say(`${preset.title}: line ${fault.line}: ${fault.message}`);
      this.panel.show();
      return fault;
    }
    this.setTool(preset.tool ?? "drag");
    this.setPlaying(preset.plays ?? true);
    return null;
  }

  begin() {
    this.owed = 0;
    this.strips.clear(this.bench.runs);
    for (const run of this.bench.runs) Object.assign(run, { collisions: 0, virial: 0 });
    this.note();
    this.panel.show();
  }

  writePresent() {
    const { text, fault } = this.bench.first.engine.text();
    if (fault) this.sayFault(fault);
    else this.editor.show(text);
    return text;
  }

  // ---- picture --------------------------------------------------------------------------------------

  /** A new picture of all runs, after an edit that changed what there is. */
  rebuild({ keepsView = true } = {}) {
    const { runs } = this.bench;
    const before = this.stage;
    const sameKind = before && before.camera.inSpace === (runs[0].dimension === 3);
    const look = keepsView && sameKind ? before.camera.look() : null;
    this.hand.release();
    before?.dispose();
    const elements = { stage: byId("stage"), canvas: byId("scene"), cells: byId("cells"), renderer: this.renderer };
    this.stage = new Stage(runs, elements, () => { this.isStale = true; }, look ? before : null);
    this.renderer = this.stage.renderer;
    this.stage.impulses = { at: () => 0 };
    // Bodies with corners touch at two places and more: arrows as long as for balls would hide them.
    if (runs[0].solids.some(({ surface }) => surface)) {
      for (const { arrows } of this.stage.views) arrows.reach *= 0.4;
    }
    if (look) this.stage.camera.lookAs(look);
    else if (this.preset?.shows) this.showWith(this.preset.shows);
    else if (this.preset?.room) this.stage.camera.lookAs({ ...this.stage.camera.look(), zoom: 1 / this.preset.room });
    // As on the page of a recording: cloth is told apart by its sides, not by how fast it is.
    this.options.colour = runs[0].surfaces.some(({ triangles }) => triangles.length > 0) ? "body" : "speed";
    this.overlays = this.stage.views.map((view) => new Overlay(view, this.stage.common.reach));
    this.hand.connect(this.stage);
    this.stage.cells.forEach((cell, k) => {
      const name = document.createElement("div");
      name.className = "name";
      name.textContent = runs.length > 1 ? runs[k].name : "";
      cell.parentElement.append(name);
    });
    this.isStale = true;
  }

  /** Shows the bodies and these places. */
  showWith(places) {
    const [lower, upper] = this.bench.first.boxOf();
    const { origin } = this.stage.common;
    const ends = [0, 1, 2].map((axis) => [
      Math.min(lower[axis], ...places.map((place) => place[axis])), Math.max(upper[axis], ...places.map((place) => place[axis])),
    ]);
    this.stage.camera.fitBox(ends.map(([low, high]) => (high - low) / 2), ends.map(([low, high], axis) => (low + high) / 2 - origin[axis]));
  }

  /** Speed that an arrow of unit length means. */
  get speedPerLength() {
    return (4 * this.bench.first.speedCap) / this.stage.common.size;
  }

  draw() {
    const { stage, options, bench } = this;
    const few = bench.first.bodies <= 80;
    options.trails = few;
    options.followed = this.selected === null ? [] : [this.selected];
    const step = bench.first.settings.step;
    options.afterglow = this.playing ? Math.max(kAfterglow * this.rate, step) : step;
    for (const run of bench.runs) run.keepFor = options.afterglow;
    stage.update(bench.first.time, options);
    stage.views.forEach((view, k) => this.overlays[k].update(
      this.hand.drawn && this.hand.held?.k === k ? this.hand.drawn : null));
    stage.render();
    ++this.pictures;
  }

  /** Shows what is there now. */
  fit() {
    this.draw();
    this.stage.fitMoment();
  }

  // ---- time -----------------------------------------------------------------------------------------

  /** Lets time pass and draws what changed; `now` in milliseconds. */
  live(now) {
    const passed = Math.min(0.1, (now - (this.before ?? now)) / 1000);
    this.before = now;
    const begin = performance.now();
    if (this.playing) this.pass(passed);
    if (!this.isStale) return;
    this.isStale = false;
    this.draw();
    this.special.note();
    this.strips.show(this.bench.runs);
    this.panel.tick();
    this.costs.push(performance.now() - begin);
    if (this.costs.length > 200) this.costs.splice(0, 100);
  }

  pass(seconds) {
    const { bench } = this;
    const { step } = bench.first.settings;
    this.owed += seconds * this.rate;
    let wanted = Math.floor(this.owed / step);
    if (wanted > 0) {
      this.hand.pull(this.rate);
      const begin = performance.now();
      let done = 0;
      // In portions, so that a slow scene still is a moving one.
      while (done < wanted && performance.now() - begin < kBudget) {
        const portion = Math.min(wanted - done, this.stepCost > 0
          ? Math.max(1, Math.floor(kBudget / 4 / this.stepCost)) : 1);
        const result = this.take(portion);
        done += result.done;
        if (result.stopped) { this.stop(result.stopped); break; }
      }
      // The first ones wake the engine up.
      if (done > 0 && bench.first.report.step > 3) this.stepCost = (performance.now() - begin) / done;
      // What could not be done in time is let go: the scene is slower than the clock.
      if (done < wanted) this.owed = 0; else this.owed -= done * step;
      this.isStale = true;
    }
    for (const run of bench.runs) run.fraction = Math.min(1, this.owed / step);
    if (this.rate / 60 < step) this.isStale = true;
  }

  /** Steps in all runs; how many there were, and why no more are possible. */
  take(steps) {
    this.impact.forget();
    const result = this.bench.advance(steps);
    this.note();
    return result;
  }

  note() {
    this.strips.note(this.bench.runs);
    this.isStale = true;
    this.impact.tell();
  }

  stop(why) {
    this.setPlaying(false);
    this.say(`The run cannot go on: ${why}. Undo, or go back to the start.`);
  }

  setPlaying(playing) {
    this.playing = playing;
    if (playing) this.hush();
    for (const run of this.bench.runs) run.fraction = 1;
    const button = byId("play");
    button.innerHTML = playing ? icons.pause : icons.play;
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.isStale = true;
    if (!playing) this.impact.tell(true);
  }

  step() {
    this.setPlaying(false);
    const result = this.take(1);
    if (result.stopped) this.stop(result.stopped);
  }

  restart() {
    const fault = this.bench.restart();
    if (fault) this.sayFault(fault);
    this.impact.forget();
    this.hush();
    this.begin();
    this.rebuild();
  }

  // ---- edits ----------------------------------------------------------------------------------------

  /** One edit in every run; says why it is not possible. */
  try(change) {
    const counts = this.bench.runs.map((run) => [run.bodies, run.shapes.length, run.radii.join()].join());
    const fault = this.bench.edit(change);
    if (fault) {
      this.sayFault(fault);
      return false;
    }
    this.hush();
    this.impact.forget();
    const changed = this.bench.runs.some((run, k) => counts[k] !== [run.bodies, run.shapes.length, run.radii.join()].join());
    if (changed) {
      if (this.selected !== null && this.selected >= this.bench.first.bodies) this.selected = null;
      const { held, drawn } = this.hand;
      this.rebuild();
      Object.assign(this.hand, { held, drawn });
    }
    this.panel.show();
    this.note();
    return true;
  }

  set(part) {
    const fault = this.bench.set(part);
    if (fault) this.sayFault(fault);
    else this.hush();
    this.panel.show();
    this.note();
    return !fault;
  }

  /** A ball or a box of the size that is usual here. */
  add(kind, place) {
    const run = this.bench.first;
    const sorted = [...run.radii].sort((a, b) => a - b);
    const radius = sorted[sorted.length >> 1] ?? 0.5;
    const mass = run.masses[0] ?? 1;
    const half = [0.9 * radius, 0.9 * radius, 0.9 * radius];
    this.try((engine) => (kind === "ball" ? engine.addBall(place, radius, mass) : engine.addBox(place, half, mass)));
  }

  undo() {
    const fault = this.bench.undo();
    if (fault) this.sayFault(fault);
    this.impact.forget();
    this.rebuild();
    this.panel.show();
    this.note();
  }

  /** The operators that are seen side by side; at least one stays. */
  compare(operators) {
    const fault = this.bench.compare(operators);
    if (fault) this.sayFault(fault);
    else this.hush();
    this.impact.forget();
    this.strips.clear(this.bench.runs);
    this.rebuild();
    this.panel.show();
    this.note();
  }

  select(body) {
    this.selected = body;
    this.isStale = true;
    this.panel.showBody();
  }

  setTool(tool) {
    this.tool = tool;
    byId("stage").dataset.tool = tool;
    for (const button of document.querySelectorAll("[data-tool]")) {
      if (button.tagName === "BUTTON") button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    }
  }

  changed() { this.isStale = true; }

  say(text) {
    const message = byId("message");
    message.textContent = text;
    message.hidden = false;
  }

  /** Of an edit that was refused: what it is about, and why. */
  sayFault({ key, message }) { this.say(`${key ? `${key} ` : ""}${message}`); }

  hush() { byId("message").hidden = true; }
}
