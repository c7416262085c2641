// Ten thousand balls.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { checkPlays, checkPositions, expectedOf, screenshot, withPage } from "./browser.mjs";

for (const name of ["many_flat", "many_space"]) {
  test(`${name} loads and plays`, async () => {
    assert(statSync(path.join(process.env.CAROM_PAGES, `${name}.html`)).size < 50e6);
    const begin = Date.now();
    await withPage(name, {}, async (page) => {
      const loaded = Date.now() - begin;
      await checkPositions(page, expectedOf(name));
      const fps = await checkPlays(page, 4500);
      const script = await page.evaluate(() => window.carom.scriptTime());
      console.log(`${name}: ready after ${loaded} ms, ${script.toFixed(1)} ms of script per picture, ` +
        `${fps.toFixed(1)} pictures per second`);
      // Software draws here, on a machine that may be busy; the script's share is what counts where
      // there is a graphics card.
      assert(fps >= 0.5, `${fps} pictures per second`);
      assert(script < 60, `${script} ms of script per picture`);
      await page.evaluate(() => window.carom.seek(0.9));
      await page.waitForTimeout(300);
      await screenshot(page, name);
    });
  });
}
