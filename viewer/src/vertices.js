// The vertices of surfaces and chains as balls, for who wants to see them.

import { Balls } from "./balls.js";

// Of the mean length of an edge: thin things would have vertices that nobody sees.
const kShare = 0.12;

function meanEdge(run, { first, edges }) {
  let sum = 0;
  for (let k = 0; k < edges.length; k += 2) {
    const apart = (axis) =>
      run.coordinate(0, first + edges[k], axis) - run.coordinate(0, first + edges[k + 1], axis);
    sum += Math.hypot(apart(0), apart(1), apart(2));
  }
  return edges.length > 0 ? (2 * sum) / edges.length : 0;
}

export function makeVertices(run, uniforms, { origin, shades }) {
  const least = new Map(run.surfaces.map((surface) => [surface, kShare * meanEdge(run, surface)]));
  const members = Array.from({ length: run.bodies }, (_, body) => body).filter((body) => run.surfaceOf(body));
  const radiusOf = (body) => Math.max(run.radii[body], least.get(run.surfaceOf(body)));
  return new Balls(run, uniforms, { origin, shades, members, radiusOf });
}
