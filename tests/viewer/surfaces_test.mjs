// Deformable surfaces and chains, in space and in the plane.

import assert from "node:assert/strict";
import test from "node:test";
import {
  checkPlays, checkPositions, coloursAt, countDrawing, expectedOf, graphicsTime, screenshot, withPage,
} from "./browser.mjs";

async function bare(page, time) {
  await page.evaluate((t) => { window.carom.pause(); window.carom.seek(t); }, time);
  await page.uncheck("#trails");
  await page.mouse.move(5, 5);
  await page.waitForTimeout(100);
}

const pixelsOf = (page, points) =>
  page.evaluate((list) => list.map((point) => window.carom.pixelOf(point)), points);

const pointOf = ({ positions }, body) => positions.slice(3 * body, 3 * body + 3);

/** Where the triangles of a surface are on the page: their middles, and their areas with a sign. */
async function trianglesOnPage(page, surface, frame) {
  const bodies = Array.from({ length: surface.count }, (_, k) => surface.first + k);
  const pixels = await pixelsOf(page, bodies.map((body) => pointOf(frame, body)));
  return surface.triangles.map((corners) => {
    const [a, b, c] = corners.map((k) => pixels[k]);
    const area = (b[0] - a[0]) * (a[1] - c[1]) - (c[0] - a[0]) * (a[1] - b[1]); // y points down
    return { middle: [0, 1].map((axis) => (a[axis] + b[axis] + c[axis]) / 3), area };
  });
}

for (const [name, facts] of [["flag", ["1 ball", "1 surface", "1 chain", "672 vertices"]],
  ["curtain", ["1 ball", "2 chains", "50 vertices"]]]) {
  test(`${name} shows the recording and plays`, async () => {
    await withPage(name, {}, async (page) => {
      await checkPositions(page, expectedOf(name));
      const text = await page.textContent("#facts");
      for (const fact of facts) assert(text.includes(fact), text);
      await checkPlays(page);
      await bare(page, 0.66);
      await screenshot(page, name);
      await page.check("#surface-edges");
      await page.check("#vertices");
      await page.uncheck("#smooth");
      await page.waitForTimeout(200);
      await screenshot(page, `${name}_edges`);
    });
  });
}

test("both sides of a surface are lit, each in its own colour", async () => {
  const [run] = expectedOf("flag").runs;
  const flag = run.surfaces.find((surface) => surface.name === "flag");
  await withPage("flag", { hash: "#t=0" }, async (page) => {
    for (const smooth of [true, false]) {
      await page.setChecked("#smooth", smooth);
      const counts = { front: [0, 0], back: [0, 0] };
      for (const frame of run.frames.slice(1)) {
        await bare(page, frame.time);
        const shown = (await trianglesOnPage(page, flag, frame)).filter(({ area }) => Math.abs(area) > 30);
        const colours = await coloursAt(page, shown.map(({ middle }) => middle));
        shown.forEach(({ area }, k) => {
          const [r, , b] = colours[k];
          const [seen, all] = counts[area > 0 ? "front" : "back"];
          const fits = area > 0 ? b > r + 15 : r > b + 15;
          counts[area > 0 ? "front" : "back"] = [seen + (fits ? 1 : 0), all + 1];
        });
      }
      for (const [side, [seen, all]] of Object.entries(counts)) {
        console.log(`${side}: ${seen} of ${all} triangles show their side's colour`);
        // Some are behind others, or behind the rope.
        assert(all > 60 && seen > 0.75 * all, `${side}: ${seen} of ${all}`);
      }
    }
  });
});

