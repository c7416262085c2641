// One run in its cell: balls, walls, trails, arrows.

import { DirectionalLight, HemisphereLight, Raycaster, Scene, Vector2, Vector3 } from "three";
import { Arrows } from "./arrows.js";
import { Balls } from "./balls.js";
import { Shapes } from "./shapes.js";
import { isDark, themeColour } from "./theme.js";
import { kMostTrails, Trails } from "./trails.js";

export class View {
  /** `common`: what all views agree on: origin, size, speedCap, reach of arrows. */
  constructor(run, common) {
    this.run = run;
    this.origin = new Vector3(...common.origin);
    this.positions = new Float64Array(3 * run.bodies);
    this.scene = new Scene();
    this.balls = new Balls(run, common.origin, common.speedCap);
    this.shapes = new Shapes(run, common.origin, common.size);
    this.trails = new Trails(run, common.origin, common.speedCap);
    this.arrows = new Arrows(run, common.origin, common.reach);
    this.scene.add(this.shapes.group, this.trails.segments.mesh, this.balls.mesh, this.arrows.group);
    const sun = new DirectionalLight(0xffffff, 2);
    sun.position.set(-0.5, 0.8, 0.6);
    this.scene.add(sun, new HemisphereLight(0xffffff, 0x666666, 1.2));
    this.everyBody = Array.from({ length: run.bodies }, (_, body) => body);
    this.spacing = run.frames > 1 ? (run.times[run.frames - 1] - run.times[0]) / (run.frames - 1) : 0;
  }

  /** The impulses that are seen at a time are those after this one; `afterglow`: s. */
  arrowsFrom(time, afterglow) {
    return time - Math.max(this.spacing * 1.001, afterglow);
  }

  /**
   * `options`: colour, trails, trailLength, arrows, followed, hovered; `longestImpulse`: that of an
   * arrow of full length, N s.
   */
  update(time, options, longestImpulse) {
    const { run } = this;
    run.positionsAt(time, this.positions);
    this.balls.update(this.positions, run.locate(time).frame);
    this.shapes.update(time);
    const bySpeed = options.colour === "speed" && run.hasSpeeds;
    this.balls.uniforms.bySpeed.value = bySpeed;
    const marked = [...options.followed];
    if (options.hovered !== null) marked.push(options.hovered);
    this.balls.setMarked(marked);
    const bodies = run.bodies <= kMostTrails ? this.everyBody : options.followed;
    const length = options.trailLength * (run.times[run.frames - 1] - run.times[0]);
    this.trails.update(time, this.positions, {
      bodies: options.trails && length > 0 ? bodies : [], length, bySpeed,
    });
    const from = options.arrows ? this.arrowsFrom(time, options.afterglow) : Infinity;
    this.arrows.update(from, time, longestImpulse);
  }

  recolour() {
    this.balls.uniforms.markColour.value = themeColour("text");
    // Rims are darker than their ball, in the dark lighter.
    this.balls.uniforms.rimShade.value.set(...(isDark() ? [1, 0.28] : [0.62, 0]));
    this.shapes.recolour();
    this.arrows.recolour();
  }

  /** The ball under a point of the cell (-1 to 1 on both axes), or null. `slack`: m, in the plane. */
  pick(point, camera, slack) {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(...point), camera);
    const { origin, direction } = caster.ray;
    const centre = new Vector3();
    let best = null;
    let nearest = Infinity;
    for (let body = 0; body < this.run.bodies; ++body) {
      centre.fromArray(this.positions, 3 * body);
      centre.sub(this.origin).sub(origin);
      const along = centre.dot(direction);
      const off = Math.sqrt(Math.max(0, centre.lengthSq() - along * along));
      const radius = this.run.radii[body];
      if (along < 0 || off > radius + slack) continue;
      // In the plane all balls are equally far: the one whose middle is nearest to the pointer.
      const rank = this.run.dimension === 3 ? along - Math.sqrt(Math.max(0, radius ** 2 - off ** 2)) : off / radius;
      if (rank < nearest) [best, nearest] = [body, rank];
    }
    return best;
  }

  /** Where a body is in its cell, -1 to 1 on both axes. */
  project(body, camera) {
    const place = new Vector3().fromArray(this.positions, 3 * body).sub(this.origin);
    place.project(camera);
    return [place.x, place.y];
  }
}
