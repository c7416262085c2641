// Bodies that turn, in the plane and in space.

import assert from "node:assert/strict";
import test from "node:test";
import {
  checkOrientations, checkPlays, checkPositions, coloursAt, expectedOf, isColoured, quaternionOf,
  screenshot, withPage,
} from "./browser.mjs";

function turned([w, x, y, z], v) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const t = cross([x, y, z], v).map((c, k) => c + w * v[k]);
  return cross([x, y, z], t).map((c, k) => v[k] + 2 * c);
}

/** Points of bodies' own coordinates where they are in the world. */
function inWorld({ positions, orientations }, body, points) {
  const q = quaternionOf(orientations, body);
  return points.map((p) => turned(q, p).map((x, k) => x + positions[3 * body + k]));
}

// Colours of bodies instead of speeds, which are all slow here; nothing over the bodies.
async function bare(page, time) {
  await page.evaluate((t) => { window.carom.pause(); window.carom.seek(t); }, time);
  await page.selectOption("#colour", "body");
  for (const id of ["#trails", "#arrows", "#contacts"]) await page.uncheck(id);
  await page.mouse.move(5, 5);
  await page.waitForTimeout(100);
}

const pixelsOf = (page, points) =>
  page.evaluate((list) => list.map((point) => window.carom.pixelOf(point)), points);

for (const [name, facts] of [["tumble_flat", "6 bodies"], ["tumble_space", "7 bodies"]]) {
  const expected = expectedOf(name);
  const [run] = expected.runs;

  test(`${name} shows the recording's poses`, async () => {
    await withPage(name, {}, async (page) => {
      await checkPositions(page, expected);
      await checkOrientations(page, expected);
      const text = await page.textContent("#facts");
      assert(text.includes(facts) && /orientations ± \d/.test(text), text);
      await checkPlays(page);
      await page.evaluate(() => window.carom.seek(0.66));
      await page.check("#contacts");
      await page.waitForTimeout(100);
      await screenshot(page, name);
    });
  });

  test(`${name} draws every solid where its pose says`, async () => {
    await withPage(name, { hash: "#t=0" }, async (page) => {
      for (const frame of run.frames) {
        await bare(page, frame.time);
        for (const [body, number] of run.solids.entries()) {
          const surface = run.forms[number]?.surface;
          if (!surface) continue;
          // Just inside of the corners, and in the plane just outside as well.
          const corners = surface.vertices.filter((_, k) => k % Math.ceil(surface.vertices.length / 12) === 0);
          const inside = inWorld(frame, body, corners.map((v) => v.map((x) => 0.93 * x)));
          const found = await coloursAt(page, await pixelsOf(page, inside));
          found.forEach((rgb, k) => assert(isColoured(rgb),
            `${run.names[body]}, time ${frame.time}: corner ${k} is ${rgb}`));
          if (name !== "tumble_flat") continue;
          const outside = inWorld(frame, body, corners.map((v) => v.map((x) => 1.12 * x)));
          const beyond = await coloursAt(page, await pixelsOf(page, outside));
          beyond.forEach((rgb, k) => assert(!isColoured(rgb),
            `${run.names[body]}, time ${frame.time}: beyond corner ${k} is ${rgb}`));
        }
      }
    });
  });

  test(`${name} draws the obstacle`, async () => {
    await withPage(name, { hash: "#t=0" }, async (page) => {
      await bare(page, 0);
      const [ramp] = run.shapes;
      const corners = ramp.surface.vertices.map((v) => turned(ramp.orientation, v.map((x) => 0.9 * x)))
        .map((v) => v.map((x, k) => x + ramp.position[k]));
      const background = (await coloursAt(page, [[20, 80]]))[0];
      for (const rgb of await coloursAt(page, await pixelsOf(page, corners))) {
        assert(Math.abs(rgb[1] - background[1]) > 10, `${rgb} on ${background}`);
      }
    });
  });

  test(`${name} names the solid under the pointer, and only there`, async () => {
    await withPage(name, { hash: "#t=0" }, async (page) => {
      const [frame] = run.frames;
      const [on, beside] = await pixelsOf(page, inWorld(frame, 0, [[0.93, 0.2, 0], [0, 0.85, 0]]));
      await page.mouse.move(...on);
      await page.waitForSelector("#tooltip:not([hidden])");
      assert.match(await page.textContent("#tooltip"), /^long boxposition.*solidbox$/);
      await page.mouse.move(...beside);
      await page.waitForSelector("#tooltip", { state: "hidden" });
    });
  });

  test(`${name} shows arrows, points and normals at the contacts`, async () => {
    await withPage(name, { hash: "#t=0" }, async (page) => {
      const shown = () => page.evaluate(() => {
        window.carom.seek(0.5);
        return window.carom.contacts();
      });
      assert.deepEqual((await shown()).points, [], "off at first");
      await page.check("#contacts");
      const { starts, points, feet, tips } = await shown();
      const point = [0.25, -3.5, name === "tumble_flat" ? 0 : 0.25];
      const near = (a, b) => a.every((x, k) => Math.abs(x - b[k]) < 1e-6);
      for (const found of [starts, points, feet]) assert(near(found[0], point), `${found}`);
      // The normal is y, and the impulse is not.
      assert(near([tips[0][0], tips[0][2]], [point[0], point[2]]) && tips[0][1] > point[1] + 0.1, `${tips}`);
      await bare(page, 0.5);
      await page.check("#contacts");
      await page.waitForTimeout(100);
      const [[r, , b]] = await coloursAt(page, await pixelsOf(page, [point]));
      assert(b > r + 60, "no blue point at the contact");
    });
  });
}

test("balls that turn look different when they have turned, others do not", async () => {
  for (const name of ["tumble_flat", "tumble_space"]) {
    const [run] = expectedOf(name).runs;
    await withPage(name, { hash: "#t=0" }, async (page) => {
      const looks = [];
      for (const frame of [run.frames[0], run.frames[1]]) {
        await bare(page, frame.time);
        const places = await page.evaluate(() => {
          const q = window.carom.positions();
          const around = (body, r) => Array.from({ length: 16 }, (_, k) => [
            q[3 * body] + r * Math.cos(k), q[3 * body + 1] + r * Math.sin(k), q[3 * body + 2]]);
          return [...around(1, 0.3), ...around(3, 0.2)].map((point) => window.carom.pixelOf(point));
        });
        looks.push(await coloursAt(page, places));
      }
      const differ = (k) => looks[0][k].some((x, c) => Math.abs(x - looks[1][k][c]) > 25);
      const count = (from) => Array.from({ length: 16 }, (_, k) => differ(from + k)).filter(Boolean).length;
      assert(count(0) >= 1, `${name}: the turning ball looks the same`);
      assert.equal(count(16), 0, `${name}: the other ball changed`);
    });
  }
});

test("solids in the dark", async () => {
  await withPage("tumble_space", { colorScheme: "dark", hash: "#t=1.5" }, async (page) => {
    await page.keyboard.press("c");
    await page.waitForTimeout(200);
    await screenshot(page, "tumble_space_dark");
  });
});
