// The lab in headless Chromium: every preset, hands that drag, the text, the link. controls_test.mjs uses every control.
// Run by ./dev test --slow and ./dev wasm --test, which set CAROM_*.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { screenshot } from "../viewer/browser.mjs";
import {
  bodyCount, drag, message, open, pixelOf, positions, said, setRange, settings, still, symmetry, take, withLab,
} from "./pages.mjs";
import { expectations, places } from "./state_hashes.mjs";

test("every preset starts, says what to look for, and runs", async () => {
  await withLab({}, async (page) => {
    const ids = await page.locator("#preset option:not([disabled])").evaluateAll((all) => all.map(({ value }) => value));
    assert(ids.length >= 15, `${ids.length} presets`);
    for (const id of ids) {
      await page.selectOption("#preset", id);
      assert.equal(await message(page), "", id);
      assert.equal(await page.evaluate(() => window.lab.page.preset.id), id);
      await still(page);
      const steps = await page.evaluate(() => {
        const { page: lab } = window.lab;
        return lab.take(Math.min(200, Math.ceil(1 / lab.bench.first.settings.step)));
      });
      assert.equal(steps.stopped, "", id);
      assert(steps.done > 0, id);
      await page.evaluate(() => window.lab.page.restart());
      const seen = await page.evaluate(() => {
        const { bench, stage } = window.lab.page;
        const { left, right, top, bottom } = stage.cells[0].getBoundingClientRect();
        const isSeen = (place) => {
          const [x, y] = stage.pixelOf(0, place);
          return x >= left && x <= right && y >= top && y <= bottom;
        };
        const { positions, bodies, shapes } = bench.first;
        const corner = shapes.filter(({ type }) => type === "half_plane").map(({ point }) => point);
        return Array.from({ length: bodies }, (_, k) => positions.subarray(3 * k, 3 * k + 3)).every(isSeen) &&
          (window.lab.page.preset.id !== "wedge" || corner.every(isSeen));
      });
      assert(seen, `${id}: its bodies, and the wedge's corner, are in the picture at the start`);
      const about = await page.locator("#about").textContent();
      assert(about.split(/[.:] /).length >= 2 && /\(.+\)$/.test(about), `${id}: ${about}`);
      await page.waitForTimeout(150);
      await screenshot(page, `lab_${id}`);
    }
  });
});

test("ten scenes have the bits of this machine in the browser, too", async () => {
  await withLab({}, async (page) => {
    await still(page);
    const wanted = expectations().filter(({ size }) => size === "each-step");
    assert(wanted.length >= 10, `${wanted.length} scenes`);
    for (const { scene, operator, hashes } of wanted) {
      const result = await page.evaluate(([text, name, last]) => window.lab.page.engine.stateHashes(text, name, last),
        [readFileSync(places[scene], "utf8"), operator, Math.max(...hashes.keys())]);
      for (const [step, hash] of hashes) assert.equal(result.hashes[step - 1], hash, `${scene}, step ${step}`);
    }
  });
});

test("the break is symmetric with GR and visibly not with Gauss-Seidel", async () => {
  await withLab({ hash: "#preset=break" }, async (page) => {
    await open(page, "break");
    await take(page, 500);
    const [gr, gauss] = await symmetry(page);
    assert(gr <= 1e-12, `gr: ${gr}`);
    assert(gauss > 0.5, `Gauss-Seidel: ${gauss}`);
    await page.waitForTimeout(150);
    await screenshot(page, "lab_break_after");
  });
});

test("a cradle's ball, pulled by the mouse, swings and sends off the last one", async () => {
  await withLab({ hash: "#preset=cradle" }, async (page) => {
    await still(page);
    const before = await positions(page);
    const from = await pixelOf(page, before.slice(0, 3));
    const to = await pixelOf(page, [-0.85, -0.85, 0]);
    await drag(page, from, to);
    await page.mouse.up();
    const lifted = await positions(page);
    assert(lifted[1] > before[1] + 0.05, "the ball was not lifted");
    const length = Math.hypot(lifted[0] + 0.4, lifted[1]);
    assert(Math.abs(length - 1) < 1e-4, `its string has ${length}`);
    let highest = -1;
    for (let k = 0; k < 60; ++k) {
      await take(page, 100);
      const now = await positions(page);
      highest = Math.max(highest, now[13]);
      assert(Math.abs(now[7] + 1) < 1e-3, "the middle one stays");
    }
    assert(Math.abs(highest - lifted[1]) < 0.01, `it rose to ${highest}, not ${lifted[1]}`);
    await screenshot(page, "lab_cradle_pulled");
  });
});

