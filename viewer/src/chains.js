// A chain: each edge a rod with round ends, as thick as the chain, that is at least a pixel and a half wide.
// In space it is lit as a tube; four vertices per edge that a shader moves apart.

import { GLSL3, Mesh, ShaderMaterial, Vector3 } from "three";
import { lightHead, shaderHead } from "./instances.js";
import { chainColour, nearestEdge } from "./meshes.js";
import { cornerHead, kCorners, quadAttribute, quadGeometry } from "./quads.js";

const kLeastWidth = 1.6; // pixels

const vertex = /* glsl */ `
  ${shaderHead}
  ${cornerHead}
  uniform float pixel;  // world units; in space at distance 1
  uniform float radius; // m
  uniform bool inSpace;
  in vec3 from;
  in vec3 to;
  in float shade;
  out vec2 place;         // along and across, in the units of reach
  flat out float reach;   // radius that is drawn
  flat out float stretch; // length that is seen
  out vec3 onCard;        // view space
  flat out vec3 along;    // unit vectors of view space
  flat out vec3 across;
  flat out vec3 lift;     // normal where the rod is nearest to the eye
  out float share;
  flat out float grain;
  void main() {
    vec3 a = (viewMatrix * vec4(from, 1.0)).xyz;
    vec3 b = (viewMatrix * vec4(to, 1.0)).xyz;
    vec3 towards = inSpace ? -normalize(0.5 * (a + b)) : vec3(0.0, 0.0, 1.0);
    grain = inSpace ? pixel * length(0.5 * (a + b)) : pixel;
    vec3 way = b - a;
    vec3 side = cross(towards, way);
    across = length(side) > 1e-6 * length(way) ? normalize(side) : normalize(cross(towards, vec3(0.3, 0.5, 0.8)));
    along = cross(across, towards);
    reach = max(radius, ${(0.5 * kLeastWidth).toFixed(2)} * grain);
    stretch = dot(way, along);
    float room = reach + grain;
    vec3 axis = inSpace ? way / max(length(way), 1e-30) : along;
    lift = cross(axis, across);
    // Ends go on along the rod, so that those of neighbours lie inside of it.
    vec3 onwards = axis / max(dot(axis, along), 0.25);
    onwards += along * (1.0 - dot(onwards, along));
    vec3 end = corner().x < 0.0 ? a : b;
    onCard = end + room * (corner().x * onwards + corner().y * across);
    place = vec2((corner().x < 0.0 ? 0.0 : stretch) + corner().x * room, corner().y * room);
    share = shade;
    gl_Position = projectionMatrix * vec4(onCard, 1.0);
  }
`;

const fragment = /* glsl */ `
  ${shaderHead}
  ${lightHead}
  uniform vec3 chainColour;
  uniform float marked;
  uniform bool inSpace;
  uniform mat4 projectionMatrix;
  in vec2 place;
  flat in float reach;
  flat in float stretch;
  in vec3 onCard;
  flat in vec3 along;
  flat in vec3 across;
  flat in vec3 lift;
  in float share;
  flat in float grain;
  out vec4 pixelColour;
  void main() {
    vec2 beside = vec2(place.x - clamp(place.x, 0.0, stretch), place.y);
    float off = length(beside);
    float cover = clamp((reach - off) / grain + 0.5, 0.0, 1.0);
    if (cover < (inSpace ? 0.5 : 0.01)) discard;
    vec3 base = isShaded ? texture(colourMap, vec2((clamp(share, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb
                        : chainColour;
    base = mix(base, markColour, 0.35 * marked);
    if (!inSpace) {
      pixelColour = vec4(base, cover);
      gl_FragDepth = gl_FragCoord.z;
      return;
    }
    vec2 turn = beside / max(reach, off);
    float rise = sqrt(max(0.0, 1.0 - dot(turn, turn)));
    vec3 towards = cross(along, across);
    vec3 normal = normalize(turn.x * along + turn.y * across + rise * lift);
    vec3 hit = onCard + rise * reach * towards;
    gl_FragDepth = 0.5 - 0.5 * (projectionMatrix[2][2] + projectionMatrix[3][2] / hit.z);
    pixelColour = vec4(lit(base * base, normal, normalize(hit)), 1.0);
  }
`;

export class Chain {
  constructor(run, surface, number, { uniforms, origin, shades }) {
    Object.assign(this, { run, surface, origin, shades });
    this.inSpace = run.dimension === 3;
    this.radius = surface.thickness / 2;
    this.places = new Float32Array(3 * surface.count);
    const count = surface.chain.length / 2;
    const geometry = quadGeometry(count);
    this.attributes = { from: quadAttribute(count, 3), to: quadAttribute(count, 3), shade: quadAttribute(count, 1) };
    for (const [name, attribute] of Object.entries(this.attributes)) geometry.setAttribute(name, attribute);
    this.uniforms = {
      ...uniforms,
      radius: { value: this.radius },
      inSpace: { value: this.inSpace },
      chainColour: { value: new Vector3(...chainColour(number)) },
      marked: { value: 0 },
    };
    const mesh = new Mesh(geometry, new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: this.uniforms,
      transparent: !this.inSpace,
      depthTest: this.inSpace,
      depthWrite: this.inSpace,
    }));
    mesh.frustumCulled = false;
    mesh.renderOrder = 2;
    this.rods = mesh;
    this.meshes = [mesh];
  }

  update(positions, frame, { marked }) {
    const { places, surface, origin, shades } = this;
    for (let k = 0; k < places.length; ++k) places[k] = positions[3 * surface.first + k] - origin[k % 3];
    const { from, to, shade } = this.attributes;
    const { chain } = surface;
    for (let edge = 0; 2 * edge < chain.length; ++edge) {
      const [a, b] = [3 * chain[2 * edge], 3 * chain[2 * edge + 1]];
      for (let corner = 0; corner < kCorners; ++corner) {
        const at = 3 * (kCorners * edge + corner);
        for (let axis = 0; axis < 3; ++axis) {
          from.array[at + axis] = places[a + axis];
          to.array[at + axis] = places[b + axis];
        }
      }
    }
    from.needsUpdate = true;
    to.needsUpdate = true;
    this.uniforms.marked.value = marked ? 1 : 0;
    if (!shades.isOn) return;
    for (let corner = 0; corner < shade.array.length; ++corner) {
      const end = corner % kCorners === 0 || corner % kCorners === 3 ? 0 : 1;
      const body = surface.first + chain[2 * Math.floor(corner / kCorners) + end];
      shade.array[corner] = shades.place(frame, body);
    }
    shade.needsUpdate = true;
  }

  /** As for a sheet; `slack`: m, by which a pointer may miss. */
  meets(ray, slack) {
    return nearestEdge(this.places, this.surface.chain, ray, this.radius + slack, this.inSpace);
  }
}
