// Bullet on the canonical scenes. Coefficients of two bodies are multiplied, so each gets the root;
// nothing sleeps, nothing is damped, and slow impacts bounce too.

#include <btBulletDynamicsCommon.h>
#include <cmath>

#include "canonical/engine.h"

namespace carom::bench {
namespace {

btVector3 vector_of(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

Vec3 vector_of(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

class BulletEngine : public CanonicalEngine {
 public:
  explicit BulletEngine(const CanonicalScene& scene)
      : dispatcher_(&configuration_),
        dynamics_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    dynamics_.setGravity(vector_of(scene.gravity));
    dynamics_.getSolverInfo().m_restitutionVelocityThreshold = 0;
    for (const CanonicalBody& body : scene.bodies) add(body, scene);
  }

  ~BulletEngine() override {
    for (const auto& body : bodies_) dynamics_.removeRigidBody(body.get());
  }
  BulletEngine(const BulletEngine&) = delete;
  BulletEngine& operator=(const BulletEngine&) = delete;

  void step() override { dynamics_.stepSimulation(static_cast<btScalar>(kCanonicalStep), 0); }

  CanonicalState state() const override {
    CanonicalState state;
    for (const auto& body : bodies_) {
      const btQuaternion turn = body->getWorldTransform().getRotation();
      state.position.push_back(vector_of(body->getWorldTransform().getOrigin()));
      state.velocity.push_back(vector_of(body->getLinearVelocity()));
      state.spin.push_back(vector_of(body->getAngularVelocity()));
      state.turn.push_back({turn.w(), turn.x(), turn.y(), turn.z()});
    }
    return state;
  }

 private:
  void add(const CanonicalBody& body, const CanonicalScene& scene) {
    if (body.radius) {
      shapes_.push_back(std::make_unique<btSphereShape>(static_cast<btScalar>(*body.radius)));
    } else {
      shapes_.push_back(std::make_unique<btBoxShape>(vector_of(body.half)));
    }
    btCollisionShape& shape = *shapes_.back();
    const btScalar mass = body.fixed ? 0 : 1;
    btVector3 inertia(0, 0, 0);
    if (!body.fixed) shape.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform.setOrigin(vector_of(body.position));
    info.m_restitution = static_cast<btScalar>(std::sqrt(scene.restitution));
    info.m_friction = static_cast<btScalar>(std::sqrt(scene.friction));
    auto made = std::make_unique<btRigidBody>(info);
    made->setActivationState(DISABLE_DEACTIVATION);
    if (!body.fixed) made->setLinearVelocity(vector_of(body.velocity));
    if (scene.swept && body.radius) {
      made->setCcdMotionThreshold(static_cast<btScalar>(*body.radius));
      made->setCcdSweptSphereRadius(static_cast<btScalar>(0.9 * *body.radius));
    }
    dynamics_.addRigidBody(made.get());
    bodies_.push_back(std::move(made));
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld dynamics_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<CanonicalEngine> make_canonical_bullet(const CanonicalScene& scene) {
  return std::make_unique<BulletEngine>(scene);
}

}  // namespace carom::bench
