// Q7: a card house that stands where friction is enough, falls where it is not, and comes down
// when balls hit it.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {
namespace {

bool is_ball(const Simulation& simulation, Index body) {
  return simulation.world.bodies.is_round(body);
}

// The scene with another coefficient, under "steps" or "events".
Simulation with_friction(const Scene& scene, double friction, const std::string& scheme) {
  Simulation simulation = scene.simulation;
  simulation.time.scheme = scheme;
  Material material = simulation.world.materials.material(0);
  material.friction = friction;
  simulation.world.materials.replace(0, material);
  return simulation;
}

// How far the plates have come from where they started, at most.
double moved(const Simulation& simulation, const State& state) {
  double farthest = 0.0;
  for (Index i = 0; i < state.position.size(); ++i) {
    if (is_ball(simulation, i)) continue;
    farthest = std::max(farthest, norm(state.position[i] - simulation.start.position[i]));
  }
  return farthest;
}

struct Standing {
  double moved = 0.0;     ///< at any time
  double residual = 0.0;  ///< of resting contact, likewise
};

Standing run_until(const Simulation& simulation, Stepper& stepper, double time) {
  Standing standing;
  const auto last = static_cast<std::uint64_t>(std::llround(time / simulation.time.step));
  while (stepper.state().step < last) {
    const StepReport report = stepper.step();
    if (!report.can_go_on()) return {kInfinity, kInfinity};
    standing.moved = std::max(standing.moved, moved(simulation, stepper.state()));
    standing.residual = std::max(standing.residual, report.own[0]);
  }
  return standing;
}

void check_standing(const CheckInput& input, const std::string& scheme, CheckOutcome& outcome) {
  const Parameters& given = input.parameters;
  const double stands_for = given.number("stands_for");
  for (const double friction : given.numbers("stands_with")) {
    const Simulation simulation = with_friction(*input.scene, friction, scheme);
    const auto stepper = make_stepper(simulation);
    const Standing standing = run_until(simulation, *stepper, stands_for);
    outcome.claims.push_back(claim_at_most(
        fmt::format("{}, friction {}: plates moved in {} s, m", scheme, friction, stands_for),
        standing.moved, given.number("moved_at_most")));
    // Events say nothing of one: bodies rest where their program is solved, or not at all.
    if (scheme != "steps") continue;
    outcome.claims.push_back(claim_at_most(fmt::format("friction {}: residual", friction),
                                           standing.residual, given.number("residual_at_most")));
  }
}

void check_fall(const CheckInput& input, const std::string& scheme, CheckOutcome& outcome) {
  const Parameters& given = input.parameters;
  const double friction = given.number("falls_with");
  const Simulation simulation = with_friction(*input.scene, friction, scheme);
  const auto stepper = make_stepper(simulation);
  static_cast<void>(run_until(simulation, *stepper, given.number("falls_within")));
  outcome.claims.push_back(
      claim_at_least(fmt::format("{}, friction {}: plates moved, m", scheme, friction),
                     moved(simulation, stepper->state()), given.number("moved_at_least")));
}

void check_collapse(const CheckInput& input, const std::string& scheme, const std::string& name,
                    CheckOutcome& outcome) {
  const Parameters& given = input.parameters;
  Simulation simulation = with_friction(*input.scene, given.numbers("stands_with").front(), scheme);
  simulation.impact.impact_operator = name;
  const auto stepper = make_stepper(simulation);
  static_cast<void>(run_until(simulation, *stepper, given.number("collapsed_at")));
  const auto greatest = [&](const auto& number_of) {
    double largest = -kInfinity;
    for (Index i = 0; i < stepper->state().position.size(); ++i) {
      if (!is_ball(simulation, i)) largest = std::max(largest, number_of(i));
    }
    return largest;
  };
  const std::string what = fmt::format("{}, {}: ", scheme, name);
  outcome.claims.push_back(
      claim_at_most(what + "highest plate after the balls came, m",
                    greatest([&](Index i) { return stepper->state().position[i].y; }),
                    given.number("height_at_most")));
  if (!given.has("rests_at")) return;
  static_cast<void>(run_until(simulation, *stepper, given.number("rests_at")));
  outcome.claims.push_back(
      claim_at_most(what + "fastest plate in the end, m/s",
                    greatest([&](Index i) { return norm(stepper->state().velocity[i]); }),
                    given.number("speed_at_most")));
}

}  // namespace

CheckOutcome check_card_house(const CheckInput& input) {
  input.parameters.demand_only(
      {"name", "operators", "stands_under", "falls_under", "collapses_under", "stands_with",
       "falls_with", "stands_for", "moved_at_most", "residual_at_most", "falls_within",
       "moved_at_least", "collapsed_at", "height_at_most", "rests_at", "speed_at_most"});
  CheckOutcome outcome;
  const Parameters& given = input.parameters;
  for (const std::string& scheme : given.texts("stands_under")) {
    check_standing(input, scheme, outcome);
  }
  for (const std::string& scheme : given.texts("falls_under")) check_fall(input, scheme, outcome);
  for (const std::string& scheme : given.texts("collapses_under")) {
    for (const std::string& name : given.texts("operators")) {
      check_collapse(input, scheme, name, outcome);
    }
  }
  return outcome;
}

}  // namespace carom::detail
