// All balls of one run as one draw call of two triangles each: in the plane a disc with a rim, in space a
// square that faces the eye and on which each pixel finds its point of the sphere. Balls that turn show
// it: a disc by a radius, a sphere by two tones.

import { CustomBlending, GLSL3, Mesh, OneFactor, OneMinusSrcAlphaFactor, ShaderMaterial } from "three";
import { DepthOrder } from "./depth_order.js";
import { fragmentHead, Instances, lightHead, vertexHead } from "./instances.js";
import { arrange, cornerHead, kCorners, quadAttribute, quadGeometry, setQuad } from "./quads.js";

const discVertex = /* glsl */ `
  ${vertexHead}
  ${cornerHead}
  in float radius;
  in float turning;
  uniform float pixel; // world units
  out vec2 place;      // in pixels from the centre
  flat out float reach;
  flat out vec3 heading; // unit vector of the radius that turns, and whether there is one
  void main() {
    dress();
    reach = max(radius / pixel, 0.8);
    heading = vec3(turned(turn, vec3(1.0, 0.0, 0.0)).xy, turning);
    place = corner() * (reach + 1.5 + 2.0 * mark);
    gl_Position = projectionMatrix * (viewMatrix * vec4(centre, 1.0) + vec4(place * pixel, 0.0, 0.0));
  }
`;

const discFragment = /* glsl */ `
  ${fragmentHead}
  in vec2 place;
  flat in float reach;
  flat in vec3 heading;
  out vec4 pixelColour;
  void main() {
    float d = length(place);
    float rim = clamp(0.07 * reach, 0.6, 2.0) + 0.8 * marked;
    float outer = reach + 1.2 * marked;
    float cover = clamp(outer - d + 0.5, 0.0, 1.0);
    if (cover <= 0.0) discard;
    float inRim = reach < 2.5 ? 0.35 : clamp(d - (reach - rim) + 0.5, 0.0, 1.0);
    float beside = abs(heading.x * place.y - heading.y * place.x);
    float ahead = dot(heading.xy, place);
    float onRadius = heading.z * clamp(0.5 * rim - beside + 0.5, 0.0, 1.0) * clamp(ahead + 0.5, 0.0, 1.0);
    pixelColour = vec4(mix(colour, rimColour(), max(inRim, onRadius)), cover);
  }
`;

const sphereVertex = /* glsl */ `
  ${vertexHead}
  ${cornerHead}
  in float radius;
  in float turning;
  uniform float pixel; // world units at distance 1
  out vec3 onSquare;   // view space
  flat out vec3 middle;
  flat out float size;
  flat out vec4 pose;
  flat out float patterned;
  void main() {
    dress();
    middle = (viewMatrix * vec4(centre, 1.0)).xyz;
    size = radius;
    pose = turn;
    patterned = turning;
    float away = length(middle);
    vec3 w = -middle / away;
    vec3 u = normalize(cross(vec3(0.0, 1.0, 0.0), w));
    vec3 v = cross(w, u);
    // The eye sees a little less than half of the sphere; its outline in the plane of the centre:
    float outline = away > 1.02 * radius ? radius * away / sqrt(away * away - radius * radius) : 0.0;
    float reach = outline > 0.0 ? outline + 0.6 * pixel * away : 0.0; // room for the smoothed edge
    onSquare = middle + reach * (corner().x * u + corner().y * v);
    gl_Position = projectionMatrix * vec4(onSquare, 1.0);
  }
`;

const sphereFragment = /* glsl */ `
  ${fragmentHead}
  ${lightHead}
  uniform mat4 projectionMatrix;
  uniform float pixel;
  in vec3 onSquare;
  flat in vec3 middle;
  flat in float size;
  flat in vec4 pose;
  flat in float patterned;
  out vec4 pixelColour;
  void main() {
    vec3 ray = normalize(onSquare);
    float along = dot(ray, middle);
    vec3 beside = middle - ray * along;
    float off = length(beside);
    float grain = pixel * along;
    float cover = clamp((size - off) / grain + 0.5, 0.0, 1.0);
    if (cover <= 0.0) discard;
    vec3 hit = ray * (along - sqrt(max(0.0, size * size - off * off)));
    vec3 normal = (hit - middle) / max(size, off);
    gl_FragDepth = 0.5 - 0.5 * (projectionMatrix[2][2] + projectionMatrix[3][2] / hit.z);
    float facing = max(0.0, -dot(normal, ray));
    vec3 base = colour * colour;
    if (patterned > 0.0) {
      vec3 inWorld = transpose(mat3(viewMatrix)) * normal;
      vec3 inBody = turned(vec4(-pose.xyz, pose.w), inWorld);
      base *= octants(inBody, vec3(grain / size / max(facing, 0.2)));
    }
    float ring = marked * (1.0 - smoothstep(0.3, 0.42, facing));
    pixelColour = vec4(mix(lit(base, normal, ray), markColour, ring), cover);
  }
`;

/** Vertices of surfaces are none. */
const ballsOf = (run) => Array.from({ length: run.bodies }, (_, body) => body)
  .filter((body) => run.isBall(body) && !run.surfaceOf(body));

export class Balls {
  /** `uniforms`: those of the view; the others are as for Instances. `radiusOf`: as they are drawn. */
  constructor(run, uniforms, { origin, shades, members = ballsOf(run), radiusOf = (body) => run.radii[body] }) {
    this.instances = new Instances(run, members, { origin, shades, corners: kCorners });
    const geometry = quadGeometry(members.length);
    this.instances.attach(geometry);
    const fixed = (name, numberOf) => {
      const attribute = quadAttribute(members.length, 1);
      members.forEach((body, k) => setQuad(attribute, k, [numberOf(body)]));
      geometry.setAttribute(name, attribute);
    };
    fixed("radius", radiusOf);
    fixed("turning", (body) => (run.solidFor(body) ? 1 : 0));
    this.mesh = new Mesh(geometry, makeMaterial(run.dimension === 3, uniforms));
    this.mesh.frustumCulled = false;
    this.mesh.visible = members.length > 0;
    // In space after solids, over which their smoothed edges are drawn.
    this.mesh.renderOrder = run.dimension === 3 ? 2.5 : 2;
    this.radii = Float64Array.from(members, radiusOf);
    this.depths = new DepthOrder(members.length);
  }

  /** Draws the farthest spheres first; `eye`: where it is in the scene, three numbers. */
  orderFrom(eye) {
    const { array } = this.instances.attributes.centre;
    arrange(this.mesh.geometry, this.depths.update(array, 3 * kCorners, this.radii, eye));
  }
}

const blended = {
  blending: CustomBlending, blendSrcAlpha: OneFactor, blendDstAlpha: OneMinusSrcAlphaFactor,
};

function makeMaterial(inSpace, uniforms) {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: inSpace ? sphereVertex : discVertex,
    fragmentShader: inSpace ? sphereFragment : discFragment,
    uniforms,
    transparent: !inSpace,
    depthTest: inSpace,
    depthWrite: inSpace,
    // Spheres belong to the opaque bodies, before walls that are seen through, and yet blend their edges.
    ...(inSpace ? blended : {}),
  });
}