test("a body that is dragged while time passes follows the hand and is thrown", async () => {
  await withLab({ hash: "#preset=bernoulli" }, async (page) => {
    await page.evaluate(() => window.lab.page.restart());
    await still(page);
    const from = await pixelOf(page, (await positions(page)).slice(3, 6));
    await page.evaluate(() => window.lab.page.setPlaying(true));
    await drag(page, from, [from[0] + 30, from[1] - 120]);
    await page.waitForFunction(() => window.lab.page.bench.first.velocities[4] > 0.1);
    await page.mouse.up();
    await still(page);
    assert((await positions(page))[4] > 0.6, "it did not follow");
    await page.keyboard.press("Control+z");
    assert(Math.abs((await positions(page))[4] - 0.5) < 1e-9, "undo");
  });
});

test("tools: aim, add, draw a wall, delete, undo", async () => {
  await withLab({ hash: "#preset=break" }, async (page) => {
    await open(page, "break");
    const cue = await pixelOf(page, [-5, 0, 0]);
    await page.click("[data-tool=aim]");
    await drag(page, cue, [cue[0] + 60, cue[1] - 40]);
    await screenshot(page, "lab_aiming");
    await page.mouse.up();
    const velocities = await page.evaluate(() => Array.from(window.lab.page.bench.first.velocities.slice(0, 3)));
    assert(velocities[0] > 0 && velocities[1] > 0, `aimed: ${velocities}`);
    await page.click("[data-tool=ball]");
    const free = await pixelOf(page, [-5, 6, 0]);
    await page.mouse.click(...free);
    assert.equal(await bodyCount(page), 57);
    await page.click("[data-tool=box]");
    await page.mouse.click(...await pixelOf(page, [-5, -6, 0]));
    assert.equal(await bodyCount(page), 58);
    await page.click("[data-tool=wall]");
    await drag(page, await pixelOf(page, [-2.5, -4, 0]), await pixelOf(page, [-2.5, 4, 0]));
    await page.mouse.up();
    assert.equal(await page.evaluate(() => window.lab.page.bench.first.shapes.length), 1);
    await page.waitForTimeout(150);
    await screenshot(page, "lab_tools");
    await page.click("[data-tool=delete]");
    await page.mouse.click(...free);
    assert.equal(await bodyCount(page), 57);
    await page.mouse.click(...await pixelOf(page, [-2.5, 0, 0]));
    assert.equal(await page.evaluate(() => window.lab.page.bench.first.shapes.length), 0);
    for (let k = 0; k < 7; ++k) await page.click("#undo"); // going to the start is one, too
    assert.equal(await bodyCount(page), 56);
    assert(await page.locator("#undo").isDisabled());
    // Where there is no room the edit is refused, and everything is as it was.
    await page.click("[data-tool=ball]");
    await page.evaluate(() => window.lab.page.add("ball", [-5, 0.5, 0]));
    assert.match(await message(page), /overlap/);
    assert.equal(await bodyCount(page), 56);
  });
});

test("sliders, operators and schemes change the running scene", async () => {
  await withLab({ hash: "#preset=break" }, async (page) => {
    await open(page, "break");
    await take(page, 30);
    const before = await positions(page);
    await setRange(page, "restitution", 0.5);
    await setRange(page, "friction", 0.25);
    await setRange(page, "gravity", 5);
    await setRange(page, "step", -2.3);
    const now = await settings(page);
    assert.deepEqual([now.restitution, now.friction, now.gravity[1], now.step], [0.5, 0.25, -5, 0.005]);
    assert.deepEqual(await positions(page), before, "nothing jumps");
    await take(page, 10);
    assert.notDeepEqual(await positions(page), before);
    await page.selectOption("#scheme", "events");
    assert.equal((await settings(page)).scheme, "events");
    await page.selectOption("#scheme", "steps");
    for (const operator of ["lcp", "qce"]) await page.check(`#operators input[value="${operator}"]`);
    assert.deepEqual(await page.evaluate(() => window.lab.page.bench.operators), ["gr", "gauss_seidel", "lcp", "qce"]);
    assert.equal(await page.locator(".cell").count(), 4);
    await page.uncheck(`#operators input[value="gauss_seidel"]`);
    assert.equal(await page.locator(".cell").count(), 3);
    assert.equal(await message(page), "");
  });
});

test("an impact is shown application by application", async () => {
  await withLab({ hash: "#preset=break" }, async (page) => {
    await open(page, "break");
    const seen = [];
    for (let k = 0; k < 4; ++k) {
      await page.click("#application");
      seen.push(await page.locator("#certificate").textContent());
      // Drawn with the next picture.
      await page.waitForFunction(() => window.lab.page.stage.views[1].arrows.shafts.count > 0);
    }
    assert.match(seen[0], /gr: application 1 of \d+, 1 push/);
    assert.match(seen[3], /application 4 of/);
    await screenshot(page, "lab_application");
    await take(page, 1);
    await page.evaluate(() => window.lab.page.impact.tell(true));
    assert.match(await page.locator("#certificate").textContent(),
      /gr: \d+ contacts? (at once, )?.*resolved in \d+ applications?; energy kept to .*; momentum kept; nobody pulls\./);
  });
});

