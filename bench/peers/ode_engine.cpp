#include <ode/ode.h>

#include "peers/engine.h"

namespace carom::bench {
namespace {

class OdeEngine : public PeerEngine {
 public:
  explicit OdeEngine(const PeerScene& scene) : step_(scene.step) {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0.0, -scene.gravity, 0.0);
    dWorldSetAutoDisableFlag(world_, 0);
    dCreatePlane(space_, 1.0, 0.0, 0.0, scene.lower.x);
    dCreatePlane(space_, -1.0, 0.0, 0.0, -scene.upper.x);
    dCreatePlane(space_, 0.0, 1.0, 0.0, scene.lower.y);
    dCreatePlane(space_, 0.0, -1.0, 0.0, -scene.upper.y);
    dMass mass;
    dMassSetSphereTotal(&mass, scene.mass, scene.radius);
    for (const Vec3& q : scene.start) {
      dBodyID ball = dBodyCreate(world_);
      dBodySetMass(ball, &mass);
      dBodySetPosition(ball, q.x, q.y, 0.0);
      dGeomSetBody(dCreateSphere(space_, scene.radius), ball);
      balls_.push_back(ball);
    }
  }

  ~OdeEngine() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  void step() override {
    dSpaceCollide(space_, this, &OdeEngine::add_contact);
    dWorldQuickStep(world_, step_);
    dJointGroupEmpty(contacts_);
    for (dBodyID ball : balls_) lock_to_plane(ball);
  }

  void read(State& state) const override {
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      const dReal* q = dBodyGetPosition(balls_[i]);
      const dReal* v = dBodyGetLinearVel(balls_[i]);
      state.position[i] = {q[0], q[1], q[2]};
      state.velocity[i] = {v[0], v[1], v[2]};
    }
  }

 private:
  static void add_contact(void* engine, dGeomID a, dGeomID b) {
    auto* self = static_cast<OdeEngine*>(engine);
    dContact contact{};
    if (dCollide(a, b, 1, &contact.geom, sizeof(dContact)) == 0) return;
    contact.surface.mode = dContactBounce;
    contact.surface.mu = 0.0;
    contact.surface.bounce = 1.0;
    contact.surface.bounce_vel = 0.0;
    const dJointID joint = dJointCreateContact(self->world_, self->contacts_, &contact);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
  }

  // Normals between balls of one plane lie in it: nothing is to be done but for rounding. A joint
  // of ODE's type plane2d would do the same with three more rows for each ball.
  static void lock_to_plane(dBodyID ball) {
    const dReal* q = dBodyGetPosition(ball);
    const dReal* v = dBodyGetLinearVel(ball);
    if (q[2] != 0.0) dBodySetPosition(ball, q[0], q[1], 0.0);
    if (v[2] != 0.0) dBodySetLinearVel(ball, v[0], v[1], 0.0);
  }

  double step_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  std::vector<dBodyID> balls_;
};

}  // namespace

std::unique_ptr<PeerEngine> make_ode(const PeerScene& scene) {
  return std::make_unique<OdeEngine>(scene);
}

}  // namespace carom::bench
