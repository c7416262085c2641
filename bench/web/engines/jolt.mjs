// Jolt Physics.
import initJolt from 'jolt-physics/wasm-compat';
import { version } from './version.mjs';

export const name = 'Jolt';
export const step = 1 / 60;
export const settings = [
  ['no damping (default 0.05 a second)', 'energy would fade'],
  ['least speed of restitution 0 (default 1 m/s)', 'slow impacts would be swallowed'],
  ['no sleeping', 'nothing is put to rest by force'],
  ['`LinearCast` in the swept scene', 'as its documentation says'],
];
const FIXED = 0;
const MOVING = 1;
let Jolt;

export async function prepare() {
  Jolt = await initJolt();
  return `jolt-physics ${version('jolt-physics')}`;
}

function layers() {
  const settings = new Jolt.JoltSettings();
  const pairs = new Jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(FIXED, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const phases = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  phases.MapObjectToBroadPhaseLayer(FIXED, new Jolt.BroadPhaseLayer(0));
  phases.MapObjectToBroadPhaseLayer(MOVING, new Jolt.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = phases;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(phases, 2, pairs, 2);
  return settings;
}

export function load(scene) {
  const jolt = new Jolt.JoltInterface(layers());
  const system = jolt.GetPhysicsSystem();
  const physics = system.GetPhysicsSettings();
  physics.mMinVelocityForRestitution = 0;
  physics.mAllowSleeping = false;
  system.SetPhysicsSettings(physics);
  system.SetGravity(new Jolt.Vec3(...scene.gravity));
  const bodyInterface = system.GetBodyInterface();
  const bodies = scene.bodies.map((body) => {
    const shape = body.half ? new Jolt.BoxShape(new Jolt.Vec3(...body.half)) : new Jolt.SphereShape(body.radius);
    const settings = new Jolt.BodyCreationSettings(
      shape, new Jolt.RVec3(...body.position), new Jolt.Quat(0, 0, 0, 1),
      body.fixed ? Jolt.EMotionType_Static : Jolt.EMotionType_Dynamic, body.fixed ? FIXED : MOVING);
    settings.mRestitution = scene.restitution;
    settings.mFriction = scene.friction;
    settings.mLinearDamping = 0;
    settings.mAngularDamping = 0;
    settings.mAllowSleeping = false;
    if (!body.fixed) {
      settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
      settings.mMassPropertiesOverride.mMass = 1;
      settings.mMotionQuality = scene.swept ? Jolt.EMotionQuality_LinearCast : Jolt.EMotionQuality_Discrete;
    }
    const made = bodyInterface.CreateBody(settings);
    bodyInterface.AddBody(made.GetID(), Jolt.EActivation_Activate);
    if (!body.fixed) made.SetLinearVelocity(new Jolt.Vec3(...body.velocity));
    return made;
  });
  const vector = (v) => [v.GetX(), v.GetY(), v.GetZ()];
  return {
    step: () => jolt.Step(step, 1),
    state: () => ({
      position: bodies.map((b) => vector(b.GetPosition())),
      velocity: bodies.map((b, i) => (scene.bodies[i].fixed ? [0, 0, 0] : vector(b.GetLinearVelocity()))),
      spin: bodies.map((b, i) => (scene.bodies[i].fixed ? [0, 0, 0] : vector(b.GetAngularVelocity()))),
      turn: bodies.map((b) => { const q = b.GetRotation(); return [q.GetW(), q.GetX(), q.GetY(), q.GetZ()]; }),
    }),
    free: () => Jolt.destroy(jolt),
  };
}
