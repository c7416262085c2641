// Exported glTF: valid by the format's own checker, and read by three.js as it was recorded.

import assert from "node:assert/strict";
import test from "node:test";
import { angleBetween, expectedOf, packageOf, quaternionOf, readBytes, withScript } from "./browser.mjs";

// What 32-bit numbers of this size can be off by.
const kRounding = 1e-6;
// What the recording has beside what the page shows.
const kWalls = ["floor", "room", "dome", "rod"];

const loader = `
  import { AnimationMixer, LoopOnce, Quaternion, Vector3 } from "three";
  import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
  window.load = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    window.gltf = await new GLTFLoader().parseAsync(bytes.buffer, "");
    window.mixer = new AnimationMixer(window.gltf.scene);
    window.action = window.mixer.clipAction(window.gltf.animations[0]);
    window.action.setLoop(LoopOnce);
    window.action.clampWhenFinished = true;
    const { nodes } = window.gltf.parser.json;
    window.nodes = await Promise.all(nodes.map((_, k) => window.gltf.parser.getDependency("node", k)));
  };
  window.posesAt = (time) => {
    window.action.reset().play();
    window.mixer.setTime(time);
    window.gltf.scene.updateMatrixWorld(true);
    return window.nodes.map((node) => {
      const q = node.getWorldQuaternion(new Quaternion());
      return { position: node.getWorldPosition(new Vector3()).toArray(), orientation: [q.w, q.x, q.y, q.z] };
    });
  };
`;

for (const name of ["tumble_flat", "tumble_space"]) {
  const bytes = readBytes(`${name}.glb`);
  const [run] = expectedOf(name).runs;

  test(`${name}.glb is valid`, async () => {
    const report = await packageOf("gltf-validator").validateBytes(new Uint8Array(bytes));
    assert.deepEqual(report.issues.messages, []);
    assert.equal(report.info.animationCount, 1);
    // Each form once, the ball that does not turn, the walls, the obstacle.
    const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)));
    assert.equal(json.meshes.length, run.forms.length + 2 + kWalls.length);
    assert.deepEqual(json.nodes.slice(1).map((node) => node.name), [...run.names, ...kWalls, "ramp"]);
    for (const mesh of json.meshes) {
      for (const { material } of mesh.primitives) {
        const colour = json.materials[material].pbrMetallicRoughness.baseColorFactor;
        assert(colour.every((x) => x >= 0 && x <= 1), `${colour}`);
      }
    }
    // Two boxes share their mesh.
    const mesh = (body) => json.nodes[1 + run.names.indexOf(body)].mesh;
    assert.equal(mesh("long box"), mesh("slow box"));
  });

  test(`${name}.glb is read by three.js with the recording's poses`, async () => {
    await withScript(loader, async (page) => {
      await page.evaluate((base64) => window.load(base64), bytes.toString("base64"));
      for (const { time, positions, orientations } of [...run.frames, run.between]) {
        const poses = await page.evaluate((t) => window.posesAt(t), time);
        for (let body = 0; body < run.bodies; ++body) {
          const { position, orientation } = poses[1 + body];
          if (positions) {
            position.forEach((x, k) => assert(Math.abs(x - positions[3 * body + k]) < kRounding,
              `${run.names[body]} at ${time} s: ${position}`));
          }
          // Nobody sees how a ball of one colour is turned, and it is not stored.
          if (run.names[body] === "ball") continue;
          const off = angleBetween(orientation, quaternionOf(orientations, body));
          assert(off < 4 * kRounding, `${run.names[body]} at ${time} s: turned by ${off}`);
        }
        const [ramp] = run.shapes;
        assert(angleBetween(poses.at(-1).orientation, ramp.orientation) < kRounding);
        poses.at(-1).position.forEach((x, k) => assert(Math.abs(x - ramp.position[k]) < kRounding));
      }
    });
  });

  test(`${name}.glb turns the short way, for programs that do not see to it`, async () => {
    await withScript(loader, async (page) => {
      await page.evaluate((base64) => window.load(base64), bytes.toString("base64"));
      const tracks = await page.evaluate(() => window.gltf.animations[0].tracks
        .filter(({ name: path }) => path.endsWith(".quaternion")).map(({ values }) => Array.from(values)));
      assert(tracks.length >= 5);
      for (const values of tracks) {
        for (let k = 4; k < values.length; k += 4) {
          const nearness = [0, 1, 2, 3].reduce((sum, c) => sum + values[k + c] * values[k + c - 4], 0);
          assert(nearness > 0, `key ${k / 4}: ${nearness}`);
        }
      }
    });
  });

  test(`${name}.glb has the surfaces of the solids`, async () => {
    await withScript(loader, async (page) => {
      await page.evaluate((base64) => window.load(base64), bytes.toString("base64"));
      const meshes = await page.evaluate(() => window.nodes.slice(1).map((node) => {
        const parts = [];
        node.traverse((object) => { if (object.isMesh) parts.push(object); });
        return parts.map(({ geometry: { attributes, index } }) => ({
          corners: Array.from(index.array, (k) => [attributes.position.getX(k), attributes.position.getY(k),
            attributes.position.getZ(k)]),
          normals: Array.from(index.array, (k) => [attributes.normal.getX(k), attributes.normal.getY(k),
            attributes.normal.getZ(k)]),
        }));
      }));
      const forms = [...run.solids.map((number) => run.forms[number]), ...kWalls.map(() => null), run.shapes[0]];
      forms.forEach((form, node) => {
        if (!form?.surface) return;
        const [{ corners }] = meshes[node];
        const expected = form.surface.triangles.flat().map((k) => form.surface.vertices[k]);
        assert.equal(corners.length, expected.length);
        corners.forEach((p, k) => p.forEach((x, axis) =>
          assert(Math.abs(x - expected[k][axis]) < kRounding, `node ${node}, corner ${k}`)));
      });
      // Normals point outwards, and triangles the same way.
      for (const { corners, normals } of meshes[1]) {
        for (let k = 0; k < corners.length; k += 3) {
          const [a, b, c] = corners.slice(k, k + 3);
          const [u, v] = [b, c].map((p) => p.map((x, axis) => x - a[axis]));
          const area = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
          const along = (p, q) => p.reduce((sum, x, axis) => sum + x * q[axis], 0);
          assert(along(area, a) > 0, "a triangle of the ball faces inwards");
          normals.slice(k, k + 3).forEach((n, i) => assert(Math.abs(along(n, corners[k + i]) - 0.6) < kRounding));
        }
      }
    });
  });
}
