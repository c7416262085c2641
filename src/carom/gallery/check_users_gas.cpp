// U7: a gas of hard discs for a million collisions.

#include <algorithm>
#include <cmath>

#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {

// Elastic impacts, no force: energy and momentum are constants. A collision is a contact that had
// an impulse.
CheckOutcome check_gas_energy(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"collisions", "energy_tolerance", "momentum_tolerance", "penetration"});
  const auto wanted = parameters.count("collisions");
  const Simulation& simulation = input.scene->simulation;
  if (simulation.world.bodies.size() < 2) parameters.refuse("name", "needs a scene of balls");
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const Totals start = totals(simulation, stepper->state());
  double momentum_scale = 0.0;
  for (Index i = 0; i < simulation.world.bodies.size(); ++i) {
    momentum_scale += simulation.world.bodies.mass[i] * norm(simulation.start.velocity[i]);
  }
  std::uint64_t collisions = 0;
  double energy = 0.0;
  double momentum = 0.0;
  double penetration = 0.0;
  ImpactStatus status = ImpactStatus::resolved;
  bool can_go_on = true;
  // Balls that no longer meet end the run too: the claim about the count then fails.
  std::uint64_t quiet_steps = 0;
  constexpr std::uint64_t kMostQuietSteps = 100'000;
  while (collisions < wanted && can_go_on && quiet_steps < kMostQuietSteps) {
    const StepReport report = stepper->step();
    can_go_on = report.can_go_on();
    if (!can_go_on) break;
    const std::size_t found = report.rows > 0 ? stepper->impulses().size() : 0;
    collisions += found;
    quiet_steps = found > 0 ? 0 : quiet_steps + 1;
    status = std::max(status, report.status);
    energy = std::max(energy, std::abs(report.totals.energy() - start.energy()) / start.energy());
    momentum = std::max(momentum, norm(report.totals.momentum - start.momentum) / momentum_scale);
    penetration = std::max(penetration, report.penetration.relative);
  }
  CheckOutcome outcome;
  outcome.claims.push_back(claim_at_most("largest relative change of energy", energy,
                                         parameters.number("energy_tolerance")));
  outcome.claims.push_back(
      claim_at_least("collisions", static_cast<double>(collisions), static_cast<double>(wanted)));
  outcome.claims.push_back(claim_at_most("largest relative change of momentum", momentum,
                                         parameters.number("momentum_tolerance")));
  outcome.claims.push_back(claim_at_most("deepest penetration, in radii", penetration,
                                         parameters.number("penetration")));
  outcome.claims.push_back(
      claim_true("every impact was resolved", can_go_on && status == ImpactStatus::resolved));
  return outcome;
}

}  // namespace carom::detail
