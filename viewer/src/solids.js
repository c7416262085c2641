// Bodies with a form of their own: one instanced mesh per solid, and the same instances of its edges.

import {
  BufferAttribute, DoubleSide, GLSL3, InstancedBufferGeometry, Mesh, Quaternion, ShaderMaterial, Vector2,
  Vector3,
} from "three";
import { creaseEdges, rayMeets, smoothedSurface } from "./crease.js";
import { fragmentHead, Instances, lightHead, vertexHead } from "./instances.js";
import { lineFragment, lineVertex } from "./segments.js";

const kEdgeWidth = 1.2; // pixels
// Round about an axis, so that only a pattern shows how they turn.
const kRoundTypes = ["capsule", "cylinder"];

const fillVertex = /* glsl */ `
  ${vertexHead}
  out vec3 seen; // view space
  out vec3 upright;
  out vec3 inBody;
  void main() {
    dress();
    vec4 place = viewMatrix * vec4(centre + turned(turn, position), 1.0);
    seen = place.xyz;
    upright = mat3(viewMatrix) * turned(turn, normal);
    inBody = position;
    gl_Position = projectionMatrix * place;
  }
`;

const flatFragment = /* glsl */ `
  ${fragmentHead}
  out vec4 pixelColour;
  void main() {
    pixelColour = vec4(colour, 1.0);
  }
`;

const spatialFragment = /* glsl */ `
  ${fragmentHead}
  ${lightHead}
  uniform bool patterned;
  in vec3 seen;
  in vec3 upright;
  in vec3 inBody;
  out vec4 pixelColour;
  void main() {
    vec3 base = colour * colour;
    if (patterned) base *= octants(inBody, fwidth(inBody));
    vec3 normal = normalize(gl_FrontFacing ? upright : -upright);
    vec3 shown = lit(base, normal, normalize(seen));
    pixelColour = vec4(mix(shown, markColour, 0.25 * marked), 1.0);
  }
`;

const edgeVertex = /* glsl */ `
  ${vertexHead}
  ${lineVertex}
  in vec3 from;
  in vec3 to;
  uniform bool fades;
  flat out float strength;
  void main() {
    dress();
    gl_Position = lineCorner(viewMatrix * vec4(centre + turned(turn, from), 1.0),
                             viewMatrix * vec4(centre + turned(turn, to), 1.0), position.xy, 0.5 * width);
    // Seen from afar the edges of a fine mesh would be all that one sees of it.
    strength = fades ? smoothstep(0.5, 3.0, lineLength / width) : 1.0;
    if (strength < 0.02) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }
`;

const edgeFragment = /* glsl */ `
  ${fragmentHead}
  ${lineFragment}
  flat in float strength;
  out vec4 pixelColour;
  void main() {
    pixelColour = vec4(rimColour(), strength * lineCover());
  }
`;

function fillGeometry(surface) {
  const { positions, normals } = smoothedSurface(surface);
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  return geometry;
}

/** Four corners for each piece of line, which the shader moves apart; `lines`: pairs of points. */
function lineGeometry(lines) {
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  const array = (size, numbers) => new BufferAttribute(new Float32Array(lines.flatMap(numbers)), size);
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", array(3, () => corners.flatMap(([x, y]) => [x, y, 0])));
  geometry.setAttribute("from", array(3, ([from]) => corners.flatMap(() => from)));
  geometry.setAttribute("to", array(3, ([, to]) => corners.flatMap(() => to)));
  geometry.setIndex(lines.flatMap((_, k) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * k + corner)));
  return geometry;
}

/** From the middle towards the surface along x: how a flat body is turned. */
export function angleMark(surface) {
  const onSurface = (x) => rayMeets(surface, [x, 0, 1], [0, 0, -1]) < Infinity; // seen from above
  const reach = surface.vertices.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  let end = 0.5 * reach;
  while (end > 0.05 * reach && !onSurface(end)) end *= 0.8;
  return [[0, 0, 0], [end, 0, 0]];
}

function linesOf(surface, inSpace) {
  const at = (vertex) => Array.from(surface.vertices.subarray(3 * vertex, 3 * vertex + 3));
  const lines = creaseEdges(surface).map(([a, b]) => [at(a), at(b)]);
  return inSpace ? lines : [...lines, angleMark(surface)];
}

/** All bodies of one solid. */
class SolidBodies {
  constructor(run, solid, instances, uniforms) {
    this.surface = solid.surface;
    this.instances = instances;
    const inSpace = run.dimension === 3;
    const fill = fillGeometry(solid.surface);
    const lines = lineGeometry(linesOf(solid.surface, inSpace));
    this.meshes = [
      new Mesh(fill, new ShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: fillVertex,
        fragmentShader: inSpace ? spatialFragment : flatFragment,
        uniforms: { ...uniforms, patterned: { value: kRoundTypes.includes(solid.type) } },
        side: DoubleSide,
        transparent: !inSpace, // drawn in their order, as discs are
        depthTest: inSpace,
        depthWrite: inSpace,
        polygonOffset: inSpace, // edges lie in front of their own surface
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      })),
      new Mesh(lines, new ShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: edgeVertex,
        fragmentShader: edgeFragment,
        uniforms: {
          ...uniforms,
          resolution: { value: new Vector2(1, 1) },
          width: { value: kEdgeWidth },
          fades: { value: inSpace },
        },
        transparent: true,
        depthTest: inSpace,
        depthWrite: false,
      })),
    ];
    this.meshes.forEach((mesh, k) => {
      instances.attach(mesh.geometry);
      mesh.frustumCulled = false;
      mesh.renderOrder = 2 + 0.1 * k;
    });
    this.meshes[1].userData.segments = { setResolution: (...size) => this.setResolution(...size) };
  }

  setResolution(width, height, pixelRatio) {
    const { uniforms } = this.meshes[1].material;
    uniforms.resolution.value.set(width, height);
    uniforms.width.value = kEdgeWidth * pixelRatio;
  }
}

export class Solids {
  /** As for Balls. */
  constructor(run, uniforms, { origin, shades }) {
    this.run = run;
    this.kinds = [];
    run.solids.forEach((solid, number) => {
      if (!solid.surface) return;
      const members = [];
      for (let body = 0; body < run.bodies; ++body) if (run.solidOf[body] === number) members.push(body);
      if (members.length === 0) return;
      const instances = new Instances(run, members, { origin, shades });
      this.kinds.push(new SolidBodies(run, solid, instances, uniforms));
    });
    this.meshes = this.kinds.flatMap((kind) => kind.meshes);
  }

  /** How far along a ray of the world a body is met; Infinity where it is not. */
  meets(body, position, orientation, ray) {
    const [w, x, y, z] = orientation;
    const back = new Quaternion(-x, -y, -z, w);
    const origin = ray.origin.clone().sub(new Vector3(...position)).applyQuaternion(back);
    const direction = ray.direction.clone().applyQuaternion(back);
    return rayMeets(this.run.solidFor(body).surface, origin.toArray(), direction.toArray());
  }
}
