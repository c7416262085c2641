// The lab: a scene that is run while hands change it. window.lab is for those who drive it by program.

import { icons } from "../icons.js";
import { Stage } from "../stage.js";
import { Bench } from "./bench.js";
import { Editor } from "./editor.js";
import { loadEngine } from "./engine.js";
import { Hand } from "./hand.js";
import { Overlay } from "./overlay.js";
import { Panel } from "./panel.js";
import { presets } from "./presets.js";
import { fromFragment } from "./share.js";
import { Special } from "./special.js";
import { Strips } from "./strips.js";
import { certificate } from "./words.js";

const byId = (id) => document.getElementById(id);
const kBudget = 12; // ms of each picture for steps
const kRates = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const kAfterglow = 0.18; // s for which an impulse stays visible
const kMostApplications = 400;
const kMostSteps = 20000; // until the next impact

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
    this.course = null; // of an impact that is looked at, application by application
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
    this.connect();
  }

  // ---- scenes ---------------------------------------------------------------------------------------

  /** A fault, or null. Operators that the scene does not name are still possible. */
  open(text, operators, { preset = null, rate = null } = {}) {
    const fault = this.bench.open(text, operators);
    if (fault) return fault;
    this.preset = preset;
    this.rate = rate ?? (preset ? preset.rate ?? 1 : this.rate);
    this.selected = null;
    this.course = null;
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
    if (fault) this.say(fault.message);
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
    else if (this.preset?.room) this.stage.camera.lookAs({ ...this.stage.camera.look(), zoom: 1 / this.preset.room });
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
    this.course = null;
    const result = this.bench.advance(steps);
    this.note();
    return result;
  }

  note() {
    this.strips.note(this.bench.runs);
    this.isStale = true;
    this.showCertificate();
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
    if (!playing) this.showCertificate(true);
  }

  step() {
    this.setPlaying(false);
    const result = this.take(1);
    if (result.stopped) this.stop(result.stopped);
  }

  restart() {
    const fault = this.bench.restart();
    if (fault) this.say(fault.message);
    this.course = null;
    this.hush();
    this.begin();
    this.rebuild();
  }

  // ---- single application ---------------------------------------------------------------------------

  /** The next application; of the impact that comes next where there is none left. */
  application() {
    this.setPlaying(false);
    if (!this.course || this.course.at + 1 >= this.course.most) {
      if (!this.toNextImpact()) return;
    }
    ++this.course.at;
    const { at, most, all } = this.course;
    this.bench.runs.forEach((run, k) => {
      const one = all[k]?.course[at];
      run.showPushes(one ? one.pushes : []);
    });
    const lines = this.bench.runs.map((run, k) => {
      const course = all[k];
      if (!course) return `${run.name}: nothing touches`;
      if (at >= course.course.length) return `${run.name}: done after ${course.course.length}`;
      const { pushes } = course.course[at];
      const cut = course.isCut ? ` (the first ${course.course.length} are shown)` : "";
      return `${run.name}: application ${at + 1} of ${course.applications}${cut}, ${pushes.length} ` +
        `${pushes.length === 1 ? "push" : "pushes"}`;
    });
    this.course.words = lines;
    this.writeCertificate(lines.map((line) => [line]));
    this.isStale = true;
    if (at + 1 === most) this.course.isOver = true;
  }

  toNextImpact() {
    for (let taken = 0; taken < kMostSteps; ++taken) {
      const result = this.take(1);
      if (result.stopped) { this.stop(result.stopped); return false; }
      if (this.bench.runs.some((run) => run.arrows.times.length > 0 && run.arrows.times.at(-1) === run.time)) {
        const all = this.bench.runs.map((run) => {
          const course = run.engine.lastImpact(kMostApplications);
          return course && !course.fault ? course : null;
        });
        const most = Math.max(0, ...all.map((course) => course?.course.length ?? 0));
        if (most > 0) {
          this.course = { all, most, at: -1 };
          return true;
        }
      }
    }
    this.say(`No impact in the next ${kMostSteps} steps.`);
    return false;
  }

  // ---- certificate ----------------------------------------------------------------------------------

  showCertificate(now = false) {
    if (this.course && !now) return;
    const time = performance.now();
    if (!now && this.playing && time - (this.told ?? 0) < 200) return;
    this.told = time;
    const lines = this.bench.runs.map((run) => {
      const course = run.engine.lastImpact(0);
      const many = this.bench.runs.length > 1;
      if (!course || course.fault) return many ? [`${run.name}: no impact yet.`] : ["No impact yet."];
      return [`${many ? `${run.name}: ` : "The last impact: "}${certificate(course)}`];
    });
    this.writeCertificate(lines);
  }

  writeCertificate(lines) {
    byId("certificate").replaceChildren(...lines.map(([line]) => {
      const span = document.createElement("span");
      span.textContent = line;
      return span;
    }));
  }

  // ---- edits ----------------------------------------------------------------------------------------

  /** One edit in every run; says why it is not possible. */
  try(change) {
    const counts = this.bench.runs.map((run) => [run.bodies, run.shapes.length, run.radii.join()].join());
    const fault = this.bench.edit(change);
    if (fault) {
      this.say(fault.message);
      return false;
    }
    this.hush();
    this.course = null;
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
    if (fault) this.say(fault.message);
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
    if (fault) this.say(fault.message);
    this.course = null;
    this.rebuild();
    this.panel.show();
    this.note();
  }

  /** The operators that are seen side by side; at least one stays. */
  compare(operators) {
    const fault = this.bench.compare(operators);
    if (fault) this.say(fault.message);
    else this.hush();
    this.course = null;
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

  hush() { byId("message").hidden = true; }

  // ---- keys and buttons -----------------------------------------------------------------------------

  connect() {
    byId("to-start").innerHTML = icons.start;
    byId("step-forward").innerHTML = icons.forward;
    byId("to-start").addEventListener("click", () => this.restart());
    byId("play").addEventListener("click", () => this.setPlaying(!this.playing));
    byId("step-forward").addEventListener("click", () => this.step());
    byId("application").addEventListener("click", () => this.application());
    byId("undo").addEventListener("click", () => this.undo());
    byId("fit").addEventListener("click", () => this.stage.camera.fit());
    byId("toolbar").addEventListener("click", (event) => {
      const tool = event.target.closest("[data-tool]")?.dataset.tool;
      if (tool) this.setTool(tool);
    });
    byId("rate").replaceChildren(...kRates.map((rate) => new Option(`${rate} ×`, rate)));
    byId("rate").addEventListener("change", (event) => { this.rate = Number(event.target.value); });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (/^(input|select|textarea)$/i.test(event.target.tagName) || event.altKey || event.metaKey) return;
    const onButton = event.target.tagName === "BUTTON";
    const keys = {
      " ": () => this.setPlaying(!this.playing), ArrowRight: () => this.step(), Home: () => this.restart(),
      g: () => this.application(), f: () => this.stage.camera.fit(), d: () => this.setTool("drag"),
      a: () => this.setTool("aim"), b: () => this.setTool("ball"), x: () => this.setTool("box"),
      w: () => this.setTool("wall"),
      Delete: () => {
        if (this.selected !== null) this.try((engine) => engine.remove(this.selected));
        else this.setTool("delete");
      },
    };
    if (event.ctrlKey) {
      if (event.key !== "z") return;
      this.undo();
    } else if (keys[event.key] && !(onButton && event.key === " ")) keys[event.key]();
    else return;
    event.preventDefault();
  }
}

