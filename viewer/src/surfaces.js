// Deformable surfaces of one run: triangles lit from both sides, each side with a colour of its own, and
// their edges. Their vertices move from frame to frame, and normals follow from where they are.

import {
  BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, GLSL3, LineSegments, Mesh, ShaderMaterial,
  Vector3,
} from "three";
import { Chain } from "./chains.js";
import { shaderHead } from "./instances.js";
import { nearestTriangle, surfaceColours, vertexNormals } from "./meshes.js";

const vertex = /* glsl */ `
  ${shaderHead}
  in float shade;
  out vec3 seen;    // view space
  out vec3 upright; // not of length 1
  out float place;
  void main() {
    vec4 there = viewMatrix * vec4(position, 1.0);
    seen = there.xyz;
    upright = mat3(viewMatrix) * normal;
    place = shade;
    gl_Position = projectionMatrix * there;
  }
`;

const colourHead = /* glsl */ `
  uniform vec3 frontColour;
  uniform vec3 backColour;
  uniform float marked;
  in float place;
  vec3 sideColour(bool front) {
    if (!isShaded) return front ? frontColour : backColour;
    vec3 shown = texture(colourMap, vec2((clamp(place, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
    return front ? shown : mix(shown, vec3(dot(shown, vec3(0.3, 0.6, 0.1))), 0.45);
  }
`;

const fillFragment = /* glsl */ `
  ${shaderHead}
  ${colourHead}
  // Softer than on bodies: what looks away from the light still shows its folds.
  vec3 clothLight(vec3 base, vec3 normal, vec3 ray) {
    float direct = 0.5 + 0.5 * dot(normal, normalize(vec3(-0.45, 0.75, 0.55)));
    float beside = 0.5 + 0.5 * dot(normal, normalize(vec3(0.8, -0.3, 0.5)));
    float facing = -dot(normal, ray);
    return sqrt(base * (0.1 + 0.72 * direct * direct + 0.3 * beside * beside + 0.3 * facing));
  }
  uniform bool flatly;   // drawn in the plane, without light
  uniform bool smoothly; // else every triangle by itself
  in vec3 seen;
  in vec3 upright;
  out vec4 pixelColour;
  void main() {
    vec3 side = sideColour(gl_FrontFacing);
    if (flatly) {
      pixelColour = vec4(mix(side, markColour, 0.25 * marked), 1.0);
      return;
    }
    vec3 normal = smoothly ? upright * (gl_FrontFacing ? 1.0 : -1.0) : cross(dFdx(seen), dFdy(seen));
    normal = normalize(normal);
    // Near its outline a smooth normal may look away from the eye.
    vec3 ray = normalize(seen);
    normal = normalize(normal - ray * max(0.0, dot(normal, ray)));
    vec3 shown = clothLight(side * side, normal, ray);
    pixelColour = vec4(mix(shown, markColour, 0.2 * marked), 1.0);
  }
`;

const edgeFragment = /* glsl */ `
  ${shaderHead}
  ${colourHead}
  in vec3 seen;
  in vec3 upright;
  out vec4 pixelColour;
  void main() {
    pixelColour = vec4(mix(rimShade.x * 0.7 * sideColour(true), vec3(1.0), rimShade.y), 0.75);
  }
`;

/** The triangles of one surface. */
class Sheet {
  constructor(run, surface, number, { uniforms, origin, shades }) {
    Object.assign(this, { run, surface, origin, shades });
    const inSpace = run.dimension === 3;
    const changing = (size) =>
      new BufferAttribute(new Float32Array(size * surface.count), size).setUsage(DynamicDrawUsage);
    this.attributes = { position: changing(3), normal: changing(3), shade: changing(1) };
    const [front, back] = surfaceColours(number).map((rgb) => new Vector3(...rgb));
    this.uniforms = {
      ...uniforms,
      frontColour: { value: front },
      backColour: { value: back },
      marked: { value: 0 },
      flatly: { value: !inSpace },
      smoothly: { value: true },
    };
    const common = {
      glslVersion: GLSL3, vertexShader: vertex, uniforms: this.uniforms, depthTest: inSpace, depthWrite: inSpace,
    };
    this.fill = new Mesh(this.geometryOf(surface.triangles), new ShaderMaterial({
      ...common,
      fragmentShader: fillFragment,
      side: DoubleSide,
      transparent: !inSpace,
      polygonOffset: inSpace, // edges lie in front of their own surface
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    }));
    this.lines = new LineSegments(this.geometryOf(surface.edges), new ShaderMaterial({
      ...common, fragmentShader: edgeFragment, transparent: true, depthWrite: false,
    }));
    this.meshes = [this.fill, this.lines];
    this.meshes.forEach((mesh, k) => {
      mesh.frustumCulled = false;
      mesh.renderOrder = 2 + 0.1 * k;
    });
  }

  geometryOf(indices) {
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(indices, 1));
    for (const [name, attribute] of Object.entries(this.attributes)) geometry.setAttribute(name, attribute);
    return geometry;
  }

  update(positions, frame, { smooth, edges, marked }) {
    const { surface, origin, run, shades } = this;
    const { position, normal, shade } = this.attributes;
    for (let k = 0; k < 3 * surface.count; ++k) {
      position.array[k] = positions[3 * surface.first + k] - origin[k % 3];
    }
    position.needsUpdate = true;
    this.uniforms.smoothly.value = smooth;
    this.uniforms.marked.value = marked ? 1 : 0;
    this.lines.visible = edges;
    if (smooth && run.dimension === 3) {
      vertexNormals(position.array, surface.triangles, normal.array);
      normal.needsUpdate = true;
    }
    if (!shades.isOn) return;
    for (let k = 0; k < surface.count; ++k) {
      shade.array[k] = shades.place(frame, surface.first + k);
    }
    shade.needsUpdate = true;
  }

  /** {vertex, way} of the triangle that a ray of the scene meets first; way is Infinity where none is. */
  meets(ray) {
    return nearestTriangle(this.attributes.position.array, this.surface.triangles, ray);
  }
}

export class Surfaces {
  /** As for Balls. */
  constructor(run, uniforms, { origin, shades }) {
    this.run = run;
    const common = { uniforms, origin, shades };
    this.parts = run.surfaces.flatMap((surface, number) => [
      ...(surface.triangles.length > 0 ? [new Sheet(run, surface, number, common)] : []),
      ...(surface.chain.length > 0 ? [new Chain(run, surface, number, common)] : []),
    ]);
    this.meshes = this.parts.flatMap((part) => part.meshes);
  }

  /** `options`: surfaceEdges, smooth; `marked`: numbers of bodies. */
  update(positions, frame, options, marked) {
    const touched = new Set(marked.map((body) => this.run.surfaceOf(body)).filter(Boolean));
    for (const part of this.parts) {
      part.update(positions, frame, {
        smooth: options.smooth, edges: options.surfaceEdges, marked: touched.has(part.surface),
      });
    }
  }

  /** The vertex nearest to where a ray of the scene meets a surface, and how far that is; `slack`: m. */
  pick(ray, slack) {
    let best = { body: null, way: Infinity };
    for (const part of this.parts) {
      const { vertex: nearest, way } = part.meets(ray, slack);
      if (way < best.way) best = { body: part.surface.first + nearest, way };
    }
    return best;
  }
}
