// What each preset of the lab says that one will see is what happens. Run as lab_test.mjs; the cradle, the wedge, pi,
// the gas and the symmetry of the break are there.

import assert from "node:assert/strict";
import test from "node:test";
import { bodyCount, drag, message, open, pixelOf, positions, setRange, take, withLab } from "./pages.mjs";

const velocities = (page, run = 0) =>
  page.evaluate((k) => Array.from(window.lab.page.bench.runs[k].velocities), run);
const angles = (page, run = 0) => page.evaluate((k) => {
  const q = window.lab.page.bench.runs[k].orientations;
  return Array.from({ length: q.length / 4 }, (_, body) => 2 * Math.atan2(q[4 * body + 3], q[4 * body]));
}, run);
const onPreset = (id, look) => withLab({ hash: `#preset=${id}` }, async (page) => {
  await open(page, id);
  await look(page);
});

test("Bernoulli: with gr both go off alike, with Gauss-Seidel one is faster", () => onPreset("bernoulli", async (page) => {
  await take(page, 300);
  const speeds = async (run) => {
    const v = await velocities(page, run);
    return [Math.hypot(v[3], v[4]), Math.hypot(v[6], v[7])];
  };
  const [upper, lower] = await speeds(0);
  assert(upper > 0.5 && Math.abs(upper - lower) < 1e-12, `${upper}, ${lower}`);
  const [first, second] = await speeds(1);
  assert(Math.abs(first - second) > 0.1, `${first}, ${second}`);
}));

test("box: straight up with gr, spinning with Gauss-Seidel", () => onPreset("box", async (page) => {
  await take(page, 1000);
  assert(Math.abs((await angles(page, 0))[0]) < 1e-9);
  assert(Math.abs((await positions(page, 0))[0]) < 1e-9);
  assert(Math.abs((await angles(page, 1))[0]) > 0.1);
}));

test("matryoshka: as one thing with lcp, apart with gr", () => onPreset("matryoshka", async (page) => {
  const spread = async (run) => {
    const v = await velocities(page, run);
    return Math.max(v[1], v[4], v[7]) - Math.min(v[1], v[4], v[7]);
  };
  await take(page, 10);
  let taken = 0;
  while ((await velocities(page, 1))[1] < 0 && taken++ < 400) await take(page, 1);
  assert((await spread(1)) < 1e-6, `lcp: ${await spread(1)} m/s`);
  assert((await spread(0)) > 0.1, `gr: ${await spread(0)} m/s`);
}));

test("dominoes: all fall", () => onPreset("dominoes", async (page) => {
  const { stopped } = await take(page, 1500);
  assert.equal(stopped, "");
  const fallen = (await angles(page)).filter((angle) => Math.abs(angle) > 0.6).length;
  assert.equal(fallen, await bodyCount(page));
}));

test("Maxwell's demon: they gather on one side, elastic ones do not", () => onPreset("demon", async (page) => {
  const share = async () => {
    const places = await positions(page);
    const left = places.filter((x, k) => k % 3 === 0 && x < 0).length / (places.length / 3);
    return Math.max(left, 1 - left);
  };
  await take(page, 9000);
  const gathered = await share();
  assert(gathered > 0.75, `after 45 s ${gathered} are on one side`);
  await setRange(page, "restitution", 1);
  await take(page, 4000);
  const spread = await share();
  assert(spread < gathered - 0.05, `20 s without loss: ${gathered}, then ${spread}`);
}));

test("drum: grains stay in it, and climb its wall less without friction", () => onPreset("drum", async (page) => {
  const highest = async () => {
    let most = -Infinity;
    for (let k = 0; k < 30; ++k) {
      const { stopped } = await take(page, 20);
      assert.equal(stopped, "");
      const places = await positions(page);
      const drum = await page.evaluate(() => window.lab.page.bench.first.shapes[0].motion.offsets[0]);
      for (let body = 0; body < places.length; body += 3) {
        const [x, y] = [places[body] - drum[0], places[body + 1] - drum[1]];
        assert(Math.hypot(x, y) < 6 - 0.4 + 0.02, `a grain is ${Math.hypot(x, y)} from the middle`);
        most = Math.max(most, y);
      }
    }
    return most;
  };
  assert(await highest() < 6);
}));

