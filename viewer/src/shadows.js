// Soft shadows on floors. A camera far above sees how deep everything reaches down; from that each floor
// gets a picture of how much of a wide light is hidden from its places: sharp below what lies on it, soft
// below what is high up.

import {
  DepthTexture, GLSL3, GreaterDepth, Matrix4, Mesh, NearestFilter, OrthographicCamera, PlaneGeometry, Scene,
  ShaderMaterial, UnsignedIntType, Vector2, Vector3, WebGLRenderTarget,
} from "three";
import { shaderHead } from "./instances.js";
import { cornerHead } from "./quads.js";

const kMapSize = 1024;
const kShadeSize = 320;
const kMostFloors = 3;
// The light's radius over its distance.
const kWidth = 0.16;

const head = /* glsl */ `precision highp float;\n${cornerHead}`;
const anything = /* glsl */ `
  precision highp float;
  out vec4 pixelColour;
  void main() { pixelColour = vec4(1.0); }
`;

const casters = {
  // What is deepest of a ball is its underside.
  balls: {
    vertexShader: /* glsl */ `
      ${head}
      in vec3 centre;
      in float radius;
      out vec2 place;
      out float depth;
      flat out float half_;
      void main() {
        place = corner();
        vec4 middle = viewMatrix * vec4(centre, 1.0);
        gl_Position = projectionMatrix * (middle + vec4(radius * place, 0.0, 0.0));
        depth = 0.5 + 0.5 * gl_Position.z;
        half_ = 0.5 * abs(projectionMatrix[2][2]) * radius;
      }
    `,
    fragmentShader: /* glsl */ `
      precision highp float;
      in vec2 place;
      in float depth;
      flat in float half_;
      out vec4 pixelColour;
      void main() {
        float rest = 1.0 - dot(place, place);
        if (rest <= 0.0) discard;
        gl_FragDepth = depth + half_ * sqrt(rest);
        pixelColour = vec4(1.0);
      }
    `,
  },
  solids: {
    vertexShader: /* glsl */ `
      ${shaderHead}
      in vec3 centre;
      in vec4 turn;
      void main() { gl_Position = projectionMatrix * viewMatrix * vec4(centre + turned(turn, position), 1.0); }
    `,
    fragmentShader: `${shaderHead}\n${anything.replace("precision highp float;", "")}`,
  },
  chains: {
    vertexShader: /* glsl */ `
      ${head}
      uniform float radius;
      in vec3 from;
      in vec3 to;
      void main() {
        vec4 a = viewMatrix * vec4(from, 1.0);
        vec4 b = viewMatrix * vec4(to, 1.0);
        vec2 way = b.xy - a.xy;
        float length_ = length(way);
        vec2 across = length_ > 0.0 ? vec2(-way.y, way.x) / length_ : vec2(1.0, 0.0);
        vec4 end = corner().x < 0.0 ? a : b;
        gl_Position = projectionMatrix * (end + vec4(radius * corner().y * across, 0.0, 0.0));
      }
    `,
    fragmentShader: anything,
  },
  meshes: {
    vertexShader: /* glsl */ `
      void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }
    `,
    fragmentShader: anything,
  },
};

function casterOf(kind, geometry, uniforms = {}) {
  const mesh = new Mesh(geometry, new ShaderMaterial({
    glslVersion: GLSL3, ...casters[kind], uniforms, depthFunc: GreaterDepth, side: 2,
  }));
  mesh.frustumCulled = false;
  return mesh;
}

const shadeVertex = /* glsl */ `
  out vec2 place;
  void main() {
    place = 2.0 * uv - 1.0;
    gl_Position = vec4(place, 0.0, 1.0);
  }
`;

const shadeFragment = /* glsl */ `
  precision highp float;
  uniform sampler2D map;
  uniform mat4 toMap;   // from the scene to 0..1
  uniform vec2 perMetre; // of the map
  uniform float depth;  // m, that the map covers
  uniform float widest; // m
  uniform float least;  // m
  uniform vec3 middle;
  uniform vec3 u;       // half of the floor's sides
  uniform vec3 v;
  in vec2 place;
  out vec4 pixelColour;
  vec2 onDisc(int k, int count) {
    float radius = sqrt((float(k) + 0.5) / float(count));
    float angle = 2.39996323 * float(k);
    return radius * vec2(cos(angle), sin(angle));
  }
  // How far above the floor what hides it is, m; 0 where nothing does.
  float hidden(vec3 at, vec2 shift) {
    float deepest = texture(map, at.xy + shift * perMetre).r;
    float above = (at.z - deepest) * depth;
    return deepest > 0.0 && above > 1e-4 * depth ? above : 0.0;
  }
  void main() {
    vec3 at = (toMap * vec4(middle + place.x * u + place.y * v, 1.0)).xyz;
    float sum = 0.0;
    float count = 0.0;
    for (int k = 0; k < 20; ++k) {
      float above = hidden(at, widest * onDisc(k, 20));
      if (above > 0.0) { sum += above; count += 1.0; }
    }
    if (count == 0.0) { pixelColour = vec4(0.0, 0.0, 0.0, 1.0); return; }
    float height = sum / count;
    float radius = clamp(${kWidth.toFixed(2)} * height, least, widest);
    float cover = 0.0;
    for (int k = 0; k < 28; ++k) if (hidden(at, radius * onDisc(k, 28)) > 0.0) cover += 1.0 / 28.0;
    // The sky lights from all sides what lies far below.
    pixelColour = vec4(vec3(cover * mix(1.0, 0.45, smoothstep(0.0, 8.0 * widest, height))), 1.0);
  }
`;

