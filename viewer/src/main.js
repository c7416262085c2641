// Puts the page together and keeps it alive. window.carom is for those who drive it by program.

import { Clock } from "./clock.js";
import { Controls } from "./controls.js";
import { readPage } from "./data.js";
import { Ends } from "./ends.js";
import { labelCells, showFacts, showImpulseLegend, showLegend } from "./facts.js";
import { HeightPicture } from "./heights.js";
import { Hover } from "./hover.js";
import { Plots } from "./plots.js";
import { kCorners } from "./quads.js";
import { coloursOf } from "./shades.js";
import { Stage } from "./stage.js";
import { Takeaway } from "./takeaway.js";

const byId = (id) => document.getElementById(id);
// With at most this many balls trails are on at first.
const kFewBalls = 80;
// How long an impulse stays visible while playing, in seconds of the viewer's life.
const kAfterglow = 0.18;
// How long the camera takes once round the scene, s.
const kTurn = 16;

function say(text) {
  const message = byId("message");
  message.textContent = text;
  message.hidden = false;
}

function readData() {
  const source = byId("carom-data");
  const text = source.textContent;
  source.remove(); // as large as the page; decoded once
  if (!text.startsWith("{\"")) throw new Error("this page holds no recording");
  return readPage(text);
}

function makeStage(runs, onInvalid) {
  try {
    return new Stage(runs, { stage: byId("stage"), canvas: byId("scene"), cells: byId("cells") }, onInvalid);
  } catch (error) {
    byId("scene").hidden = true;
    say("The scene needs WebGL 2, which this browser does not offer or has switched off.\n" +
      "The plots below work without it.");
    return null;
  }
}

class Page {
  constructor() {
    this.data = readData();
    const { runs } = this.data;
    this.clock = new Clock(
      Math.min(...runs.map((run) => run.times[0])),
      Math.max(...runs.map((run) => run.times[run.frames - 1])),
    );
    this.options = {
      // Cloth is told apart by its sides, not by how fast it is.
      colour: runs.some((run) => run.hasSpeeds && run.vertices === 0) ? "speed" : "body",
      trails: runs[0].bodies - runs[0].vertices <= kFewBalls,
      trailLength: 0.25,
      arrows: true,
      contacts: false,
      surfaceEdges: false,
      smooth: true,
      vertices: false,
      turntable: false,
      followed: [],
      hovered: null,
      afterglow: 0,
    };
    this.isStale = true;
    this.isMoved = true;
    this.drawn = [];
    this.pictures = 0;
    showFacts(this.data);
    this.hasArrows = runs.some((run) => run.arrows.times.length > 0);
    byId("arrows-label").hidden = !this.hasArrows;
    byId("contacts-label").hidden = !this.hasArrows;
    byId("colour-layer").hidden = byId("colour-layer").disabled = !coloursOf(runs).includes("layer");
    byId("surface-options").hidden = runs.every((run) => run.vertices === 0);
    this.stage = makeStage(runs, () => { this.isMoved = true; });
    if (this.stage) {
      labelCells(runs, this.stage.cells);
      this.stage.layOut();
      this.stage.camera.fit();
      this.hover = new Hover(this.stage, this.options, this.clock, {
        precision: this.data.positionError,
        onChange: () => { this.isStale = true; },
      });
    }
    byId("turntable-label").hidden = !this.stage?.camera.inSpace;
    byId("fit-all").hidden = !this.stage?.escapes;
    this.ends = this.stage ? new Ends(runs, this.stage.cells) : null;
    this.controls = new Controls(this.clock, this.options, longest(runs), {
      colours: coloursOf(runs),
      onFit: (what) => (what === "now" ? this.stage?.fitMoment() : this.stage?.camera.fit(what)),
      onOption: () => { this.isStale = true; this.legend(); },
      onPlots: () => this.plots.toggle(),
    });
    this.heights = runs.map((run, k) =>
      (run.heights && this.stage ? new HeightPicture(run, this.stage.cells[k]) : null));
    this.plots = new Plots(byId("plots"), runs, this.clock);
    this.takeaway = new Takeaway(this);
    this.clock.onChange(() => { this.isStale = true; });
    this.legend();
  }

  legend() {
    if (!this.stage) return;
    showLegend(this.options, this.stage);
    this.impulseLegend();
  }

  impulseLegend() {
    showImpulseLegend(this.hasArrows && this.options.arrows, this.stage.longestImpulse);
  }

  /** Lets time pass and draws what changed; `now` in milliseconds. */
  live(now) {
    // A hidden page stands still: time that nobody saw does not count.
    const passed = Math.min(0.25, (now - (this.before ?? now)) / 1000);
    this.before = now;
    this.clock.advance(passed);
    this.turn(passed);
    if (!this.isStale && !this.isMoved) return;
    const begin = performance.now();
    this.draw();
    this.drawn.push({ now, cost: performance.now() - begin });
    ++this.pictures;
    if (this.drawn.length > 1000) this.drawn.splice(0, 500);
  }

