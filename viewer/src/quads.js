// Many squares in one draw call, four vertices each, which a vertex shader moves apart. They are not
// instanced: where software draws, every instance costs what a draw call does, some 20 microseconds.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from "three";

export const kCorners = 4;
const kTriangles = [0, 1, 2, 0, 2, 3];

/** For a vertex shader: which corner of its square a vertex is, -1 or 1 on both axes. */
export const cornerHead = /* glsl */ `
  vec2 corner() {
    int k = gl_VertexID & 3;
    return vec2(k == 0 || k == 3 ? -1.0 : 1.0, k < 2 ? -1.0 : 1.0);
  }
`;

/** Two triangles per square. */
export function quadGeometry(count) {
  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(new Uint32Array(kTriangles.length * count), 1));
  arrange(geometry, Array.from({ length: count }, (_, k) => k));
  return geometry;
}

/** Squares are drawn in this order, the last ones over the first. */
export function arrange(geometry, order) {
  const { index } = geometry;
  order.forEach((square, place) => {
    for (let k = 0; k < kTriangles.length; ++k) {
      index.array[kTriangles.length * place + k] = kCorners * square + kTriangles[k];
    }
  });
  index.needsUpdate = true;
}

/** Draws only the first squares. */
export function show(geometry, count) {
  geometry.setDrawRange(0, kTriangles.length * count);
}

/** `size` numbers for each square, the same at all of its corners. */
export function quadAttribute(count, size) {
  return new BufferAttribute(new Float32Array(size * kCorners * count), size).setUsage(DynamicDrawUsage);
}

/** Gives all corners of a square the numbers. */
export function setQuad({ array, itemSize }, square, numbers) {
  let at = kCorners * itemSize * square;
  for (let corner = 0; corner < kCorners; ++corner) {
    for (let k = 0; k < itemSize; ++k) array[at++] = numbers[k];
  }
}
