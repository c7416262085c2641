// One run in its cell: balls, solids, walls, trails, arrows, contacts.

import { DirectionalLight, HemisphereLight, Raycaster, Scene, Vector2, Vector3 } from "three";
import { Arrows } from "./arrows.js";
import { Balls } from "./balls.js";
import { Contacts } from "./contacts.js";
import { sharedUniforms } from "./instances.js";
import { Shades } from "./shades.js";
import { Shadows } from "./shadows.js";
import { Shapes } from "./shapes.js";
import { Solids } from "./solids.js";
import { Springs } from "./springs.js";
import { Surfaces } from "./surfaces.js";
import { isDark, themeColour } from "./theme.js";
import { kMostTrails, Trails } from "./trails.js";
import { makeVertices } from "./vertices.js";

export class View {
  /** `common`: what all views agree on: origin, size, half, up, speedCap, deepestLayer, reach of arrows, castsShadows. */
  constructor(run, common) {
    this.run = run;
    this.origin = new Vector3(...common.origin);
    this.positions = new Float64Array(3 * run.bodies);
    this.frame = 0; // that is shown
    this.orientations = new Float64Array(run.turns ? 4 * run.bodies : 0);
    this.scene = new Scene();
    this.uniforms = sharedUniforms();
    this.shades = new Shades(run, common);
    const dress = { origin: common.origin, shades: this.shades };
    this.balls = new Balls(run, this.uniforms, dress);
    this.vertices = makeVertices(run, this.uniforms, dress);
    this.surfaces = new Surfaces(run, this.uniforms, dress);
    this.solids = new Solids(run, this.uniforms, dress);
    this.kinds = [this.balls, ...this.solids.kinds].map(({ instances }) => instances);
    this.shapes = new Shapes(run, common);
    this.springs = new Springs(run, common.origin);
    this.trails = new Trails(run, dress);
    this.arrows = new Arrows(run, common.origin, common.reach);
    this.contacts = new Contacts(run, this.arrows, common.origin, common.reach);
    this.shadows = common.castsShadows ? new Shadows(this, common) : null;
    this.scene.add(this.shapes.group, this.springs.segments.mesh, this.trails.segments.mesh, this.balls.mesh, this.vertices.mesh,
      ...this.solids.meshes, ...this.surfaces.meshes, this.arrows.group, this.contacts.group);
    this.sun = new DirectionalLight(0xffffff, 1.6);
    this.sky = new HemisphereLight(0xffffff, 0x888888, 1.6);
    this.scene.add(this.sun, this.sky);
    this.trailed = Array.from({ length: run.bodies }, (_, body) => body).filter((body) => !run.surfaceOf(body));
    this.spacing = run.frames > 1 ? (run.times[run.frames - 1] - run.times[0]) / (run.frames - 1) : 0;
  }

  /** The impulses that are seen at a time are those after this one; `afterglow`: s. */
  arrowsFrom(time, afterglow) {
    return time - Math.max(this.spacing * 1.001, afterglow);
  }

  /**
   * `options`: colour, trails, trailLength, arrows, contacts, surfaceEdges, smooth, vertices, followed,
   * hovered; `longestImpulse`: that of an arrow of full length, N s.
   */
  update(time, options, longestImpulse) {
    const { run } = this;
    run.positionsAt(time, this.positions);
    if (run.turns) run.orientationsAt(time, this.orientations);
    const { frame } = run.locate(time);
    this.shades.choose(options.colour);
    this.uniforms.isShaded.value = this.shades.isOn;
    for (const kind of this.kinds) kind.update(this.positions, this.orientations, frame);
    this.shapes.update(time);
    this.springs.update(this.positions, frame);
    if (this.shadows) this.shadows.isStale = true;
    const marked = [...options.followed];
    if (options.hovered !== null) marked.push(options.hovered);
    for (const kind of this.kinds) kind.setMarked(marked);
    this.surfaces.update(this.positions, frame, options, marked);
    this.vertices.mesh.visible = options.vertices && run.vertices > 0;
    if (this.vertices.mesh.visible) this.vertices.instances.update(this.positions, this.orientations, frame);
    this.vertices.instances.setMarked(marked);
    const followed = options.followed.filter((body) => !this.trailed.includes(body));
    this.frame = frame;
    const bodies = this.trailed.length <= kMostTrails ? [...this.trailed, ...followed] : options.followed;
    const length = options.trailLength * (run.times[run.frames - 1] - run.times[0]);
    this.trails.update(time, this.positions, {
      bodies: options.trails && length > 0 ? bodies.filter((body) => run.isThere(body, frame)) : [], length,
    });
    const from = this.arrowsFrom(time, options.afterglow);
    this.arrows.update(options.arrows ? from : Infinity, time, longestImpulse);
    this.contacts.update(options.contacts ? from : Infinity, time);
  }

