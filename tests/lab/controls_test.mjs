// The lab in headless Chromium: each of its controls does what it says, by pointer and by key; names for readers of
// screens; a phone; how fast it is. Run as lab_test.mjs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { screenshot } from "../viewer/browser.mjs";
import { bodyCount, message, open, pixelOf, positions, setRange, settings, still, take, withLab } from "./pages.mjs";

const kMostBytes = 1.5e6; // of the page, compressed
const kControls = "button, input, select, textarea, summary";
const lab = (page, what) => page.evaluate(`window.lab.page.${what}`);
const change = (page, id, value) => page.locator(`#${id}`).evaluate((input, x) => {
  input.value = x;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}, String(value));

/** What using a control has to change: [what is read, how it is used], by the control's id. */
const kUses = {
  preset: ["preset.id", (page) => page.selectOption("#preset", "bernoulli")],
  undo: ["bench.first.bodies", async (page) => {
    await lab(page, "try((engine) => engine.remove(1))");
    await page.evaluate(() => { window.bodiesBefore = window.lab.page.bench.first.bodies; });
    await page.click("#undo");
    assert.equal(await bodyCount(page), await page.evaluate(() => window.bodiesBefore + 1));
    await lab(page, "try((engine) => engine.remove(1))");
  }],
  fit: ["stage.camera.camera.top", async (page) => {
    await take(page, 400);
    await page.click("#fit");
  }],
  "to-start": ["bench.first.report.step", (page) => page.click("#to-start")],
  play: ["playing", (page) => page.click("#play")],
  "step-forward": ["bench.first.report.step", (page) => page.click("#step-forward")],
  application: ["impact.course?.at", (page) => page.click("#application")],
  rate: ["rate", (page) => page.selectOption("#rate", "0.1")],
  restitution: ["bench.first.settings.restitution", (page) => setRange(page, "restitution", 0.3)],
  friction: ["bench.first.settings.friction", (page) => setRange(page, "friction", 0.4)],
  gravity: ["bench.first.settings.gravity[1]", (page) => setRange(page, "gravity", 9)],
  step: ["bench.first.settings.step", (page) => setRange(page, "step", -3)],
  scheme: ["bench.first.settings.scheme", (page) => page.selectOption("#scheme", "events")],
  body: ["selected", (page) => page.selectOption("#body", "2")],
  "body-x": ["bench.first.positions[0]", (page) => change(page, "body-x", -7)],
  "body-y": ["bench.first.positions[1]", (page) => change(page, "body-y", 2)],
  "body-vx": ["bench.first.velocities[0]", (page) => change(page, "body-vx", 3)],
  "body-vy": ["bench.first.velocities[1]", (page) => change(page, "body-vy", 4)],
  "body-radius": ["bench.first.radii.join()", (page) => change(page, "body-radius", 0.7)],
  "body-mass": ["bench.first.masses.join()", (page) => change(page, "body-mass", 5)],
  "body-remove": ["bench.first.bodies", (page) => page.click("#body-remove")],
  link: ["share, location.hash.length", (page) => Promise.all([
    page.waitForFunction(() => location.hash.startsWith("#scene=")), page.click("#link")])],
  save: ["bench, document.getElementById('shared').textContent", (page) => Promise.all([
    page.waitForEvent("download"), page.click("#save")])],
  source: ["bench, document.getElementById('source').open", (page) => page.click("#source summary")],
  text: ["bench, document.getElementById('gutter').textContent", (page) => page.evaluate(() => {
    document.getElementById("source").open = true;
    const area = document.getElementById("text");
    area.value += "\n# a line more\n";
    area.dispatchEvent(new Event("input"));
  })],
  apply: ["bench.first.bodies", async (page) => {
    await page.evaluate(() => { document.getElementById("source").open = true; });
    await page.fill("#text", (await page.inputValue("#text")).replace("rows = 10", "rows = 4"));
    await page.click("#apply");
  }],
  present: ["bench, document.getElementById('text').value", async (page) => {
    await page.evaluate(() => { document.getElementById("source").open = true; });
    await page.click("#present");
  }],
};
for (const tool of ["drag", "aim", "ball", "box", "wall", "delete"]) {
  kUses[`tool ${tool}`] = ["tool", async (page) => {
    await page.click(tool === "drag" ? "[data-tool=wall]" : "[data-tool=drag]");
    await page.click(`[data-tool=${tool}]`);
    assert.equal(await lab(page, "tool"), tool);
    assert.equal(await page.locator("#toolbar [aria-pressed=true]").getAttribute("data-tool"), tool);
  }];
}

