// Controls that only one preset has: a slider of its own, and a curve or a count beside it.

import { css, lineColour } from "../colours.js";
import { number } from "../format.js";
import { cssColour, isDark } from "../theme.js";

const byId = (id) => document.getElementById(id);

function replaceNumber(text, pattern, value) {
  if (!pattern.test(text)) throw new Error(`the preset lost its place: ${pattern}`);
  return text.replace(pattern, (_, before, after) => `${before}${value}${after}`);
}

/** Runs a scene until nothing more collides, and gives the x velocities. */
function outcome(engine, text, operator, steps) {
  const { run, fault } = engine.open(text, operator);
  if (fault) return null;
  run.advance(steps);
  const velocities = run.velocities();
  const course = run.lastImpact(0);
  run.delete();
  return { velocities: [0, 1, 2].map((k) => velocities[3 * k]), course };
}

const chain = {
  title: "The speed of ball a",
  label: "v_a", min: 0, max: 1, step: 0.01, value: 0.5,
  // Ball a arrives from as far as its speed takes it in two seconds, together with c.
  text: (text, v) => replaceNumber(
    replaceNumber(text, /(position = \[)-[\d.]+(, 0\.0\]\nvelocity)/, (-1 - 2 * v).toFixed(4)),
    /(velocity = \[)[\d.]+(, 0\.0\])/, v.toFixed(4)),
  curve(engine, text, operators) {
    const points = 51;
    return operators.flatMap((operator, k) => [0, 1, 2].map((ball) => ({
      colour: k, ball, operator,
      points: Array.from({ length: points }, (_, at) => {
        const v = at / (points - 1);
        const { velocities } = this.cached(engine, text, operator, v);
        return [v, velocities[ball]];
      }),
    })));
  },
  cached(engine, text, operator, v) {
    this.cache ??= new Map();
    const key = `${operator} ${v}`;
    if (!this.cache.has(key)) this.cache.set(key, outcome(engine, this.text(text, v), operator, 260));
    return this.cache.get(key);
  },
  words: "Velocities of a, b and c afterwards over v_a: one colour for each operator, dashed for b.",
};