  recolour() {
    this.uniforms.markColour.value = themeColour("text");
    // Rims and edges are darker than their body, in the dark lighter.
    this.uniforms.rimShade.value.set(...(isDark() ? [1, 0.28] : [0.62, 0]));
    this.shapes.recolour();
    this.springs.recolour();
    this.arrows.recolour();
    this.contacts.recolour();
  }

  /** Walls are lit as bodies are: from above and left of the eye. */
  light(camera) {
    this.sun.position.set(-0.45, 0.75, 0.55).applyQuaternion(camera.quaternion);
    this.sky.position.set(0, 1, 0).applyQuaternion(camera.quaternion);
  }

  /**
   * The body under a point of the cell (-1 to 1 on both axes), or null; on a surface its nearest vertex.
   * `slack`: m, in the plane; `chainSlack`: m, by which chains may be missed.
   */
  pick(point, camera, { slack, chainSlack }) {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(...point), camera);
    const { origin, direction } = caster.ray;
    const centre = new Vector3();
    const onSurface = this.surfaces.pick(caster.ray, chainSlack);
    const inSpace = this.run.dimension === 3;
    let best = inSpace ? onSurface.body : null;
    let nearest = inSpace ? onSurface.way : Infinity;
    for (const body of this.trailed) {
      if (!this.run.isThere(body, this.frame)) continue;
      centre.fromArray(this.positions, 3 * body);
      centre.sub(this.origin).sub(origin);
      const along = centre.dot(direction);
      const off = Math.sqrt(Math.max(0, centre.lengthSq() - along * along));
      const radius = this.run.radii[body];
      if (along < 0 || off > radius + slack) continue;
      if (!this.run.isBall(body)) {
        const way = this.meets(body, caster.ray);
        // In the plane nothing covers a solid that the pointer is on.
        const solidRank = this.run.dimension === 3 ? way : 0;
        if (way < Infinity && solidRank < nearest) [best, nearest] = [body, solidRank];
        continue;
      }
      // In the plane all balls are equally far: the one whose middle is nearest to the pointer.
      const rank = this.run.dimension === 3 ? along - Math.sqrt(Math.max(0, radius ** 2 - off ** 2)) : off / radius;
      if (rank < nearest) [best, nearest] = [body, rank];
    }
    // In the plane bodies lie over chains.
    return best ?? onSurface.body;
  }

  /** How far along a ray of the scene a solid is met. */
  meets(body, ray) {
    const position = [0, 1, 2].map((axis) => this.positions[3 * body + axis] - this.origin.getComponent(axis));
    return this.solids.meets(body, position, this.orientations.subarray(4 * body, 4 * body + 4), ray);
  }

  /** Where a body is in its cell, -1 to 1 on both axes. */
  project(body, camera) {
    return this.projectPoint(this.positions.subarray(3 * body, 3 * body + 3), camera);
  }

  projectPoint(point, camera) {
    const place = new Vector3(...point).sub(this.origin).project(camera);
    return [place.x, place.y];
  }
}
