// One plot: lines over time, a cursor at the time that is shown.

import { css, lineColour } from "./colours.js";
import { lastAtOrBefore } from "./data.js";
import { bound, number, withUnit } from "./format.js";
import { placeNote, writeNote } from "./plot_note.js";
import { evenRange, largestShown, positiveRange, rangeOfPowers, sizeOf } from "./plot_range.js";
import { cssColour, isDark } from "./theme.js";
import { labels, powers, ticks } from "./ticks.js";
import { variationOf } from "./variation.js";

const kLeft = 58;
const kRight = 8;
const kTop = 8;
const kBottom = 18;
// Where the largest value is more than this many times the smallest, powers of ten may say more.
const kPowersWorthIt = 100;
const kDashes = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

function make(tag, className, parent) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  parent?.append(element);
  return element;
}

export class Plot {
  /** `lines`: [{series, run, runNumber, kind}], kind counts the series of the plot; `runs`: how many there are. */
  constructor(title, lines, { runs, begin, end, onSeek }) {
    this.title = title;
    this.begin = begin;
    this.end = end;
    this.runs = runs;
    this.lines = lines.map((line) => ({ ...line, ...variationOf(line.series) }));
    this.kinds = new Set(lines.map((line) => line.kind)).size;
    this.unit = lines[0].series.unit;
    this.isCount = lines.every((line) => line.series.whole);
    this.element = make("article", "plot");
    const { least, most } = positiveRange(this.lines);
    const mayBe = !this.isCount && this.lines.every(({ lowest }) => !(lowest < 0)) && most > kPowersWorthIt * least;
    this.mayBeLogarithmic = mayBe || lines.some(({ series }) => series.logarithmic && most > 0);
    this.isLogarithmic = this.mayBeLogarithmic && lines.some(({ series }) => series.logarithmic);
    this.isFolded = false;
    this.pointed = null; // the time under the pointer
    this.makeHeader();
    this.canvas = make("canvas", "", this.element);
    this.note = make("div", "plot-note", this.element);
    this.note.hidden = true;
    this.still = document.createElement("canvas");
    this.shownTime = begin;
    this.setRange();
    this.connect(onSeek);
  }

  // ---- words --------------------------------------------------------------------------------------

  makeHeader() {
    const header = make("header", "", this.element);
    this.folder = make("button", "fold", header);
    this.folder.addEventListener("click", () => { this.fold(!this.isFolded); this.folder.blur(); });
    const heading = make("h2", "", header);
    heading.append(this.title);
    if (this.unit) make("span", "", heading).textContent = ` ${this.unit}`;
    if (this.runs > 1 && this.kinds > 1) this.nameDashes(heading);
    const values = make("span", "values", header);
    this.readouts = this.lines.map((line) => this.makeReadout(line, values));
    this.wordsElement = make("span", "words", header);
    if (this.mayBeLogarithmic) {
      this.powersButton = make("button", "powers", header);
      this.powersButton.textContent = "log";
      this.powersButton.title = "An axis of powers of ten, for values above 0";
      this.powersButton.addEventListener("click", () => {
        this.setLogarithmic(!this.isLogarithmic);
        this.powersButton.blur();
      });
    }
    this.fold(false);
  }

  /** Only the heading and the values stay of a folded plot. */
  fold(isFolded) {
    this.isFolded = isFolded;
    this.element.classList.toggle("folded", isFolded);
    this.folder.title = isFolded ? "Unfold this plot" : "Fold this plot";
    this.folder.setAttribute("aria-label", this.folder.title);
    this.folder.setAttribute("aria-expanded", String(!isFolded));
    if (!isFolded && this.canvas) this.onChange();
  }

  setLogarithmic(isLogarithmic) {
    this.isLogarithmic = isLogarithmic;
    this.setRange();
    this.onChange();
  }

  onChange() {
    this.redraw();
    this.show(this.shownTime);
  }

  // Colours tell runs apart, dashes the series of one run.
  nameDashes(heading) {
    for (const line of this.lines.filter(({ runNumber }) => runNumber === 0)) {
      const dash = kDashes[line.kind % kDashes.length].join(" ");
      const item = make("span", "", heading);
      item.innerHTML = `&ensp;<svg viewBox="0 0 22 4"><path d="M0 2h22" stroke-dasharray="${dash}"/></svg> `;
      item.append(line.series.name);
    }
  }

  /** Where the line's value under the cursor is written: the lines of one run share an entry. */
  makeReadout(line, values) {
    const first = this.lines.find(({ runNumber }) => runNumber === line.runNumber);
    if (this.runs > 1 && first !== line) return make("b", "", first.entry);
    line.entry = make("span", "", values);
    line.swatch = make("i", "swatch", line.entry);
    const label = this.runs > 1 ? line.run.name : this.kinds > 1 ? line.series.name : "";
    if (label) make("span", "", line.entry).textContent = label;
    return make("b", "", line.entry);
  }

