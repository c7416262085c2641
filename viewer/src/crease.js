// Which edges of a surface are sharp, and normals that are smooth everywhere else.

/** Two triangles that meet at a larger angle, degrees, have an edge between them. */
export const kCreaseAngle = 30;

const kCosine = Math.cos((kCreaseAngle * Math.PI) / 180);

const point = (vertices, k) => vertices.subarray(3 * k, 3 * k + 3);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// Twice the area, along the normal.
function areaOf({ vertices, triangles }, triangle) {
  const [a, b, c] = [0, 1, 2].map((k) => point(vertices, triangles[3 * triangle + k]));
  const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

function areasAndNormals(surface) {
  const areas = [];
  const normals = [];
  for (let triangle = 0; triangle < surface.triangles.length / 3; ++triangle) {
    const area = areaOf(surface, triangle);
    const length = Math.hypot(...area) || 1;
    areas.push(area);
    normals.push(area.map((x) => x / length));
  }
  return { areas, normals };
}

/** Pairs of numbers of vertices: where triangles meet at an angle, and where a surface ends. */
export function creaseEdges(surface) {
  const { normals } = areasAndNormals(surface);
  const { triangles } = surface;
  const count = surface.vertices.length / 3;
  const first = new Map(); // the first triangle beside each edge, or -1 where the second was seen
  const edges = [];
  for (let k = 0; k < triangles.length; ++k) {
    const triangle = Math.floor(k / 3);
    const a = triangles[k];
    const b = triangles[3 * triangle + ((k + 1) % 3)];
    const key = Math.min(a, b) * count + Math.max(a, b);
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, triangle);
    } else if (other >= 0) {
      first.set(key, -1);
      if (dot(normals[triangle], normals[other]) < kCosine) edges.push([a, b]);
    }
  }
  for (const [key, triangle] of first) {
    if (triangle >= 0) edges.push([Math.floor(key / count), key % count]);
  }
  return edges;
}

/** The surface without shared vertices: three numbers per corner of a triangle, and as many of normals. */
export function smoothedSurface(surface) {
  const { vertices, triangles } = surface;
  const { areas, normals } = areasAndNormals(surface);
  const around = Array.from({ length: vertices.length / 3 }, () => []);
  triangles.forEach((vertex, k) => around[vertex].push(Math.floor(k / 3)));
  const positions = new Float32Array(3 * triangles.length);
  const smooth = new Float32Array(3 * triangles.length);
  triangles.forEach((vertex, k) => {
    positions.set(point(vertices, vertex), 3 * k);
    const own = normals[Math.floor(k / 3)];
    const sum = [0, 0, 0];
    for (const triangle of around[vertex]) {
      if (dot(own, normals[triangle]) < kCosine) continue;
      for (let axis = 0; axis < 3; ++axis) sum[axis] += areas[triangle][axis];
    }
    const length = Math.hypot(...sum) || 1;
    smooth.set(sum.map((x) => x / length), 3 * k);
  });
  return { positions, normals: smooth };
}

/** Whether no vertex lies outside the plane of any triangle; false where that would take too long. */
export function isConvex(surface) {
  const { vertices, triangles } = surface;
  if (vertices.length * triangles.length > 3e6) return false;
  const reach = Math.sqrt(vertices.reduce((most, x) => Math.max(most, x * x), 0));
  const { normals } = areasAndNormals(surface);
  return normals.every((normal, triangle) => {
    const level = dot(normal, point(vertices, triangles[3 * triangle]));
    for (let k = 0; k < vertices.length / 3; ++k) {
      if (dot(normal, point(vertices, k)) > level + 1e-5 * reach) return false;
    }
    return true;
  });
}

/**
 * How far along a ray, in lengths of its direction, it meets the surface; Infinity where it does not.
 * Both sides count.
 */
export function rayMeets({ vertices, triangles }, origin, direction) {
  let nearest = Infinity;
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => 3 * triangles[k + i]);
    const ux = vertices[b] - vertices[a], uy = vertices[b + 1] - vertices[a + 1], uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a], vy = vertices[c + 1] - vertices[a + 1], vz = vertices[c + 2] - vertices[a + 2];
    const px = direction[1] * vz - direction[2] * vy;
    const py = direction[2] * vx - direction[0] * vz;
    const pz = direction[0] * vy - direction[1] * vx;
    const scale = ux * px + uy * py + uz * pz;
    if (scale === 0) continue;
    const sx = origin[0] - vertices[a], sy = origin[1] - vertices[a + 1], sz = origin[2] - vertices[a + 2];
    const s = (sx * px + sy * py + sz * pz) / scale;
    if (s < 0 || s > 1) continue;
    const qx = sy * uz - sz * uy;
    const qy = sz * ux - sx * uz;
    const qz = sx * uy - sy * ux;
    const t = (direction[0] * qx + direction[1] * qy + direction[2] * qz) / scale;
    if (t < 0 || s + t > 1) continue;
    const way = (vx * qx + vy * qy + vz * qz) / scale;
    if (way >= 0 && way < nearest) nearest = way;
  }
  return nearest;
}
