// Arithmetic on triangles and chains whose vertices move: arrays of plain numbers, three per vertex.

import { bodyColour, oklch } from "./colours.js";

/** Colours of the two sides of a surface: neighbouring numbers differ, and so do the sides. */
export function surfaceColours(number) {
  const hue = (255 + 137.50776405 * number) % 360;
  return [oklch(0.62, 0.14, hue), oklch(0.76, 0.13, (hue + 170) % 360)];
}

export const chainColour = (number) => bodyColour(3 * number + 1);

/** Sums of the triangles' normals around each vertex, weighted by their areas; not of length 1. */
export function vertexNormals(positions, triangles, normals) {
  normals.fill(0);
  for (let k = 0; k < triangles.length; k += 3) {
    const a = 3 * triangles[k];
    const b = 3 * triangles[k + 1];
    const c = 3 * triangles[k + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    normals[a] += x; normals[a + 1] += y; normals[a + 2] += z;
    normals[b] += x; normals[b + 1] += y; normals[b + 2] += z;
    normals[c] += x; normals[c + 1] += y; normals[c + 2] += z;
  }
  // The squares of small triangles' areas would be lost in 32 bits.
  for (let k = 0; k < normals.length; k += 3) {
    const length = Math.hypot(normals[k], normals[k + 1], normals[k + 2]) || 1;
    normals[k] /= length;
    normals[k + 1] /= length;
    normals[k + 2] /= length;
  }
}

/**
 * The triangle that a ray ({origin, direction}, with x, y and z) meets first, from either side: how far
 * along, and which of its vertices is nearest to that place.
 */
export function nearestTriangle(positions, triangles, { origin, direction }) {
  let best = { vertex: -1, way: Infinity };
  const { x: dx, y: dy, z: dz } = direction;
  for (let k = 0; k < triangles.length; k += 3) {
    const a = 3 * triangles[k];
    const b = 3 * triangles[k + 1];
    const c = 3 * triangles[k + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx;
    const scale = ux * px + uy * py + uz * pz;
    if (scale === 0) continue;
    const sx = origin.x - positions[a], sy = origin.y - positions[a + 1], sz = origin.z - positions[a + 2];
    const s = (sx * px + sy * py + sz * pz) / scale;
    if (!(s >= 0 && s <= 1)) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const t = (dx * qx + dy * qy + dz * qz) / scale;
    if (!(t >= 0 && s + t <= 1)) continue;
    const way = (vx * qx + vy * qy + vz * qz) / scale;
    if (!(way >= 0 && way < best.way)) continue;
    const shares = [1 - s - t, s, t];
    best = { vertex: triangles[k + shares.indexOf(Math.max(...shares))], way };
  }
  return best;
}

/**
 * The edge that a ray of unit direction passes within `reach` of, the nearest along the ray (in the plane
 * the one it passes nearest to): how far along, and which of its ends is nearer.
 */
export function nearestEdge(positions, edges, { origin, direction }, reach, inSpace = true) {
  let best = { vertex: -1, way: Infinity };
  const o = [origin.x, origin.y, origin.z];
  const d = [direction.x, direction.y, direction.z];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  for (let k = 0; k < edges.length; k += 2) {
    const [a, b] = [edges[k], edges[k + 1]].map((i) => [0, 1, 2].map((axis) => positions[3 * i + axis] - o[axis]));
    // Both without their parts along the ray: where the edge comes nearest to it.
    const [alongA, alongB] = [dot(a, d), dot(b, d)];
    const e = [0, 1, 2].map((axis) => b[axis] - a[axis] - (alongB - alongA) * d[axis]);
    const off = [0, 1, 2].map((axis) => a[axis] - alongA * d[axis]);
    const share = Math.min(1, Math.max(0, -dot(off, e) / (dot(e, e) || 1)));
    const distance = Math.hypot(...[0, 1, 2].map((axis) => off[axis] + share * e[axis]));
    const along = alongA + share * (alongB - alongA);
    if (along < 0 || distance > reach) continue;
    const rank = inSpace ? along : distance;
    if (rank < best.way) best = { vertex: edges[share < 0.5 ? k : k + 1], way: rank };
  }
  return best;
}
