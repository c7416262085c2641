// Quantities as they happen: one strip for each, one line for each run.

import { css, lineColour } from "../colours.js";
import { number } from "../format.js";
import { cssColour, isDark } from "../theme.js";

const kMostPoints = 600;

class Strip {
  /** `of`: a number of a run's report, or null. `logarithmic`: sizes of errors. */
  constructor(title, of, { logarithmic = false, unit = "" } = {}) {
    Object.assign(this, { title, of, logarithmic, unit });
    this.element = document.createElement("figure");
    this.element.className = "strip";
    this.element.style.margin = 0;
    this.element.innerHTML = `<h2></h2><div class="values"></div><canvas role="img"></canvas>`;
    this.element.querySelector("h2").textContent = title;
    this.values = this.element.querySelector(".values");
    this.canvas = this.element.querySelector("canvas");
    this.lines = [];
  }

  clear(runs) {
    this.lines = runs.map(() => []);
  }

  note(runs) {
    runs.forEach((run, k) => {
      const value = this.of(run.report);
      const line = this.lines[k];
      if (value === null || value === undefined) return;
      if (line.length > 0 && run.time < line[line.length - 1][0]) line.length = 0;
      if (line.length > 0 && run.time === line[line.length - 1][0]) line.pop();
      line.push([run.time, value]);
      // Twice as coarse when it is full: the whole time stays in view.
      if (line.length > kMostPoints) this.lines[k] = line.filter((_, at) => at % 2 === 0);
    });
  }

  show(runs) {
    const has = this.lines.some((line) => line.length > 0);
    this.element.hidden = !has;
    if (!has) return;
    this.values.replaceChildren(...runs.map((run, k) => {
      const span = document.createElement("span");
      const last = this.lines[k][this.lines[k].length - 1];
      const text = last ? `${number(last[1], 4)}${this.unit ? ` ${this.unit}` : ""}` : "–";
      const value = document.createElement("b");
      value.textContent = text;
      value.style.color = css(lineColour(k, isDark()));
      span.append(runs.length > 1 ? `${run.name} ` : "", value);
      return span;
    }));
    this.canvas.setAttribute("aria-label", `${this.title}: ${this.values.textContent}`);
    this.draw();
  }

  draw() {
    const { canvas, lines } = this;
    const ratio = Math.min(2, window.devicePixelRatio);
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    const shown = (y) => (this.logarithmic ? Math.log10(Math.max(1e-17, y)) : y);
    const all = lines.flat();
    const times = all.map(([t]) => t);
    const values = all.map(([, y]) => shown(y));
    const [t0, t1] = [Math.min(...times), Math.max(...times)];
    let [low, high] = this.logarithmic ? [-17, Math.max(0, ...values)] : [Math.min(0, ...values), Math.max(0, ...values)];
    if (!(high > low)) high = low + 1;
    const margin = 4 * ratio;
    const x = (t) => (t1 > t0 ? ((t - t0) / (t1 - t0)) * (width - 2 * margin) + margin : width - margin);
    const y = (v) => height - margin - ((shown(v) - low) / (high - low)) * (height - 2 * margin);
    context.strokeStyle = cssColour("line");
    context.lineWidth = ratio;
    context.beginPath();
    context.moveTo(0, y(this.logarithmic ? 1e-12 : 0));
    context.lineTo(width, y(this.logarithmic ? 1e-12 : 0));
    context.stroke();
    lines.forEach((line, k) => {
      context.strokeStyle = css(lineColour(k, isDark()));
      context.lineWidth = 1.6 * ratio;
      context.beginPath();
      line.forEach(([t, value], at) => (at ? context.lineTo(x(t), y(value)) : context.moveTo(x(t), y(value))));
      context.stroke();
    });
  }
}

export class Strips {
  constructor(element) {
    this.strips = [
      new Strip("Energy", ({ totals }) => totals.kinetic + totals.potential, { unit: "J" }),
      new Strip("Momentum", ({ totals }) => Math.hypot(...totals.momentum), { unit: "kg m/s" }),
      new Strip("Symmetry error", ({ symmetry }) => symmetry, { logarithmic: true, unit: "m" }),
    ];
    element.append(...this.strips.map((strip) => strip.element));
  }

  clear(runs) { for (const strip of this.strips) strip.clear(runs); }
  note(runs) { for (const strip of this.strips) strip.note(runs); }
  show(runs) { for (const strip of this.strips) strip.show(runs); }
}
