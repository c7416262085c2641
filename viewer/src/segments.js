// Straight pieces of line with a width in pixels, as one draw call. Trails, walls and grids
// are made of them.

import { GLSL3, Mesh, ShaderMaterial, Vector2 } from "three";
import { cornerHead, kCorners, quadAttribute, quadGeometry, setQuad, show } from "./quads.js";

/**
 * For a vertex shader: the corners of a piece of line between two points of view space, which goes on
 * for `cap` pixels beyond its ends.
 */
export const lineVertex = /* glsl */ `
  uniform vec2 resolution; // pixels
  uniform float width;     // pixels
  out float across;        // pixels from the middle of the line
  float lineLength = 0.0;  // pixels; known after lineCorner
  vec4 lineCorner(vec4 a, vec4 b, vec2 corner, float cap) {
    // In perspective nothing behind the eye may be projected: cut the piece at the near plane.
    if (projectionMatrix[3][3] == 0.0) {
      float near = -1e-4 * max(1.0, max(-a.z, -b.z));
      if (a.z > near && b.z > near) return vec4(2.0, 2.0, 2.0, 1.0);
      if (a.z > near) a = mix(b, a, (near - b.z) / (a.z - b.z));
      if (b.z > near) b = mix(a, b, (near - a.z) / (b.z - a.z));
    }
    vec4 start = projectionMatrix * a;
    vec4 end = projectionMatrix * b;
    vec2 direction = (end.xy / end.w - start.xy / start.w) * resolution;
    float size = length(direction);
    lineLength = 0.5 * size;
    direction = size > 1e-6 ? direction / size : vec2(1.0, 0.0);
    vec4 here = corner.x < 0.0 ? start : end;
    across = corner.y * (0.5 * width + 0.75);
    vec2 shift = vec2(-direction.y, direction.x) * across + direction * corner.x * cap;
    here.xy += 2.0 * shift / resolution * here.w;
    return here;
  }
`;

/** For its fragment shader: how much of a pixel the line covers. */
export const lineFragment = /* glsl */ `
  uniform float width;
  in float across;
  float lineCover() {
    return clamp(0.5 * width - abs(across) + 0.5, 0.0, 1.0);
  }
`;

const vertex = /* glsl */ `
  precision highp float;
  ${cornerHead}
  ${lineVertex}
  uniform float cap; // pixels
  in vec3 from;
  in vec3 to;
  in vec3 colour;
  in vec2 alphas;
  out vec4 shade;
  void main() {
    gl_Position = lineCorner(modelViewMatrix * vec4(from, 1.0), modelViewMatrix * vec4(to, 1.0), corner(), cap);
    shade = vec4(colour, corner().x < 0.0 ? alphas.x : alphas.y);
  }
`;

const fragment = /* glsl */ `
  precision highp float;
  ${lineFragment}
  in vec4 shade;
  out vec4 pixelColour;
  void main() {
    pixelColour = vec4(shade.rgb, shade.a * lineCover());
  }
`;

export class Segments {
  /** With a `cap` (pixels) pieces overlap where they meet: a round line shows no gaps. */
  constructor(capacity, width, { inSpace = false, cap = 0 } = {}) {
    this.capacity = capacity;
    this.count = 0;
    this.width = width;
    this.geometry = quadGeometry(capacity);
    const add = (name, size) => {
      const attribute = quadAttribute(capacity, size);
      this.geometry.setAttribute(name, attribute);
      return attribute;
    };
    this.attributes = [add("from", 3), add("to", 3), add("colour", 3), add("alphas", 2)];
    this.mesh = new Mesh(this.geometry, new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { resolution: { value: new Vector2(1, 1) }, width: { value: width }, cap: { value: cap } },
      transparent: true,
      depthTest: inSpace,
      depthWrite: false,
    }));
    this.mesh.frustumCulled = false;
    this.mesh.userData.segments = this;
  }

  clear() {
    this.count = 0;
  }

  /** Ignores what exceeds the capacity. */
  add(from, to, colour, alphaFrom = 1, alphaTo = alphaFrom) {
    if (this.count >= this.capacity) return;
    const values = [from, to, colour, [alphaFrom, alphaTo]];
    this.attributes.forEach((attribute, k) => setQuad(attribute, this.count, values[k]));
    ++this.count;
  }

  /** To be called after the last add. */
  finish() {
    show(this.geometry, this.count);
    this.mesh.visible = this.count > 0;
    for (const attribute of this.attributes) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, kCorners * this.count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }

  /** `pixelRatio`: of the screen, so that widths are those of style sheets. */
  setResolution(width, height, pixelRatio) {
    const { uniforms } = this.mesh.material;
    uniforms.resolution.value.set(width, height);
    uniforms.width.value = this.width * pixelRatio;
  }
}
