// Several runs on one clock.

import assert from "node:assert/strict";
import test from "node:test";
import { checkPlays, checkPositions, drawnShare, expectedOf, screenshot, withPage } from "./browser.mjs";

for (const [name, count] of [["two", 2], ["four", 4]]) {
  test(`${name} runs side by side`, async () => {
    await withPage(name, { colorScheme: count === 2 ? "light" : "dark" }, async (page) => {
      assert.equal(await page.evaluate(() => window.carom.runCount()), count);
      assert.equal(await page.locator(".cell").count(), count);
      await checkPositions(page, expectedOf(name));
      await checkPlays(page);
      await page.evaluate(() => window.carom.seek(1.6));
      await page.waitForTimeout(100);
      for (let k = 0; k < count; ++k) {
        assert(await drawnShare(page, k) > 0.003, `no balls in cell ${k}`);
      }
      const labels = await page.locator(".cell-label").allTextContents();
      assert.equal(labels[0], "e = 1.0");
      assert.equal(new Set(labels).size, count);
      for (let k = 0; k < count; ++k) {
        const label = await page.locator(".cell-label").nth(k).boundingBox();
        const cell = await page.locator(".cell").nth(k).boundingBox();
        assert(label.y + label.height <= cell.y + 0.5, `label ${k} covers its scene`);
      }
      const values = await page.locator(".plot").first().locator(".values > span").count();
      assert.equal(values, count, "one line per run");
      await screenshot(page, `compare_${name}`);
    });
  });
}

test("what moves one view moves all", async () => {
  await withPage("two", { hash: "#t=0" }, async (page) => {
    const cells = await page.locator(".cell").all();
    const box = await cells[1].boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, -500);
    await page.mouse.move(5, 5);
    await page.waitForTimeout(300);
    const shares = [await drawnShare(page, 0), await drawnShare(page, 1)];
    assert(Math.abs(shares[0] - shares[1]) < 0.1 * shares[0] + 1e-3, `shares ${shares}`);
  });
});
