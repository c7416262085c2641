// Rapier 3D.
import RAPIER from '@dimforge/rapier3d-compat';

export const name = 'Rapier';
export const step = 1 / 60;
export const settings = [
  ['no sleeping, no damping (its default)', 'nothing is put to rest by force'],
  ['continuous detection of all balls in the swept scene', 'as its guide says'],
];

export async function prepare() {
  await RAPIER.init();
  return RAPIER.version();
}

export function load(scene) {
  const [x, y, z] = scene.gravity;
  const world = new RAPIER.World({ x, y, z });
  world.timestep = step;
  const bodies = scene.bodies.map((body) => {
    const [px, py, pz] = body.position;
    const [vx, vy, vz] = body.velocity;
    const kind = body.fixed ? RAPIER.RigidBodyDesc.fixed() : RAPIER.RigidBodyDesc.dynamic();
    kind.setTranslation(px, py, pz).setCanSleep(false);
    if (!body.fixed) kind.setLinvel(vx, vy, vz).setCcdEnabled(Boolean(scene.swept));
    const made = world.createRigidBody(kind);
    const shape = body.half ? RAPIER.ColliderDesc.cuboid(...body.half) : RAPIER.ColliderDesc.ball(body.radius);
    world.createCollider(shape.setRestitution(scene.restitution).setFriction(scene.friction).setMass(1), made);
    return made;
  });
  const vector = (v) => [v.x, v.y, v.z];
  return {
    step: () => world.step(),
    state: () => ({
      position: bodies.map((b) => vector(b.translation())),
      velocity: bodies.map((b) => vector(b.linvel())),
      spin: bodies.map((b) => vector(b.angvel())),
      turn: bodies.map((b) => { const q = b.rotation(); return [q.w, q.x, q.y, q.z]; }),
    }),
    free: () => world.free(),
  };
}
