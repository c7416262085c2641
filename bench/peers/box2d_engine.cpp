#include <box2d/box2d.h>
#include <numbers>

#include "peers/engine.h"

namespace carom::bench {
namespace {

b2Vec2 vector_of(const Vec3& q) { return {static_cast<float>(q.x), static_cast<float>(q.y)}; }

class Box2dEngine : public PeerEngine {
 public:
  explicit Box2dEngine(const PeerScene& scene)
      : step_(static_cast<float>(scene.step)), world_({0.0F, -static_cast<float>(scene.gravity)}) {
    world_.SetAllowSleeping(false);
    add_walls(scene);
    b2CircleShape circle;
    circle.m_radius = static_cast<float>(scene.radius);
    b2FixtureDef fixture = elastic(circle);
    const double area = std::numbers::pi * scene.radius * scene.radius;
    fixture.density = static_cast<float>(scene.mass / area);
    for (const Vec3& q : scene.start) {
      b2BodyDef definition;
      definition.type = b2_dynamicBody;
      definition.position = vector_of(q);
      definition.fixedRotation = true;  // without friction nothing turns
      b2Body* ball = world_.CreateBody(&definition);
      ball->CreateFixture(&fixture);
      balls_.push_back(ball);
    }
  }

  void step() override {
    constexpr int kVelocityIterations = 8;  // the manual's suggestion, as the next
    constexpr int kPositionIterations = 3;
    world_.Step(step_, kVelocityIterations, kPositionIterations);
  }

  void read(State& state) const override {
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      const b2Vec2& q = balls_[i]->GetPosition();
      const b2Vec2& v = balls_[i]->GetLinearVelocity();
      state.position[i] = {q.x, q.y, 0.0};
      state.velocity[i] = {v.x, v.y, 0.0};
    }
  }

 private:
  static b2FixtureDef elastic(const b2Shape& shape) {
    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.friction = 0.0F;
    fixture.restitution = 1.0F;
    fixture.restitutionThreshold = 0.0F;  // the default swallows impacts below 1 m/s
    return fixture;
  }

  void add_walls(const PeerScene& scene) {
    const b2BodyDef definition;
    b2Body* box = world_.CreateBody(&definition);
    // A chain collides on the right of its edges: clockwise, balls are inside.
    const b2Vec2 lower = vector_of(scene.lower);
    const b2Vec2 upper = vector_of(scene.upper);
    const b2Vec2 corners[] = {{lower.x, upper.y}, upper, {upper.x, lower.y}, lower};
    b2ChainShape chain;
    chain.CreateLoop(corners, 4);
    const b2FixtureDef fixture = elastic(chain);
    box->CreateFixture(&fixture);
  }

  float step_;
  b2World world_;
  std::vector<b2Body*> balls_;  ///< of the world
};

}  // namespace

std::unique_ptr<PeerEngine> make_box2d(const PeerScene& scene) {
  return std::make_unique<Box2dEngine>(scene);
}

}  // namespace carom::bench
