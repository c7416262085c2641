#include <array>
#include <btBulletDynamicsCommon.h>

#include "peers/engine.h"

namespace carom::bench {
namespace {

btVector3 vector_of(const Vec3& q) {
  return {static_cast<btScalar>(q.x), static_cast<btScalar>(q.y), static_cast<btScalar>(q.z)};
}

class BulletEngine : public PeerEngine {
 public:
  explicit BulletEngine(const PeerScene& scene)
      : step_(static_cast<btScalar>(scene.step)),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_),
        ball_shape_(static_cast<btScalar>(scene.radius)),
        wall_shapes_{btStaticPlaneShape({1, 0, 0}, static_cast<btScalar>(scene.lower.x)),
                     btStaticPlaneShape({-1, 0, 0}, static_cast<btScalar>(-scene.upper.x)),
                     btStaticPlaneShape({0, 1, 0}, static_cast<btScalar>(scene.lower.y)),
                     btStaticPlaneShape({0, -1, 0}, static_cast<btScalar>(-scene.upper.y))} {
    world_.setGravity({0, static_cast<btScalar>(-scene.gravity), 0});
    // The default swallows impacts below 0.2 m/s.
    world_.getSolverInfo().m_restitutionVelocityThreshold = 0;
    for (btStaticPlaneShape& shape : wall_shapes_) add(0, shape, {});
    for (const Vec3& q : scene.start) add(static_cast<btScalar>(scene.mass), ball_shape_, q);
  }

  ~BulletEngine() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override {
    constexpr int kAsGiven = 0;  // one step of this length, no clock of Bullet's own
    world_.stepSimulation(step_, kAsGiven);
  }

  void read(State& state) const override {
    for (std::size_t i = 0; i < state.position.size(); ++i) {
      const btRigidBody& ball = *bodies_[wall_shapes_.size() + i];
      const btVector3& q = ball.getWorldTransform().getOrigin();
      const btVector3& v = ball.getLinearVelocity();
      state.position[i] = {q.x(), q.y(), q.z()};
      state.velocity[i] = {v.x(), v.y(), v.z()};
    }
  }

 private:
  void add(btScalar mass, btCollisionShape& shape, const Vec3& place) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape);
    info.m_startWorldTransform.setOrigin(vector_of(place));
    info.m_restitution = 1;
    info.m_friction = 0;
    info.m_linearDamping = 0;
    info.m_angularDamping = 0;
    auto body = std::make_unique<btRigidBody>(info);
    body->setLinearFactor({1, 1, 0});   // in the plane
    body->setAngularFactor({0, 0, 0});  // without friction nothing turns
    body->setActivationState(DISABLE_DEACTIVATION);
    // Points that do not touch yet are no contacts: braking them would cost their bounce.
    body->setContactProcessingThreshold(0);
    world_.addRigidBody(body.get());
    bodies_.push_back(std::move(body));
  }

  btScalar step_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btSphereShape ball_shape_;
  std::array<btStaticPlaneShape, 4> wall_shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;  ///< the walls, then the balls
};

}  // namespace

std::unique_ptr<PeerEngine> make_bullet(const PeerScene& scene) {
  return std::make_unique<BulletEngine>(scene);
}

}  // namespace carom::bench