test("a surface is coloured by the depth of its layers", async () => {
  const [run] = expectedOf("flag").runs;
  const flag = run.surfaces.find((surface) => surface.name === "flag");
  await withPage("flag", { hash: "#t=0" }, async (page) => {
    await page.selectOption("#colour", "layer");
    await bare(page, run.frames[0].time);
    assert(await page.isVisible("#legend"));
    assert((await page.textContent("#legend")).includes("deepest layer"), await page.textContent("#legend"));
    assert((await page.textContent("#legend")).includes("200"), await page.textContent("#legend"));
    await screenshot(page, "flag_layers");
    // Yellow is deep, violet is shallow.
    const depth = (corners) => corners.reduce((sum, vertex) => sum + run.layers[flag.first + vertex] / 3, 0);
    const shown = (await trianglesOnPage(page, flag, run.frames[0]))
      .map(({ middle, area }, k) => ({ middle, area: Math.abs(area), depth: depth(flag.triangles[k]) }))
      .filter(({ area }) => area > 30);
    const colours = await coloursAt(page, shown.map(({ middle }) => middle));
    const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
    const yellow = ([r, g, b]) => r + g - 2 * b;
    const deep = colours.filter((_, k) => shown[k].depth > 180).map(yellow);
    const shallow = colours.filter((_, k) => shown[k].depth < 2).map(yellow);
    assert(deep.length > 20 && shallow.length > 10, `${deep.length} ${shallow.length}`);
    assert(mean(deep) > mean(shallow) + 120, `${mean(deep)} ${mean(shallow)}`);
    // Once around with the key.
    for (const colour of ["body", "speed", "layer"]) {
      await page.keyboard.press("c");
      assert.equal(await page.inputValue("#colour"), colour);
    }
  });
  await withPage("curtain", { hash: "#t=0" }, async (page) => {
    assert(await page.evaluate(() => document.getElementById("colour-layer").disabled));
  });
});

test("a surface is shaded: its light changes smoothly, or from triangle to triangle", async () => {
  const [run] = expectedOf("flag").runs;
  const flag = run.surfaces.find((surface) => surface.name === "flag");
  await withPage("flag", { hash: "#t=0" }, async (page) => {
    const [, frame] = run.frames;
    await bare(page, frame.time);
    const shown = (await trianglesOnPage(page, flag, frame)).filter(({ area }) => area > 60);
    const places = shown.flatMap(({ middle: [x, y] }) => [[x, y], [x + 2, y]]);
    const lightsWhen = async (smooth) => {
      await page.setChecked("#smooth", smooth);
      await page.waitForTimeout(100);
      return (await coloursAt(page, places)).map(([r, g, b]) => r + g + b);
    };
    const smooth = await lightsWhen(true);
    const flat = await lightsWhen(false);
    assert(Math.max(...smooth) - Math.min(...smooth) > 100, "all of it is equally bright");
    const even = (lights) => lights.filter((light, k) => k % 2 === 0 && light === lights[k + 1]).length;
    console.log(`same light two pixels apart: ${even(smooth)} smooth, ${even(flat)} flat of ${shown.length}`);
    assert(even(flat) > even(smooth) + 0.2 * shown.length, "nothing changed");
  });
});

test("vertices are balls only where one asks for them, and edges are one more call", async () => {
  for (const [name, vertices] of [["flag", 672], ["curtain", 50]]) {
    await withPage(name, { hash: "#t=0" }, async (page) => {
      await bare(page, 0.5);
      const plain = await countDrawing(page);
      await page.check("#vertices");
      const dotted = await countDrawing(page);
      assert.equal(dotted.triangles - plain.triangles, 2 * vertices);
      await page.uncheck("#vertices");
      await page.check("#surface-edges");
      const lined = await countDrawing(page);
      assert.equal(lined.calls - plain.calls, name === "flag" ? 1 : 0);
      assert.equal(lined.triangles, plain.triangles);
    });
  }
});

test("the pointer names surfaces and chains, and only where they are", async () => {
  for (const [name, marks] of [["flag", ["flag", "rope"]], ["curtain", ["thick chain", "thread"]]]) {
    const [run] = expectedOf(name).runs;
    await withPage(name, { hash: "#t=0" }, async (page) => {
      const [, frame] = run.frames;
      await bare(page, frame.time);
      for (const mark of marks) {
        const surface = run.surfaces.find((one) => one.name === mark);
        // A quarter of the way, where nothing else is in front.
        const vertex = mark === "flag" ? 21 * 31 - 10 : Math.floor(0.75 * surface.count);
        const [pixel] = await pixelsOf(page, [pointOf(frame, surface.first + vertex)]);
        await page.mouse.move(pixel[0], pixel[1] + (mark === "flag" ? 3 : 0));
        await page.waitForSelector("#tooltip:not([hidden])");
        assert.match(await page.textContent("#tooltip"), new RegExp(`^${mark}vertex\\d+ of ${surface.count}position`));
        await page.mouse.move(30, 120);
        await page.waitForSelector("#tooltip", { state: "hidden" });
      }
    });
  }
});

