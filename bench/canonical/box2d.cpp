// Box2D 2.4 on the canonical scenes, in the plane: 8 velocity and 3 position iterations, slow
// impacts bounce too, nothing sleeps. Moving bodies are always swept against fixed ones.

#include <box2d/box2d.h>
#include <cmath>
#include <numbers>

#include "canonical/engine.h"

namespace carom::bench {
namespace {

b2Vec2 vector_of(const Vec3& v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }

class Box2dEngine : public CanonicalEngine {
 public:
  explicit Box2dEngine(const CanonicalScene& scene) : world_(vector_of(scene.gravity)) {
    world_.SetAllowSleeping(false);
    for (const CanonicalBody& body : scene.bodies) add(body, scene);
  }

  void step() override {
    constexpr int kVelocityIterations = 8;  // the manual's suggestion, as the next
    constexpr int kPositionIterations = 3;
    world_.Step(static_cast<float>(kCanonicalStep), kVelocityIterations, kPositionIterations);
  }

  CanonicalState state() const override {
    CanonicalState state;
    for (const b2Body* body : bodies_) {
      const b2Vec2& q = body->GetPosition();
      const b2Vec2& v = body->GetLinearVelocity();
      const double half_angle = 0.5 * body->GetAngle();
      state.position.push_back({q.x, q.y, 0});
      state.velocity.push_back({v.x, v.y, 0});
      state.spin.push_back({0, 0, body->GetAngularVelocity()});
      state.turn.push_back({std::cos(half_angle), 0, 0, std::sin(half_angle)});
    }
    return state;
  }

 private:
  void add(const CanonicalBody& body, const CanonicalScene& scene) {
    b2BodyDef definition;
    definition.type = body.fixed ? b2_staticBody : b2_dynamicBody;
    definition.position = vector_of(body.position);
    definition.linearVelocity = vector_of(body.velocity);
    definition.bullet = scene.swept && !body.fixed;
    b2Body* made = world_.CreateBody(&definition);
    b2FixtureDef fixture;
    fixture.friction = static_cast<float>(scene.friction);
    fixture.restitution = static_cast<float>(scene.restitution);
    fixture.restitutionThreshold = 0.0F;
    b2CircleShape circle;
    b2PolygonShape box;
    if (body.radius) {
      circle.m_radius = static_cast<float>(*body.radius);
      fixture.shape = &circle;
      fixture.density = static_cast<float>(1 / (std::numbers::pi * *body.radius * *body.radius));
    } else {
      box.SetAsBox(static_cast<float>(body.half.x), static_cast<float>(body.half.y));
      fixture.shape = &box;
      fixture.density = static_cast<float>(1 / (4 * body.half.x * body.half.y));
    }
    made->CreateFixture(&fixture);
    bodies_.push_back(made);
  }

  b2World world_;
  std::vector<b2Body*> bodies_;  ///< of the world
};

}  // namespace

std::unique_ptr<CanonicalEngine> make_canonical_box2d(const CanonicalScene& scene) {
  return std::make_unique<Box2dEngine>(scene);
}

}  // namespace carom::bench
