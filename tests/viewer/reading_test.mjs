// What a page tells beyond its scene: springs, the description, plots that are folded, read and shown by
// powers of ten, bars of colour, floors and shadows.

import assert from "node:assert/strict";
import test from "node:test";
import { coloursAt, expectedOf, screenshot, withPage } from "./browser.mjs";

const near = (a, b) => a.every((x, k) => Math.abs(x - b[k]) < 1e-4);
const brightness = ([r, g, b]) => (r + g + b) / 3;

for (const name of ["springs_flat", "springs_space"]) {
  test(`${name}: springs go from what they hold to what holds them`, async () => {
    await withPage(name, { hash: "#t=0.6" }, async (page) => {
      await page.evaluate(() => { window.carom.pause(); window.carom.seek(0.6); });
      const [pieces, positions] = await page.evaluate(() =>
        [window.carom.springs(), Array.from(window.carom.positions())]);
      const point = name === "springs_flat" ? [0, 4, 0] : [0, 0, 4];
      const [first, second] = [positions.slice(0, 3), positions.slice(3, 6)];
      const each = pieces.length / 2;
      assert(each > 10, `${each} pieces for a spring`);
      assert(near(pieces[0][0], first) && near(pieces[each - 1][1], point), "from a ball to its point");
      assert(near(pieces[each][0], first) && near(pieces[2 * each - 1][1], second), "from ball to ball");
      pieces.slice(1, each).forEach(([from], k) => assert(near(from, pieces[k][1]), `gap after piece ${k}`));
      // Seen on the page: the straight end at the point, where nothing else is.
      const middle = pieces[each - 1][0].map((x, axis) => (x + pieces[each - 1][1][axis]) / 2);
      const place = await page.evaluate((at) => window.carom.pixelOf(at), middle);
      const [here, beside] = await coloursAt(page, [place, [place[0] + 14, place[1]]]);
      assert(brightness(here) < brightness(beside) - 40, `${here} on the spring, ${beside} beside it`);
      await screenshot(page, name);
    });
  });
}

test("a page shows what its scene says of itself", async () => {
  await withPage("springs_space", { hash: "#t=0" }, async (page) => {
    const words = "A ball hangs from a point, another from the ball. (after nobody)";
    assert.equal(await page.textContent("#description summary"), words);
    assert(!await page.isVisible("#description p"));
    await page.click("#description summary");
    assert(await page.isVisible("#description p"));
  });
  await withPage("break", { hash: "#t=0" }, async (page) => {
    assert(!await page.isVisible("#description"), "no room for what is not said");
  });
});

test("plots fold one by one and all together", async () => {
  await withPage("springs_flat", { hash: "#t=0" }, async (page) => {
    const canvas = page.locator(".plot canvas").first();
    assert(await canvas.isVisible());
    const before = await page.locator("#stage").boundingBox();
    await page.locator(".plot .fold").first().click();
    assert(!await canvas.isVisible());
    assert(await page.locator(".plot").first().locator("b").first().isVisible(), "values stay");
    await screenshot(page, "plots_folded");
    await page.locator(".plot .fold").first().click();
    assert(await canvas.isVisible());
    await page.keyboard.press("d");
    assert(!await page.isVisible("#plots"));
    await page.waitForTimeout(100);
    const after = await page.locator("#stage").boundingBox();
    assert(after.height > before.height + 50, "the scene has their room");
    await page.keyboard.press("d");
    assert(await canvas.isVisible());
  });
});

test("an error of round-off and one that is not are seen in one plot", async () => {
  await withPage("springs_flat", { hash: "#t=1" }, async (page) => {
    const plot = page.locator(".plot").nth(1);
    assert.match(await plot.locator("h2").textContent(), /^mirror error m/);
    assert.equal(await plot.locator(".powers").getAttribute("aria-pressed"), "true");
    assert.match(await plot.locator(".words").textContent(), /^largest: 10⁻¹⁴ to (10⁴|10000) m$/);
    const canvas = plot.locator("canvas");
    const box = await canvas.boundingBox();
    // The pointer at half of the time: both values, and the time itself.
    await page.mouse.move(box.x + 58 + 0.5 * (box.width - 66), box.y + 60);
    await page.waitForSelector(".plot-note:not([hidden])");
    const note = await plot.locator(".plot-note").textContent();
    const found = /^(1|0\.99\d*|1\.0\d*) sgr\S+ mgauss_seidel\S+ m$/.exec(note);
    assert(found, note);
    await screenshot(page, "mirror_error");
    const byPowers = await canvas.screenshot();
    await plot.locator(".powers").click();
    assert.equal(await plot.locator(".powers").getAttribute("aria-pressed"), "false");
    await page.mouse.move(5, 5);
    assert(!await page.isVisible(".plot-note:not([hidden])"), "the note goes with the pointer");
    assert(!byPowers.equals(await canvas.screenshot()));
    assert.equal(await page.locator(".plot").first().locator(".powers").count(), 0, "none for what is constant");
  });
});

