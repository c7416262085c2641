// Walls: everything that balls hit and that is not a ball.

import {
  BackSide, BufferGeometry, DoubleSide, Float32BufferAttribute, Group, Mesh, MeshBasicMaterial,
  MeshLambertMaterial, Quaternion, RingGeometry, CircleGeometry, SphereGeometry, Vector3,
} from "three";
import { creaseEdges, isConvex, smoothedSurface } from "./crease.js";
import { offsetAt } from "./data.js";
import { Floor, planeOf } from "./floor.js";
import { Segments } from "./segments.js";
import { themeColour } from "./theme.js";

const kCircle = 256;

function quad(points) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points.flat(), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

/** The surface of a solid where it stands in the world. */
function placed({ surface, position, orientation: [w, x, y, z] }) {
  const turn = new Quaternion(x, y, z, w);
  const vertices = new Float64Array(surface.vertices.length);
  for (let k = 0; k < vertices.length; k += 3) {
    const vertex = new Vector3().fromArray(surface.vertices, k).applyQuaternion(turn);
    vertices.set(vertex.toArray().map((coordinate, axis) => coordinate + position[axis]), k);
  }
  return { vertices, triangles: surface.triangles };
}

const along = (p, direction, length) => p.map((x, k) => x + length * direction[k]);

/** Draws one shape into a group. `size`, `half`: of the whole scene, m; `up`: against gravity. */
class Builder {
  constructor({ origin, size, half, up }, inSpace) {
    this.origin = origin;
    this.size = size;
    this.half = half;
    this.up = new Vector3(...up);
    this.inSpace = inSpace;
    this.floors = [];
    this.casters = [];
    this.group = new Group();
    this.lines = [];
    this.colour = themeColour("wall");
  }

  local(p) {
    return p.map((x, k) => x - this.origin[k]);
  }

  line(a, b, alpha = 1, farAlpha = alpha) {
    this.lines.push([a, b, alpha, farAlpha]);
  }

  circle(centre, u, v, alpha = 1) {
    let before = along(centre, u, 1);
    for (let k = 1; k <= kCircle; ++k) {
      const angle = (2 * Math.PI * k) / kCircle;
      const next = along(along(centre, u, Math.cos(angle)), v, Math.sin(angle));
      this.line(before, next, alpha);
      before = next;
    }
  }

  fill(geometry, opacity = 0.14, place = [0, 0, 0]) {
    const mesh = new Mesh(geometry, new MeshBasicMaterial({
      color: this.colour, transparent: true, opacity, side: DoubleSide, depthWrite: false,
      depthTest: this.inSpace,
    }));
    mesh.position.set(...place);
    this.group.add(mesh);
  }

  floor(plane, { faded, lightly = false }) {
    const floor = new Floor(plane, { origin: this.origin, colour: this.colour, faded, lightly });
    this.group.add(floor.mesh);
    this.floors.push(floor);
  }

  /** A mesh that hides light. */
  opaque(mesh) {
    this.group.add(mesh);
    this.casters.push(mesh);
  }

  /** Edges and triangles of a solid. */
  solid(shape, fill) {
    const surface = placed(shape);
    const { vertices } = surface;
    for (let k = 0; k < vertices.length; ++k) vertices[k] -= this.origin[k % 3];
    const at = (vertex) => Array.from(vertices.subarray(3 * vertex, 3 * vertex + 3));
    for (const [a, b] of creaseEdges(surface)) this.line(at(a), at(b), 0.8);
    const { positions, normals } = smoothedSurface(surface);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
    geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
    fill(geometry);
  }

  finish() {
    const segments = new Segments(Math.max(1, this.lines.length), 1.5, { inSpace: this.inSpace, cap: 0.5 });
    const rgb = this.colour.toArray();
    for (const [a, b, alpha, farAlpha] of this.lines) segments.add(a, b, rgb, alpha, farAlpha);
    segments.finish();
    this.group.add(segments.mesh);
    return this.group;
  }
}

