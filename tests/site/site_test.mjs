// The site in headless Chromium, opened as files: its search, a phone, light and dark, every scene of the gallery that opens
// in the lab, and a newcomer's way from the start page to an own scene. Run by ./dev site --test, which sets CAROM_*.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";

const { CAROM_CHROMIUM, CAROM_SITE, CAROM_VIEWER_SOURCES } = process.env;
assert(CAROM_CHROMIUM && CAROM_SITE && CAROM_VIEWER_SOURCES, "run by ./dev site --test, which sets CAROM_*");
const { chromium } = createRequire(path.join(CAROM_VIEWER_SOURCES, "package.json"))("playwright-core");
const screenshots = path.join(CAROM_SITE, "..", "site-screenshots");
mkdirSync(screenshots, { recursive: true });
const root = pathToFileURL(CAROM_SITE).href;
const browser = await chromium.launch({
  executablePath: CAROM_CHROMIUM, headless: true, chromiumSandbox: false,
  args: ["--no-first-run", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
after(() => browser.close());
// What software rendering says about its own speed.
const isChatter = (text) => /GPU stall due to ReadPixels|software WebGL|swiftshader/i.test(text);

/** Opens a page of the site and checks that nothing was complained of and nothing asked for from elsewhere. */
async function withSite(address, options, look) {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 900 }, colorScheme: options.colorScheme ?? "light", acceptDownloads: true,
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60e3);
    const faults = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !isChatter(message.text())) faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
      if (![root, "data:", "blob:"].some((start) => request.url().startsWith(start))) faults.push(`request for ${request.url()}`);
    });
    await page.goto(`${root}/${address}`);
    await look(page);
    assert.deepEqual(faults, [], address);
  } finally {
    await context.close();
  }
}

const screenshot = (page, name) => page.screenshot({ path: path.join(screenshots, `${name}.png`) });
const filesBelow = (directory) => readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
  const place = path.join(directory, entry.name);
  return entry.isDirectory() ? filesBelow(place) : [place];
});
const labOf = async (page) => {
  const frame = page.frame({ url: /lab\/index\.html/ }) ?? page.mainFrame();
  await frame.waitForFunction(() => window.lab?.page !== undefined);
  return frame;
};

test("the search finds pages, without a server", async () => {
  await withSite("concepts.html", {}, async (page) => {
    await page.click(".md-search__input");
    await page.keyboard.type("certificate");
    const first = page.locator(".md-search-result__link").first();
    await first.waitFor();
    const links = await page.locator(".md-search-result__link").evaluateAll((all) => all.map((link) => link.href));
    assert(links.some((link) => /read-a-certificate/.test(link)), links.join("\n"));
    await screenshot(page, "search");
  });
});

test("pages fit a phone, in light and in dark", async () => {
  const pages = ["index.html", "gallery/index.html", "gallery/G6-break.html", "how-to/operator.html", "python-reference.html",
    "library/impact.html", "why-not-my-engine.html", "benchmarks.html", "scene-format.html"];
  for (const colorScheme of ["light", "dark"]) {
    for (const address of pages) {
      await withSite(address, { viewport: { width: 390, height: 844 }, colorScheme }, async (page) => {
        assert(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, `${address} is wider than the screen`);
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
        assert.equal(ground[0] > 128, colorScheme === "light", `${address}: ${ground}`);
        if (address === "index.html" || address === "gallery/index.html") {
          await page.waitForTimeout(800);
          await screenshot(page, `phone_${colorScheme}_${address.replaceAll("/", "_")}`);
        }
      });
    }
  }
});

test("every picture is there", async () => {
  await withSite("gallery/index.html", {}, async (page) => {
    const count = await page.locator(".cards img").count();
    assert(count >= 93, `${count} pictures`);
    await page.locator(".cards img").evaluateAll((all) => Promise.all(all.map((image) => image.decode())));
    await screenshot(page, "gallery");
  });
});

test("what the gallery opens in the lab runs there", async () => {
  const pages = filesBelow(path.join(CAROM_SITE, "gallery")).filter((file) => file.endsWith(".html"));
  let opened = 0;
  for (const file of pages) {
    const link = /class="open-lab" href="([^"]*)"/.exec(readFileSync(file, "utf8"));
    if (!link) continue;
    ++opened;
    const name = path.basename(file, ".html");
    await withSite(`gallery/${link[1].replaceAll("&amp;", "&")}`, {}, async (page) => {
      const lab = await labOf(page);
      const { fault, taken, title } = await lab.evaluate(() => {
        const { page: here } = window.lab;
        here.setPlaying(false);
        const message = document.getElementById("message");
        return {
          fault: message.hidden ? "" : message.textContent, taken: here.take(3),
          title: here.bench.first.title,
        };
      });
      assert.equal(fault, "", name);
      assert.equal(taken.stopped, "", name);
      assert(title.length > 0, name);
    });
  }
  console.log(`${opened} experiments open in the lab`);
  assert(opened >= 40, `${opened}`);
});

test("a newcomer gets from the start page to an own scene, with what stands there", async () => {
  await withSite("index.html", {}, async (page) => {
    await screenshot(page, "start");
    // The page of its own is one click away, and begins where the frame began.
    await page.getByRole("link", { name: "On a page of its own" }).click();
    let lab = await labOf(page);
    await lab.selectOption("#preset", { label: "Newton's cradle" });
    // A change by slider, a change by text, a fault, its mending.
    await lab.locator("#restitution").fill("0.8");
    await lab.click("#source summary");
    await lab.click("#present");
    const text = await lab.inputValue("#text");
    assert.match(text, /restitution = 0\.8/);
    await lab.fill("#text", text.replace("[world]", "[wrold]"));
    await lab.click("#apply");
    assert.match(await lab.locator("#fault").textContent(), /^Line \d+: .*world/);
    await lab.fill("#text", text.replace(/title = ".*"/, 'title = "My own cradle"'));
    await lab.click("#apply");
    assert.equal(await lab.locator("#fault").textContent(), "");
    const [download] = await Promise.all([page.waitForEvent("download"), lab.click("#save")]);
    assert.match(readFileSync(await download.path(), "utf8"), /My own cradle/);
    await lab.click("#link");
    await page.waitForFunction(() => location.hash.startsWith("#scene="));
    await page.reload();
    lab = await labOf(page);
    assert.equal(await lab.evaluate(() => window.lab.page.bench.first.title), "My own cradle");
    assert.equal(await lab.locator("#play").getAttribute("aria-label"), "Pause", "what a link opens runs");
    assert.equal(await lab.locator("#play svg").count(), 1);
    await screenshot(page, "own_scene");
  });
  // And by the other way: the tutorial, from the start page.
  await withSite("index.html", {}, async (page) => {
    await page.locator(".md-content").getByRole("link", { name: "tutorial", exact: true }).click();
    await page.waitForURL(/tutorial\.html/);
    assert.match(await page.locator(".md-content").textContent(), /carom new/);
  });
});
