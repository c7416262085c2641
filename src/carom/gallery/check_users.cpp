// U2 and U3: one ball on a floor, and one ball on another. What every user tries first, with closed
// forms also for what a finite step does to them.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "carom/core/types.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {
namespace {

void demand_bodies(const CheckInput& input, Index count) {
  const Index found = input.scene->simulation.world.bodies.size();
  if (found == count) return;
  input.parameters.refuse("name", fmt::format("needs a scene of {} balls, found {}", count, found));
}

void set_restitution(Simulation& simulation, double restitution) {
  Material material = simulation.world.materials.material(0);
  material.restitution = restitution;
  simulation.world.materials.replace(0, material);
}

// A ball that falls from rest onto the floor y = 0. Between impacts Verlet is exact under uniform
// gravity, so the height h = gap + v^2 / 2g to which the ball would rise is a constant of the
// flight. The impact happens at the frozen place at the beginning of the first step whose end is
// below the tolerance a r. With the gap d there, v^2 = 2g (h - d), the velocity turns into -e v,
// and
//
//   h+ = d + e^2 (h - d) = e^2 h + (1 - e^2) d.                                              (1)
//
// The step would have ended below a r, so d < a r + s v + g s^2 / 2 for a step s, and v <=
// sqrt(2gh):
//
//   0 <= h+ - e^2 h <= (1 - e^2) D,    D = a r + s sqrt(2gh) + g s^2 / 2.                    (2)
//
// After k bounces the errors of (1) add up with weights e^2, e^4, ..., to at most (1 - e^2k) D. For
// d itself: after n steps from rest the gap is h - g (n s)^2 / 2, so a drop from
//
//   h = g (n s)^2 / 2 + 2 a r                                                                (3)
//
// has a step that ends 2 a r above the floor, just outside the tolerance: d = 2 a r.
class Drop {
 public:
  Drop(const Simulation& scene, double step, double restitution) : simulation_(scene) {
    simulation_.time.step = step;
    set_restitution(simulation_, restitution);
  }

  [[nodiscard]] double gravity() const { return -simulation_.forces.gravity.y; }
  [[nodiscard]] double tolerance() const {
    return simulation_.detection.activation * simulation_.world.bodies.radius[0];
  }
  [[nodiscard]] double step() const { return simulation_.time.step; }
  // d of the first impact.
  [[nodiscard]] double first_gap(double height) const {
    const double steps = std::floor(std::sqrt(2.0 * (height - tolerance()) / gravity()) / step());
    return height - 0.5 * gravity() * steps * steps * step() * step();
  }
  // D
  [[nodiscard]] double largest_gap(double height) const {
    return tolerance() + step() * std::sqrt(2.0 * gravity() * height) +
           0.5 * gravity() * step() * step();
  }
  // The height nearest to a wanted one that fulfils (3).
  [[nodiscard]] double aligned_height(double wanted) const {
    const double steps = std::round(std::sqrt(2.0 * wanted / gravity()) / step());
    return 0.5 * gravity() * steps * steps * step() * step() + 2.0 * tolerance();
  }

  // h+ of the first bounces.
  [[nodiscard]] std::vector<double> rebounds(double height, std::size_t count) {
    simulation_.start.position[0].y = simulation_.world.bodies.radius[0] + height;
    simulation_.start.velocity[0] = {};
    const std::unique_ptr<Stepper> stepper = make_stepper(simulation_);
    std::vector<double> heights;
    while (heights.size() < count && stepper->step().can_go_on()) {
      if (stepper->impulses().empty()) continue;
      const double gap = stepper->state().position[0].y - simulation_.world.bodies.radius[0];
      const double speed = stepper->state().velocity[0].y;
      heights.push_back(gap + 0.5 * speed * speed / gravity());
    }
    heights.resize(count, -kInfinity);
    return heights;
  }

 private:
  Simulation simulation_;
};

// How far an error is outside 0 .. bound.
double excess(double error, double bound) { return std::max({0.0, -error, error - bound}); }

struct StepErrors {
  double form = 0.0;    // largest relative difference from (1)
  double excess = 0.0;  // from (2), relative
  double share = 0.0;   // largest error / bound
};

// Drop heights from `height` to a tenth more, so that the ball meets the floor at all parts of a
// step.
StepErrors first_bounces(const CheckInput& input, double step, double restitution) {
  const double height = input.parameters.number("height");
  const std::uint64_t count = input.parameters.count("heights");
  Drop drop(input.scene->simulation, step, restitution);
  const double kept = restitution * restitution;
  StepErrors errors;
  for (std::uint64_t k = 0; k < count; ++k) {
    const double h = height * (1.0 + 0.1 * static_cast<double>(k) / static_cast<double>(count));
    const double rebound = drop.rebounds(h, 1)[0];
    const double form = kept * h + (1.0 - kept) * drop.first_gap(h);
    const double bound = (1.0 - kept) * drop.largest_gap(h);
    const double error = rebound - kept * h;
    errors.form = std::max(errors.form, std::abs(rebound - form) / h);
    errors.excess = std::max(errors.excess, excess(error, bound) / h);
    if (bound > 0.0) errors.share = std::max(errors.share, error / bound);
  }
  return errors;
}

// Several bounces, as long as the ball still flies for ten steps or more.
double later_bounces_excess(const CheckInput& input, double step, double restitution) {
  const double height = input.parameters.number("height");
  Drop drop(input.scene->simulation, step, restitution);
  const double speed = std::sqrt(2.0 * drop.gravity() * height);
  std::size_t count = 0;
  double kept = restitution;
  while (count < input.parameters.count("bounces") && kept * speed > 10.0 * drop.gravity() * step) {
    ++count;
    kept *= restitution;
  }
  const std::vector<double> heights = drop.rebounds(height, count);
  double worst = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const double share = std::pow(restitution, 2.0 * static_cast<double>(k + 1));
    const double error = heights[k] - share * height;
    worst = std::max(worst, excess(error, (1.0 - share) * drop.largest_gap(height)) / height);
  }
  return worst;
}

}  // namespace

