// ODE on the canonical scenes, with QuickStep: its other solver (dWorldStep) fails on the redundant
// contacts of a box. Fixed bodies are geometries without a body. It has no continuous detection.

#include <array>
#include <ode/ode.h>

#include "canonical/engine.h"

namespace carom::bench {
namespace {

class OdeEngine : public CanonicalEngine {
 public:
  explicit OdeEngine(const CanonicalScene& scene) : scene_(scene) {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, scene.gravity.x, scene.gravity.y, scene.gravity.z);
    dWorldSetAutoDisableFlag(world_, 0);
    for (const CanonicalBody& body : scene.bodies) bodies_.push_back(add(body));
  }

  ~OdeEngine() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }
  OdeEngine(const OdeEngine&) = delete;
  OdeEngine& operator=(const OdeEngine&) = delete;

  void step() override {
    dSpaceCollide(space_, this, &OdeEngine::add_contacts);
    dWorldQuickStep(world_, kCanonicalStep);
    dJointGroupEmpty(contacts_);
  }

  CanonicalState state() const override {
    CanonicalState state;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (bodies_[i] == nullptr) {
        state.position.push_back(scene_.bodies[i].position);
        state.velocity.emplace_back();
        state.spin.emplace_back();
        state.turn.push_back({1, 0, 0, 0});
        continue;
      }
      const dReal* q = dBodyGetPosition(bodies_[i]);
      const dReal* v = dBodyGetLinearVel(bodies_[i]);
      const dReal* w = dBodyGetAngularVel(bodies_[i]);
      const dReal* turn = dBodyGetQuaternion(bodies_[i]);
      state.position.push_back({q[0], q[1], q[2]});
      state.velocity.push_back({v[0], v[1], v[2]});
      state.spin.push_back({w[0], w[1], w[2]});
      state.turn.push_back({turn[0], turn[1], turn[2], turn[3]});
    }
    return state;
  }

 private:
  dBodyID add(const CanonicalBody& body) {
    const Vec3& half = body.half;
    const dGeomID shape = body.radius ? dCreateSphere(space_, *body.radius)
                                      : dCreateBox(space_, 2 * half.x, 2 * half.y, 2 * half.z);
    if (body.fixed) {
      dGeomSetPosition(shape, body.position.x, body.position.y, body.position.z);
      return nullptr;
    }
    dMass mass;
    if (body.radius) {
      dMassSetSphereTotal(&mass, 1, *body.radius);
    } else {
      dMassSetBoxTotal(&mass, 1, 2 * half.x, 2 * half.y, 2 * half.z);
    }
    const dBodyID made = dBodyCreate(world_);
    dBodySetMass(made, &mass);
    dBodySetPosition(made, body.position.x, body.position.y, body.position.z);
    dBodySetLinearVel(made, body.velocity.x, body.velocity.y, body.velocity.z);
    dGeomSetBody(shape, made);
    return made;
  }

  static void add_contacts(void* engine, dGeomID a, dGeomID b) {
    auto* self = static_cast<OdeEngine*>(engine);
    if (dGeomGetBody(a) == nullptr && dGeomGetBody(b) == nullptr) return;
    std::array<dContactGeom, 8> found;
    const int count =
        dCollide(a, b, static_cast<int>(found.size()), found.data(), sizeof(dContactGeom));
    for (int k = 0; k < count; ++k) {
      dContact contact{};
      contact.geom = found[static_cast<std::size_t>(k)];
      contact.surface.mode = dContactBounce | dContactApprox1;
      contact.surface.mu = self->scene_.friction;
      contact.surface.bounce = self->scene_.restitution;
      contact.surface.bounce_vel = 0.0;
      const dJointID joint = dJointCreateContact(self->world_, self->contacts_, &contact);
      dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    }
  }

  CanonicalScene scene_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  std::vector<dBodyID> bodies_;  ///< null: fixed
};

}  // namespace

std::unique_ptr<CanonicalEngine> make_canonical_ode(const CanonicalScene& scene) {
  return std::make_unique<OdeEngine>(scene);
}

}  // namespace carom::bench
