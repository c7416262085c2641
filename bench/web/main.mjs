// ./dev bench peers --web: the canonical scenes of simultaneous impact under Carom and under other engines, of
// Debian's packages and of npm's, with settings that a competent user would choose. Prints a table; with
// --write FILE, what stands between the marks of that document is replaced by it.
//
//   node main.mjs --carom PROGRAM --native PROGRAM [--write FILE]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { scenes } from './scenes.mjs';
import * as box2d from './engines/box2d.mjs';
import * as carom from './engines/carom.mjs';
import * as jolt from './engines/jolt.mjs';
import * as mujoco from './engines/mujoco.mjs';
import { engines as natives } from './engines/native.mjs';
import * as physx from './engines/physx.mjs';
import * as rapier from './engines/rapier.mjs';

const ENGINES = [carom, ...natives, box2d, rapier, jolt, physx, mujoco];

function options(words) {
  const known = { '--carom': 'carom', '--native': 'program', '--write': 'write' };
  const chosen = {};
  for (let i = 0; i < words.length; i += 2) {
    if (!(words[i] in known) || words[i + 1] === undefined) {
      throw new Error(`'${words[i]}': known are ${Object.keys(known).join(', ')}, each with a value`);
    }
    chosen[known[words[i]]] = words[i + 1];
  }
  if (!chosen.carom || !chosen.program) throw new Error('--carom and --native are required');
  return chosen;
}

/** The states of an engine at the times of the scene. */
function run(engine, scene, settings) {
  if (engine.states) return engine.states(scene, settings);
  const world = engine.load(scene);
  const states = [];
  let steps = 0;
  for (const time of scene.times) {
    for (const wanted = Math.round(time / engine.step); steps < wanted; steps++) world.step();
    states.push(world.state());
  }
  world.free();
  return states;
}

function shown(value) {
  if (!Number.isFinite(value)) return 'not a number';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 100 && size < 1e5) return value.toFixed(0);
  if (size >= 0.01 && size < 1e5) return String(Number(value.toPrecision(3)));
  return value.toExponential(1);
}

/** What stays the same in a percentage of energy is worth its digits. */
const shownFor = (scene, value) =>
  (scene.unit === '%' && Math.abs(value - 100) < 1e-6 ? '100' : shown(value));

function markdown(rows, versions) {
  const names = rows.map(([engine]) => engine.name);
  const lines = ['## What each of them does', '', `| | right | ${names.join(' | ')} |`, `| --- |${' ---: |'.repeat(names.length + 1)}`];
  scenes.forEach((scene, i) => {
    const title = scene.unit ? `${scene.column} (${scene.unit})` : scene.column;
    const values = rows.map(([, all]) => shownFor(scene, all[i]));
    lines.push(`| ${title} | ${scene.ideal} | ${values.join(' | ')} |`);
  });
  lines.push('', '## The scenes', '', '| scene | what is right |', '| --- | --- |');
  for (const scene of scenes) lines.push(`| ${scene.title} | ${scene.right} |`);
  lines.push('', '## The settings', '', '| engine | version | settings | why |', '| --- | --- | --- | --- |');
  for (const [engine] of rows) {
    engine.settings.forEach(([what, why], i) => {
      lines.push(`| ${i === 0 ? engine.name : ''} | ${i === 0 ? versions.get(engine) : ''} | ${what} | ${why} |`);
    });
  }
  return lines.join('\n');
}

async function main() {
  const settings = options(process.argv.slice(2));
  settings.directory = fs.mkdtempSync(path.join(os.tmpdir(), 'carom-peers-'));
  const versions = new Map();
  const rows = [];
  try {
    for (const engine of ENGINES) {
      versions.set(engine, await engine.prepare(settings));
      const values = scenes.map((scene) => scene.measure(scene, run(engine, scene, settings)));
      rows.push([engine, values]);
      console.log(`${engine.name} (${versions.get(engine)})`);
      scenes.forEach((scene, i) => console.log(`  ${scene.column.padEnd(42)} ${shownFor(scene, values[i]).padStart(10)} ${scene.unit}`));
    }
  } finally {
    fs.rmSync(settings.directory, { recursive: true });
  }
  if (settings.write) {
    const [begin, end] = ['<!-- measured: begin -->', '<!-- measured: end -->'];
    const text = fs.readFileSync(settings.write, 'utf8');
    if (!text.includes(begin) || !text.includes(end)) throw new Error(`${settings.write} has no place for the table`);
    const [before] = text.split(begin);
    const [, after] = text.split(end);
    fs.writeFileSync(settings.write, `${before}${begin}\n\n${markdown(rows, versions)}\n\n${end}${after}`);
  }
}

await main();