test("a chain in the plane is as thick as it is, and without gaps", async () => {
  const [run] = expectedOf("curtain").runs;
  const [thick, thread] = run.surfaces;
  await withPage("curtain", { hash: "#t=0" }, async (page) => {
    const [, frame] = run.frames;
    await bare(page, frame.time);
    const background = (await coloursAt(page, [[20, 80]]))[0];
    const differs = (rgb) => rgb.some((x, k) => Math.abs(x - background[k]) > 25);
    const inside = [];
    const outside = [];
    for (const [a, b] of thick.edges) {
      const [p, q] = [a, b].map((k) => pointOf(frame, thick.first + k));
      const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
      const across = [-(q[1] - p[1]) / length, (q[0] - p[0]) / length];
      const at = (share, off) =>
        [p[0] + share * (q[0] - p[0]) + off * across[0], p[1] + share * (q[1] - p[1]) + off * across[1], 0];
      inside.push(at(0, 0), at(0.5, 0), at(0.5, 0.085), at(0.5, -0.085), at(0, 0.08), at(1, -0.08));
      outside.push(at(0.5, 0.13), at(0.5, -0.13));
    }
    for (const rgb of await coloursAt(page, await pixelsOf(page, inside))) assert(differs(rgb), `${rgb}`);
    for (const rgb of await coloursAt(page, await pixelsOf(page, outside))) assert(!differs(rgb), `${rgb}`);
    // A millimetre is less than a pixel, and is seen all the same.
    const middles = thread.edges.map(([a, b]) => [a, b].map((k) => pointOf(frame, thread.first + k)))
      .map(([p, q]) => p.map((x, axis) => (x + q[axis]) / 2));
    for (const rgb of await coloursAt(page, await pixelsOf(page, middles))) assert(differs(rgb), `${rgb}`);
  });
});

test("the ledger is one plot, the smallest gap another", async () => {
  await withPage("curtain", { hash: "#t=1" }, async (page) => {
    const plots = await page.$$eval(".plot", (list) => list.map((plot) => plot.textContent));
    assert.match(plots[0], /^ledger J.*contact energy.*lost to restitution.*lost to friction/);
    assert.match(plots[1], /^smallest gap m/);
  });
});

test("ten thousand vertices play", async () => {
  await withPage("large_flag", { viewport: { width: 1280, height: 720 } }, async (page) => {
    await checkPositions(page, expectedOf("large_flag"));
    for (const edges of [false, true]) {
      await page.setChecked("#surface-edges", edges);
      const before = [await graphicsTime(), await page.evaluate(() => window.carom.pictures())];
      const fps = await checkPlays(page, 4500);
      const after = [await graphicsTime(), await page.evaluate(() => window.carom.pictures())];
      const graphics = (after[0] - before[0]) / (after[1] - before[1]);
      const script = await page.evaluate(() => window.carom.scriptTime());
      console.log(`large_flag, edges ${edges ? "on" : "off"}: ${fps.toFixed(1)} pictures per second; each needs ` +
        `${script.toFixed(1)} ms of script and ${graphics.toFixed(0)} ms of a processor that draws`);
    }
    await page.uncheck("#surface-edges");
    await bare(page, 0.5);
    await screenshot(page, "large_flag");
    const { calls, instances, triangles } = await countDrawing(page);
    console.log(`large_flag: ${triangles} triangles in ${calls} calls`);
    assert(triangles >= 19592 && triangles <= 19800, `${triangles} triangles`);
    assert(calls <= 20 && instances < 100, `${calls} calls, ${instances} instances`);
  });
});

test("surfaces in the dark, coloured by speed", async () => {
  await withPage("flag", { colorScheme: "dark", hash: "#t=1.2" }, async (page) => {
    await page.selectOption("#colour", "speed");
    await bare(page, 1.2);
    await screenshot(page, "flag_dark");
  });
});