const idsOf = (page) => page.locator(kControls).evaluateAll((all) => all
  .filter((one) => !one.closest("#operators") && !one.closest("#special") && !one.closest("#strips") &&
    !one.closest("[hidden]"))
  .map((one) => (one.dataset.tool ? `tool ${one.dataset.tool}` : one.id || one.closest("[id]").id)));

test("every control does what it says", async () => {
  let ids = [];
  await withLab({ hash: "#preset=break" }, async (page) => { ids = await idsOf(page); });
  assert.deepEqual([...ids].sort(), Object.keys(kUses).sort(), "controls of the page, and those that are used here");
  await withLab({ hash: "#preset=break" }, async (page) => {
    for (const id of ids) {
      await page.evaluate(() => { history.replaceState(null, "", location.pathname); });
      await open(page, "break");
      await page.uncheck(`#operators input[value="gauss_seidel"]`);
      await take(page, 2);
      if (id.startsWith("body-")) await page.selectOption("#body", "0");
      const [what, use] = kUses[id];
      const before = await lab(page, what);
      await use(page);
      if (!id.startsWith("tool")) assert.notDeepEqual(await lab(page, what), before, id);
      assert.equal(await message(page), "", id);
      await still(page);
    }
  });
});

test("in space a body is put and thrown along all three axes", async () => {
  await withLab({ hash: "#preset=cloth" }, async (page) => {
    await open(page, "cloth");
    const vertex = 40;
    assert(await bodyCount(page) > vertex);
    await page.selectOption("#body", String(vertex));
    const velocity = () => page.evaluate((k) => Array.from(window.lab.page.bench.first.velocities.slice(k, k + 3)), 3 * vertex);
    const thrown = [0.25, -0.5, 0.75];
    for (const [at, axis] of ["x", "y", "z"].entries()) await change(page, `body-v${axis}`, thrown[at]);
    // Gravity's first kick is in it.
    (await velocity()).forEach((v, at) => assert(Math.abs(v - thrown[at]) < 0.02, `${v} along axis ${at}`));
    for (const [at, axis] of ["x", "y", "z"].entries()) {
      const before = (await positions(page))[3 * vertex + at];
      await change(page, `body-${axis}`, before + 0.01);
      assert.equal(await message(page), "", axis);
      assert(Math.abs((await positions(page))[3 * vertex + at] - before - 0.01) < 1e-6, axis);
    }
    await screenshot(page, "lab_in_space");
  });
  await withLab({ hash: "#preset=break" }, async (page) => {
    await open(page, "break");
    for (const id of ["body-z", "body-vz"]) assert(!await page.isVisible(`#${id}`), `${id} in the plane`);
  });
});

test("every operator can stand beside the others", async () => {
  await withLab({ hash: "#preset=break" }, async (page) => {
    await open(page, "break");
    const names = await page.locator("#operators input").evaluateAll((all) => all.map(({ value }) => value));
    assert(names.length >= 6, names.join());
    for (const name of names) await page.check(`#operators input[value="${name}"]`);
    assert.deepEqual((await lab(page, "bench.operators")).sort(), [...names].sort());
    const { done, stopped } = await take(page, 100);
    assert.deepEqual([done, stopped], [100, ""]);
    await page.waitForTimeout(200);
    await screenshot(page, "lab_all_operators");
    for (const name of names) {
      await page.locator(`#operators input[value="${name}"]`).click();
    }
    assert.equal((await lab(page, "bench.operators")).length, 1, "one stays");
    assert.match(await message(page), /One operator has to stay/);
  });
});