  labelOf(line) {
    const parts = [];
    if (this.runs > 1) parts.push(line.run.name);
    if (this.kinds > 1) parts.push(line.series.name);
    return parts.join(" ");
  }

  /** What flat lines hide: by how much the series vary. */
  words() {
    const largest = largestShown(this.lines, this.runs);
    const leaving = this.lines.filter((line) => !Number.isNaN(line.lowest) && sizeOf(line) > largest);
    if (leaving.length > 0) {
      const worst = leaving.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
      return `${this.labelOf(worst)} leaves the picture, up to ${withUnit(number(sizeOf(worst), 3), this.unit)}`;
    }
    const constant = this.lines.filter((line) => line.isConstant);
    if (constant.length === 0) return "";
    const worst = constant.reduce((a, b) => (b.share > a.share ? b : a));
    let what = "";
    if (constant.length < this.lines.length) {
      what = constant.length > 1 ? `${constant.length} lines ` : `${this.labelOf(worst)} `;
    }
    if (worst.share === 0) return `${what}constant exactly`;
    const { scale } = worst.series;
    const against = scale > 0 ? ` of ${withUnit(number(scale, 3), this.unit)}` : "";
    return `${what}constant to ${bound(worst.share)}${against}`;
  }

  // ---- drawing ------------------------------------------------------------------------------------

  setRange() {
    this.powersButton?.setAttribute("aria-pressed", String(this.isLogarithmic));
    this.wordsElement.textContent = this.isLogarithmic ? this.wordsOfPowers() : this.words();
    [this.lowest, this.highest] = this.isLogarithmic
      ? rangeOfPowers(this.lines) : evenRange(this.lines, largestShown(this.lines, this.runs), this.isCount);
  }

  /** The largest and the smallest of each run, which no other axis shows together. */
  wordsOfPowers() {
    const largest = this.lines.map((line) => Math.max(Math.abs(line.lowest), Math.abs(line.highest)))
      .filter((value) => value >= 0);
    if (this.runs < 2 || largest.length < 2) return "";
    const texts = [Math.min(...largest), Math.max(...largest)].map((value) => number(value, 2));
    return `largest: ${texts[0]} to ${withUnit(texts[1], this.unit)}`;
  }

  x(time) {
    const share = this.end > this.begin ? (time - this.begin) / (this.end - this.begin) : 0;
    return kLeft + share * (this.width - kLeft - kRight);
  }

  y(value) {
    const share = this.isLogarithmic
      ? Math.log(value / this.lowest) / Math.log(this.highest / this.lowest)
      : (value - this.lowest) / (this.highest - this.lowest);
    return this.height - kBottom - share * (this.height - kTop - kBottom);
  }

