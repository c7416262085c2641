// What all bodies of one kind share: place, turn and colours of each.

import {
  BufferAttribute, DataTexture, DynamicDrawUsage, InstancedBufferAttribute, RGBAFormat, Vector2,
} from "three";
import { bodyColour, mapOfColours } from "./colours.js";

/** Uniforms that all materials of a view share. */
export function sharedUniforms() {
  const map = new DataTexture(mapOfColours(), 256, 1, RGBAFormat);
  map.needsUpdate = true;
  return {
    colourMap: { value: map },
    isShaded: { value: true },
    markColour: { value: null },
    rimShade: { value: new Vector2() },
    pixel: { value: 1 }, // world units; in space those at distance 1 from the eye
  };
}

/** For vertex and fragment shaders. */
export const shaderHead = /* glsl */ `
  precision highp float;
  uniform sampler2D colourMap;
  uniform bool isShaded;
  uniform vec3 markColour;
  uniform vec2 rimShade; // factor, then share of white
  vec3 turned(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
  }
`;

export const vertexHead = /* glsl */ `
  ${shaderHead}
  in vec3 centre;
  in vec4 turn; // quaternion x, y, z, w
  in float shade;
  in vec3 bodyColour;
  in float mark;
  flat out vec3 colour;
  flat out float marked;
  void dress() {
    colour = isShaded ? texture(colourMap, vec2((clamp(shade, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb
                     : bodyColour;
    marked = mark;
  }
`;

export const fragmentHead = /* glsl */ `
  ${shaderHead}
  flat in vec3 colour;
  flat in float marked;
  vec3 rimColour() {
    return marked > 0.0 ? markColour : mix(rimShade.x * colour, vec3(1.0), rimShade.y);
  }
`;

/** Light on a surface in space, and two tones by which round bodies show that they turn. */
export const lightHead = /* glsl */ `
  // A share of light: 1 in four octants of body coordinates, less in the others. soft: the width of
  // the seams, in the units of place.
  float octants(vec3 place, vec3 soft) {
    vec3 side = clamp(place / max(soft, vec3(1e-6)), -1.0, 1.0);
    return mix(0.32, 1.0, 0.5 + 0.5 * side.x * side.y * side.z);
  }
  // base: amounts of light, the squares of colours; normal and ray (from the eye): unit vectors in view
  // space.
  vec3 lit(vec3 base, vec3 normal, vec3 ray) {
    vec3 light = normalize(vec3(-0.45, 0.75, 0.55));
    float direct = max(0.0, dot(normal, light));
    float sky = 0.5 + 0.5 * normal.y;
    float glint = max(0.0, dot(normal, normalize(light - ray)));
    float glint2 = glint * glint;
    float glint8 = glint2 * glint2 * glint2 * glint2;
    float shine = glint8 * glint8 * glint8 * glint8 * glint8;
    float facing = max(0.0, -dot(normal, ray));
    vec3 shown = base * (0.30 + 0.22 * sky + 0.75 * direct) * (0.72 + 0.28 * smoothstep(0.0, 0.45, facing));
    return sqrt(shown + 0.12 * shine);
  }
`;

// What is not there is drawn behind everything that can be seen.
const kNowhere = 1e15;

export class Instances {
  /**
   * `members`: numbers of the bodies. `origin`: the world's point that is drawn at 0, so that 32-bit
   * numbers stay precise; `shades`: what they are coloured by. `corners`: vertices that each body has in the geometry; 0 where the geometry is
   * that of one body, drawn once for each of them.
   */
  constructor(run, members, { origin, shades, corners = 0 }) {
    this.run = run;
    this.members = members;
    this.origin = origin;
    this.shades = shades;
    this.copies = Math.max(1, corners);
    this.Attribute = corners > 0 ? BufferAttribute : InstancedBufferAttribute;
    this.marked = "";
    this.attributes = {
      centre: this.changing(3), turn: this.changing(4), shade: this.changing(1), mark: this.changing(1),
      bodyColour: this.colours(),
    };
    const { turn } = this.attributes;
    for (let k = 3; k < turn.array.length; k += 4) turn.array[k] = 1;
    this.slots = new Map(members.map((body, k) => [body, k]));
  }

  changing(size) {
    const numbers = new Float32Array(size * this.copies * this.members.length);
    return new this.Attribute(numbers, size).setUsage(DynamicDrawUsage);
  }

  colours() {
    const bytes = new Uint8Array(3 * this.copies * this.members.length);
    for (let slot = 0; 3 * slot < bytes.length; ++slot) {
      const colour = bodyColour(this.members[Math.floor(slot / this.copies)]);
      colour.forEach((x, c) => { bytes[3 * slot + c] = Math.round(255 * x); });
    }
    return new this.Attribute(bytes, 3, true);
  }

  attach(geometry) {
    if (geometry.isInstancedBufferGeometry) geometry.instanceCount = this.members.length;
    for (const [name, attribute] of Object.entries(this.attributes)) {
      geometry.setAttribute(name, attribute);
    }
  }

  /** `positions`, `orientations`: of all bodies, in the world; no orientations where none turn. */
  update(positions, orientations, frame) {
    const { centre, turn, shade } = this.attributes;
    const { copies, members, origin, run, shades } = this;
    for (let slot = 0; slot < copies * members.length; ++slot) {
      const body = members[Math.floor(slot / copies)];
      const isThere = run.isThere(body, frame);
      for (let axis = 0; axis < 3; ++axis) {
        centre.array[3 * slot + axis] = isThere ? positions[3 * body + axis] - origin[axis] : kNowhere;
      }
      if (run.turns) {
        for (let c = 0; c < 4; ++c) turn.array[4 * slot + c] = orientations[4 * body + ((c + 1) % 4)];
      }
      if (shades.isOn) shade.array[slot] = shades.place(frame, body);
    }
    centre.needsUpdate = true;
    turn.needsUpdate = run.turns;
    shade.needsUpdate = shades.isOn;
  }

  setMarked(bodies) {
    const wanted = bodies.join();
    if (wanted === this.marked) return;
    this.marked = wanted;
    const { mark } = this.attributes;
    mark.array.fill(0);
    for (const body of bodies) {
      if (!this.slots.has(body)) continue;
      const slot = this.copies * this.slots.get(body);
      mark.array.fill(1, slot, slot + this.copies);
    }
    mark.needsUpdate = true;
  }
}
