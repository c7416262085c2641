// Carom, through its command line: what stands in the table is what `carom run` does with the scene file that is
// written here, with nothing but defaults.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const name = 'Carom';
export const step = 1 / 60;
export const settings = [['all defaults: `scheme = "steps"`, operator `gr`, friction `coulomb`', '']];

const list = (v) => `[${v.join(', ')}]`;

/** The scene as a file of Carom's. */
export function sceneFile(scene) {
  const lines = [
    'kind = "scene"', `title = "${scene.title}"`, '',
    '[world]', 'dimension = 3', `gravity = ${list(scene.gravity)}`, '',
    '[time]', 'step = 0.016666666666666666', `duration = ${scene.duration}`, '',
    '[[material]]', 'name = "default"', `restitution = ${scene.restitution}`, `friction = ${scene.friction}`, '',
  ];
  scene.bodies.forEach((body, i) => {
    if (body.half) {
      lines.push('[[solid]]', `name = "box-${i}"`, 'type = "box"', `size = ${list(body.half.map((h) => 2 * h))}`, '');
    }
    const shape = body.half ? `solid = "box-${i}"` : `radius = ${body.radius}`;
    if (body.fixed) {
      lines.push('[[shape]]', `name = "fixed-${i}"`, 'type = "solid"', shape, `position = ${list(body.position)}`, '');
    } else {
      lines.push('[[body]]', `name = "body-${i}"`, shape, 'mass = 1', `position = ${list(body.position)}`,
        `velocity = ${list(body.velocity)}`, '');
    }
  });
  return lines.join('\n');
}

export function prepare({ carom }) {
  return execFileSync(carom, ['--version'], { encoding: 'utf8' }).trim().replace(/^carom /, '');
}

export function states(scene, { carom, directory }) {
  const file = path.join(directory, `${scene.name}.toml`);
  const recording = path.join(directory, `${scene.name}.h5`);
  const tables = path.join(directory, scene.name);
  fs.writeFileSync(file, sceneFile(scene));
  execFileSync(carom, ['run', file, '--output', recording, '--quiet', '--force']);
  execFileSync(carom, ['export', recording, '--format', 'csv', '--output', tables, '--force'], { stdio: 'pipe' });
  return statesOf(scene, fs.readFileSync(path.join(tables, `${scene.name}.frames.csv`), 'utf8'));
}

/** Rows of a CSV export at the scene's times. */
function statesOf(scene, text) {
  const [head, ...rows] = text.trim().split('\n').map((line) => line.split(','));
  const column = (key) => head.indexOf(key);
  const bodies = scene.bodies.map((body, i) => (body.fixed ? null : `body-${i}`));
  const vector = (row, keys) => keys.map((key) => (column(key) < 0 ? 0 : Number(row[column(key)])));
  return scene.times.map((time) => {
    const frame = new Map();
    for (const row of rows) {
      if (Math.abs(Number(row[column('time')]) - time) < step / 4) frame.set(row[column('name')], row);
    }
    const read = (keys, fixed) => scene.bodies.map((body, i) => {
      if (body.fixed) return fixed(body);
      const row = frame.get(bodies[i]);
      if (!row) throw new Error(`${scene.name}: no frame at ${time} s of ${bodies[i]}`);
      return vector(row, keys);
    });
    return {
      position: read(['x', 'y', 'z'], (body) => body.position),
      velocity: read(['vx', 'vy', 'vz'], () => [0, 0, 0]),
      spin: read(['wx', 'wy', 'wz'], () => [0, 0, 0]),
      turn: read(['qw', 'qx', 'qy', 'qz'], () => [1, 0, 0, 0]),
    };
  });
}
