// Opens pages in headless Chromium and watches for what must not happen: messages of error, and
// requests for anything but the page itself.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";

const { CAROM_CHROMIUM, CAROM_PAGES, CAROM_VIEWER_SOURCES } = process.env;
assert(CAROM_CHROMIUM && CAROM_PAGES && CAROM_VIEWER_SOURCES, "run by ctest, which sets CAROM_*");

const require = createRequire(path.join(CAROM_VIEWER_SOURCES, "package.json"));
const { chromium } = require("playwright-core");
const screenshots = path.join(CAROM_PAGES, "..", "screenshots");
mkdirSync(screenshots, { recursive: true });

const flags = [
  "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
];

// A machine that is busy with other things may need this long for a page, ms.
const kPatience = 120e3;

// One for all tests of a file; each page has a profile of its own.
let browser = null;
after(() => browser?.close());

const launch = (further) => chromium.launch({
  executablePath: CAROM_CHROMIUM, headless: true, chromiumSandbox: false, args: [...flags, ...further],
});

export const expectedOf = (name) =>
  JSON.parse(readFileSync(path.join(CAROM_PAGES, `${name}.json`), "utf8"));

/** A package of the viewer. */
export const packageOf = (name) => require(name);

export const readBytes = (file) => readFileSync(path.join(CAROM_PAGES, file));

/** An empty page that runs `script`, a module's text that may import the viewer's packages. */
export async function withScript(script, look) {
  const { outputFiles } = require("esbuild").buildSync({
    stdin: { contents: script, resolveDir: CAROM_VIEWER_SOURCES }, bundle: true, write: false, format: "iife",
  });
  browser ??= await launch([]);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) faults.push(message.text());
    });
    await page.addScriptTag({ content: outputFiles[0].text });
    await look(page);
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
  }
}

/** Opens NAME.html, hands it to `look`, and checks that nothing untoward happened meanwhile. */
export async function withPage(name, options, look) {
  browser ??= await launch(options.flags ?? []);
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 860 },
    colorScheme: options.colorScheme ?? "light",
    acceptDownloads: true,
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(kPatience);
    const faults = [];
    const address = pathToFileURL(path.join(CAROM_PAGES, `${name}.html`)).href;
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !isChatter(message.text()) &&
          !options.mayComplain?.test(message.text())) {
        faults.push(`${message.type()}: ${message.text()}`);
      }
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
      if (!["data:", "blob:", address].some((start) => request.url().startsWith(start))) {
        faults.push(`request for ${request.url()}`);
      }
    });
    await page.goto(address + (options.hash ?? ""));
    await page.evaluate(options.ready ?? (() => window.carom.ready));
    await look(page);
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
  }
}

// What software rendering says about its own speed.
const isChatter = (text) => /GPU stall due to ReadPixels|software WebGL|swiftshader/i.test(text);

export const screenshot = (page, name) =>
  page.screenshot({ path: path.join(screenshots, `${name}.png`) });

/** Seeks to each expected time: what is drawn is what was given, within the stated error. */
export async function checkPositions(page, expected) {
  const error = await page.evaluate(() => window.carom.positionError());
  assert.equal(error, expected.positionError);
  await page.evaluate(() => window.carom.pause());
  for (const [run, { bodies, frameCount, frames }] of expected.runs.entries()) {
    assert.equal(await page.evaluate((k) => window.carom.frameCount(k), run), frameCount);
    for (const { time, positions } of frames) {
      const shown = await page.evaluate(([k, t]) => {
        window.carom.seek(t);
        return Array.from(window.carom.positions(k));
      }, [run, time]);
      assert.equal(await page.evaluate(() => window.carom.time()), time);
      assert.equal(shown.length, 3 * bodies);
      const worst = shown.reduce((most, x, k) => Math.max(most, Math.abs(x - positions[k])), 0);
      assert(worst <= error, `run ${run}, time ${time}: off by ${worst}, stated ${error}`);
    }
  }
}

/** The angle between two rotations, given as quaternions of length 1, rad. */
export function angleBetween(p, q) {
  const [a, b, c, d] = p;
  const [w, x, y, z] = q;
  // The vector part of the quotient; acos of the scalar one would lose half of the digits.
  const off = Math.hypot(a * x - b * w - c * z + d * y, a * y + b * z - c * w - d * x, a * z - b * y + c * x - d * w);
  return 2 * Math.asin(Math.min(1, off));
}

export const quaternionOf = (numbers, body) => numbers.slice(4 * body, 4 * body + 4);

