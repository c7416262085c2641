// A half-plane in space, or the bottom of a box: a floor about as large as what stands on it, with lines
// at round distances, that fades at its edge and takes the shadows of what is above it.

import { BufferGeometry, DoubleSide, Float32BufferAttribute, GLSL3, Mesh, ShaderMaterial, Vector2, Vector3 } from "three";

// How far a floor goes beyond what stands on it, and how many lines it has at least across.
const kBeyond = 1.8;
const kLeastLines = 12;

/** 1, 2 or 5 times a power of ten, the largest of which `count` go into a length. */
export function lineSpacing(length, count = kLeastLines) {
  const rough = length / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return Number(([5, 2, 1].find((factor) => factor * power <= rough * 1.0001) * power).toPrecision(1));
}

/** Unit vectors that lie in a plane. */
export function planeAxes(normal) {
  const helper = Math.abs(normal.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const u = helper.addScaledVector(normal, -helper.dot(normal)).normalize();
  return [u, normal.clone().cross(u)];
}

/** How far a box of these half extents reaches along a direction. */
const reachAlong = (direction, half) =>
  direction.toArray().reduce((sum, x, axis) => sum + Math.abs(x) * half[axis], 0);

const vertex = /* glsl */ `
  out vec2 place; // m, from the middle
  uniform vec2 extent;
  void main() {
    place = uv * extent;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }
`;

const fragment = /* glsl */ `
  precision highp float;
  uniform vec3 wall;
  uniform vec2 extent;
  uniform vec2 start;    // m, where a line of each kind crosses
  uniform float spacing; // m
  uniform float lightly; // 1: a wall that one looks through
  uniform float faded;   // 1: towards its edge
  uniform bool hasShade;
  uniform sampler2D shade;
  in vec2 place;
  out vec4 pixelColour;
  void main() {
    vec2 at = (place - start) / spacing;
    vec2 width = max(fwidth(at), vec2(1e-6));
    vec2 off = abs(fract(at - 0.5) - 0.5) / width;
    vec2 fine = 1.0 - smoothstep(0.25, 0.6, width); // too dense to be told apart
    vec2 line = (1.0 - smoothstep(0.3, 1.2, off)) * fine;
    float edge = 1.0 - faded * smoothstep(0.5, 1.0, length(place / extent));
    float cover = (mix(0.13, 0.07, lightly) + 0.2 * max(line.x, line.y)) * edge;
    float dark = hasShade ? 0.42 * texture(shade, 0.5 + 0.5 * place / extent).r * edge : 0.0;
    float alpha = 1.0 - (1.0 - cover) * (1.0 - dark);
    pixelColour = vec4(wall * cover * (1.0 - dark) / max(alpha, 1e-4), alpha);
  }
`;

export class Floor {
  /**
   * `plane`: {point, normal, middle, extent}, a Vector3 each and two lengths along planeAxes(normal), in
   * the scene; `origin`: of the scene in the world, so that lines stand at round places.
   */
  constructor({ point, normal, middle, extent, axes = planeAxes(normal) }, { origin, colour, faded, lightly }) {
    const [u, v] = axes;
    this.axes = [u, v];
    this.normal = normal;
    this.extent = new Vector2(...extent);
    this.middle = middle.clone().addScaledVector(normal, normal.dot(point.clone().sub(middle)));
    const at = (x, y) => this.middle.clone().addScaledVector(u, x * extent[0]).addScaledVector(v, y * extent[1]);
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(corners.flatMap(([x, y]) => at(x, y).toArray()), 3));
    geometry.setAttribute("uv", new Float32BufferAttribute(corners.flat(), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const world = this.middle.clone().add(new Vector3(...origin));
    const spacing = lineSpacing(2 * Math.max(...extent));
    const start = [u, v].map((axis) => -(world.dot(axis) % spacing));
    this.uniforms = {
      wall: { value: colour.clone() },
      extent: { value: this.extent },
      start: { value: new Vector2(...start) },
      spacing: { value: spacing },
      lightly: { value: lightly ? 1 : 0 },
      faded: { value: faded ? 1 : 0 },
      hasShade: { value: false },
      shade: { value: null },
    };
    this.mesh = new Mesh(geometry, new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: vertex, fragmentShader: fragment, uniforms: this.uniforms,
      side: DoubleSide, transparent: true, depthWrite: false,
    }));
    this.mesh.userData.floor = this;
    this.mesh.renderOrder = -1;
  }

  recolour(colour) {
    this.uniforms.wall.value.copy(colour);
  }

  setShade(texture) {
    this.uniforms.shade.value = texture;
    this.uniforms.hasShade.value = true;
  }
}

/** The floor of a half-plane below a scene whose middle is at 0. */
export function planeOf(point, normal, half) {
  const axes = planeAxes(normal);
  const reach = axes.map((axis) => kBeyond * reachAlong(axis, half));
  // Not much longer than wide, as a strip of floor looks like a plank.
  const least = Math.max(0.5 * Math.max(...reach), 0.35 * reachAlong(normal, half));
  return { point, normal, middle: new Vector3(), extent: reach.map((x) => Math.max(x, least)), axes };
}