// ---- in the plane ---------------------------------------------------------------------------------

const flat = {
  half_plane(build, shape) {
    const length = Math.hypot(shape.normal[0], shape.normal[1]) || 1;
    const normal = [shape.normal[0] / length, shape.normal[1] / length, 0];
    const tangent = [-normal[1], normal[0], 0];
    const point = build.local([shape.point[0], shape.point[1], build.origin[2]]);
    const far = 60 * build.size;
    const a = along(point, tangent, -far);
    const b = along(point, tangent, far);
    build.line(a, b);
    build.fill(quad([a, b, along(b, normal, -far), along(a, normal, -far)]));
  },

  segment(build, shape) {
    build.line(build.local(shape.a), build.local(shape.b));
  },

  sphere_inside(build, shape) {
    const centre = build.local(shape.center);
    build.circle(centre, [shape.radius, 0, 0], [0, shape.radius, 0]);
    const band = 0.03 * shape.radius;
    build.fill(new RingGeometry(shape.radius, shape.radius + band, kCircle), 0.14, centre);
  },

  sphere_outside(build, shape) {
    const centre = build.local(shape.center);
    build.circle(centre, [shape.radius, 0, 0], [0, shape.radius, 0]);
    build.fill(new CircleGeometry(shape.radius, kCircle), 0.22, centre);
  },

  box_inside(build, shape) {
    const [x0, y0] = build.local(shape.lower);
    const [x1, y1] = build.local(shape.upper);
    const t = 0.012 * Math.max(build.size, x1 - x0, y1 - y0);
    const corners = [[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0]];
    const outside = [[x0 - t, y0 - t, 0], [x1 + t, y0 - t, 0], [x1 + t, y1 + t, 0], [x0 - t, y1 + t, 0]];
    for (let k = 0; k < 4; ++k) {
      const next = (k + 1) % 4;
      build.line(corners[k], corners[next]);
      build.fill(quad([corners[k], corners[next], outside[next], outside[k]]));
    }
  },
};

flat.solid = (build, shape) => build.solid(shape, (geometry) => build.fill(geometry, 0.22));

/** The side of a box that faces upwards from below, of a box between two corners. */
function bottomOf(lower, upper, axis, sign) {
  const middle = new Vector3(...lower.map((x, k) => (x + upper[k]) / 2));
  const point = middle.clone().setComponent(axis, sign > 0 ? lower[axis] : upper[axis]);
  const [first, second] = [0, 1, 2].filter((k) => k !== axis);
  const unit = (k) => new Vector3().setComponent(k, 1);
  const extent = [first, second].map((k) => (upper[k] - lower[k]) / 2);
  return { point, normal: unit(axis).multiplyScalar(sign), middle, extent, axes: [unit(first), unit(second)] };
}

// ---- in space -------------------------------------------------------------------------------------