  /** Where a turntable is wanted, the camera goes on as far as it does in this time, s. */
  turn(seconds) {
    if (this.options.turntable) this.stage?.camera.turn((2 * Math.PI * seconds) / kTurn);
  }

  draw() {
    if (this.isStale) {
      this.options.afterglow = this.clock.playing ? kAfterglow * this.clock.rate : 0;
      this.stage?.update(this.clock.time, this.options);
      if (this.stage) this.impulseLegend();
      for (const picture of this.heights) picture?.show(this.clock.time);
      this.plots.show();
      this.ends?.show(this.clock.time, this.clock.end);
    }
    this.stage?.render();
    this.hover?.show();
    this.isStale = false;
    this.isMoved = false;
  }

  /** Pictures per second over the last two seconds. */
  fps() {
    const recent = this.drawn.filter(({ now }) => now > performance.now() - 2000);
    if (recent.length < 2) return 0;
    return (1000 * (recent.length - 1)) / (recent[recent.length - 1].now - recent[0].now);
  }

  /** What the script needs for a picture, without the graphics, ms: the median of the last ones. */
  scriptTime() {
    const costs = this.drawn.slice(-50).map(({ cost }) => cost).sort((a, b) => a - b);
    return costs[costs.length >> 1] ?? 0;
  }
}

const longest = (runs) => runs.reduce((a, b) => (b.frames > a.frames ? b : a));

/**
 * "#t=1.5" opens the page at that time, "#t=1.5&fit=now" with what is there then; otherwise it plays, unless
 * motion is unwelcome.
 */
function begin(page) {
  const wanted = /[#&]t=([-+.\deE]+)/.exec(location.hash);
  if (wanted) {
    page.clock.seek(Number(wanted[1]));
    page.draw();
    if (/&fit=now\b/.test(location.hash)) page.stage?.fitMoment();
  } else if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) page.clock.play();
}

/** What is drawn of contacts, in the world: where arrows begin, and where normals do and end. */
function shownContacts({ contacts, arrows, origin }) {
  const places = (count, numbers, stride, offset) => Array.from({ length: count }, (_, k) =>
    [0, 1, 2].map((axis) => numbers[stride * k + offset + axis] + origin.getComponent(axis)));
  const [from, to] = contacts.normals.attributes;
  return {
    starts: places(arrows.shafts.count, arrows.shafts.instanceMatrix.array, 16, 12),
    points: places(contacts.dots.count, contacts.dots.instanceMatrix.array, 16, 12),
    feet: places(contacts.normals.count, from.array, 3 * kCorners, 0),
    tips: places(contacts.normals.count, to.array, 3 * kCorners, 0),
  };
}

/** The pieces of line of which springs are drawn, [from, to] in the world. */
function shownSprings({ springs: { segments }, origin }) {
  const [from, to] = segments.attributes;
  return Array.from({ length: segments.count }, (_, k) => [from, to].map(({ array }) =>
    [0, 1, 2].map((axis) => array[3 * kCorners * k + axis] + origin.getComponent(axis))));
}

function start() {
  const page = new Page();
  const loop = (now) => {
    page.live(now);
    requestAnimationFrame(loop);
  };
  page.draw();
  begin(page);
  requestAnimationFrame(loop);
  return {
    seek: (time) => { page.clock.seek(time); page.draw(); },
    time: () => page.clock.time,
    play: () => page.clock.play(),
    pause: () => page.clock.pause(),
    isPlaying: () => page.clock.playing,
    positions: (run = 0) => Float64Array.from(page.stage?.views[run].positions ?? []),
    orientations: (run = 0) => Float64Array.from(page.stage?.views[run].orientations ?? []),
    contacts: (run = 0) => shownContacts(page.stage.views[run]),
    springs: (run = 0) => shownSprings(page.stage.views[run]),
    pixelOf: (point, run = 0) => page.stage.pixelOf(run, point),
    heights: (run = 0) => page.heights[run]?.map ?? null,
    waves: (run = 0) => page.heights[run]?.waveMap ?? null,
    frameCount: (run = 0) => page.data.runs[run].frames,
    frameTimes: (run = 0) => Array.from(page.data.runs[run].times),
    runCount: () => page.data.runs.length,
    positionError: () => page.data.positionError,
    orientationError: () => page.data.orientationError,
    fps: () => page.fps(),
    scriptTime: () => page.scriptTime(),
    pictures: () => page.pictures,
    isDrawn: () => page.stage !== null,
    camera: () => page.stage?.camera,
    longestImpulse: () => page.stage?.longestImpulse,
    hasShadows: () => (page.stage?.views[0].shadows?.floors.length ?? 0) > 0,
  };
}

window.carom = {};
window.carom.ready = new Promise((resolve, reject) => {
  try {
    Object.assign(window.carom, start());
  } catch (error) {
    say(`This page cannot be shown: ${error.message}.`);
    reject(error);
    return;
  }
  // Two pictures later everything has its final size.
  requestAnimationFrame(() => requestAnimationFrame(resolve));
});
