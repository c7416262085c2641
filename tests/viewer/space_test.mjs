// One run in space.

import assert from "node:assert/strict";
import test from "node:test";
import { heightMap } from "../../viewer/src/heights.js";
import { waveMap } from "../../viewer/src/waves.js";
import { checkPlays, checkPositions, drawnShare, expectedOf, screenshot, withPage } from "./browser.mjs";

test("shows balls in space, turns about them, draws walls and impulses", async () => {
  await withPage("space", {}, async (page) => {
    await checkPositions(page, expectedOf("space"));
    await page.evaluate(() => window.carom.seek(0.8));
    await page.waitForTimeout(100);
    assert(await drawnShare(page, 0) > 0.01, "no balls in the picture");
    await screenshot(page, "space_light");
    const eye = () => page.evaluate(() => window.carom.camera().camera.position.toArray());
    const before = await eye();
    await page.mouse.move(600, 300);
    await page.mouse.down();
    await page.mouse.move(760, 340, { steps: 5 });
    await page.mouse.up();
    assert.notDeepEqual(await eye(), before);
    const fps = await checkPlays(page);
    console.log(`space: ${fps.toFixed(1)} pictures per second`);
  });
});

test("the camera goes round the scene on a turntable, at its height and distance", async () => {
  await withPage("space", { hash: "#t=0.8" }, async (page) => {
    const eye = () => page.evaluate(() => {
      const { camera, target, up } = window.carom.camera();
      const way = camera.position.clone().sub(target);
      return { way: way.toArray(), height: way.dot(up), distance: way.length() };
    });
    const before = await eye();
    await page.waitForTimeout(200);
    assert.deepEqual(await eye(), before, "it stands still until it is asked");
    await page.keyboard.press("o");
    assert(await page.isChecked("#turntable"));
    await page.waitForFunction(([x, y]) => {
      const { camera, target } = window.carom.camera();
      return Math.hypot(camera.position.x - target.x - x, camera.position.y - target.y - y) > 0.2;
    }, before.way);
    await page.uncheck("#turntable");
    const after = await eye();
    assert(Math.abs(after.height - before.height) < 1e-9 * before.distance, `${before.height}, then ${after.height}`);
    assert(Math.abs(after.distance - before.distance) < 1e-9 * before.distance, `${before.distance}, then ${after.distance}`);
    assert.equal(await page.evaluate(() => window.carom.time()), 0.8, "time stands still");
  });
  await withPage("springs_flat", { hash: "#t=0.6" }, async (page) => {
    assert(!await page.isVisible("#turntable"), "in the plane there is nothing to go round");
    await page.keyboard.press("o");
    assert(!await page.isChecked("#turntable"));
  });
});

test("looks right in the dark", async () => {
  await withPage("space", { colorScheme: "dark", hash: "#t=1.6" }, async (page) => {
    await page.keyboard.press("c");
    await page.keyboard.press("t");
    await page.waitForTimeout(200);
    await screenshot(page, "space_dark");
  });
});

test("shows a map of heights beside the scene", async () => {
  await withPage("space", { hash: "#t=0.8" }, async (page) => {
    const shown = await page.evaluate(() => {
      const { columns, rows, values } = window.carom.heights();
      return { columns, rows, values: Array.from(values), positions: Array.from(window.carom.positions()) };
    });
    assert.deepEqual([shown.columns, shown.rows], [6, 8]);
    const map = heightMap({ cell: 1, lower: [-3, -3], length: [6, 8] }, shown.positions, 0);
    assert.deepEqual(shown.values, Array.from(map.values));
    assert(await page.isVisible(".heights canvas"));
    assert.match(await page.textContent(".heights figcaption"), /heights, .* to .* m/);
    assert(await page.isVisible(".waves canvas"));
    assert.match(await page.textContent(".waves figcaption"), /waves, the strongest .* m long/);
    const waves = await page.evaluate(() => Array.from(window.carom.waves().values));
    waveMap(map).values.forEach((value, k) => assert(Math.abs(waves[k] - value) < 1e-12, `wave ${k}`));
  });
});