const spatial = {
  half_plane(build, shape) {
    const normal = new Vector3(...shape.normal).normalize();
    const lightly = build.up.lengthSq() > 0 && normal.dot(build.up) < 0.3 * build.up.length();
    build.floor(planeOf(new Vector3(...build.local(shape.point)), normal, build.half), { faded: true, lightly });
  },

  segment: flat.segment,

  sphere_inside(build, shape) {
    const centre = build.local(shape.center);
    const r = shape.radius;
    build.circle(centre, [r, 0, 0], [0, r, 0], 0.5);
    build.circle(centre, [r, 0, 0], [0, 0, r], 0.5);
    build.circle(centre, [0, r, 0], [0, 0, r], 0.5);
    const mesh = new Mesh(new SphereGeometry(r, 64, 32), new MeshBasicMaterial({
      color: build.colour, transparent: true, opacity: 0.07, side: BackSide, depthWrite: false,
    }));
    mesh.position.set(...centre);
    build.group.add(mesh);
  },

  sphere_outside(build, shape) {
    const mesh = new Mesh(new SphereGeometry(shape.radius, 64, 32),
      new MeshLambertMaterial({ color: build.colour }));
    mesh.position.set(...build.local(shape.center));
    build.opaque(mesh);
  },

  box_inside(build, shape) {
    const lower = build.local(shape.lower);
    const upper = build.local(shape.upper);
    const corner = (bits) => [0, 1, 2].map((k) => ((bits >> k) & 1 ? upper[k] : lower[k]));
    for (let bits = 0; bits < 8; ++bits) {
      for (let k = 0; k < 3; ++k) {
        if (!((bits >> k) & 1)) build.line(corner(bits), corner(bits | (1 << k)), 0.8);
      }
    }
    // The bits of a side's corners, and along which axis it faces inwards.
    const sides = [[[0, 1, 3, 2], 2, 1], [[0, 1, 5, 4], 1, 1], [[0, 2, 6, 4], 0, 1],
      [[1, 3, 7, 5], 0, -1], [[2, 3, 7, 6], 1, -1], [[4, 5, 7, 6], 2, -1]];
    for (const [[a, b, c, d], axis, sign] of sides) {
      if (sign * build.up.getComponent(axis) > 0.7 * build.up.length()) {
        build.floor(bottomOf(corner(0), corner(7), axis, sign), { faded: false });
      } else {
        build.fill(quad([corner(a), corner(b), corner(c), corner(d)]), 0.035);
      }
    }
  },
};

// What may hold bodies inside is seen through.
spatial.solid = (build, shape) => build.solid(shape, (geometry) => {
  const isSolid = isConvex(shape.surface);
  const mesh = new Mesh(geometry, new MeshLambertMaterial({
    color: build.colour, side: DoubleSide, transparent: !isSolid, opacity: isSolid ? 1 : 0.3, depthWrite: isSolid,
    polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  }));
  if (isSolid) build.opaque(mesh);
  else build.group.add(mesh);
});

// ---- moving ---------------------------------------------------------------------------------------

export class Shapes {
  /** `common`: origin, size, half, up. */
  constructor(run, common) {
    this.group = new Group();
    this.moving = [];
    this.floors = []; // {floor, group that moves it}
    this.casters = []; // {mesh, group}
    const makers = run.dimension === 3 ? spatial : flat;
    for (const shape of run.shapes) {
      const build = new Builder(common, run.dimension === 3);
      makers[shape.type]?.(build, shape);
      const group = build.finish();
      this.group.add(group);
      this.floors.push(...build.floors.map((floor) => ({ floor, group })));
      this.casters.push(...build.casters.map((mesh) => ({ mesh, group })));
      if (shape.motion) this.moving.push({ group, motion: shape.motion });
    }
  }

  update(time) {
    for (const { group, motion } of this.moving) group.position.set(...offsetAt(motion, time));
  }

  recolour() {
    const colour = themeColour("wall");
    this.group.traverse((object) => {
      if (object.material?.color) object.material.color.copy(colour);
      object.userData.floor?.recolour(colour);
      const segments = object.userData.segments;
      if (!segments) return;
      const attribute = segments.geometry.getAttribute("colour");
      for (let k = 0; k < attribute.count; ++k) attribute.setXYZ(k, ...colour.toArray());
      attribute.needsUpdate = true;
    });
  }
}

/** Corners of what bounded shapes span, for the first view. */
export function cornersOf(shape) {
  switch (shape.type) {
    case "segment": return [shape.a, shape.b];
    case "box_inside": return [shape.lower, shape.upper];
    case "half_plane": return [];
    case "solid": {
      const { vertices } = placed(shape);
      const ofAxis = (axis) => vertices.filter((_, k) => k % 3 === axis);
      const extreme = (choose) => [0, 1, 2].map((axis) => ofAxis(axis).reduce((a, b) => choose(a, b)));
      return [extreme(Math.min), extreme(Math.max)];
    }
    default: return [along(shape.center, [1, 1, 1], -shape.radius), along(shape.center, [1, 1, 1], shape.radius)];
  }
}