/** Which of a scene's floors take shadows: those that one can stand on. */
const facing = (floors, up) => floors.filter(({ floor }) => floor.normal.dot(up) > 0.4).slice(0, kMostFloors);

export class Shadows {
  /** `half`: half the extents of what is seen around 0, m; `up`: against gravity. */
  constructor({ balls, solids, surfaces, shapes }, { half, up }) {
    const above = new Vector3(...up).normalize();
    this.floors = above.lengthSq() > 0 ? facing(shapes.floors, above) : [];
    this.isStale = true;
    if (this.floors.length === 0) return;
    this.scene = new Scene();
    if (balls.mesh.visible) this.scene.add(casterOf("balls", balls.mesh.geometry));
    for (const { meshes } of solids.kinds) this.scene.add(casterOf("solids", meshes[0].geometry));
    for (const { fill, rods } of surfaces.parts) {
      if (fill) this.scene.add(casterOf("meshes", fill.geometry));
      if (rods) this.scene.add(casterOf("chains", rods.geometry, { radius: rods.material.uniforms.radius }));
    }
    this.moving = shapes.casters.map(({ mesh, group }) => {
      const caster = casterOf("meshes", mesh.geometry);
      this.scene.add(caster);
      return { caster, mesh, group };
    });
    this.makeCamera(half, above);
    this.makeTargets(half);
  }

  // Nearly from above, a little from the side, so that a shadow tells how high something is.
  makeCamera(half, above) {
    const helper = Math.abs(above.x) < 0.8 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const side = helper.addScaledVector(above, -helper.dot(above)).normalize();
    const light = above.clone().addScaledVector(side, -0.28).addScaledVector(above.clone().cross(side), 0.14).normalize();
    const reach = 1.3 * Math.hypot(...half) || 1;
    this.camera = new OrthographicCamera(-reach, reach, reach, -reach, 0, 4 * reach);
    this.camera.up.copy(side);
    this.camera.position.copy(light.multiplyScalar(2 * reach));
    this.camera.lookAt(0, 0, 0);
    this.camera.updateMatrixWorld();
    this.reach = reach;
    const toUnit = new Matrix4().makeTranslation(0.5, 0.5, 0.5).multiply(new Matrix4().makeScale(0.5, 0.5, 0.5));
    this.toMap = toUnit.multiply(this.camera.projectionMatrix).multiply(this.camera.matrixWorldInverse);
  }

  makeTargets(half) {
    const depthTexture = new DepthTexture(kMapSize, kMapSize, UnsignedIntType);
    depthTexture.minFilter = NearestFilter;
    depthTexture.magFilter = NearestFilter;
    this.map = new WebGLRenderTarget(kMapSize, kMapSize, { depthTexture });
    this.quad = new Scene();
    this.material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: shadeVertex, fragmentShader: shadeFragment, depthTest: false, depthWrite: false,
      uniforms: {
        map: { value: depthTexture }, toMap: { value: this.toMap },
        perMetre: { value: new Vector2().setScalar(0.5 / this.reach) }, depth: { value: 4 * this.reach },
        widest: { value: 0.12 * Math.max(...half) }, least: { value: 0 },
        middle: { value: new Vector3() }, u: { value: new Vector3() }, v: { value: new Vector3() },
      },
    });
    const plane = new Mesh(new PlaneGeometry(2, 2), this.material);
    plane.frustumCulled = false;
    this.quad.add(plane);
    this.shades = this.floors.map(({ floor }) => {
      const target = new WebGLRenderTarget(kShadeSize, kShadeSize, { depthBuffer: false });
      floor.setShade(target.texture);
      return target;
    });
  }

  /** Draws the shadows of the moment; leaves the renderer drawing to the page. */
  render(renderer) {
    if (this.floors.length === 0 || !this.isStale) return;
    this.isStale = false;
    for (const { caster, mesh, group } of this.moving) {
      caster.position.copy(mesh.position).add(group.position);
    }
    const { depth } = renderer.state.buffers;
    renderer.setRenderTarget(this.map);
    depth.setClear(0);
    renderer.clear(true, true, false);
    renderer.render(this.scene, this.camera);
    depth.setClear(1);
    const { uniforms } = this.material;
    this.floors.forEach(({ floor, group }, k) => {
      uniforms.middle.value.copy(floor.middle).add(group.position);
      uniforms.u.value.copy(floor.axes[0]).multiplyScalar(floor.extent.x);
      uniforms.v.value.copy(floor.axes[1]).multiplyScalar(floor.extent.y);
      uniforms.least.value = Math.max(2 * this.reach / kMapSize, 2 * Math.max(...floor.extent.toArray()) / kShadeSize);
      renderer.setRenderTarget(this.shades[k]);
      renderer.render(this.quad, this.camera);
    });
    renderer.setRenderTarget(null);
  }

  dispose() {
    if (this.floors.length === 0) return;
    for (const target of [this.map, ...this.shades]) target.dispose();
    this.map.depthTexture.dispose();
    this.material.dispose();
    this.scene.traverse((object) => object.material?.dispose());
  }
}
