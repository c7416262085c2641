// One run in the plane: positions, playing, scrubbing, keys, plots, notes.

import assert from "node:assert/strict";
import test from "node:test";
import { checkPlays, checkPositions, drawnShare, expectedOf, screenshot, withPage } from "./browser.mjs";

const expected = expectedOf("break");
const time = (page) => page.evaluate(() => window.carom.time());

test("shows the recording's positions and says what it shows", async () => {
  await withPage("break", {}, async (page) => {
    await checkPositions(page, expected);
    assert.equal(await page.textContent("#title"), "Break of a rack");
    const facts = await page.textContent("#facts");
    for (const fact of ["gauss_seidel", "56 balls", "400 frames", "0.001 s", "± "]) {
      assert(facts.includes(fact), `${fact} is not in: ${facts}`);
    }
    await page.evaluate(() => window.carom.seek(1.75));
    assert(await drawnShare(page, 0) > 0.01, "no balls in the picture");
    await screenshot(page, "break_light");
    await page.evaluate(() => window.carom.seek(1.09));
    await page.waitForTimeout(100);
    await screenshot(page, "break_impulses");
  });
});

test("opens at the time of its address, in the dark as well", async () => {
  await withPage("break", { colorScheme: "dark", hash: "#t=2.5" }, async (page) => {
    assert.equal(await time(page), 2.5);
    await screenshot(page, "break_dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForTimeout(200);
    await page.setViewportSize({ width: 700, height: 600 });
    await page.waitForTimeout(200);
    await screenshot(page, "break_small");
  });
});

test("plays by itself, pauses, steps and jumps by keys", async () => {
  await withPage("break", {}, async (page) => {
    assert(await page.evaluate(() => window.carom.isPlaying()));
    const fps = await checkPlays(page);
    console.log(`break: ${fps.toFixed(1)} pictures per second`);
    const times = await page.evaluate(() => window.carom.frameTimes());
    await page.keyboard.press("Home");
    assert.equal(await time(page), times[0]);
    await page.keyboard.press("ArrowRight");
    assert.equal(await time(page), times[1]);
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await time(page), times[11]);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await time(page), times[10]);
    await page.keyboard.press("End");
    assert.equal(await time(page), times[times.length - 1]);
    await page.keyboard.press("Space");
    assert(await page.evaluate(() => window.carom.isPlaying()));
    await page.keyboard.press("Space");
    assert(!await page.evaluate(() => window.carom.isPlaying()));
  });
});

test("stops at the end unless it loops", async () => {
  await withPage("break", {}, async (page) => {
    await page.click("#loop");
    await page.evaluate(() => { window.carom.pause(); window.carom.seek(3.9); window.carom.play(); });
    await page.waitForFunction(() => !window.carom.isPlaying(), null, { timeout: 30000 });
    assert.equal(await time(page), 3.99);
  });
});

test("slider and plots lead to a time", async () => {
  await withPage("break", { hash: "#t=0" }, async (page) => {
    await page.locator("#slider").fill("1.5");
    assert.equal(await time(page), 1.5);
    const box = await page.locator(".plot canvas").first().boundingBox();
    await page.mouse.click(box.x + 58 + 0.5 * (box.width - 66), box.y + 40);
    assert(Math.abs(await time(page) - 3.99 / 2) < 0.02, `time ${await time(page)}`);
  });
});

test("round-off of the energy is told in words", async () => {
  await withPage("break", { hash: "#t=1" }, async (page) => {
    const words = await page.locator(".plot .words").first().textContent();
    assert.match(words, /^constant (to \d(\.\d)?·10⁻¹[³⁴⁵⁶]|exactly)$/);
  });
});

test("names the ball under the pointer and follows a clicked one", async () => {
  await withPage("break", { hash: "#t=0" }, async (page) => {
    const [x, y] = await page.evaluate(() => {
      const cell = document.querySelector(".cell").getBoundingClientRect();
      const { camera } = window.carom.camera();
      const q = window.carom.positions(0);
      // The table's middle, (4, 0), is drawn at 0.
      return [
        cell.left + (((q[0] - 4) * camera.zoom / camera.right + 1) / 2) * cell.width,
        cell.top + ((1 - (q[1] * camera.zoom) / camera.top) / 2) * cell.height,
      ];
    });
    await page.mouse.move(x, y);
    await page.waitForSelector("#tooltip:not([hidden])");
    const note = await page.textContent("#tooltip");
    assert.match(note, /^cueposition\(−14\.0+, 0\.0+\) mspeed12 m\/s/);
    await page.mouse.click(x, y);
    await page.mouse.move(5, 5);
    await page.waitForTimeout(100);
    assert(await page.isVisible("#tooltip"), "a clicked ball keeps its note");
    await screenshot(page, "break_note");
  });
});

test("colours differ between fast and slow, and between bodies", async () => {
  await withPage("break", { hash: "#t=0" }, async (page) => {
    const slow = await page.locator(".cell").screenshot();
    await page.keyboard.press("c");
    await page.waitForTimeout(100);
    assert(!slow.equals(await page.locator(".cell").screenshot()));
    assert(!await page.isVisible("#legend"), "the legend belongs to speed");
  });
});

test("zooms, moves and finds back", async () => {
  await withPage("break", { hash: "#t=0" }, async (page) => {
    const zoom = () => page.evaluate(() => window.carom.camera().camera.zoom);
    assert.equal(await zoom(), 1);
    await page.mouse.move(600, 300);
    await page.mouse.wheel(0, -600);
    await page.waitForTimeout(100);
    assert(await zoom() > 1.2, `zoom ${await zoom()}`);
    await page.keyboard.press("f");
    assert.equal(await zoom(), 1);
    await page.keyboard.press("?");
    await page.keyboard.press("c");
    await page.waitForTimeout(100);
    await screenshot(page, "break_bodies_and_help");
  });
});

test("legends stand beside the scene", async () => {
  await withPage("break", { hash: "#t=0" }, async (page) => {
    const stage = await page.locator("#stage").boundingBox();
    for (const id of ["#legend", "#impulse-legend"]) {
      const box = await page.locator(id).boundingBox();
      assert(box.y >= stage.y + stage.height - 0.5, `${id} covers the scene`);
    }
  });
});

test("the page tells what arrows mean", async () => {
  await withPage("rest", { hash: "#t=0" }, async (page) => {
    const legend = () => page.textContent("#impulse-legend");
    await page.evaluate(() => window.carom.seek(0.2));
    assert((await legend()).includes("1000"), await legend());
    await page.uncheck("#arrows");
    assert(!await page.isVisible("#impulse-legend"));
  });
});

test("the small impulses of what rests are seen after a big impact", async () => {
  await withPage("rest", { hash: "#t=0" }, async (page) => {
    await page.selectOption("#colour", "body");
    for (const [time, longest] of [[0.2, 1000], [1.8, 0.002]]) {
      await page.check("#arrows");
      await page.evaluate((t) => window.carom.seek(t), time);
      assert(Math.abs(await page.evaluate(() => window.carom.longestImpulse()) / longest - 1) < 1e-3);
      const seen = await drawnShare(page, 0);
      await screenshot(page, `rest_${time}`);
      await page.uncheck("#arrows");
      const without = await drawnShare(page, 0);
      assert(Math.abs(seen - without) > 2e-4, `time ${time}: ${seen} with arrows, ${without} without`);
    }
  });
});
