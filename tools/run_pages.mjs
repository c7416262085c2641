// Pages of the gallery's runs, opened in headless Chromium so that pictures can be taken of them: what
// gallery_pictures.mjs and clips.mjs share.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const { chromium } = createRequire(path.join(root, "viewer", "package.json"))("playwright-core");

export const launch = () => chromium.launch({
  executablePath: process.env.CAROM_CHROMIUM ?? "/usr/bin/chromium", headless: true, chromiumSandbox: false,
  args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-first-run"],
});

/** The page that `carom gallery run` writes, made unless it is there, shown by the viewer that CAROM has now. */
export function pageOf(carom, runs, name) {
  const page = path.join(runs, `${name}.html`);
  if (!existsSync(page)) {
    const { status } = spawnSync(carom, ["gallery", "run", name, "--out", runs, "--force"], { cwd: root, stdio: "ignore" });
    if (!existsSync(page)) throw new Error(`carom gallery run ${name} wrote no page (exit code ${status})`);
  } else if (statSync(page).mtimeMs < statSync(carom).mtimeMs) {
    const recordings = readdirSync(runs).filter((file) => file.startsWith(`${name}-`) && file.endsWith(".h5") &&
      readFileSync(page, "utf8").includes(file.slice(0, -3)));
    execFileSync(carom, ["view", ...recordings, "--output", page], { cwd: runs, stdio: "ignore" });
  }
  return page;
}

/** Opens a run's page at its beginning, the scene alone in the whole window, and hands it to `look`. */
export async function withScene(browser, html, viewport, look) {
  const page = await browser.newPage({ viewport, colorScheme: "light" });
  try {
    await page.goto(`${pathToFileURL(html)}#t=0`);
    await page.evaluate(() => window.carom.ready);
    await page.addStyleTag({ content: "#header, #plots, #controls, #legends { display: none !important; } " +
      "#stage { height: 100vh !important; }" });
    await nextPictures(page, 4);
    return await look(page);
  } finally {
    await page.close();
  }
}

/** Waits until as many pictures could be drawn: sizes are final then. */
export const nextPictures = (page, count) => page.evaluate((wanted) => new Promise((done) => {
  let left = wanted;
  const next = () => (--left > 0 ? requestAnimationFrame(next) : done());
  requestAnimationFrame(next);
}), count);
