#include "rigid/bullet.h"

#include <array>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <stdexcept>
#include <variant>
#include <vector>

namespace carom::bench {
namespace {

btVector3 vector_of(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

std::unique_ptr<btCollisionShape> shape_of(const SolidDefinition& solid) {
  if (const auto* box = std::get_if<BoxSolid>(&solid)) {
    return std::make_unique<btBoxShape>(vector_of(box->half));
  }
  if (const auto* sphere = std::get_if<SphereSolid>(&solid)) {
    return std::make_unique<btSphereShape>(static_cast<btScalar>(sphere->radius));
  }
  throw std::runtime_error("Bullet gets boxes and spheres only");
}

}  // namespace

struct BulletRigid::World {
  explicit World(const RigidScene& scene)
      : step(static_cast<btScalar>(scene.simulation.time.step)),
        dispatcher(&configuration),
        dynamics(&dispatcher, &broad_phase, &solver, &configuration),
        shape(shape_of(scene.simulation.world.bodies.solids.front()->definition())),
        walls{btStaticPlaneShape({1, 0, 0}, static_cast<btScalar>(scene.lower.x)),
              btStaticPlaneShape({-1, 0, 0}, static_cast<btScalar>(-scene.upper.x)),
              btStaticPlaneShape({0, 1, 0}, static_cast<btScalar>(scene.lower.y)),
              btStaticPlaneShape({0, -1, 0}, static_cast<btScalar>(-scene.upper.y)),
              btStaticPlaneShape({0, 0, 1}, static_cast<btScalar>(scene.lower.z))} {
    const Simulation& s = scene.simulation;
    dynamics.setGravity(vector_of(s.forces.gravity));
    const Material& material = s.world.materials.material(0);
    for (btStaticPlaneShape& wall : walls) add(0, wall, {}, material);
    for (Index i = 0; i < s.world.bodies.size(); ++i) {
      add(static_cast<btScalar>(s.world.bodies.mass[i]), *shape, s.start.position[i], material);
    }
  }
  ~World() {
    for (const auto& body : bodies) dynamics.removeRigidBody(body.get());
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void add(btScalar mass, btCollisionShape& of, const Vec3& place, const Material& material) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) of.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &of, inertia);
    info.m_startWorldTransform.setOrigin(vector_of(place));
    info.m_restitution = static_cast<btScalar>(std::sqrt(material.restitution));
    info.m_friction = static_cast<btScalar>(std::sqrt(material.friction));
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    dynamics.addRigidBody(body.get());
    bodies.push_back(std::move(body));
  }

  btScalar step;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld dynamics;
  std::unique_ptr<btCollisionShape> shape;
  std::array<btStaticPlaneShape, 5> walls;
  std::vector<std::unique_ptr<btRigidBody>> bodies;  ///< the walls, then the bodies
};

BulletRigid::BulletRigid(const RigidScene& scene) : world_(std::make_unique<World>(scene)) {}
BulletRigid::~BulletRigid() = default;

void BulletRigid::step() { world_->dynamics.stepSimulation(world_->step, 0); }

void BulletRigid::read(State& state) const {
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    const btRigidBody& body = *world_->bodies[world_->walls.size() + i];
    const btVector3& q = body.getWorldTransform().getOrigin();
    const btQuaternion turn = body.getWorldTransform().getRotation();
    const btVector3& v = body.getLinearVelocity();
    const btVector3& w = body.getAngularVelocity();
    state.position[i] = {q.x(), q.y(), q.z()};
    state.orientation[i] = {turn.w(), turn.x(), turn.y(), turn.z()};
    state.velocity[i] = {v.x(), v.y(), v.z()};
    state.angular_velocity[i] = {w.x(), w.y(), w.z()};
  }
}

}  // namespace carom::bench
