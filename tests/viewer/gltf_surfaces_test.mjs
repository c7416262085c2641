// Exported glTF of a surface and a chain: valid by the format's own checker, and moved by three.js as it was
// recorded.

import assert from "node:assert/strict";
import test from "node:test";
import { expectedOf, packageOf, readBytes, withScript } from "./browser.mjs";

// What 32-bit numbers of this size can be off by.
const kRounding = 1e-6;

const loader = `
  import { AnimationMixer, LoopOnce, Vector3 } from "three";
  import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
  window.load = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    window.gltf = await new GLTFLoader().parseAsync(bytes.buffer, "");
    window.mixer = new AnimationMixer(window.gltf.scene);
    window.action = window.mixer.clipAction(window.gltf.animations[0]);
    window.action.setLoop(LoopOnce);
    window.action.clampWhenFinished = true;
  };
  window.verticesAt = (name, time) => {
    window.action.reset().play();
    window.mixer.setTime(time);
    window.gltf.scene.updateMatrixWorld(true);
    let mesh = null;
    window.gltf.scene.traverse((object) => { if (object.name === name && object.geometry) mesh = object; });
    const count = mesh.geometry.attributes.position.count;
    return Array.from({ length: count }, (_, k) => mesh.getVertexPosition
      ? mesh.getVertexPosition(k, new Vector3()).applyMatrix4(mesh.matrixWorld).toArray()
      : morphed(mesh, k).applyMatrix4(mesh.matrixWorld).toArray());
  };
  // Lines move likewise, but three.js has no function that says where.
  function morphed({ geometry, morphTargetInfluences }, k) {
    const place = new Vector3().fromBufferAttribute(geometry.attributes.position, k);
    geometry.morphAttributes.position.forEach((target, number) =>
      place.addScaledVector(new Vector3().fromBufferAttribute(target, k), morphTargetInfluences[number]));
    return place;
  }
`;

const bytes = readBytes("flag.glb");
const [run] = expectedOf("flag").runs;

test("flag.glb is valid, a mesh per surface and one node per other body", async () => {
  const report = await packageOf("gltf-validator").validateBytes(new Uint8Array(bytes));
  assert.equal(report.issues.numErrors, 0, JSON.stringify(report.issues.messages.slice(0, 3)));
  assert.equal(report.issues.numWarnings, 0, JSON.stringify(report.issues.messages.slice(0, 3)));
  const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)));
  assert.deepEqual(json.nodes.slice(1).map(({ name }) => name), ["ball", "flag", "rope"]);
  const [, flag, rope] = json.meshes;
  assert.equal(flag.primitives[0].targets.length, run.frameCount - 1);
  assert.equal(rope.primitives[0].mode, 1, "lines");
  console.log(`flag.glb: ${(bytes.length / 1e6).toFixed(1)} MB for 672 vertices in ${run.frameCount} frames`);
});

test("flag.glb is moved by three.js as it was recorded, and straight between frames", async () => {
  await withScript(loader, async (page) => {
    await page.evaluate((base64) => window.load(base64), bytes.toString("base64"));
    for (const { time, positions } of run.frames) {
      for (const { name, first, count } of run.surfaces) {
        const places = await page.evaluate(([n, t]) => window.verticesAt(n, t), [name, time]);
        assert.equal(places.length, count);
        places.forEach((place, k) => place.forEach((x, axis) =>
          assert(Math.abs(x - positions[3 * (first + k) + axis]) < 5 * kRounding,
            `${name}, vertex ${k} at ${time} s: ${place}`)));
      }
    }
    const at = (time) => page.evaluate((t) => window.verticesAt("flag", t), time);
    const [before, middle, after] = [await at(0.02), await at(0.03), await at(0.04)];
    middle.forEach((place, k) => place.forEach((x, axis) =>
      assert(Math.abs(x - (before[k][axis] + after[k][axis]) / 2) < 5 * kRounding)));
    assert(before.some((place, k) => Math.abs(place[2] - after[k][2]) > 0.01), "nothing moves");
  });
});
