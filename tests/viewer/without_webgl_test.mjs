// A browser without WebGL: the page says so, and the plots work.

import assert from "node:assert/strict";
import test from "node:test";
import { screenshot, withPage } from "./browser.mjs";

test("says that there is no WebGL and still plots", async () => {
  const options = { flags: ["--disable-3d-apis"], hash: "#t=1", mayComplain: /WebGL/ };
  await withPage("break", options, async (page) => {
    assert(!await page.evaluate(() => window.carom.isDrawn()));
    assert.match(await page.textContent("#message"), /WebGL 2/);
    assert(await page.isVisible("#message"));
    await page.keyboard.press("End");
    assert.equal(await page.evaluate(() => window.carom.time()), 3.99);
    assert(await page.locator(".plot canvas").count() >= 3);
    await screenshot(page, "without_webgl");
  });
});
