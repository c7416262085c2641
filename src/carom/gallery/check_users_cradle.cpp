// U5: cradles of balls that touch, on a line and as pendulums.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "carom/core/types.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {
namespace {

struct Cradle {
  std::size_t balls = 0;
  std::size_t sent = 0;    // how many arrive together, touching
  double direction = 0.0;  // of the line, radians
};

// Balls like the first of the scene; the resting ones start at the origin, the others `distance`
// before them.
Simulation on_a_line(const CheckInput& input, const Cradle& cradle, const std::string& name) {
  Simulation simulation = input.scene->simulation;
  const double radius = simulation.world.bodies.radius[0];
  const double mass = simulation.world.bodies.mass[0];
  const double distance = input.parameters.number("distance");
  const double speed = input.parameters.number("speed");
  const Vec3 along{std::cos(cradle.direction), std::sin(cradle.direction), 0.0};
  simulation.impact.impact_operator = name;
  simulation.world.bodies = {};
  simulation.start.position.clear();
  simulation.start.velocity.clear();
  for (std::size_t k = 0; k < cradle.balls; ++k) {
    const bool moving = k < cradle.sent;
    const double place =
        2.0 * radius * (static_cast<double>(k) - static_cast<double>(cradle.sent)) -
        (moving ? distance : 0.0);
    simulation.world.bodies.mass.push_back(mass);
    simulation.world.bodies.radius.push_back(radius);
    simulation.world.bodies.material.push_back(0);
    simulation.world.bodies.name.push_back(fmt::format("ball-{}", k + 1));
    simulation.start.position.push_back(place * along);
    simulation.start.velocity.push_back(moving ? speed * along : Vec3{});
  }
  return simulation;
}

// Largest difference from the expected speeds along the line, at the end, in units of the speed.
double final_error(const CheckInput& input, const Cradle& cradle, const std::string& name) {
  const Simulation simulation = on_a_line(input, cradle, name);
  const double speed = input.parameters.number("speed");
  const Vec3 along{std::cos(cradle.direction), std::sin(cradle.direction), 0.0};
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const std::uint64_t steps = step_count(simulation.time);
  for (std::uint64_t k = 0; k < steps; ++k) static_cast<void>(stepper->step());
  double worst = 0.0;
  for (std::size_t k = 0; k < cradle.balls; ++k) {
    double expected = k >= cradle.balls - cradle.sent ? speed : 0.0;
    if (name == "lcp") {
      // Every row gets its own speed back at once: those that touched stay together, both groups.
      // k sent of n: (k (V - 1) + (n - k) V) = k, so V = 2k / n.
      const double together =
          2.0 * static_cast<double>(cradle.sent) / static_cast<double>(cradle.balls);
      expected = speed * (k < cradle.sent ? together - 1.0 : together);
    }
    worst = std::max(worst, norm(stepper->state().velocity[k] - expected * along));
  }
  return worst / speed;
}

}  // namespace

// k equal balls that touch arrive at n - k that rest and touch: velocities 1 and 0 change places
// from contact to contact until the last k have them. gr does the blows of one round together; they
// never share a ball, because no three neighbours can close on each other with two speeds only.
CheckOutcome check_line_cradle(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only(
      {"balls", "sent", "directions", "operators", "distance", "speed", "tolerance"});
  if (input.scene->simulation.world.bodies.size() == 0) parameters.refuse("name", "needs a ball");
  CheckOutcome outcome;
  for (const std::string& name : parameters.texts("operators")) {
    for (const double balls : parameters.numbers("balls")) {
      for (const double sent : parameters.numbers("sent")) {
        double worst = 0.0;
        for (const double degrees : parameters.numbers("directions")) {
          const Cradle cradle{static_cast<std::size_t>(balls), static_cast<std::size_t>(sent),
                              degrees * std::acos(-1.0) / 180.0};
          worst = std::max(worst, final_error(input, cradle, name));
        }
        const std::string what = name == "lcp" ? "they stick as expected" : "as many leave";
        outcome.claims.push_back(claim_at_most(
            fmt::format("{}: {} balls, {} sent: {}, error of velocity", name, balls, sent, what),
            worst, parameters.number("tolerance")));
      }
    }
  }
  return outcome;
}

namespace {

// Pendulums: ball k hangs on spring k. The first ones are lifted to the left by an angle.
Simulation lifted(const CheckInput& input, std::size_t count, double angle) {
  Simulation simulation = input.scene->simulation;
  for (std::size_t k = 0; k < count; ++k) {
    const SpringForce& spring = simulation.forces.springs[k];
    const double length = norm(simulation.start.position[k] - spring.point);
    simulation.start.position[k] =
        spring.point + length * Vec3{-std::sin(angle), -std::cos(angle), 0.0};
  }
  return simulation;
}

struct Swing {
  double rise = kInfinity;   // how much lower than at the start the last balls turn round, relative
  double disturbance = 0.0;  // largest height of the others meanwhile, relative
};

// One swing: until the outermost ball turns round on the other side.
Swing swing(const Simulation& simulation, std::size_t count) {
  const std::size_t balls = simulation.world.bodies.size();
  const auto bottom = [&](std::size_t k) { return simulation.forces.springs[k].point.y; };
  const double bob = norm(simulation.start.position[0] - simulation.forces.springs[0].point);
  const double height = simulation.start.position[0].y - (bottom(0) - bob);
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const std::uint64_t steps = step_count(simulation.time);
  Swing result;
  bool out = false;
  for (std::uint64_t step = 0; step < steps; ++step) {
    static_cast<void>(stepper->step());
    const State& state = stepper->state();
    const double speed = state.velocity[balls - 1].x;
    out = out || speed > 0.1 * std::sqrt(-2.0 * simulation.forces.gravity.y * height);
    if (!out) continue;
    if (speed <= 0.0) {
      result.rise = 0.0;
      for (std::size_t k = balls - count; k < balls; ++k) {
        const double risen = state.position[k].y - (bottom(k) - bob);
        result.rise = std::max(result.rise, std::abs(risen - height) / height);
      }
      return result;
    }
    for (std::size_t k = 0; k + count < balls; ++k) {
      const double risen = state.position[k].y - (bottom(k) - bob);
      result.disturbance = std::max(result.disturbance, std::abs(risen) / height);
    }
  }
  return result;
}

}  // namespace

// The strings are stiff springs at their equilibrium. The impact is up to one step early, and the
// swinging balls stretch their strings by twice their weight more than the resting ones, so the
// line of the balls is not quite straight when they meet: the tolerance is for that.
CheckOutcome check_pendulum_cradle(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"lifted", "angle", "rise_tolerance", "rest_tolerance"});
  const Simulation& simulation = input.scene->simulation;
  if (simulation.forces.springs.size() != simulation.world.bodies.size() ||
      simulation.world.bodies.size() == 0) {
    parameters.refuse("name", "needs a scene with one spring to a point for every ball");
  }
  CheckOutcome outcome;
  for (const double number : parameters.numbers("lifted")) {
    const auto count = static_cast<std::size_t>(number);
    const Swing result = swing(lifted(input, count, parameters.number("angle")), count);
    outcome.claims.push_back(
        claim_at_most(fmt::format("{} lifted: as many rise as high, relative error", number),
                      result.rise, parameters.number("rise_tolerance")));
    outcome.claims.push_back(
        claim_at_most(fmt::format("{} lifted: the others rise meanwhile by, relative", number),
                      result.disturbance, parameters.number("rest_tolerance")));
  }
  return outcome;
}

}  // namespace carom::detail
