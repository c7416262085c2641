// Impulses at contacts. An impulse of a run's last moments is drawn at its contact, on both bodies, in
// opposite directions; impulse_scale.js says how long it is.

import {
  BufferGeometry, ConeGeometry, CylinderGeometry, Float32BufferAttribute, Group, InstancedMesh,
  Matrix4, MeshBasicMaterial, DoubleSide, Quaternion, Vector3,
} from "three";
import { lastAtOrBefore } from "./data.js";
import { lengthShare } from "./impulse_scale.js";
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
  /** `reach`: length of the longest arrow, m. */
  constructor(run, origin, reach) {
    this.run = run;
    this.origin = origin;
    this.reach = reach;
    const inSpace = run.dimension === 3;
    // Over everything: an impulse points into its ball, which would hide it.
    this.material = new MeshBasicMaterial({
      transparent: true, opacity: 0.9, side: DoubleSide, depthTest: false,
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

  /** The numbers of the arrows after `from` and up to `to`, s, the latest first. */
  * between(from, to) {
    const { times } = this.run.arrows;
    for (let k = times.length > 0 ? lastAtOrBefore(times, to) : -1; k >= 0 && times[k] > from; --k) {
      if (times[k] <= to) yield k;
    }
  }

  /** The strongest of them, N s; 0 where there is none. */
  strongest(from, to) {
    let most = 0;
    for (const k of this.between(from, to)) most = Math.max(most, this.run.arrows.strengths[k]);
    return most;
  }

  /** Shows those impulses; `longest`: the impulse of an arrow of full length, N s. */
  update(from, to, longest) {
    const { vectors, bodies, strengths } = this.run.arrows;
    let count = 0;
    for (const k of this.between(from, to)) {
      if (count + 2 > kMostArrows) break;
      const v = vectors.subarray(6 * k, 6 * k + 6);
      const length = this.reach * lengthShare(strengths[k], longest);
      this.place(count++, v, 1, length);
      if (bodies[2 * k + 1] >= 0) this.place(count++, v, -1, length);
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = count;
      mesh.visible = count > 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  place(slot, v, sign, length) {
    const direction = new Vector3(v[3], v[4], v[5]).multiplyScalar(sign);
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