CheckOutcome check_bounce_table(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"restitutions", "height", "heights", "steps", "bounces", "tolerance"});
  demand_bodies(input, 1);
  const std::vector<double> steps = parameters.numbers("steps");
  const double tolerance = parameters.number("tolerance");
  DataTable table{"bounce", {"restitution", "e2_h", "aligned"}, {}};
  for (const double step : steps) table.columns.push_back(fmt::format("error_at_{}", step));

  double aligned_error = 0.0;
  double later = 0.0;
  std::vector<StepErrors> worst(steps.size());
  for (const double e : parameters.numbers("restitutions")) {
    Drop drop(input.scene->simulation, steps[0], e);
    const double h = drop.aligned_height(parameters.number("height"));
    const double rebound = drop.rebounds(h, 1)[0];
    aligned_error = std::max(aligned_error, std::abs(rebound - e * e * h) / h);
    table.rows.push_back({e, e * e * h, rebound});
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const StepErrors errors = first_bounces(input, steps[k], e);
      worst[k].form = std::max(worst[k].form, errors.form);
      worst[k].excess = std::max(worst[k].excess, errors.excess);
      worst[k].share = std::max(worst[k].share, errors.share);
      const Drop at_step(input.scene->simulation, steps[k], e);
      table.rows.back().push_back(errors.share * (1.0 - e * e) * at_step.largest_gap(h));
      later = std::max(later, later_bounces_excess(input, steps[k], e));
    }
  }
  CheckOutcome outcome;
  outcome.claims.push_back(claim_at_most(
      "a step ends just above the tolerance: |rebound - e^2 h| / h", aligned_error, 1e-6));
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::string at = fmt::format("step {}: ", steps[k]);
    outcome.claims.push_back(
        claim_at_most(at + "|rebound - (e^2 h + (1 - e^2) gap)| / h", worst[k].form, tolerance));
    outcome.claims.push_back(claim_at_most(at + "rebound outside e^2 h .. e^2 h + bound, in h",
                                           worst[k].excess, tolerance));
    outcome.claims.push_back(
        claim_at_least(at + "the bound is met to this share", worst[k].share, 0.75));
  }
  outcome.claims.push_back(
      claim_at_most("later bounces outside e^2k h .. e^2k h + bound, in h", later, tolerance));
  outcome.tables.push_back(std::move(table));
  return outcome;
}