  /** Everything but the cursor. */
  redraw() {
    if (this.isFolded) return;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    const ratio = window.devicePixelRatio;
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.max(1, Math.round(this.width * ratio));
      canvas.height = Math.max(1, Math.round(this.height * ratio));
    }
    const pen = this.still.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = '10.5px system-ui, "DejaVu Sans", sans-serif';
    this.drawAxes(pen);
    pen.save();
    pen.beginPath();
    pen.rect(kLeft, 0, this.width - kLeft - kRight, this.height - kBottom + 1);
    pen.clip();
    for (const line of this.lines) this.drawLine(pen, line);
    pen.restore();
  }

  drawAxes(pen) {
    pen.strokeStyle = cssColour("line");
    pen.fillStyle = cssColour("soft");
    pen.lineWidth = 1;
    const most = Math.max(2, (this.height - kTop - kBottom) / 26);
    const values = this.isLogarithmic
      ? powers(this.lowest, this.highest, most) : ticks(this.lowest, this.highest, most, this.isCount);
    const { base, texts } = this.isLogarithmic
      ? { base: null, texts: values.map((value) => number(value, 2)) } : labels(values);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    values.forEach((value, k) => {
      const y = Math.round(this.y(value)) + 0.5;
      this.stroke(pen, kLeft, y, this.width - kRight, y);
      const text = base !== null && texts[k] === "0" ? number(base, 8) : texts[k];
      pen.fillText(text, kLeft - 6, y, kLeft - 8);
    });
    pen.textBaseline = "alphabetic";
    const times = ticks(this.begin, this.end, Math.max(2, (this.width - kLeft) / 80));
    labels(times).texts.forEach((text, k) => {
      const x = this.x(times[k]);
      pen.textAlign = x > this.width - 30 ? "right" : "center";
      pen.fillText(k === times.length - 1 ? `${text} s` : text, Math.min(x, this.width - kRight), this.height - 4);
      this.stroke(pen, Math.round(x) + 0.5, this.height - kBottom, Math.round(x) + 0.5, this.height - kBottom + 3);
    });
  }

  stroke(pen, x0, y0, x1, y1) {
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
  }

  colourOf(line) {
    return css(lineColour(this.runs > 1 ? line.runNumber : line.kind, isDark()));
  }

  drawLine(pen, line) {
    const { times, values } = line.series;
    pen.strokeStyle = this.colourOf(line);
    pen.lineWidth = 1.5;
    pen.lineJoin = "round";
    pen.setLineDash(this.runs > 1 ? kDashes[line.kind % kDashes.length] : []);
    pen.beginPath();
    if (line.isConstant && times.length > 0 && !this.isLogarithmic) {
      const y = this.y((line.lowest + line.highest) / 2);
      pen.moveTo(this.x(times[0]), y);
      pen.lineTo(Math.max(this.x(times[times.length - 1]), this.x(times[0]) + 1), y);
    } else {
      let isDown = false;
      for (let k = 0; k < times.length; ++k) {
        const [x, y] = [this.x(times[k]), this.y(values[k])];
        if (!Number.isFinite(y)) isDown = false; // also of 0 on an axis of powers
        else if (isDown) pen.lineTo(x, y);
        else { pen.moveTo(x, y); isDown = true; }
      }
    }
    pen.stroke();
    pen.setLineDash([]);
    if (line.swatch) line.swatch.style.background = pen.strokeStyle;
  }

  /** The cursor and the values under it. */
  show(time) {
    this.shownTime = time;
    this.showValues(time);
    if (!this.width || this.isFolded) return;
    const pen = this.canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.still, 0, 0);
    pen.scale(window.devicePixelRatio, window.devicePixelRatio);
    if (this.pointed !== null) this.drawCursor(pen, this.pointed, [2, 3]);
    this.drawCursor(pen, time, []);
  }

  showValues(time) {
    this.lines.forEach((line, k) => { this.readouts[k].textContent = this.reading(this.valueAt(line, time)); });
  }

  valueAt({ series: { times, values } }, time) {
    return times.length > 0 ? values[lastAtOrBefore(times, time)] : NaN;
  }

  drawCursor(pen, time, dashes) {
    const x = this.x(time);
    pen.strokeStyle = cssColour("cursor");
    pen.lineWidth = 1;
    pen.setLineDash(dashes);
    this.stroke(pen, x, kTop - 4, x, this.height - kBottom);
    pen.setLineDash([]);
    for (const line of this.lines) {
      const { times } = line.series;
      const value = this.valueAt(line, time);
      if (!Number.isFinite(value) || time > times[times.length - 1] + 1e-9) continue;
      const isFlat = line.isConstant && !this.isLogarithmic;
      const y = this.y(isFlat ? (line.lowest + line.highest) / 2 : value);
      if (!Number.isFinite(y)) continue;
      pen.fillStyle = this.colourOf(line);
      pen.beginPath();
      pen.arc(x, y, 2.6, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  /** A value that round-off alone keeps from zero reads as such. */
  reading(value) {
    if (this.isLogarithmic) return number(value, 6);
    const isTiny = value !== 0 && Math.abs(value) < 1e-12 * Math.max(-this.lowest, this.highest);
    return isTiny ? "≈ 0" : number(value, 6);
  }

  connect(onSeek) {
    const timeOf = (event) => {
      const box = this.canvas.getBoundingClientRect();
      const share = (event.clientX - box.left - kLeft) / (this.width - kLeft - kRight);
      return this.begin + Math.min(1, Math.max(0, share)) * (this.end - this.begin);
    };
    const seek = (event) => onSeek(timeOf(event));
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) seek(event);
      this.point(timeOf(event), event);
    });
    this.canvas.addEventListener("pointerleave", () => this.point(null));
  }

  writeNote(time, event) {
    writeNote(this.note, time, this.lines.map((line) => {
      const { times } = line.series;
      const isOver = times.length === 0 || time > times[times.length - 1] + 1e-9;
      return {
        colour: this.colourOf(line),
        label: this.labelOf(line),
        value: isOver ? "ended" : withUnit(this.reading(this.valueAt(line, time)), this.unit),
      };
    }));
    const left = event.clientX - this.element.getBoundingClientRect().left;
    placeNote(this.note, left, this.element.clientWidth, this.canvas.offsetTop + 4);
  }

  /** Tells the values at a time, beside the pointer; null: no longer. */
  point(time, event) {
    this.pointed = time;
    this.note.hidden = time === null;
    if (time !== null) this.writeNote(time, event);
    this.show(this.shownTime);
  }
}