test("every key does what the help says", async () => {
  await withLab({ hash: "#preset=break" }, async (page) => {
    await open(page, "break");
    const press = (key) => page.keyboard.press(key);
    await page.locator("body").click({ position: { x: 2, y: 2 } });
    await press(" ");
    assert.equal(await lab(page, "playing"), true);
    await press(" ");
    assert.equal(await lab(page, "playing"), false);
    await press("Home");
    await press("ArrowRight");
    assert.equal(await lab(page, "bench.first.report.step"), 1);
    await press("g");
    assert.equal(await lab(page, "impact.course.at"), 0);
    for (const [key, tool] of Object.entries({ a: "aim", b: "ball", x: "box", w: "wall", d: "drag" })) {
      await press(key);
      assert.equal(await lab(page, "tool"), tool);
    }
    await page.selectOption("#body", "3");
    await page.locator("#play").focus();
    await press("Delete");
    assert.equal(await bodyCount(page), 55);
    await press("Control+z");
    assert.equal(await bodyCount(page), 56);
    await take(page, 600);
    await press("f");
    await page.waitForTimeout(300);
    const corners = await page.evaluate(() => {
      const { bench, stage } = window.lab.page;
      const { positions: now, bodies } = bench.first;
      const cell = stage.cells[0].getBoundingClientRect();
      let inside = 0;
      for (let body = 0; body < bodies; ++body) {
        const [x, y] = stage.pixelOf(0, now.subarray(3 * body, 3 * body + 3));
        inside += x >= cell.left && x <= cell.right && y >= cell.top && y <= cell.bottom;
      }
      return inside / bodies;
    });
    assert(corners > 0.94, `${corners} of the bodies are in the picture after F`);
  });
});

test("controls have names, and the picture says where the same is done by keyboard", async () => {
  await withLab({}, async (page) => {
    const ids = await page.locator("#preset option:not([disabled])").evaluateAll((all) => all.map(({ value }) => value));
    await page.evaluate(() => { document.getElementById("source").open = true; });
    for (const id of ids) {
      await open(page, id);
      const nameless = await page.locator(`${kControls}, canvas`).evaluateAll((all) => all
        .filter((element) => element.getClientRects().length > 0)
        .filter((element) => {
          const label = element.getAttribute("aria-label") ||
            [...element.labels ?? []].map(({ textContent }) => textContent).join("") ||
            (/^(BUTTON|SUMMARY)$/.test(element.tagName) ? element.textContent : "");
          return label.trim() === "";
        })
        .map((element) => element.outerHTML));
      assert.deepEqual(nameless, [], id);
    }
    // As a reader of screens hears it.
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const silent = nodes.filter(({ ignored, role, name }) => !ignored &&
      /^(button|checkbox|slider|combobox|textbox|spinbutton|img|Canvas)$/.test(role?.value ?? "") && !(name?.value ?? "").trim());
    assert.deepEqual(silent.map(({ role }) => role.value), []);
  });
});

