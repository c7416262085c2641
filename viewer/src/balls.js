// All balls of one run as one instanced draw call: in the plane a disc with a rim, in space a square
// that faces the eye and on which each pixel finds its point of the sphere.

import {
  BufferAttribute, DataTexture, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, Mesh,
  RGBAFormat, ShaderMaterial, Vector2,
} from "three";
import { bodyColour, mapPlace, speedMap } from "./colours.js";

const shared = /* glsl */ `
  precision highp float;
  uniform sampler2D speedMap;
  uniform bool bySpeed;
  uniform vec3 markColour;
  uniform vec2 rimShade; // factor, then share of white
`;

const vertexHead = /* glsl */ `
  in vec3 centre;
  in float radius;
  in float speed;
  in vec3 bodyColour;
  in float mark;
  flat out vec3 colour;
  flat out float marked;
  vec3 ballColour() {
    return bySpeed ? texture(speedMap, vec2((clamp(speed, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb
                   : bodyColour;
  }
`;

const discVertex = /* glsl */ `
  ${shared}
  ${vertexHead}
  uniform float pixel; // world units
  out vec2 place;      // in pixels from the centre
  flat out float reach;
  void main() {
    colour = ballColour();
    marked = mark;
    reach = max(radius / pixel, 0.8);
    place = position.xy * (reach + 1.5 + 2.0 * mark);
    gl_Position = projectionMatrix * (viewMatrix * vec4(centre, 1.0) + vec4(place * pixel, 0.0, 0.0));
  }
`;

const discFragment = /* glsl */ `
  ${shared}
  flat in vec3 colour;
  flat in float marked;
  in vec2 place;
  flat in float reach;
  out vec4 pixelColour;
  void main() {
    float d = length(place);
    float rim = clamp(0.07 * reach, 0.6, 2.0) + 0.8 * marked;
    float outer = reach + 1.2 * marked;
    float cover = clamp(outer - d + 0.5, 0.0, 1.0);
    if (cover <= 0.0) discard;
    float inRim = reach < 2.5 ? 0.35 : clamp(d - (reach - rim) + 0.5, 0.0, 1.0);
    vec3 rimColour = marked > 0.0 ? markColour : mix(rimShade.x * colour, vec3(1.0), rimShade.y);
    pixelColour = vec4(mix(colour, rimColour, inRim), cover);
  }
`;

const sphereVertex = /* glsl */ `
  ${shared}
  ${vertexHead}
  out vec3 onSquare; // view space
  flat out vec3 middle;
  flat out float size;
  void main() {
    colour = ballColour();
    marked = mark;
    middle = (viewMatrix * vec4(centre, 1.0)).xyz;
    size = radius;
    float away = length(middle);
    vec3 w = -middle / away;
    vec3 u = normalize(cross(vec3(0.0, 1.0, 0.0), w));
    vec3 v = cross(w, u);
    // The eye sees a little less than half of the sphere; its outline in the plane of the centre:
    float outline = away > 1.02 * radius ? radius * away / sqrt(away * away - radius * radius) : 0.0;
    onSquare = middle + 1.04 * outline * (position.x * u + position.y * v);
    gl_Position = projectionMatrix * vec4(onSquare, 1.0);
  }
`;

const sphereFragment = /* glsl */ `
  ${shared}
  uniform mat4 projectionMatrix;
  flat in vec3 colour;
  flat in float marked;
  in vec3 onSquare;
  flat in vec3 middle;
  flat in float size;
  out vec4 pixelColour;
  void main() {
    vec3 ray = normalize(onSquare);
    float along = dot(ray, middle);
    vec3 beside = middle - ray * along;
    float off = length(beside);
    float cover = clamp((size - off) / max(fwidth(off), 1e-12) + 0.5, 0.0, 1.0);
    if (cover <= 0.0) discard;
    vec3 hit = ray * (along - sqrt(max(0.0, size * size - off * off)));
    vec3 normal = normalize(hit - middle);
    vec4 clip = projectionMatrix * vec4(hit, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    vec3 light = normalize(vec3(-0.45, 0.75, 0.55));
    float direct = max(0.0, dot(normal, light));
    float sky = 0.5 + 0.5 * normal.y;
    float shine = pow(max(0.0, dot(normal, normalize(light - ray))), 40.0);
    float facing = max(0.0, -dot(normal, ray));
    vec3 base = pow(colour, vec3(2.2));
    vec3 lit = base * (0.30 + 0.22 * sky + 0.75 * direct) * (0.72 + 0.28 * smoothstep(0.0, 0.45, facing));
    lit += 0.12 * shine;
    vec3 shown = pow(lit, vec3(1.0 / 2.2));
    float ring = marked * (1.0 - smoothstep(0.3, 0.42, facing));
    pixelColour = vec4(mix(shown, markColour, ring), cover);
  }
`;

function makeMap() {
  const map = new DataTexture(speedMap(), 256, 1, RGBAFormat);
  map.needsUpdate = true;
  return map;
}

export class Balls {
  /** `origin`: the world's point that is drawn at 0, so that 32-bit numbers stay precise. */
  constructor(run, origin, speedCap) {
    this.run = run;
    this.origin = origin;
    this.speedScale = speedCap > 0 ? run.speedQuantum / speedCap : 0;
    const count = run.bodies;
    const geometry = new InstancedBufferGeometry();
    geometry.instanceCount = count;
    geometry.setAttribute("position", new BufferAttribute(
      new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const add = (name, array, size, normalized = false) => {
      const attribute = new InstancedBufferAttribute(array, size, normalized);
      geometry.setAttribute(name, attribute);
      return attribute;
    };
    this.centres = add("centre", new Float32Array(3 * count), 3);
    this.speeds = add("speed", new Float32Array(count), 1);
    this.marks = add("mark", new Float32Array(count), 1);
    add("radius", new Float32Array(run.radii), 1);
    const colours = new Uint8Array(3 * count);
    for (let body = 0; body < count; ++body) {
      bodyColour(body).forEach((x, c) => { colours[3 * body + c] = Math.round(255 * x); });
    }
    add("bodyColour", colours, 3, true);
    this.mesh = new Mesh(geometry, makeMaterial(run.dimension === 3));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  get uniforms() {
    return this.mesh.material.uniforms;
  }

  /** `positions`: three numbers per body, in the world. */
  update(positions, frame) {
    const { array } = this.centres;
    for (let k = 0; k < positions.length; ++k) array[k] = positions[k] - this.origin[k % 3];
    this.centres.needsUpdate = true;
    if (!this.run.hasSpeeds) return;
    for (let body = 0; body < this.run.bodies; ++body) {
      this.speeds.array[body] = mapPlace(this.run.levelAt(frame, body) * this.speedScale);
    }
    this.speeds.needsUpdate = true;
  }

  setMarked(bodies) {
    this.marks.array.fill(0);
    for (const body of bodies) if (body < this.run.bodies) this.marks.array[body] = 1;
    this.marks.needsUpdate = true;
  }
}

function makeMaterial(inSpace) {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: inSpace ? sphereVertex : discVertex,
    fragmentShader: inSpace ? sphereFragment : discFragment,
    uniforms: {
      speedMap: { value: makeMap() },
      bySpeed: { value: true },
      markColour: { value: null },
      rimShade: { value: new Vector2() },
      pixel: { value: 1 },
    },
    transparent: !inSpace,
    depthTest: inSpace,
    depthWrite: inSpace,
    alphaToCoverage: inSpace,
  });
}