test("bars say what the colours of maps mean", async () => {
  await withPage("space", { hash: "#t=0.8" }, async (page) => {
    const [most, , least] = await page.locator(".heights .bar-ends span").allTextContents();
    const values = await page.evaluate(() => Array.from(window.carom.heights().values).filter((x) => !Number.isNaN(x)));
    const meant = (text) => Number(text.replace(" m", "").replace("−", "-"));
    assert(Math.abs(meant(most) - Math.max(...values)) < 0.01 * Math.max(...values), `${most}`);
    assert(Math.abs(meant(least) - Math.min(...values)) < 0.01 * Math.max(...values), `${least}`);
    const bar = await page.locator(".heights .bar canvas").boundingBox();
    const map = await page.locator(".heights .map-row > canvas").boundingBox();
    assert(Math.abs(bar.height - map.height) < 2, "as high as its map");
    const [top, bottom] = await coloursAt(page, [[bar.x + 3, bar.y + 3], [bar.x + 3, bar.y + bar.height - 3]]);
    assert(brightness(top) > brightness(bottom) + 40, "high is bright");
    await screenshot(page, "space_bars");
  });
});

test("balls throw soft shadows on a floor that is about as large as the scene", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await withPage("springs_space", { hash: "#t=0", colorScheme }, async (page) => {
      await page.evaluate(() => { window.carom.pause(); window.carom.seek(0); });
      await page.uncheck("#trails");
      // The light comes nearly from above: the shadow of a ball at (0, 0, 0.8) is not far from (0, 0, 0).
      const around = [];
      for (let x = -0.5; x <= 0.5; x += 0.05) {
        for (let y = -0.5; y <= 0.5; y += 0.05) around.push([x, y, 0]);
      }
      const away = [[0.9, 0.1, 0], [-0.8, 0, 0], [-0.8, 0.15, 0], [0.8, -0.2, 0], [-0.7, -0.2, 0]];
      const pixels = await page.evaluate((points) => points.map((point) => window.carom.pixelOf(point)), [...around, ...away]);
      const colours = (await coloursAt(page, pixels)).map(brightness);
      const floor = colours.slice(around.length).sort((a, b) => a - b)[2];
      const darkest = Math.min(...colours.slice(0, around.length));
      const needed = colorScheme === "light" ? 25 : 5;
      assert(darkest < floor - needed, `${colorScheme}: ${darkest} in the shadow, ${floor} on the floor`);
      // The floor has faded before it is four times as wide as what stands on it.
      const [far, sky] = await coloursAt(page, [
        ...await page.evaluate((points) => points.map((point) => window.carom.pixelOf(point)), [[-1.6, 0.3, 0]]), [30, 100]]);
      assert(far.every((x, k) => Math.abs(x - sky[k]) < 4), `${far} far away, ${sky} outside`);
      await screenshot(page, `shadows_${colorScheme}`);
    });
  }
});

test("many balls are drawn without shadows", async () => {
  await withPage("many_space", { hash: "#t=0" }, async (page) => {
    assert(expectedOf("many_space").runs[0].bodies > 3000);
    assert.equal(await page.evaluate(() => window.carom.hasShadows()), false);
  });
  await withPage("springs_space", { hash: "#t=0" }, async (page) => {
    assert.equal(await page.evaluate(() => window.carom.hasShadows()), true);
  });
});

test("with fit=now, by Now and by Shift F what is there at the moment fills the picture", async () => {
  const share = (page) => page.evaluate(() => {
    const box = document.getElementById("stage").getBoundingClientRect();
    const places = window.carom.positions();
    const pixels = Array.from({ length: places.length / 3 }, (_, body) =>
      window.carom.pixelOf(Array.from(places.slice(3 * body, 3 * body + 3))));
    const inside = pixels.filter(([x, y]) => x > box.left && x < box.right && y > box.top && y < box.bottom).length;
    const span = (axis) => Math.max(...pixels.map((p) => p[axis])) - Math.min(...pixels.map((p) => p[axis]));
    return { inside: inside / pixels.length, filled: Math.max(span(0) / box.width, span(1) / box.height) };
  });
  const drawn = (page) => page.waitForTimeout(200);
  await withPage("break", { hash: "#t=0&fit=now" }, async (page) => {
    await page.evaluate(() => window.carom.pause());
    await drawn(page);
    const now = await share(page);
    assert(now.inside === 1 && now.filled > 0.3, `${now.inside} inside, ${now.filled} filled`);
    for (const fit of [() => page.click("#fit-now"), () => page.keyboard.press("Shift+F")]) {
      await page.mouse.move(300, 250);
      await page.mouse.wheel(0, -600);
      await drawn(page);
      assert((await share(page)).filled > 1.2 * now.filled, "the wheel zooms");
      await fit();
      await drawn(page);
      const again = await share(page);
      assert(again.inside === 1 && Math.abs(again.filled - now.filled) < 1e-9, `${again.filled}, ${now.filled}`);
    }
  });
});
