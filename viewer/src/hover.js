// Which body the pointer is on, and the note beside it.

import { fixed, number } from "./format.js";

const kClickReach = 4; // pixels; further is a drag

export class Hover {
  /** `precision`: of positions, m. */
  constructor(stage, options, clock, { precision, onChange }) {
    this.stage = stage;
    this.options = options;
    this.clock = clock;
    this.precision = precision;
    this.onChange = onChange;
    this.note = document.getElementById("tooltip");
    this.cell = 0;
    stage.cells.forEach((cell, k) => this.connect(cell, k));
  }

  connect(cell, k) {
    let pressed = null;
    cell.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
    cell.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0) return;
      const body = this.stage.pick(k, event);
      cell.classList.toggle("on-ball", body !== null);
      this.cell = k;
      if (body === this.options.hovered) return;
      this.options.hovered = body;
      this.onChange();
    });
    cell.addEventListener("pointerleave", () => {
      if (this.options.hovered === null) return;
      this.options.hovered = null;
      this.onChange();
    });
    cell.addEventListener("pointerup", (event) => {
      if (!pressed) return;
      const moved = Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]);
      pressed = null;
      if (moved <= kClickReach && event.button === 0) this.follow(k, this.stage.pick(k, event));
    });
  }

  follow(k, body) {
    const { followed } = this.options;
    this.cell = k;
    if (body === null) followed.length = 0;
    else if (followed.includes(body)) followed.splice(followed.indexOf(body), 1);
    else followed.push(body);
    this.onChange();
  }

  /** Writes the note for the body under the pointer, else for the one clicked last. */
  show() {
    const { hovered, followed } = this.options;
    const body = hovered ?? followed[followed.length - 1] ?? null;
    const view = this.stage.views[this.cell];
    this.note.hidden = body === null || body >= view.run.bodies || !view.run.isThere(body, view.frame);
    if (this.note.hidden) return;
    this.write(view, body);
    this.place(view, body);
  }

  write(view, body) {
    const { run } = view;
    const q = [0, 1, 2].slice(0, run.axes).map((axis) => fixed(view.positions[3 * body + axis], this.precision));
    const surface = run.surfaceOf(body);
    const rows = surface ? [["vertex", `${body - surface.first} of ${surface.count}`]] : [];
    rows.push(["position", `(${q.join(", ")}) m`]);
    if (run.hasSpeeds) rows.push(["speed", `${number(run.speedAt(this.clock.time, body), 4)} m/s`]);
    if (run.turns && run.dimension === 2) {
      const [w, , , z] = view.orientations.subarray(4 * body, 4 * body + 4);
      rows.push(["angle", `${number((2 * Math.atan2(z, w) * 180) / Math.PI, 4)}°`]);
    }
    if (surface) rows.push(["thickness", `${number(surface.thickness, 4)} m`]);
    else if (run.isBall(body)) rows.push(["radius", `${number(run.radii[body], 4)} m`]);
    else rows.push(["solid", run.solidFor(body).type]);
    const title = document.createElement("strong");
    title.textContent = surface ? surface.name : run.nameOf(body);
    const table = document.createElement("table");
    for (const row of rows) {
      const line = table.insertRow();
      for (const text of row) line.insertCell().textContent = text;
    }
    this.note.replaceChildren(title, table);
  }

  place(view, body) {
    const [x, y] = view.project(body, this.stage.camera.camera);
    const whole = this.stage.elements.stage.getBoundingClientRect();
    const cell = this.stage.cells[this.cell].getBoundingClientRect();
    const left = cell.left - whole.left + ((x + 1) / 2) * cell.width + 16;
    const top = cell.top - whole.top + ((1 - y) / 2) * cell.height + 16;
    const { offsetWidth, offsetHeight } = this.note;
    this.note.style.left = `${Math.max(4, Math.min(left, whole.width - offsetWidth - 8))}px`;
    this.note.style.top = `${Math.max(4, Math.min(top, whole.height - offsetHeight - 8))}px`;
  }
}
