// Springs: in the plane a zigzag, in space a coil, of as many turns however far they are stretched.

import { Vector3 } from "three";
import { Segments } from "./segments.js";
import { themeColour } from "./theme.js";

const kTurns = 8;
const kPiecesPerTurn = { flat: 2, inSpace: 12 };
// The straight ends take this share of a spring each.
const kEndShare = 0.12;
// Half as wide as this share of the length at rest, or of the first length where there is none.
const kWidthShare = 0.07;
// More springs than this are drawn as straight lines: a net of them is none to be looked at one by one.
const kMostCoils = 400;

/** Points of a spring of length 1 along x: [along, across, beside], the last two in widths. */
export function springProfile(inSpace, isCoil) {
  if (!isCoil) return [[0, 0, 0], [1, 0, 0]];
  const pieces = kTurns * (inSpace ? kPiecesPerTurn.inSpace : kPiecesPerTurn.flat);
  const points = [[0, 0, 0]];
  for (let k = 0; k <= pieces; ++k) {
    const along = kEndShare + (1 - 2 * kEndShare) * (k / pieces);
    const angle = (2 * Math.PI * kTurns * k) / pieces;
    const isEnd = k === 0 || k === pieces;
    if (inSpace) points.push([along, Math.cos(angle), Math.sin(angle)]);
    else points.push([along, isEnd ? 0 : k % 2 === 0 ? -1 : 1, 0]);
  }
  points.push([1, 0, 0]);
  return points;
}

/** Unit vectors across a direction: in the plane the first lies in it. */
function frameOf(direction, inSpace) {
  if (!inSpace) return [new Vector3(-direction.y, direction.x, 0), new Vector3(0, 0, 1)];
  const helper = Math.abs(direction.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0);
  const across = helper.cross(direction).normalize();
  return [across, direction.clone().cross(across)];
}

export class Springs {
  constructor(run, origin) {
    this.run = run;
    this.origin = origin;
    const inSpace = run.dimension === 3;
    this.profile = springProfile(inSpace, run.springs.length <= kMostCoils);
    this.inSpace = inSpace;
    const pieces = run.springs.length * (this.profile.length - 1);
    this.segments = new Segments(Math.max(1, pieces), 1.6, { inSpace, cap: 0.6 });
    // In the plane under the bodies that they are tied to.
    this.segments.mesh.renderOrder = 1.5;
    this.widths = null;
    this.recolour();
  }

  recolour() {
    this.colour = themeColour("spring").toArray();
  }

  /** Both ends in the scene; a spring goes the shortest way where the world repeats itself. */
  endsOf(spring, positions) {
    const from = [0, 1, 2].map((axis) => positions[3 * spring.a + axis]);
    const other = spring.b < 0 ? spring.point : [0, 1, 2].map((axis) => positions[3 * spring.b + axis]);
    const ends = from.map((x, axis) => [x - this.origin[axis],
      x - this.origin[axis] + this.run.way(x, other[axis], axis)]);
    return [0, 1].map((end) => new Vector3(...ends.map((axis) => axis[end])));
  }

  update(positions, frame) {
    const { run, segments, profile } = this;
    if (run.springs.length === 0) return;
    const all = run.springs.map((spring) => this.endsOf(spring, positions));
    this.widths ??= run.springs.map(({ length }, k) =>
      kWidthShare * (length > 0 ? length : all[k][0].distanceTo(all[k][1])));
    segments.clear();
    const isThere = ({ a, b }) => run.isThere(a, frame) && (b < 0 || run.isThere(b, frame));
    all.forEach(([from, to], k) => {
      if (!isThere(run.springs[k])) return;
      const way = to.clone().sub(from);
      const length = way.length();
      if (!(length > 0)) return;
      const [across, beside] = frameOf(way.clone().divideScalar(length), this.inSpace);
      const at = ([share, u, v]) => from.clone().addScaledVector(way, share)
        .addScaledVector(across, u * this.widths[k]).addScaledVector(beside, v * this.widths[k]).toArray();
      let before = at(profile[0]);
      for (const place of profile.slice(1)) {
        const next = at(place);
        segments.add(before, next, this.colour);
        before = next;
      }
    });
    segments.finish();
  }
}
