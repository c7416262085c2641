// What the scene shows at the moment as a picture: cells with their labels, a line above with the title
// and the time, one below with what the colours mean.

import { number } from "./format.js";
import { cssColour } from "./theme.js";

const kAbove = 30; // pixels of style sheets
const kBelow = 24;

const font = (size, weight = 400) => `${weight} ${size}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;

/** Videos need even numbers of pixels. */
const even = (x) => 2 * Math.max(1, Math.floor(x / 2));

export class Painter {
  /** `page`: with stage, data, options and clock; `most`: pixels of the longer side, at most. */
  constructor(page, most = Infinity) {
    this.page = page;
    const { canvas, stage } = page.stage.elements;
    const [width, height] = [stage.clientWidth, stage.clientHeight + kAbove + kBelow];
    this.ratio = Math.min(canvas.width / stage.clientWidth, most / Math.max(width, height));
    this.canvas = document.createElement("canvas");
    this.canvas.width = even(width * this.ratio);
    this.canvas.height = even(height * this.ratio);
    this.width = width;
    this.height = height;
    this.pen = this.canvas.getContext("2d");
  }

  /** Draws the moment of the clock. The scene is drawn anew: what was drawn before is gone by now. */
  paint() {
    const { page, pen, ratio, width, height } = this;
    page.draw();
    page.stage.render();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = cssColour("panel");
    pen.fillRect(0, 0, width, height);
    const { canvas, stage } = page.stage.elements;
    pen.drawImage(canvas, 0, kAbove, stage.clientWidth, stage.clientHeight);
    const whole = stage.getBoundingClientRect();
    const placeOf = (element) => {
      const box = element.getBoundingClientRect();
      return { x: box.left - whole.left, y: box.top - whole.top + kAbove, width: box.width, height: box.height };
    };
    page.stage.cells.forEach((cell, k) => this.paintCell(cell, page.data.runs[k], placeOf));
    this.paintAbove();
    this.paintBelow();
    return this.canvas;
  }

  text(words, x, y, { align = "left", weight = 400, size = 13, colour = "text", most } = {}) {
    const { pen } = this;
    pen.font = font(size, weight);
    pen.fillStyle = cssColour(colour);
    pen.textAlign = align;
    pen.textBaseline = "middle";
    pen.fillText(words, x, y, most);
  }

  paintCell(cell, run, placeOf) {
    const { pen } = this;
    pen.strokeStyle = cssColour("line");
    pen.lineWidth = 1;
    const label = cell.parentElement.querySelector(".cell-label");
    if (label) {
      const box = placeOf(label);
      pen.fillStyle = cssColour("panel");
      pen.fillRect(box.x, box.y, box.width, box.height);
      const swatch = label.querySelector(".swatch");
      pen.fillStyle = swatch.style.background;
      pen.fillRect(box.x + 8, box.y + box.height / 2 - 1.5, 14, 3);
      this.text(run.name, box.x + 29, box.y + box.height / 2, { weight: 600, most: box.width - 36 });
      const frame = placeOf(cell.parentElement);
      pen.strokeRect(frame.x + 0.5, frame.y + 0.5, frame.width - 1, frame.height - 1);
    }
    const maps = cell.querySelector(".maps");
    if (maps) this.paintMaps(maps, placeOf);
    const note = cell.querySelector(".ended:not([hidden]) span");
    if (!note) return;
    const box = placeOf(note);
    pen.fillStyle = cssColour("panel");
    pen.fillRect(box.x, box.y, box.width, box.height);
    this.text(note.textContent, box.x + box.width / 2, box.y + box.height / 2,
      { align: "center", colour: "impulse", most: box.width - 8 });
  }

  paintMaps(maps, placeOf) {
    const { pen } = this;
    const box = placeOf(maps);
    pen.fillStyle = cssColour("panel");
    pen.fillRect(box.x, box.y, box.width, box.height);
    pen.imageSmoothingEnabled = false;
    for (const canvas of maps.querySelectorAll("canvas")) {
      const { x, y, width, height } = placeOf(canvas);
      pen.drawImage(canvas, x, y, width, height);
    }
    pen.imageSmoothingEnabled = true;
    for (const words of maps.querySelectorAll("figcaption, .bar-ends span")) {
      const { x, y, width, height } = placeOf(words);
      this.text(words.textContent, x, y + height / 2, { size: 11, colour: "soft", most: width });
    }
  }

  paintAbove() {
    const { page, pen, width } = this;
    pen.fillStyle = cssColour("panel");
    pen.fillRect(0, 0, width, kAbove);
    const { runs } = page.data;
    const facts = runs.length === 1 ? runs[0].operator || runs[0].method : "";
    const title = document.getElementById("title").textContent;
    this.text(title, 12, kAbove / 2, { weight: 600, size: 14, most: 0.6 * width });
    pen.font = font(14, 600);
    const after = 26 + Math.min(pen.measureText(title).width, 0.6 * width);
    this.text(facts, after, kAbove / 2, { colour: "soft", most: Math.max(1, width - after - 130) });
    const time = document.getElementById("clock").firstChild?.textContent.split(" / ")[0] ?? number(page.clock.time);
    this.text(`${time} s`, width - 12, kAbove / 2, { align: "right", weight: 600 });
  }

  paintBelow() {
    const { pen, height } = this;
    const legend = document.getElementById("legend");
    const y = height - kBelow / 2;
    pen.fillStyle = cssColour("panel");
    pen.fillRect(0, height - kBelow, this.width, kBelow);
    if (legend.hidden) return;
    this.text(legend.querySelector(".name").textContent, 12, y, { size: 11, colour: "soft" });
    const map = legend.querySelector("canvas");
    const ends = [...legend.querySelectorAll(".ends span")].map((span) => span.textContent);
    const left = 84;
    pen.drawImage(map, left, y - 9, 150, 7);
    ends.forEach((words, k) => this.text(words, left + 75 * k, y + 5,
      { size: 10, align: ["left", "center", "right"][k] }));
  }
}

/** Hands a file to whoever asked for it. */
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60e3);
}

export const pngOf = (canvas) => new Promise((resolve, reject) => {
  canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))), "image/png");
});

