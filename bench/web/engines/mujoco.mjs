// MuJoCo: contacts are springs, so that restitution is a spring without a dashpot.
import loadMujoco from '@mujoco/mujoco';
import { version } from './version.mjs';

export const name = 'MuJoCo';
export const step = 0.002;
export const settings = [
  ['step 0.002 s (its default), where the others take 1/60 s', 'its springs need it'],
  ['restitution 1 as `solref="-100000 0"`, a stiff spring without damping; restitution 0 its defaults', 'it has no coefficient of restitution; so its documentation says'],
  ['elliptic cone, `impratio="10"`', 'less creep, as its documentation says'],
];
let mujoco;

export async function prepare() {
  mujoco = await loadMujoco();
  return version('@mujoco/mujoco');
}

function model(scene) {
  const elastic = scene.restitution === 1 ? 'solref="-100000 0" solimp="0.99 0.99 0.001"' : '';
  const contact = scene.friction === 0 ? 'condim="1"' : `condim="3" friction="${scene.friction} 0 0"`;
  const bodies = scene.bodies.map((body) => {
    const shape = body.half ? `type="box" size="${body.half.join(' ')}"` : `type="sphere" size="${body.radius}"`;
    return `<body pos="${body.position.join(' ')}">${body.fixed ? '' : '<freejoint/>'}` +
      `<geom ${shape} mass="1" ${elastic} ${contact}/></body>`;
  });
  return `<mujoco><option timestep="${step}" gravity="${scene.gravity.join(' ')}" cone="elliptic" impratio="10"/>` +
    `<worldbody>${bodies.join('')}</worldbody></mujoco>`;
}

export function load(scene) {
  const made = mujoco.MjModel.from_xml_string(model(scene));
  const data = new mujoco.MjData(made);
  const places = [];
  let at = 0;
  scene.bodies.forEach((body) => {
    if (body.fixed) {
      places.push(null);
      return;
    }
    for (let k = 0; k < 3; k++) data.qvel[6 * at + k] = body.velocity[k];
    places.push(at++);
  });
  const part = (array, from, count) => Array.from({ length: count }, (_, k) => array[from + k]);
  const read = (fixed, free) => scene.bodies.map((body, i) => (places[i] === null ? fixed(body) : free(places[i])));
  return {
    step: () => mujoco.mj_step(made, data),
    state: () => ({
      position: read((b) => b.position, (k) => part(data.qpos, 7 * k, 3)),
      turn: read(() => [1, 0, 0, 0], (k) => part(data.qpos, 7 * k + 3, 4)),
      velocity: read(() => [0, 0, 0], (k) => part(data.qvel, 6 * k, 3)),
      spin: read(() => [0, 0, 0], (k) => part(data.qvel, 6 * k + 3, 3)),
    }),
    free() {
      data.delete();
      made.delete();
    },
  };
}
