// Pictures of the gallery's scenes, as the site shows them: docs/pictures/gallery/NAME.webp.
//
//     node tools/gallery_pictures.mjs CAROM RUNS [NAME...]     (./dev pictures [NAME...])
//
// `carom gallery run` makes recording and page of each experiment in RUNS, unless they are there; the page is
// opened in headless Chromium at a moment that shows something, with what is there then. A run that does not end
// well has a page, too, and some experiments are about that. Instants have no places: tools/site draws their
// velocities.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { launch, nextPictures, pageOf, root, withScene } from "./run_pages.mjs";

const out = path.join(root, "docs", "pictures", "gallery");
const kSize = { width: 720, height: 450 };
const kQuality = 0.82;

// The share of the run at which the picture is taken, where the middle shows too little.
const kMoments = {
  "C14-curtains": 0.8, "C3-restitution": 1, "C4-clusters": 1, "G14-maxwell-demon": 1, "G3-matryoshka": 0.9, "G5-box": 0.95,
  "G6-break": 0.15, "Q8-rube-goldberg": 0.43, "G11-teapot": 0.3, "M1-break": 0.25,
  "M4-bowling": 0.3, "Q7-card-house": 0.98, "U4-superball": 0.35,
};
// Where the first picture of the whole run says more than what is there at the moment.
const kWhole = new Set(["M1-break", "M5-platter"]);

function scenes(carom, names) {
  const listed = JSON.parse(execFileSync(carom, ["gallery", "list", "--json"], { cwd: root, encoding: "utf8" }));
  const all = listed.filter(({ kind }) => kind === "scene").map(({ name }) => name);
  for (const name of names) if (!all.includes(name)) throw new Error(`the gallery has no scene ${name}`);
  return names.length > 0 ? names : all;
}

/** A picture as WebP, which the browser itself can make of its own. */
async function asWebp(page, png) {
  const data = await page.evaluate(async ([text, quality]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: picture.width, height: picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return canvas.toDataURL("image/webp", quality);
  }, [png.toString("base64"), kQuality]);
  return Buffer.from(data.slice(data.indexOf(",") + 1), "base64");
}

const picture = (browser, html, name) => withScene(browser, html, kSize, async (page) => {
  const fit = kWhole.has(name) ? "fit" : "fit-now";
  await page.evaluate(([share, id]) => {
    const times = window.carom.frameTimes();
    const wanted = times[0] + share * (times.at(-1) - times[0]);
    window.carom.seek(times.reduce((a, b) => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a)));
    document.getElementById(id).click();
  }, [kMoments[name] ?? 0.5, fit]);
  await nextPictures(page, 4);
  await page.evaluate((id) => document.getElementById(id).click(), fit);
  await page.waitForTimeout(300);
  writeFileSync(path.join(out, `${name}.webp`), await asWebp(page, await page.locator("#stage").screenshot()));
});

const [given, runs, ...names] = process.argv.slice(2);
if (!given || !runs) throw new Error("usage: node tools/gallery_pictures.mjs CAROM RUNS [NAME...]");
const carom = path.resolve(given);
mkdirSync(out, { recursive: true });
mkdirSync(runs, { recursive: true });
const browser = await launch();
let failures = 0;
try {
  for (const name of scenes(carom, names)) {
    try {
      await picture(browser, pageOf(carom, path.resolve(runs), name), name);
      console.log(`docs/pictures/gallery/${name}.webp`);
    } catch (error) {
      ++failures;
      console.error(`${name}: ${error.message.split("\n")[0]}`);
    }
  }
} finally {
  await browser.close();
}
process.exit(failures > 0 ? 1 : 0);
