// The pointer in the scene: dragging and throwing bodies, drawing velocities and walls, adding, deleting.

import { Vector3 } from "three";

// While the hand holds a body it is brought to the pointer within this time of the scene, s of a clock.
const kCatchUp = 0.06;
const kLeast = 4; // pixels; a wall or a velocity that is shorter was a click

export class Hand {
  /**
   * `lab`: gives bench, stage, playing, rate, tool, and takes the edits: try(change), select(body),
   * changed().
   */
  constructor(lab) {
    this.lab = lab;
    this.held = null;
    this.drawn = null;
  }

  connect(stage) {
    this.release();
    stage.cells.forEach((cell, k) => {
      // Before the camera's own listeners: what is on a body is not for it.
      cell.addEventListener("pointerdown", (event) => this.press(event, k, cell), { capture: true });
      cell.addEventListener("pointermove", (event) => this.move(event, k, cell), { capture: true });
      for (const kind of ["pointerup", "pointercancel"]) {
        cell.addEventListener(kind, (event) => this.letGo(event), { capture: true });
      }
    });
  }

  /** The place under the pointer: in the plane, or in space at the depth of `depth`, a place. */
  placeOf(event, k, depth) {
    const { stage } = this.lab;
    const { camera } = stage.camera;
    const [x, y] = stage.pointIn(k, event);
    const { origin } = stage.views[k];
    if (!stage.camera.inSpace) {
      const place = new Vector3(x, y, 0).unproject(camera).add(origin);
      return [place.x, place.y, 0];
    }
    const at = new Vector3(...depth).sub(origin).project(camera);
    return new Vector3(x, y, at.z).unproject(camera).add(origin).toArray();
  }

  press(event, k, cell) {
    if (event.button !== 0) return;
    const { lab } = this;
    const body = lab.stage.pick(k, event);
    const run = lab.bench.runs[k];
    const depth = body === null ? lab.stage.views[k].origin.toArray()
      : run.positions.subarray(3 * body, 3 * body + 3);
    const place = this.placeOf(event, k, depth);
    if (lab.tool === "delete") {
      event.stopImmediatePropagation();
      this.deleteAt(body, place, k);
      return;
    }
    if (body !== null) lab.select(body);
    const adds = lab.tool === "ball" || lab.tool === "box";
    if (adds) {
      event.stopImmediatePropagation();
      lab.add(lab.tool, place);
      return;
    }
    if (lab.tool === "wall") this.drawn = { kind: "wall", from: place, to: place };
    else if (body === null) return; // the camera's
    event.stopImmediatePropagation();
    cell.setPointerCapture(event.pointerId);
    this.held = { body, k, start: [event.clientX, event.clientY], depth: Array.from(depth), place };
    if (lab.tool === "drag") {
      this.held.grip = place.map((x, axis) => x - depth[axis]);
      this.held.marked = false;
    } else if (lab.tool === "aim") {
      this.drawn = { kind: "arrow", from: Array.from(depth), to: place };
    }
  }

  move(event, k, cell) {
    if (!this.held) {
      if (event.buttons === 0) cell.classList.toggle("on-ball", this.lab.stage.pick(k, event) !== null);
      return;
    }
    event.stopImmediatePropagation();
    this.held.place = this.placeOf(event, this.held.k, this.held.depth);
    this.held.moved = Math.hypot(event.clientX - this.held.start[0], event.clientY - this.held.start[1]) > kLeast;
    if (this.drawn) this.drawn.to = this.held.place;
    else if (!this.lab.playing) this.put();
    this.lab.changed();
  }

  letGo(event) {
    const { held, drawn, lab } = this;
    if (!held) return;
    event.stopImmediatePropagation();
    this.held = null;
    this.drawn = null;
    if (drawn && held.moved) {
      if (drawn.kind === "wall") lab.try((engine) => engine.addWall(drawn.from, drawn.to));
      else {
        const velocity = drawn.to.map((x, axis) => (x - drawn.from[axis]) * lab.speedPerLength);
        lab.try((engine) => engine.throwWith(held.body, velocity));
      }
    }
    lab.changed();
  }

  release() {
    this.held = null;
    this.drawn = null;
  }

  /** Where the held body should be: on the circle about the point that a spring ties it to. */
  wanted(run) {
    const { body, place, grip } = this.held;
    const target = place.map((x, axis) => x - grip[axis]);
    const ties = run.springs.filter(({ a, b }) => a === body || b === body);
    if (ties.length !== 1 || ties[0].b >= 0) return target;
    const { point } = ties[0];
    const here = run.positions.subarray(3 * body, 3 * body + 3);
    const length = Math.hypot(...point.map((x, axis) => here[axis] - x));
    const way = target.map((x, axis) => x - point[axis]);
    const size = Math.hypot(...way);
    return size > 0 ? point.map((x, axis) => x + (length * way[axis]) / size) : Array.from(here);
  }

  /** While time stands still the body goes where the pointer is, if there is room. */
  put() {
    const { lab, held } = this;
    const wanted = this.wanted(lab.bench.runs[held.k]);
    lab.try((engine) => engine.moveTo(held.body, wanted, held.marked === true));
    held.marked = true;
  }

  /** While time passes, before the steps of each picture: the body is pulled to the pointer. */
  pull(rate) {
    const { held, lab } = this;
    if (!held || this.drawn || lab.tool !== "drag" || !held.moved) return;
    if (!held.marked) lab.bench.mark();
    held.marked = true;
    const wanted = this.wanted(lab.bench.runs[held.k]);
    const fault = lab.bench.steer(held.body, wanted, Math.max(kCatchUp * rate, lab.bench.first.settings.step));
    if (fault) lab.sayFault(fault);
  }

  deleteAt(body, place, k) {
    const { lab } = this;
    if (body !== null) {
      lab.try((engine) => engine.remove(body));
      return;
    }
    const run = lab.bench.runs[k];
    const reach = 8 * lab.stage.camera.pixel(lab.stage.cells[k].clientHeight);
    const wall = run.shapes.findIndex((shape) => distanceTo(shape, place) < reach);
    if (wall >= 0) lab.try((engine) => engine.removeShape(wall));
    else lab.say("There is nothing to delete here: click a body or a wall.");
  }
}

/** Of a place of the plane to the line of a shape. */
function distanceTo(shape, [x, y]) {
  const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  switch (shape.type) {
    case "half_plane": {
      const length = Math.hypot(shape.normal[0], shape.normal[1]);
      return Math.abs((x - shape.point[0]) * shape.normal[0] + (y - shape.point[1]) * shape.normal[1]) / length;
    }
    case "segment": {
      const way = [shape.b[0] - shape.a[0], shape.b[1] - shape.a[1]];
      const square = way[0] ** 2 + way[1] ** 2;
      const share = Math.min(1, Math.max(0, ((x - shape.a[0]) * way[0] + (y - shape.a[1]) * way[1]) / square));
      return distance([x, y], [shape.a[0] + share * way[0], shape.a[1] + share * way[1]]);
    }
    case "sphere_inside":
    case "sphere_outside": return Math.abs(distance([x, y], shape.center) - shape.radius);
    case "box_inside": return Math.min(
      Math.abs(x - shape.lower[0]), Math.abs(x - shape.upper[0]),
      Math.abs(y - shape.lower[1]), Math.abs(y - shape.upper[1]));
    default: return Infinity;
  }
}