namespace {

// Both velocities a few steps after ball 0 has hit ball 1; zero when it has not.
struct Outcome {
  Vec3 striker;
  Vec3 target;
  bool hit = false;
};

Outcome collide(const Simulation& simulation) {
  constexpr int kStepsAfter = 5;
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const std::uint64_t steps = step_count(simulation.time);
  Outcome outcome;
  for (std::uint64_t k = 0; k < steps && !outcome.hit; ++k) {
    static_cast<void>(stepper->step());
    outcome.hit = !stepper->impulses().empty();
  }
  for (int k = 0; k < kStepsAfter; ++k) static_cast<void>(stepper->step());
  outcome.striker = stepper->state().velocity[0];
  outcome.target = stepper->state().velocity[1];
  return outcome;
}

// v_0 = (m_0 - e m_1) / (m_0 + m_1), v_1 = (1 + e) m_0 / (m_0 + m_1), in units of the speed.
double head_on_error(const CheckInput& input, double mass_ratio, double restitution) {
  Simulation simulation = input.scene->simulation;
  simulation.start.position[0].y = simulation.start.position[1].y;
  simulation.world.bodies.mass[0] = mass_ratio * simulation.world.bodies.mass[1];
  set_restitution(simulation, restitution);
  const double speed = simulation.start.velocity[0].x;
  const Outcome outcome = collide(simulation);
  if (!outcome.hit) return kInfinity;
  const Vec3 striker{(mass_ratio - restitution) / (mass_ratio + 1.0) * speed, 0.0, 0.0};
  const Vec3 target{(1.0 + restitution) * mass_ratio / (mass_ratio + 1.0) * speed, 0.0, 0.0};
  return std::max(norm(outcome.striker - striker), norm(outcome.target - target)) / speed;
}

struct ObliqueErrors {
  double direction = 0.0;    // of the struck ball, radians
  double share = 0.0;        // the same / bound
  double right_angle = 0.0;  // |cos| of the angle between the two
  double energy = 0.0;       // relative
};

// Equal masses, elastic. The struck ball leaves along the normal n, the other keeps the part of its
// velocity across n: a right angle for any n, so also for the one at the beginning of the step. But
// that one differs from the normal at the touch: the striker flies along y = b and is x = vs or
// less before the place x_c of the touch (and of the activation tolerance). With tan(angle) = b / x
// and x^2 + b^2 >= c^2, c the sum of the radii,
//
//   |error of the direction| <= b / c^2 (v s + delta),  delta = sqrt((c + a r)^2 - b^2) - x_c. (4)
//
// First order in the step s.
ObliqueErrors oblique_errors(const CheckInput& input, double offset, double step) {
  Simulation simulation = input.scene->simulation;
  simulation.time.step = step;
  const double sum = simulation.world.bodies.radius[0] + simulation.world.bodies.radius[1];
  const double activation =
      simulation.detection.activation *
      std::min(simulation.world.bodies.radius[0], simulation.world.bodies.radius[1]);
  const double b = offset * sum;
  const double speed = simulation.start.velocity[0].x;
  const double touch = std::sqrt(sum * sum - b * b);
  const double delta = std::sqrt((sum + activation) * (sum + activation) - b * b) - touch;
  const double bound = b / (sum * sum) * (speed * step + delta);
  simulation.start.position[0].y = simulation.start.position[1].y + b;
  const double start = simulation.start.position[0].x;
  const std::uint64_t phases = input.parameters.count("phases");
  ObliqueErrors errors;
  for (std::uint64_t k = 0; k < phases; ++k) {
    const double phase = static_cast<double>(k) / static_cast<double>(phases);
    simulation.start.position[0].x = start - speed * step * phase;
    const Outcome outcome = collide(simulation);
    if (!outcome.hit) return {kInfinity, kInfinity, kInfinity, kInfinity};
    // The struck ball leaves to the side away from the striker.
    const double direction = std::atan2(-outcome.target.y, outcome.target.x);
    const double error = std::abs(direction - std::asin(offset));
    errors.direction = std::max(errors.direction, error);
    errors.share = std::max(errors.share, error / bound);
    const double cosine =
        dot(outcome.striker, outcome.target) / (norm(outcome.striker) * norm(outcome.target));
    errors.right_angle = std::max(errors.right_angle, std::abs(cosine));
    const double energy = norm_squared(outcome.striker) + norm_squared(outcome.target);
    errors.energy = std::max(errors.energy, std::abs(energy / (speed * speed) - 1.0));
  }
  return errors;
}

}  // namespace

CheckOutcome check_two_balls(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only(
      {"mass_ratios", "restitutions", "offsets", "steps", "phases", "tolerance"});
  demand_bodies(input, 2);
  const double tolerance = parameters.number("tolerance");
  CheckOutcome outcome;
  double head_on = 0.0;
  for (const double ratio : parameters.numbers("mass_ratios")) {
    for (const double e : parameters.numbers("restitutions")) {
      head_on = std::max(head_on, head_on_error(input, ratio, e));
    }
  }
  outcome.claims.push_back(claim_at_most(
      "head-on, all mass ratios and restitutions: error of velocity", head_on, tolerance));
  const std::vector<double> steps = parameters.numbers("steps");
  DataTable table{"oblique", {"offset"}, {}};
  for (const double step : steps) table.columns.push_back(fmt::format("error_at_{}", step));
  ObliqueErrors worst;
  for (const double offset : parameters.numbers("offsets")) {
    table.rows.push_back({offset});
    for (const double step : steps) {
      const ObliqueErrors errors = oblique_errors(input, offset, step);
      worst.share = std::max(worst.share, errors.share);
      worst.right_angle = std::max(worst.right_angle, errors.right_angle);
      worst.energy = std::max(worst.energy, errors.energy);
      table.rows.back().push_back(errors.direction);
    }
    const std::vector<double>& row = table.rows.back();
    for (std::size_t k = 1; k < steps.size(); ++k) {
      const double order = std::log(row[k] / row[k + 1]) / std::log(steps[k - 1] / steps[k]);
      outcome.claims.push_back(claim_equal(
          fmt::format("offset {} of the radii: order of the direction's error, steps {} and {}",
                      offset, steps[k - 1], steps[k]),
          order, 1.0, 0.1));
    }
  }
  outcome.claims.push_back(claim_at_most("oblique: |cos| of the angle between the two balls",
                                         worst.right_angle, tolerance));
  outcome.claims.push_back(
      claim_at_most("oblique: relative change of energy", worst.energy, tolerance));
  outcome.claims.push_back(
      claim_at_most("oblique: error of the direction / (b / c^2) (v s + delta)", worst.share, 1.0));
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
