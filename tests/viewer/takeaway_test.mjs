// Buttons: a picture, a clip, the whole screen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { screenshot, withPage, withScript } from "./browser.mjs";
import { clipTimes } from "../../viewer/src/clip_times.js";
import { webmFile } from "../../viewer/src/webm.js";

const waitFor = async (page, button) => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
};

test("a picture is what the scene shows, with its title and time", async () => {
  await withPage("springs_flat", { hash: "#t=0.6" }, async (page) => {
    const { name, bytes } = await waitFor(page, "#picture");
    assert.equal(name, "springs.png");
    assert.deepEqual([...bytes.subarray(1, 4)], [..."PNG"].map((c) => c.charCodeAt(0)));
    const stage = await page.locator("#stage").boundingBox();
    const seen = await page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const pen = canvas.getContext("2d", { willReadFrequently: true });
      pen.drawImage(image, 0, 0);
      const coloured = (top, height) => {
        const { data } = pen.getImageData(0, top, canvas.width, height);
        let count = 0;
        for (let k = 0; k < data.length; k += 4) {
          if (Math.max(data[k], data[k + 1], data[k + 2]) - Math.min(data[k], data[k + 1], data[k + 2]) > 60) ++count;
        }
        return count;
      };
      const dark = (left, width) => {
        const { data } = pen.getImageData(left, 0, width, 30);
        let count = 0;
        for (let k = 0; k < data.length; k += 4) if (data[k] < 120) ++count;
        return count;
      };
      return { width: image.width, height: image.height, balls: coloured(60, image.height - 100),
        title: dark(0, 300), time: dark(image.width - 100, 100) };
    }, bytes.toString("base64"));
    assert(Math.abs(seen.width - stage.width) <= 2, `${seen.width} pixels wide`);
    assert(Math.abs(seen.height - stage.height - 54) <= 2, `${seen.height} pixels high`);
    assert(seen.balls > 500, `${seen.balls} pixels of balls`);
    assert(seen.title > 100 && seen.time > 20, `${seen.title} dark pixels of the title, ${seen.time} of the time`);
  });
});

test("a clip plays: as long as the run at its speed, and something moves", async () => {
  let clip = null;
  await withPage("springs_space", { hash: "#t=0.4", viewport: { width: 700, height: 600 } }, async (page) => {
    await page.click("#faster");
    const { name, bytes } = await waitFor(page, "#clip");
    assert.equal(name, "springs-gr.webm");
    clip = bytes;
    assert.equal(await page.textContent("#clip"), "Clip");
    assert.equal(await page.evaluate(() => window.carom.time()), 0.4, "back where it was");
  });
  await withScript("", async (page) => {
    const seen = await page.evaluate(async (base64) => {
      const video = document.createElement("video");
      video.muted = true;
      document.body.append(video);
      video.src = `data:video/webm;base64,${base64}`;
      await new Promise((resolve, reject) => {
        video.onloadeddata = resolve;
        video.onerror = () => reject(new Error(video.error.message));
      });
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
      const pen = canvas.getContext("2d", { willReadFrequently: true });
      const at = async (time) => {
        video.currentTime = time;
        await new Promise((resolve) => { video.onseeked = resolve; });
        pen.drawImage(video, 0, 0);
        return pen.getImageData(0, 0, canvas.width, canvas.height).data;
      };
      const [first, later] = [await at(0.05), await at(0.6 * video.duration)];
      let changed = 0;
      for (let k = 0; k < first.length; k += 4) if (Math.abs(first[k] - later[k]) > 40) ++changed;
      return { duration: video.duration, size: [video.videoWidth, video.videoHeight], changed };
    }, clip.toString("base64"));
    // 2 s of the run at half of its speed, made faster once.
    assert(Math.abs(seen.duration - 2.03) < 0.1, `${seen.duration} s`);
    assert(seen.size.every((x) => x > 100 && x % 2 === 0), `${seen.size}`);
    assert(seen.changed > 300, `${seen.changed} pixels changed`);
  });
});

test("a clip that would last too long is refused, and one can be stopped", async () => {
  await withPage("springs_space", { hash: "#t=0" }, async (page) => {
    for (let k = 0; k < 8; ++k) await page.click("#slower");
    await page.click("#clip");
    await page.waitForSelector("#said:not([hidden])");
    assert.match(await page.textContent("#said"), /the clip would last \d+ s; 120 s is the most/);
    for (let k = 0; k < 5; ++k) await page.click("#faster");
    await page.click("#clip");
    await page.waitForFunction(() => /Stop/.test(document.getElementById("clip").textContent));
    await page.click("#clip");
    await page.waitForFunction(() => document.getElementById("clip").textContent === "Clip");
  });
});

test("the whole screen is for the scene", async () => {
  await withPage("springs_flat", { hash: "#t=0.6" }, async (page) => {
    await page.click("#whole-screen");
    await page.waitForFunction(() => document.body.classList.contains("whole-screen"));
    assert(!await page.isVisible("#header") && !await page.isVisible("#plots"));
    await page.waitForTimeout(200);
    await screenshot(page, "whole_screen");
    await page.click("#whole-screen");
    await page.waitForFunction(() => !document.body.classList.contains("whole-screen"));
    assert(await page.evaluate(() => document.fullscreenElement === null));
    assert(await page.isVisible("#header"));
  });
});

test("the times of a clip are even, and end with the run", () => {
  const times = clipTimes({ begin: 1, end: 3, rate: 0.5 });
  assert.equal(times.length, 121);
  assert.equal(times[0], 1);
  assert.equal(times[120], 3);
  assert(Math.abs(times[60] - 2) < 1e-12);
});

test("sizes in a WebM file are as long as they must be", () => {
  for (const size of [10, 126, 127, 16382, 16383, 3e6]) {
    const frames = [{ time: 0, bytes: new Uint8Array(size), isKey: true }];
    const file = webmFile({ frames, codec: "V_VP8", width: 2, height: 2, duration: 33, title: "t" });
    // The whole file is two elements: walks over both end exactly at its end.
    let place = 0;
    for (const identityLength of [4, 4]) {
      place += identityLength;
      let length = 1;
      while (!(file[place] & (0x80 >> (length - 1)))) ++length;
      let content = file[place] & (0xff >> length);
      for (let k = 1; k < length; ++k) content = content * 256 + file[place + k];
      place += length + content;
    }
    assert.equal(place, file.length, `a frame of ${size} bytes`);
  }
});
