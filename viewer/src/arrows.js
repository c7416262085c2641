// Impulses at contacts. An impulse of a run's last moments is drawn at its contact, on both bodies, in
// opposite directions; its length is proportional to the impulse.

import {
  BufferGeometry, ConeGeometry, CylinderGeometry, Float32BufferAttribute, Group, InstancedMesh,
  Matrix4, MeshBasicMaterial, DoubleSide, Quaternion, Vector3,
} from "three";
import { lastAtOrBefore } from "./data.js";
import { themeColour } from "./theme.js";

const kMostArrows = 4000;
const kUp = new Vector3(0, 1, 0);

// Both reach from y = 0 to y = 1 with half-width 1.
function flatShaft() {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(
    [-1, 0, 0, 1, 0, 0, 1, 1, 0, -1, 1, 0], 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

function flatHead() {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute([-1, 0, 0, 1, 0, 0, 0, 1, 0], 3));
  return geometry;
}

export class Arrows {
  /** `reach`: length of the strongest arrow, m; `strongest`: its impulse, N s. */
  constructor(run, origin, { reach, strongest }) {
    this.run = run;
    this.origin = origin;
    this.reach = reach;
    this.strongest = strongest;
    const inSpace = run.dimension === 3;
    this.material = new MeshBasicMaterial({
      transparent: true, opacity: 0.9, side: DoubleSide, depthTest: inSpace,
    });
    this.recolour();
    const shaft = inSpace ? new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0) : flatShaft();
    const head = inSpace ? new ConeGeometry(1, 1, 20).translate(0, 0.5, 0) : flatHead();
    this.shafts = new InstancedMesh(shaft, this.material, kMostArrows);
    this.heads = new InstancedMesh(head, this.material, kMostArrows);
    this.group = new Group();
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 3;
      this.group.add(mesh);
    }
  }

  recolour() {
    this.material.color = themeColour("impulse");
  }

  /** Shows the impulses after `from` and up to `to`, s. */
  update(from, to) {
    const { times, vectors, bodies } = this.run.arrows;
    let count = 0;
    let k = times.length > 0 ? lastAtOrBefore(times, to) : -1;
    for (; k >= 0 && times[k] > from && count + 2 <= kMostArrows; --k) {
      if (times[k] > to) continue;
      const v = vectors.subarray(6 * k, 6 * k + 6);
      this.place(count++, v, 1);
      if (bodies[2 * k + 1] >= 0) this.place(count++, v, -1);
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = count;
      mesh.visible = count > 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  place(slot, v, sign) {
    const direction = new Vector3(v[3], v[4], v[5]).multiplyScalar(sign);
    const length = (direction.length() / this.strongest) * this.reach;
    if (direction.lengthSq() > 0) direction.normalize();
    const turn = new Quaternion().setFromUnitVectors(kUp, direction);
    const width = Math.min(0.035 * this.reach, 0.12 * length);
    const tip = Math.min(0.24 * this.reach, 0.55 * length);
    const start = new Vector3(v[0], v[1], v[2]).sub(new Vector3(...this.origin));
    const matrix = new Matrix4();
    matrix.compose(start, turn, new Vector3(width, length - tip, width));
    this.shafts.setMatrixAt(slot, matrix);
    const neck = start.clone().addScaledVector(direction, length - tip);
    matrix.compose(neck, turn, new Vector3(0.45 * tip, tip, 0.45 * tip));
    this.heads.setMatrixAt(slot, matrix);
  }
}
