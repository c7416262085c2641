// What the tests of the lab do with its page.

import assert from "node:assert/strict";
import { withPage } from "../viewer/browser.mjs";

const ready = () => window.lab.ready;
export const withLab = (options, look) => withPage("lab", { ready, ...options }, look);
export const still = (page) => page.evaluate(() => window.lab.page.setPlaying(false));
export const take = (page, steps) => page.evaluate((n) => window.lab.page.take(n), steps);
export const open = async (page, id) => {
  await page.selectOption("#preset", id);
  await still(page);
  await page.evaluate(() => window.lab.page.restart());
};
export const message = (page) => page.evaluate(() => {
  const element = document.getElementById("message");
  return element.hidden ? "" : element.textContent;
});
export const settings = (page) => page.evaluate(() => window.lab.page.bench.first.settings);
export const symmetry = (page) => page.evaluate(() => window.lab.page.bench.runs.map(({ report }) => report.symmetry));
export const positions = (page, run = 0) =>
  page.evaluate((k) => Array.from(window.lab.page.bench.runs[k].positions), run);
export const pixelOf = (page, point, run = 0) =>
  page.evaluate(([k, p]) => window.lab.page.stage.pixelOf(k, p), [run, point]);
/** Waits until the page says so, and gives the text. */
export async function said(page, selector, pattern) {
  await page.waitForFunction(([where, source]) =>
    new RegExp(source).test(document.querySelector(where).textContent), [selector, pattern.source], { timeout: 30e3 })
    .catch(async () => assert.match(await page.locator(selector).textContent(), pattern));
  return page.locator(selector).textContent();
}
export const bodyCount = (page) => page.evaluate(() => window.lab.page.bench.first.bodies);
export const setRange = (page, id, value) => page.locator(`#${id}`).evaluate((input, x) => {
  input.value = x;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}, String(value));
export async function drag(page, from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  for (let k = 1; k <= 5; ++k) {
    await page.mouse.move(from[0] + (k / 5) * (to[0] - from[0]), from[1] + (k / 5) * (to[1] - from[1]));
  }
}
