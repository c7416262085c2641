// Clips of the gallery's runs, as the documents show them: docs/pictures/NAME.webp, a moving picture that
// every browser plays without a player.
//
//     node tools/clips.mjs CAROM RUNS [NAME...]     (./dev clips [NAME...])
//
// As gallery_pictures.mjs: `carom gallery run` makes recording and page in RUNS, unless they are there. Each
// picture of a clip holds only what has changed since the one before.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { launch, pageOf, root, withScene } from "./run_pages.mjs";
import { animatedWebp } from "./webp_animation.mjs";

const kQuality = 0.85;
const kMostBytes = 1e6;

// `from`, `to`: s of the run; `rate`: of them per second; `perSecond`: pictures; `hold`: s for the last one; `begin`:
// how far the camera has gone round at first, `turn`: and goes meanwhile, rad; `zoom`: how much nearer it is than where all of the run is seen;
// `aside`: how far beside the middle of all that it looks, as shares of the height that is seen without zoom, to the right and up,
// by time: [[s, right, up], ...].
const kClips = {
  "Q8-rube-goldberg": {
    from: 2, to: 13.2, rate: 1.5, perSecond: 12, hold: 1.5, zoom: 3.1, size: { width: 600, height: 340 },
    aside: [[6.2, -0.04, 0.065], [8, 0.07, 0.005], [10, 0.19, -0.06]],
  },
  "C7-reef-knot": {
    from: 0, to: 1.6, rate: 0.25, perSecond: 12, hold: 1.5, begin: -0.9, turn: 0.9, zoom: 2.6, size: { width: 600, height: 320 },
  },
};

function timesOf({ from, to, rate, perSecond }) {
  const count = Math.round(((to - from) / rate) * perSecond) + 1;
  return Array.from({ length: count }, (_, k) => Math.min(to, from + (k * rate) / perSecond));
}

/** Between the points of a way, [[s, right, up], ...]; before the first and after the last: there. */
function placeAt(way, time) {
  const next = way.findIndex(([t]) => t > time);
  if (next <= 0) return way.at(next === 0 ? 0 : -1).slice(1);
  const [[t0, ...from], [t1, ...to]] = [way[next - 1], way[next]];
  const share = (time - t0) / (t1 - t0);
  const eased = share * share * (3 - 2 * share);
  return from.map((x, axis) => x + eased * (to[axis] - x));
}

/** In the page: the camera goes round and aside, and time on. */
function moveOn({ time, angle, aside }) {
  const shared = window.carom.camera();
  if (angle) shared.turn(angle);
  const { camera, target } = shared;
  const height = 2 * camera.position.distanceTo(target) * Math.tan((camera.fov * Math.PI) / 360);
  camera.updateMatrixWorld();
  const [right, up] = [0, 4].map((k) => camera.matrixWorld.elements.slice(k, k + 3));
  const moved = (place) => place.map((x, axis) => x + height * (aside[0] * right[axis] + aside[1] * up[axis]));
  const look = shared.look();
  shared.lookAs({ ...look, position: moved(look.position), target: moved(look.target) });
  window.carom.seek(time);
}

/** {x, y, width, height, bytes} of a WebP picture of what differs from the picture before; nothing where all is the same. */
const changeAsWebp = (page, png) => page.evaluate(async ([text, quality]) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const { width, height } = picture;
  const canvasOf = (w, h) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: w, height: h });
    return { canvas, pen: canvas.getContext("2d", { alpha: false, willReadFrequently: true }) };
  };
  const whole = canvasOf(width, height);
  whole.pen.drawImage(picture, 0, 0);
  const { data } = whole.pen.getImageData(0, 0, width, height);
  const before = window.before;
  window.before = data;
  let [left, right, top, bottom] = [0, width, 0, height];
  if (before) {
    [left, right, top, bottom] = [width, 0, height, 0];
    for (let k = 0; k < data.length; k += 4) {
      if (data[k] === before[k] && data[k + 1] === before[k + 1] && data[k + 2] === before[k + 2]) continue;
      const [x, y] = [(k / 4) % width, Math.floor(k / 4 / width)];
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x + 1), Math.min(top, y), Math.max(bottom, y + 1)];
    }
    if (right <= left) return null;
    // Places are stored in pairs of pixels.
    [left, top] = [left - (left % 2), top - (top % 2)];
  }
  const part = canvasOf(right - left, bottom - top);
  part.pen.drawImage(picture, -left, -top);
  const address = part.canvas.toDataURL("image/webp", quality);
  return { x: left, y: top, width: right - left, height: bottom - top, base64: address.slice(address.indexOf(",") + 1) };
}, [png.toString("base64"), kQuality]);

async function clipOf(browser, html, name) {
  const clip = kClips[name];
  const easel = await browser.newPage();
  const frames = await withScene(browser, html, clip.size, async (page) => {
    const taken = [];
    const times = timesOf(clip);
    const lasts = Math.round(1000 / clip.perSecond);
    await page.evaluate(({ begin = 0, zoom = 1 }) => {
      document.getElementById("fit").click();
      const shared = window.carom.camera();
      shared.turn(begin);
      shared.lookAs({ ...shared.look(), zoom });
    }, clip);
    let looked = [0, 0];
    for (const [k, time] of times.entries()) {
      const wanted = placeAt(clip.aside ?? [[0, 0, 0]], time);
      await page.evaluate(moveOn, {
        time, angle: k > 0 ? (clip.turn ?? 0) / (times.length - 1) : 0, aside: wanted.map((x, axis) => x - looked[axis]),
      });
      looked = wanted;
      const change = await changeAsWebp(easel, await page.locator("#stage").screenshot());
      if (change) taken.push({ ...change, bytes: Buffer.from(change.base64, "base64"), lasts });
      else taken.at(-1).lasts += lasts;
    }
    taken.at(-1).lasts += 1000 * (clip.hold ?? 1);
    return taken;
  });
  await easel.close();
  return animatedWebp(frames, clip.size);
}

const [given, runs, ...names] = process.argv.slice(2);
if (!given || !runs) throw new Error("usage: node tools/clips.mjs CAROM RUNS [NAME...]");
for (const name of names) if (!kClips[name]) throw new Error(`no clip ${name}; there are ${Object.keys(kClips).join(", ")}`);
mkdirSync(runs, { recursive: true });
const browser = await launch();
try {
  for (const name of names.length > 0 ? names : Object.keys(kClips)) {
    const bytes = await clipOf(browser, pageOf(path.resolve(given), path.resolve(runs), name), name);
    const file = path.join("docs", "pictures", `${name}.webp`);
    if (bytes.length > kMostBytes) throw new Error(`${file} would have ${bytes.length} bytes; ${kMostBytes} are the most`);
    writeFileSync(path.join(root, file), bytes);
    console.log(`${file}: ${Math.round(bytes.length / 1000)} kB`);
  }
} finally {
  await browser.close();
}