test("faults of the text are shown at their line", async () => {
  await withLab({ hash: "#preset=break" }, async (page) => {
    await still(page);
    await page.click("#source summary");
    const text = await page.inputValue("#text");
    const lines = text.split("\n");
    const at = lines.findIndex((line) => line.startsWith("duration"));
    await page.fill("#text", [...lines.slice(0, at), "duratoin = 10.0", ...lines.slice(at + 1)].join("\n"));
    await page.click("#apply");
    assert.match(await page.locator("#fault").textContent(), new RegExp(`^Line ${at + 1}: .*duration`));
    assert.equal(await page.locator("#gutter b").textContent(), String(at + 1));
    await screenshot(page, "lab_fault");
    await page.fill("#text", text.replace("[10.0, 0.0]", "[20.0, 0.0]"));
    await page.click("#apply");
    assert.equal(await page.locator("#fault").textContent(), "");
    assert.equal(await page.evaluate(() => window.lab.page.bench.first.velocities[0]), 20);
  });
});

test("a link and a file bring the scene back, to the bit", async () => {
  let link = "";
  let before = [];
  let text = "";
  await withLab({ hash: "#preset=break" }, async (page) => {
    await open(page, "break");
    await take(page, 40);
    await page.evaluate(() => window.lab.page.try((engine) => engine.addBall([-8, 7, 0], 1, 1)));
    await page.click("#link");
    await page.waitForFunction(() => location.hash.startsWith("#scene="));
    link = await page.evaluate(() => location.hash);
    before = await positions(page);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    text = readFileSync(await download.path(), "utf8");
  });
  await withLab({ hash: link }, async (page) => {
    assert.equal(await page.evaluate(() => window.lab.page.bench.operators.join()), "gr,gauss_seidel");
    await still(page);
    await page.evaluate(() => window.lab.page.restart());
    assert.deepEqual(await positions(page), before);
    assert.equal(await page.evaluate((t) => window.lab.page.open(t, []), text), null);
    assert.deepEqual(await positions(page), before);
  });
});

test("bodies are changed by keyboard alone", async () => {
  await withLab({ hash: "#preset=break" }, async (page) => {
    await open(page, "break");
    await page.selectOption("#body", "0");
    assert.equal(await page.inputValue("#body-x"), "-5");
    await page.fill("#body-radius", "0.5");
    await page.press("#body-radius", "Enter");
    await page.locator("#body-radius").blur();
    assert.equal(await page.evaluate(() => window.lab.page.bench.first.radii.at(-1)), 0.5);
    assert.equal(await page.evaluate(() => window.lab.page.bench.first.nameOf(window.lab.page.selected)), "cue");
    await page.fill("#body-mass", "3");
    await page.locator("#body-mass").blur();
    assert.equal(await page.evaluate(() => window.lab.page.bench.first.masses.at(-1)), 3);
    await page.fill("#body-vy", "1");
    await page.locator("#body-vy").blur();
    assert.equal(await page.evaluate(() => window.lab.page.bench.first.velocities.at(-2)), 1);
    await page.click("#body-remove");
    assert.equal(await bodyCount(page), 55);
    await page.locator("#play").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => window.lab.page.bench.first.report.step), 1);
  });
});

test("special controls: speeds, angles, digits of pi, pressure", async () => {
  await withLab({ hash: "#preset=chain" }, async (page) => {
    await open(page, "chain");
    await page.waitForTimeout(300);
    await setRange(page, "special-value", 0.25);
    assert.equal(await page.evaluate(() => window.lab.page.bench.first.velocities[0]), 0.25);
    await still(page);
    await take(page, 260);
    const velocity = await page.evaluate(() => Array.from(window.lab.page.bench.first.velocities));
    const momentum = velocity[0] + velocity[3] + velocity[6];
    assert(Math.abs(momentum + 0.75) < 1e-12, `momentum ${momentum}`);
    await page.waitForTimeout(150);
    await screenshot(page, "lab_chain_curve");
    await open(page, "wedge");
    await setRange(page, "special-value", 10);
    await still(page);
    await take(page, 200);
    await said(page, "#special p", /gauss_seidel: 1[78]\./);
    await open(page, "galperin");
    await take(page, 2000);
    await said(page, "#special p", /so far: 31\. In all: 31\./);
    await open(page, "gas");
    await take(page, 400);
    const text = await said(page, "#special p", /ideal gas: [\d.]+ measured in [1-9]\d{3,} collisions/);
    const [, measured, formula] = /ideal gas: ([\d.]+) measured.* ([\d.]+) by/.exec(text);
    assert(Math.abs(measured / formula - 1) < 0.04, `${measured} against ${formula}`);
    await screenshot(page, "lab_gas_pressure");
  });
});