test("column: it spreads, and farther without friction", () => onPreset("column", async (page) => {
  const width = async () => {
    const xs = (await positions(page)).filter((_, k) => k % 3 === 0).sort((a, b) => a - b);
    // Of nine tenths of the grains: single ones may roll away.
    return xs[Math.floor(0.95 * xs.length)] - xs[Math.floor(0.05 * xs.length)];
  };
  const before = await width();
  await take(page, 600);
  const rough = await width();
  assert(rough > before + 2, `${before}, then ${rough}`);
  await page.click("#to-start");
  await setRange(page, "friction", 0);
  await take(page, 600);
  const smooth = await width();
  assert(smooth > rough + 1, `with friction ${rough}, without ${smooth}`);
}));

test("curtain: the ball pushes the chains and passes none; the books of energy are shown", () => onPreset("curtain", async (page) => {
  const { done, stopped } = await take(page, 120);
  assert.deepEqual([done, stopped], [120, ""]);
  const { columns, drift, totals, kinetic } = await page.evaluate(() => {
    const { bench } = window.lab.page;
    return { ...bench.first.report, kinetic: bench.first.report.totals.kinetic };
  });
  assert(columns.deepest_layer > 0 && columns.smallest_gap > 0, JSON.stringify(columns));
  assert(Math.abs(drift) < 0.01, `${drift} J of ${totals.kinetic}`);
  assert(kinetic > 0);
  const words = await page.evaluate(() => {
    window.lab.page.impact.tell(true);
    return document.getElementById("certificate").textContent;
  });
  assert.match(words, /layers: \d+ deep so far; the smallest gap was .* m; energy is accounted for to .* J; nothing has passed/);
  // The ball stays on its side of every chain: in the plane none can be passed.
  const right = await page.evaluate(() => {
    const { positions: at, names, bodies } = window.lab.page.bench.first;
    const ball = names.indexOf("ball");
    const height = at[3 * ball + 1];
    let sides = 0;
    for (let body = 0; body < bodies; ++body) {
      if (body !== ball && Math.abs(at[3 * body + 1] - height) < 0.05 && at[3 * body] < at[3 * ball]) ++sides;
    }
    return sides;
  });
  assert.equal(right, 0, "vertices to the left of the ball at its height");
  await page.click("#application");
  assert.match(await message(page), /no impact to be watched/);
}));

test("curtain: a vertex that is pulled by hand takes the next chains along", () => onPreset("curtain", async (page) => {
  const pulled = 12; // near the lower end of the first chain
  const before = await positions(page);
  const from = await pixelOf(page, before.slice(3 * pulled, 3 * pulled + 3));
  const to = await pixelOf(page, [before[3 * pulled] + 0.35, before[3 * pulled + 1] + 0.1, 0]);
  await page.evaluate(() => window.lab.page.setPlaying(true));
  await drag(page, from, to);
  await page.waitForFunction(([k, x]) => window.lab.page.bench.first.positions[k] > x + 0.2, [3 * pulled, before[3 * pulled]]);
  const now = await positions(page);
  await page.mouse.up();
  assert.equal(await message(page), "");
  const next = 15 + pulled; // its neighbour on the second chain
  assert(now[3 * next] > before[3 * next] + 0.05, `the second chain was at ${before[3 * next]}, is at ${now[3 * next]}`);
}));

test("cloth: it falls on the box and not through it", () => onPreset("cloth", async (page) => {
  const { done, stopped } = await take(page, 60);
  assert.deepEqual([done, stopped], [60, ""]);
  const { lowest, inside, deepest } = await page.evaluate(() => {
    const { positions: at, bodies, names, report } = window.lab.page.bench.first;
    const box = names.indexOf("box");
    let [low, within] = [Infinity, 0];
    for (let body = 0; body < bodies; ++body) {
      if (body === box) continue;
      const [x, y, z] = at.subarray(3 * body, 3 * body + 3);
      low = Math.min(low, z);
      if (Math.abs(x - 0.1) < 0.15 && Math.abs(y) < 0.15 && Math.abs(z - 0.15) < 0.15) ++within;
    }
    return { lowest: low, inside: within, deepest: report.columns.deepest_layer };
  });
  assert.equal(inside, 0, "vertices inside the box");
  assert(lowest > -0.05, `the lowest at ${lowest}`);
  assert(deepest > 0);
}));

test("column: what grains press into each other hinders no slider and no undo", () => onPreset("column", async (page) => {
  const slide = { friction: 0.8, restitution: 0.5, gravity: 5, step: -2.7 };
  for (const [id, value] of Object.entries(slide)) {
    await take(page, 60);
    await setRange(page, id, value);
    assert.equal(await message(page), "", id);
  }
  await take(page, 60);
  for (const id of Object.keys(slide)) {
    await page.click("#undo");
    assert.equal(await message(page), "", `undo, from ${id}`);
  }
}));
