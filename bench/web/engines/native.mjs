// Engines of Debian's packages, through bench_canonical, which has a process for each scene.
import { execFileSync } from 'node:child_process';

export const step = 1 / 60;

function debianVersion(name) {
  const format = '--showformat=${Version}';
  return execFileSync('dpkg-query', ['--show', format, name], { encoding: 'utf8' }).split('+')[0].replace(/^\d+:/, '').replace(/-[^-]*$/, '');
}

function native(key, name, library, settings) {
  return {
    name,
    step,
    settings,
    prepare: async () => debianVersion(library),
    states(scene, { program }) {
      return JSON.parse(execFileSync(program, [key], { input: JSON.stringify(scene), encoding: 'utf8' }));
    },
  };
}

export const engines = [
  native('bullet', 'Bullet', 'libbullet-dev', [
    ['restitution velocity threshold 0 (default 0.2 m/s)', 'slow impacts would be swallowed'],
    ['no damping, no deactivation; 10 iterations, split impulse (its defaults)', 'nothing is put to rest by force'],
    ['swept sphere of 0.9 radii in the swept scene', 'as its manual says'],
  ]),
  native('ode', 'ODE', 'libode-dev', [
    ['`dWorldQuickStep`, 20 iterations (its default)', '`dWorldStep` reports internal errors where a box stands on its corners'],
    ['`dContactBounce` from speed 0 on, up to 8 points for each pair', 'slow impacts would be swallowed'],
    ['no auto-disable', 'nothing is put to rest by force'],
    ['it has no continuous detection', ''],
  ]),
  native('box2d', 'Box2D 2.4', 'libbox2d-dev', [
    ['8 velocity and 3 position iterations', 'what its manual suggests'],
    ['restitution threshold 0 (default 1 m/s)', 'slow impacts would be swallowed'],
    ['no sleeping', 'nothing is put to rest by force'],
    ['`bullet` in the swept scene; fixed bodies are always swept against', 'as its manual says'],
  ]),
];
