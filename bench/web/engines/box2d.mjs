// Box2D v3, in the plane.
import Box2DFactory from 'box2d3-wasm';
import { version } from './version.mjs';

export const name = 'Box2D v3';
export const step = 1 / 60;
export const settings = [
  ['4 substeps', 'what its manual suggests'],
  ['restitution threshold 0 (default 1 m/s)', 'slow impacts would be swallowed'],
  ['no sleeping', 'nothing is put to rest by force'],
  ['`isBullet` in the swept scene; fixed bodies are always swept against', 'as its manual says'],
];
const SUBSTEPS = 4;
let b2;

export async function prepare() {
  b2 = await Box2DFactory();
  return `box2d3-wasm ${version('box2d3-wasm')}`;
}

export function load(scene) {
  const worldDef = b2.b2DefaultWorldDef();
  worldDef.gravity.Set(scene.gravity[0], scene.gravity[1]);
  worldDef.restitutionThreshold = 0;
  worldDef.enableSleep = false;
  const world = b2.b2CreateWorld(worldDef);
  const bodies = scene.bodies.map((body) => {
    const def = b2.b2DefaultBodyDef();
    def.type = body.fixed ? b2.b2BodyType.b2_staticBody : b2.b2BodyType.b2_dynamicBody;
    def.position.Set(body.position[0], body.position[1]);
    def.linearVelocity.Set(body.velocity[0], body.velocity[1]);
    def.isBullet = Boolean(scene.swept) && !body.fixed;
    const made = b2.b2CreateBody(world, def);
    const shape = b2.b2DefaultShapeDef();
    shape.material.friction = scene.friction;
    shape.material.restitution = scene.restitution;
    if (body.half) {
      shape.density = 1 / (4 * body.half[0] * body.half[1]);
      b2.b2CreatePolygonShape(made, shape, b2.b2MakeBox(body.half[0], body.half[1]));
    } else {
      shape.density = 1 / (Math.PI * body.radius ** 2);
      const circle = new b2.b2Circle();
      circle.center.Set(0, 0);
      circle.radius = body.radius;
      b2.b2CreateCircleShape(made, shape, circle);
    }
    return made;
  });
  const vector = (v) => [v.x, v.y, 0];
  return {
    step: () => b2.b2World_Step(world, step, SUBSTEPS),
    state: () => ({
      position: bodies.map((b) => vector(b2.b2Body_GetPosition(b))),
      velocity: bodies.map((b) => vector(b2.b2Body_GetLinearVelocity(b))),
      spin: bodies.map((b) => [0, 0, b2.b2Body_GetAngularVelocity(b)]),
      turn: bodies.map((b) => {
        const angle = b2.b2Rot_GetAngle(b2.b2Body_GetRotation(b));
        return [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
      }),
    }),
    free: () => b2.b2DestroyWorld(world),
  };
}
