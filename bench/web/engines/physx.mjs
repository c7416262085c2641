// PhysX 5. Its package is made for browsers and refuses to start in Node: while it starts, it sees a
// window and no process, and is handed its module.
import fs from 'node:fs';
import PhysXFactory from 'physx-js-webidl';
import { version } from './version.mjs';

export const name = 'PhysX';
export const step = 1 / 60;
export const settings = [
  ['bounce threshold 0.001 m/s (its tutorials: 0.2 times the speed scale)', 'slow impacts would be swallowed; 0 is refused'],
  ['no damping (default 0.05 of turning), no sleeping', 'energy would fade'],
  ['speculative continuous detection in the swept scene', 'the other kind needs a filter of one\'s own'],
];
let PhysX;
let physics;
let tolerances;

export async function prepare() {
  const wasmBinary = fs.readFileSync(new URL('../node_modules/physx-js-webidl/physx-js-webidl.wasm', import.meta.url));
  const { process } = globalThis;
  globalThis.window = {};
  globalThis.process = undefined;
  try {
    PhysX = await PhysXFactory({ wasmBinary });
  } finally {
    globalThis.process = process;
    delete globalThis.window;
  }
  const number = PhysX.PHYSICS_VERSION;
  const foundation = PhysX.CreateFoundation(number, new PhysX.PxDefaultAllocator(), new PhysX.PxDefaultErrorCallback());
  tolerances = new PhysX.PxTolerancesScale();
  physics = PhysX.CreatePhysics(number, foundation, tolerances);
  return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255} (physx-js-webidl ${version('physx-js-webidl')})`;
}

export function load(scene) {
  const desc = new PhysX.PxSceneDesc(tolerances);
  desc.set_gravity(new PhysX.PxVec3(...scene.gravity));
  desc.set_cpuDispatcher(PhysX.DefaultCpuDispatcherCreate(0));
  desc.set_filterShader(PhysX.DefaultFilterShader());
  desc.set_bounceThresholdVelocity(0.001);
  const world = physics.createScene(desc);
  const material = physics.createMaterial(scene.friction, scene.friction, scene.restitution);
  const flags = new PhysX.PxShapeFlags(
    PhysX.PxShapeFlagEnum.eSIMULATION_SHAPE | PhysX.PxShapeFlagEnum.eSCENE_QUERY_SHAPE);
  const bodies = scene.bodies.map((body) => {
    const geometry = body.half ? new PhysX.PxBoxGeometry(...body.half) : new PhysX.PxSphereGeometry(body.radius);
    const shape = physics.createShape(geometry, material, true, flags);
    shape.setSimulationFilterData(new PhysX.PxFilterData(1, 1, 0, 0));
    const pose = new PhysX.PxTransform(new PhysX.PxVec3(...body.position), new PhysX.PxQuat(0, 0, 0, 1));
    const made = body.fixed ? physics.createRigidStatic(pose) : physics.createRigidDynamic(pose);
    made.attachShape(shape);
    if (!body.fixed) {
      PhysX.PxRigidBodyExt.prototype.setMassAndUpdateInertia(made, 1);
      made.setLinearDamping(0);
      made.setAngularDamping(0);
      made.setSleepThreshold(0);
      made.setRigidBodyFlag(PhysX.PxRigidBodyFlagEnum.eENABLE_SPECULATIVE_CCD, Boolean(scene.swept));
      made.setLinearVelocity(new PhysX.PxVec3(...body.velocity));
    }
    world.addActor(made);
    return made;
  });
  const vector = (v) => [v.get_x(), v.get_y(), v.get_z()];
  const moving = (b, i, read) => (scene.bodies[i].fixed ? [0, 0, 0] : vector(read(b)));
  return {
    step() {
      world.simulate(step);
      world.fetchResults(true);
    },
    state: () => ({
      position: bodies.map((b) => vector(b.getGlobalPose().get_p())),
      velocity: bodies.map((b, i) => moving(b, i, (of) => of.getLinearVelocity())),
      spin: bodies.map((b, i) => moving(b, i, (of) => of.getAngularVelocity())),
      turn: bodies.map((b) => {
        const q = b.getGlobalPose().get_q();
        return [q.get_w(), q.get_x(), q.get_y(), q.get_z()];
      }),
    }),
    free: () => world.release(),
  };
}