test("a phone: nothing is wider than the screen, a finger drags a ball, controls are large enough to hit", async () => {
  await withLab({ viewport: { width: 390, height: 844 }, colorScheme: "dark", hash: "#preset=bernoulli" }, async (page) => {
    const ids = await page.locator("#preset option:not([disabled])").evaluateAll((all) => all.map(({ value }) => value));
    for (const id of ids) {
      await open(page, id);
      assert(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, `${id}: wider than the screen`);
    }
    await open(page, "bernoulli");
    const small = await page.locator("#toolbar button, .transport button").evaluateAll((all) => all
      .map((button) => [button.textContent || button.id, button.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < 24 || height < 24).map(([name]) => name));
    assert.deepEqual(small, []);
    const before = await positions(page);
    const from = await pixelOf(page, before.slice(0, 3));
    const session = await page.context().newCDPSession(page);
    const touch = (type, point) => session.send("Input.dispatchTouchEvent", {
      type, touchPoints: point ? [{ x: point[0], y: point[1] }] : [],
    });
    await touch("touchStart", from);
    for (let k = 1; k <= 5; ++k) await touch("touchMove", [from[0], from[1] - 6 * k]);
    await touch("touchEnd");
    const after = await positions(page);
    assert(after[1] > before[1] + 0.1, `the ball went from ${before[1]} to ${after[1]}`);
    await page.waitForTimeout(200);
    await screenshot(page, "lab_phone");
  });
});

test("the live curve of the chain keeps momentum and energy at every speed", async () => {
  await withLab({ hash: "#preset=chain" }, async (page) => {
    await open(page, "chain");
    const lines = await page.evaluate(() => {
      const { special, engine, bench, preset } = window.lab.page;
      return special.kind.curve(engine, preset.text, bench.operators);
    });
    assert.equal(lines.length, 6, "two operators, three balls");
    for (const operator of ["gr", "qce"]) {
      const [a, b, c] = [0, 1, 2].map((ball) => lines.find((one) => one.operator === operator && one.ball === ball).points);
      a.forEach(([v, va], k) => {
        const [vb, vc] = [b[k][1], c[k][1]];
        assert(Math.abs(va + vb + vc - (v - 1)) < 1e-12, `${operator}, v_a ${v}: momentum ${va + vb + vc}`);
        assert(Math.abs(va ** 2 + vb ** 2 + vc ** 2 - (v ** 2 + 1)) < 1e-12, `${operator}, v_a ${v}: energy`);
      });
      // Two balls that meet one in the middle with the same speed go back as they came.
      assert(Math.abs(a.at(-1)[1] + 1) < 1e-9 && Math.abs(c.at(-1)[1] - 1) < 1e-9, operator);
    }
  });
});

test("fast enough, and small enough", async () => {
  const size = gzipSync(readFileSync(path.join(process.env.CAROM_PAGES, "lab.html")), { level: 9 }).length;
  console.log(`the page, compressed: ${(size / 1e6).toFixed(3)} MB`);
  assert(size < kMostBytes, `${size} bytes`);
  await withLab({ hash: "#preset=break" }, async (page) => {
    await open(page, "break");
    const text = await page.evaluate(() => window.lab.page.preset.text);
    const openText = async (wanted) => {
      assert.equal(await page.evaluate((t) => window.lab.page.open(t, ["gr"]), wanted), null);
      await still(page);
    };
    await openText(text);
    const seconds = await page.evaluate(() => {
      const begin = performance.now();
      window.lab.page.take(1000);
      return (performance.now() - begin) / 1000;
    });
    console.log(`1,000 steps of ${await bodyCount(page)} balls, GR: ${seconds.toFixed(3)} s`);
    assert(seconds < 1, `1,000 steps took ${seconds} s`);
    // A picture of 200 balls, without the graphics that software does here; two steps in it.
    const pen = (wanted) => wanted.replace("rows = 10", "rows = 19");
    for (const [what, wanted] of [["that fly apart", pen(text)], ["at rest in a heap", heapOf(200)]]) {
      await openText(wanted);
      const count = await bodyCount(page);
      assert(count >= 191, `${count} balls`);
      const { least, median } = await page.evaluate(() => {
        const { page: here } = window.lab;
        here.take(200);
        here.playing = true; // as while time passes: the certificate is written five times a second
        const costs = Array.from({ length: 40 }, () => {
          const begin = performance.now();
          here.take(2);
          here.stage.update(here.bench.first.time, here.options);
          return performance.now() - begin;
        }).sort((a, b) => a - b);
        here.playing = false;
        return { least: costs[0], median: costs[20] };
      });
      console.log(`${count} balls ${what}: ${median.toFixed(2)} ms of processor time per picture (least ${least.toFixed(2)})`);
    }
  });
});

/** Balls that fell into a tray. */
function heapOf(count) {
  return `kind = "scene"
[world]
gravity = 10.0
[time]
step = 0.005
duration = 10.0
[[material]]
name = "default"
restitution = 0.2
[[shape]]
name = "tray"
type = "box_inside"
lower = [-10.5, -1.0]
upper = [10.5, 40.0]
[[grid]]
name = "ball"
counts = [20, ${count / 20}]
spacing = 1.05
center = [0.0, 5.0]
radius = 0.5
jitter = 0.02
`;
}