const wedge = {
  title: "The wedge",
  label: "angle", unit: "°", min: 3, max: 90, step: 0.5, value: 30,
  text: (text, degrees) => text
    .replaceAll(/(sin|cos)\([\d.]+ deg\)(?=[",])/g, (_, f) => `${f}(${degrees} deg)`)
    .replace(/position = \[.*\]/, `position = ["1.5 + 0.2*cos(${degrees / 2} deg)/sin(${degrees / 2} deg)", 0.2]`),
  note(lab) {
    const { value } = lab.special;
    const counts = lab.bench.runs.map((run) => `${run.name}: ${run.report.mostApplications || "none yet"}`);
    return `Applications in one instant: ${counts.join(", ")}. 180° / ${value}° = ${number(180 / value, 3)}.`;
  },
};

const galperin = {
  title: "The heavy ball",
  label: "mass", min: 0, max: 3, step: 1, value: 1,
  shown: (k) => `${number(100 ** k)} times the light one`,
  text: (text, k) => replaceNumber(text, /(radius = 0\.5\nmass = )[\d.]+(\n|$)/, (100 ** k).toFixed(1)),
  note: (lab) => `Collisions so far: ${lab.bench.runs.map((run) => run.collisions).join(", ")}. ` +
    `In all: ${Math.floor(Math.PI * 10 ** lab.special.value)}.`,
};

const kArea = 100;
const kDiscs = 100;
const gas = {
  title: "The gas",
  label: "covered share of the area", min: 0.1, max: 0.6, step: 0.05, value: 0.38,
  text: (text, share) => replaceNumber(text, /(\nradius = )[\d.]+(\n)/, Math.sqrt((share * kArea) / (Math.PI * kDiscs)).toFixed(5)),
  note(lab) {
    const run = lab.bench.first;
    const eta = run.radii.reduce((sum, r) => sum + Math.PI * r * r, 0) / kArea;
    const formula = (1 + eta ** 2 / 8) / (1 - eta) ** 2;
    const energy = run.report.totals.kinetic;
    const measured = run.time > 0 ? 1 + run.virial / (2 * energy * run.time) : NaN;
    return `Pressure over that of an ideal gas: ${number(measured, 4)} measured in ${run.collisions} collisions, ` +
      `${number(formula, 4)} by Henderson's formula.`;
  },
};

const specials = { chain, wedge, galperin, gas };

export class Special {
  constructor(lab) {
    this.lab = lab;
    this.element = byId("special");
    this.now = null;
  }

  show(preset) {
    const kind = specials[preset?.special];
    if (this.now && kind && this.now === preset) return;
    this.now = kind ? preset : null;
    this.kind = kind ?? null;
    this.element.hidden = !kind;
    if (!kind) return;
    this.value = kind.value;
    this.element.innerHTML = `<legend></legend><label for="special-value"><span></span> <output></output></label>` +
      `<input id="special-value" type="range"><canvas hidden role="img"></canvas><p role="status"></p>`;
    this.element.querySelector("legend").textContent = kind.title;
    this.element.querySelector("label span").textContent = kind.label;
    const input = this.element.querySelector("input");
    Object.assign(input, { min: kind.min, max: kind.max, step: kind.step });
    input.value = kind.value;
    input.addEventListener("input", () => this.change(Number(input.value)));
    this.canvas = this.element.querySelector("canvas");
    this.canvas.hidden = !kind.curve;
    this.tell();
  }

  change(value) {
    const { lab } = this;
    this.value = value;
    const preset = this.now;
    const fault = lab.open(this.kind.text(preset.text, value), lab.bench.operators, { preset, rate: lab.rate });
    if (fault) lab.sayFault(fault);
    this.tell();
  }

  tell() {
    const { kind, value } = this;
    const words = kind.shown ? kind.shown(value) : `${number(value, 3)}${kind.unit ?? ""}`;
    this.element.querySelector("output").textContent = words;
    this.element.querySelector("input").setAttribute("aria-valuetext", words);
    this.note();
  }

  note() {
    const { kind, lab } = this;
    if (!kind || !lab.bench.first) return;
    this.element.querySelector("p").textContent = kind.note ? kind.note(lab) : kind.words;
    if (!kind.curve) return;
    const state = [this.value, lab.bench.operators.join(), isDark(), this.canvas.clientWidth].join(" ");
    if (state === this.drawn) return;
    this.drawn = state;
    this.draw(kind.curve(lab.engine, this.now.text, lab.bench.operators));
  }

  draw(lines) {
    const { canvas, kind } = this;
    const ratio = Math.min(2, window.devicePixelRatio);
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    Object.assign(canvas, { width, height });
    canvas.setAttribute("aria-label", kind.words);
    const context = canvas.getContext("2d");
    const values = lines.flatMap(({ points }) => points.map(([, y]) => y));
    const [low, high] = [Math.min(...values) - 0.1, Math.max(...values) + 0.1];
    const x = (v) => ((v - kind.min) / (kind.max - kind.min)) * (width - 8 * ratio) + 4 * ratio;
    const y = (v) => height - ((v - low) / (high - low)) * height;
    const stroke = (colour, from, to) => {
      context.strokeStyle = colour;
      context.beginPath();
      context.moveTo(...from);
      context.lineTo(...to);
      context.stroke();
    };
    context.lineWidth = ratio;
    stroke(cssColour("line"), [0, y(0)], [width, y(0)]);
    stroke(cssColour("faint"), [x(this.value), 0], [x(this.value), height]);
    // What the axes mean: whole speeds at the side, the ends of the slider below.
    context.fillStyle = cssColour("soft");
    context.font = `${10 * ratio}px system-ui, "DejaVu Sans", sans-serif`;
    for (let speed = Math.ceil(low); speed <= high; ++speed) {
      context.fillText(`${speed} m/s`.replace("-", "−"), 2 * ratio, Math.max(11 * ratio, y(speed) - 2 * ratio));
    }
    context.textAlign = "right";
    context.fillText(`${kind.label} = ${kind.max}`, width - 4 * ratio, height - 3 * ratio);
    for (const { colour, ball, points } of lines) {
      context.strokeStyle = css(lineColour(colour, isDark()));
      context.setLineDash(ball === 1 ? [4 * ratio, 3 * ratio] : []);
      context.lineWidth = 1.6 * ratio;
      context.beginPath();
      points.forEach(([v, out], k) => (k ? context.lineTo(x(v), y(out)) : context.moveTo(x(v), y(out))));
      context.stroke();
    }
    context.setLineDash([]);
  }
}