/** The same for orientations, at frames and half-way between two. */
export async function checkOrientations(page, expected) {
  const error = await page.evaluate(() => window.carom.orientationError());
  assert.equal(error, expected.orientationError);
  assert(error > 0 && error < 1e-4, `stated ${error} rad`);
  for (const [run, { bodies, frames, between }] of expected.runs.entries()) {
    for (const { time, orientations } of [...frames, between]) {
      const shown = await page.evaluate(([k, t]) => {
        window.carom.seek(t);
        return Array.from(window.carom.orientations(k));
      }, [run, time]);
      assert.equal(shown.length, 4 * bodies);
      for (let body = 0; body < bodies; ++body) {
        const q = quaternionOf(shown, body);
        assert(Math.abs(Math.hypot(...q) - 1) < 1e-12, "not of length 1");
        const off = angleBetween(q, quaternionOf(orientations, body));
        // The line between two frames runs inside the sphere, at least 0.9 from its middle here.
        const allowed = time === between.time ? error / 0.9 : error;
        assert(off <= allowed, `body ${body}, time ${time}: turned by ${off}, stated ${error}`);
      }
    }
  }
}

/** Plays from the start: time must advance. Returns the pictures per second. */
export async function checkPlays(page, milliseconds = 1500) {
  await page.evaluate(() => { window.carom.pause(); window.carom.seek(0); window.carom.play(); });
  // A short run may have begun again; a busy machine may draw seldom.
  let time = 0;
  for (let k = 0; k < 3; ++k) {
    await page.waitForTimeout(milliseconds / 3);
    await page.waitForFunction((before) => window.carom.time() !== before, time);
    time = await page.evaluate(() => window.carom.time());
  }
  const fps = await page.evaluate(() => window.carom.fps());
  await page.evaluate(() => window.carom.pause());
  return fps;
}

/** Processor time of whatever stands in for a graphics card since the browser began, ms. */
export async function graphicsTime() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return 1000 * processInfo.find(({ type }) => type === "GPU").cpuTime;
}

/** What one picture asks of the graphics: calls, instances beyond the first of a call, triangles. */
export const countDrawing = (page) => page.evaluate(() => {
  const { prototype } = WebGL2RenderingContext;
  const drawn = { calls: 0, instances: 0, triangles: 0 };
  const count = (mode, vertices, instances) => {
    drawn.calls += 1;
    drawn.instances += instances - 1;
    if (mode === prototype.TRIANGLES) drawn.triangles += (vertices / 3) * instances;
  };
  const watched = {
    drawArrays: (mode, first, vertices) => count(mode, vertices, 1),
    drawElements: (mode, vertices) => count(mode, vertices, 1),
    drawArraysInstanced: (mode, first, vertices, instances) => count(mode, vertices, instances),
    drawElementsInstanced: (mode, vertices, type, offset, instances) => count(mode, vertices, instances),
  };
  const originals = Object.keys(watched).map((name) => [name, prototype[name]]);
  for (const [name, original] of originals) {
    prototype[name] = function draw(...given) { watched[name](...given); return original.apply(this, given); };
  }
  window.carom.seek(window.carom.time()); // draws
  for (const [name, original] of originals) prototype[name] = original;
  return drawn;
});

/** The colours of a screenshot at places of the page, three numbers each; pixels of style sheets. */
export async function coloursAt(page, places) {
  const picture = await page.screenshot();
  return page.evaluate(async ([base64, wanted]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.drawImage(image, 0, 0);
    return wanted.map(([x, y]) => Array.from(pen.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)));
  }, [picture.toString("base64"), places]);
}

/** Bodies are coloured, in the shade as well; walls, words and background are nearly grey. */
export const isColoured = (rgb) => Math.max(...rgb) - Math.min(...rgb) > 0.25 * Math.max(...rgb);

/** The share of coloured pixels in a screenshot of a cell, the legend's left out. */
export async function drawnShare(page, cell) {
  const style = "#legend { visibility: hidden }";
  const picture = await page.locator(".cell").nth(cell).screenshot({ style });
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    // Balls are coloured; walls, words and background are nearly grey.
    let coloured = 0;
    for (let k = 0; k < data.length; k += 4) {
      const rgb = [data[k], data[k + 1], data[k + 2]];
      if (Math.max(...rgb) - Math.min(...rgb) > 60) ++coloured;
    }
    return coloured / (data.length / 4);
  }, picture.toString("base64"));
}
