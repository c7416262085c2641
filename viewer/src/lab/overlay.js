// What the lab draws over a view: the wall or the velocity that a hand is drawing.

import { Segments } from "../segments.js";
import { themeColour } from "../theme.js";

const kMostLines = 2000;

export class Overlay {
  constructor(view, reach) {
    this.view = view;
    this.reach = reach;
    this.segments = new Segments(kMostLines, 1.6, { inSpace: view.run.dimension === 3, cap: 0.5 });
    this.segments.mesh.renderOrder = 1.5;
    view.scene.add(this.segments.mesh);
  }

  local(place) {
    return [0, 1, 2].map((axis) => (place[axis] ?? 0) - this.view.origin.getComponent(axis));
  }

  /** `drawn`: {kind: "wall" or "arrow", from, to} in the world, or null. */
  update(drawn) {
    const { segments } = this;
    segments.clear();
    if (drawn) this.draw(drawn);
    segments.finish();
  }

  draw({ kind, from, to }) {
    const colour = themeColour(kind === "wall" ? "wall" : "accent").toArray();
    const [a, b] = [this.local(from), this.local(to)];
    this.segments.add(a, b, colour);
    if (kind === "wall") return;
    const way = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(...way) || 1;
    const tip = Math.min(0.3 * length, 0.3 * this.reach);
    for (const side of [-1, 1]) {
      const back = [0, 1].map((k) => -way[k] / length * tip);
      this.segments.add(b, [
        b[0] + back[0] - side * 0.45 * back[1], b[1] + back[1] + side * 0.45 * back[0], b[2],
      ], colour);
    }
  }
}
