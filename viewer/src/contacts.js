// Where bodies touch: the points of the impulses that are shown, and the normals of their contacts.

import {
  CircleGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, SphereGeometry, Vector3,
} from "three";
import { Segments } from "./segments.js";
import { themeColour } from "./theme.js";

const kMostContacts = 2000;

export class Contacts {
  /** `arrows`: those of the view, which know what is shown; `reach`: of the longest arrow, m. */
  constructor(run, arrows, origin, reach) {
    this.run = run;
    this.arrows = arrows;
    this.origin = origin;
    this.reach = reach;
    const inSpace = run.dimension === 3;
    this.material = new MeshBasicMaterial({ depthTest: false, transparent: true });
    const dot = 0.05 * reach;
    this.dots = new InstancedMesh(
      inSpace ? new SphereGeometry(dot, 12, 8) : new CircleGeometry(dot, 20), this.material, kMostContacts);
    this.normals = new Segments(kMostContacts, 2);
    this.group = new Group();
    for (const mesh of [this.normals.mesh, this.dots]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 4; // over everything, as arrows are
      this.group.add(mesh);
    }
    this.recolour();
  }

  recolour() {
    this.colour = themeColour("accent");
    this.material.color = this.colour;
  }

  /** Shows the contacts after `from` and up to `to`, s; Infinity: none. */
  update(from, to) {
    const { vectors, normals } = this.run.arrows;
    const rgb = this.colour.toArray();
    const matrix = new Matrix4();
    let count = 0;
    this.normals.clear();
    for (const k of this.arrows.between(from, to)) {
      if (count >= kMostContacts) break;
      const place = [0, 1, 2].map((axis) => vectors[6 * k + axis] - this.origin[axis]);
      const tip = place.map((x, axis) => x + 0.5 * this.reach * normals[3 * k + axis]);
      this.normals.add(place, tip, rgb);
      this.dots.setMatrixAt(count++, matrix.makeTranslation(new Vector3(...place)));
    }
    this.normals.finish();
    this.dots.count = count;
    this.dots.visible = count > 0;
    this.dots.instanceMatrix.needsUpdate = true;
  }
}