// ---- the page -------------------------------------------------------------------------------------

async function start() {
  const source = byId("carom-data");
  const given = source.textContent.startsWith("{\"") ? JSON.parse(source.textContent) : {};
  source.remove();
  const lab = new Lab(await loadEngine());
  let wanted = null;
  let damage = "";
  try {
    wanted = await fromFragment(location.hash);
  } catch {
    damage = "The link is damaged: its scene cannot be unpacked. This is the first preset instead.";
  }
  if (wanted?.text ?? given.scene) {
    const fault = lab.open(wanted?.text ?? given.scene, wanted?.operators ?? []);
    if (fault) {
      lab.openPreset(presets[0].id);
      lab.editor.show(wanted?.text ?? given.scene);
      byId("source").open = true;
      lab.editor.mark(fault);
      lab.say(`The scene that was given cannot be run: see the text. This is the first preset instead.`);
    }
  } else {
    lab.openPreset(wanted?.preset ?? presets[0].id);
  }
  if (damage) lab.say(damage);
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) lab.setPlaying(false);
  const loop = (now) => {
    lab.live(now);
    requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
  return lab;
}

window.lab = {};
window.lab.ready = start().then((lab) => {
  Object.assign(window.lab, { page: lab });
  return new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
}, (error) => {
  const message = byId("message");
  message.textContent = `The lab cannot start: ${error.message}. It needs a browser of 2023 or later, with ` +
    "WebAssembly and WebGL 2.";
  message.hidden = false;
  throw error;
});
