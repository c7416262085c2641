// A4 and G5: what becomes of a coefficient of restitution inside the iteration.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"
#include "carom/study/chains.h"

namespace carom::detail {
namespace {

ImpactSettings propagated() {
  ImpactSettings settings = with_operator("gauss_seidel");
  settings.restitution_model = "propagated";
  return settings;
}

}  // namespace

namespace {

// The largest closing speed of the chain after every application.
class ClosingWatcher final : public ImpactObserver {
 public:
  bool on_application(const Event& event) override {
    double closing = 0.0;
    for (std::size_t i = 0; i + 1 < event.velocities.size(); ++i) {
      closing = std::max(closing, event.velocities[i] - event.velocities[i + 1]);
    }
    values_.push_back(closing);
    return true;
  }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
};

}  // namespace

// Each application of Gauss-Seidel with c_r = 0 replaces two neighbours by their mean. The first
// two rows keep violating each other by ever smaller amounts, 1, 1/2, 1/4, ... of a speed, and
// never reach 0 (AWEW Fig. 8); in lexicographic order the third row, which closes with 1/3, is
// never looked at.
CheckOutcome check_inelastic_collapse(const CheckInput& input) {
  input.parameters.demand_only({"closing_left"});
  CheckOutcome outcome;
  ImpactSettings settings = propagated();
  ClosingWatcher watcher;
  settings.observer = &watcher;
  const ImpactResult collapse = resolve_impacts(input.instant->problem, settings);
  outcome.claims.push_back(claim_true("propagated: caught (collapsed or budget exhausted)",
                                      collapse.status == ImpactStatus::collapsed ||
                                          collapse.status == ImpactStatus::budget_exhausted));
  outcome.claims.push_back(claim_at_least("propagated: closing speed left, in units of u",
                                          collapse.report.feasibility,
                                          input.parameters.number("closing_left")));
  double least = kInfinity;
  DataTable table{"inelastic_collapse", {"application", "closing_speed"}, {}};
  for (std::size_t k = 0; k < watcher.values().size(); ++k) {
    least = std::min(least, watcher.values()[k]);
    table.rows.push_back({static_cast<double>(k + 1), watcher.values()[k]});
  }
  outcome.claims.push_back(
      claim_at_least("propagated: least closing speed after any application", least, 0.25));
  const ImpactResult ours = resolve_impacts(input.instant->problem, with_operator("gauss_seidel"));
  const auto count = static_cast<double>(ours.velocities.size());
  double worst = 0.0;
  for (const double v : ours.velocities) worst = std::max(worst, std::abs(v - 1.0 / count));
  outcome.claims.push_back(
      claim_at_most("interpolated: velocities differ from the common one by", worst, 1e-15));
  outcome.claims.push_back(claim_equal("interpolated: solves",
                                       static_cast<double>(ours.report.components.front().layers),
                                       1.0, 0.0));
  outcome.claims.push_back(claim_equal("interpolated: applications",
                                       static_cast<double>(ours.report.applications), 0.0, 0.0));
  outcome.tables.push_back(std::move(table));
  return outcome;
}

namespace {

// Whether Gauss-Seidel with c_r inside ends for a cradle, in exact arithmetic. A tolerance would
// end it at any c_r, so the iteration is run in short pieces, and each piece starts from velocities
// centred and scaled to 1: the map is linear and blind to a common velocity, so nothing changes but
// round-off. A gap that opens far faster than anything closes can never close again (the impulses
// still to come are bounded by the closing speeds), and divides the chain.
class CollapseProbe {
 public:
  CollapseProbe(double restitution, std::uint64_t budget)
      : restitution_(restitution), budget_(budget) {}

  bool ends(std::vector<double> velocities) {
    std::vector<std::vector<double>> chains = {std::move(velocities)};
    while (!chains.empty()) {
      std::vector<double> chain = std::move(chains.back());
      chains.pop_back();
      if (used_ >= budget_) return false;
      normalise(chain);
      const ImpactProblem problem = make_chain(chain, {}, restitution_);
      ImpactSettings settings = propagated();
      settings.max_applications = chain.size();
      const ImpactResult result = resolve_impacts(problem, settings);
      used_ += result.report.applications;
      if (result.status == ImpactStatus::resolved) continue;
      divide(result.velocities, chains);
    }
    return true;
  }

 private:
  static void normalise(std::vector<double>& v) {
    double mean = 0.0;
    for (const double x : v) mean += x / static_cast<double>(v.size());
    double largest = 0.0;
    for (double& x : v) {
      x -= mean;
      largest = std::max(largest, std::abs(x));
    }
    for (double& x : v) x /= largest;
  }

  static void divide(const std::vector<double>& v, std::vector<std::vector<double>>& chains) {
    double closing = 0.0;
    for (std::size_t i = 0; i + 1 < v.size(); ++i) closing = std::max(closing, v[i] - v[i + 1]);
    const double hopeless = 1e3 * static_cast<double>(v.size()) * closing;
    std::vector<double> chain;
    for (std::size_t i = 0; i < v.size(); ++i) {
      chain.push_back(v[i]);
      if (i + 1 < v.size() && v[i + 1] - v[i] < hopeless) continue;
      const bool closes = !std::is_sorted(chain.begin(), chain.end());
      if (closes) chains.push_back(chain);
      chain.clear();
    }
  }

  double restitution_;
  std::uint64_t budget_;
  std::uint64_t used_ = 0;
};

bool cradle_ends(std::size_t balls, double restitution, std::uint64_t budget) {
  return CollapseProbe(restitution, budget).ends(cradle_velocities(balls));
}

struct Bracket {
  double never = 0.0;  // does not end within the budget
  double ends = 1.0;
};

Bracket find_threshold(std::size_t balls, double width, std::uint64_t budget) {
  Bracket bracket;
  while (bracket.ends - bracket.never > width) {
    const double middle = 0.5 * (bracket.never + bracket.ends);
    (cradle_ends(balls, middle, budget) ? bracket.ends : bracket.never) = middle;
  }
  return bracket;
}

// The interpolated model for one cradle and every c_r: it ends, and energy grows with c_r.
void check_interpolated(std::size_t balls, int steps, CheckOutcome& outcome) {
  bool resolved = true;
  double least_rise = kInfinity;
  double before = -1.0;
  for (int k = 0; k <= steps; ++k) {
    const double restitution = static_cast<double>(k) / steps;
    const std::vector<double> velocities = cradle_velocities(balls);
    const ImpactResult result =
        resolve_impacts(make_chain(velocities, {}, restitution), with_operator("gauss_seidel"));
    resolved = resolved && result.status == ImpactStatus::resolved;
    double energy = 0.0;
    for (const double v : result.velocities) energy += v * v;
    least_rise = std::min(least_rise, energy - before);
    before = energy;
  }
  outcome.claims.push_back(
      claim_true(fmt::format("interpolated, {} balls: ends for every c_r", balls), resolved));
  outcome.claims.push_back(claim_at_least(
      fmt::format("interpolated, {} balls: energy rises with c_r, least step", balls), least_rise,
      0.0));
}

}  // namespace

// Three balls: with closing speeds (b1, b2) one round of two applications has trace
// ((1+c)/2)^2 - 2c and determinant c^2. Its eigenvalues are real (the signs never change, so it
// never ends) exactly when (1+c)^2/4 >= 4c, that is c <= 7 - 4 sqrt(3). More balls: Bernu and
// Mazighi's tan^2(pi/4 (1 - 2/n)) for a column of n/2 balls on a wall, whose waves run in another
// order than Gauss-Seidel's; exact for 3 and 4 balls, near for more.
CheckOutcome check_collapse_threshold(const CheckInput& input) {
  input.parameters.demand_only({"sizes", "budget", "width", "steps"});
  const std::uint64_t budget = input.parameters.count("budget");
  const double width = input.parameters.number("width");
  CheckOutcome outcome;
  DataTable table{"collapse_threshold", {"balls", "never_ends", "ends", "bernu_mazighi"}, {}};
  const double exact = 7.0 - 4.0 * std::sqrt(3.0);
  const Bracket three = find_threshold(3, 1e-7, budget);
  outcome.claims.push_back(claim_at_most(
      "three balls: largest c_r seen not to end, above 7-4sqrt(3)", three.never - exact, 1e-6));
  outcome.claims.push_back(claim_at_most("three balls: 7-4sqrt(3), above the smallest seen to end",
                                         exact - three.ends, 1e-6));
  double before = 0.0;
  double least_rise = kInfinity;
  double worst_column = 0.0;
  for (const double size : input.parameters.numbers("sizes")) {
    const auto balls = static_cast<std::size_t>(size);
    const Bracket bracket = find_threshold(balls, width, budget);
    least_rise = std::min(least_rise, bracket.never - before);
    before = bracket.never;
    const double column = std::tan(0.25 * std::numbers::pi * (1.0 - 2.0 / size));
    table.rows.push_back({size, bracket.never, bracket.ends, column * column});
    worst_column = std::max(worst_column, std::abs(bracket.ends - column * column));
  }
  outcome.claims.push_back(
      claim_at_least("threshold against number of balls: least rise", least_rise, width));
  outcome.claims.push_back(
      claim_at_most("threshold differs from tan^2(pi/4 (1 - 2/n)) by", worst_column, 0.02));
  const auto steps = static_cast<int>(input.parameters.count("steps"));
  for (const std::size_t balls : {std::size_t{3}, std::size_t{12}}) {
    check_interpolated(balls, steps, outcome);
  }
  outcome.tables.push_back(std::move(table));
  return outcome;
}

namespace {

// The first impact of the scene, with one coefficient everywhere.
ImpactProblem first_impact(const Scene& scene, double restitution) {
  Simulation simulation = scene.simulation;
  Material material = simulation.world.materials.material(0);
  material.restitution = restitution;
  simulation.world.materials.replace(0, material);
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  StepReport report = stepper->step();
  while (report.rows == 0) report = stepper->step();
  return stepper->resolved_problem();
}

}  // namespace

// Every application leaves c times the closing speed of one contact, so that the speed which is
// handed on falls by about (1 + c) / 2 from ball to ball: the smaller c, the more applications
// until none is above the tolerance, and below the threshold of the tallest column there is no end.
CheckOutcome check_propagated_cost(const CheckInput& input) {
  input.parameters.demand_only({"name", "restitutions", "budget", "set"});
  CheckOutcome outcome;
  const Scene scene = chosen_scene(input);
  const std::uint64_t budget = input.parameters.count("budget");
  DataTable table{"propagated_cost", {"restitution", "applications", "ended"}, {}};
  bool interpolated_ends = true;
  double least_growth = kInfinity;
  double before = 0.0;
  bool ended_before = true;
  bool ends_again = false;
  for (const double c : input.parameters.numbers("restitutions")) {
    const ImpactProblem problem = first_impact(scene, c);
    ImpactSettings settings = propagated();
    settings.max_applications = budget;
    const ImpactResult result = resolve_impacts(problem, settings);
    const bool ended = result.status == ImpactStatus::resolved;
    const auto applications = static_cast<double>(result.report.applications);
    if (ended) {
      if (before > 0.0) least_growth = std::min(least_growth, applications / before);
      before = applications;
    }
    ends_again = ends_again || (ended && !ended_before);
    ended_before = ended;
    table.rows.push_back({c, applications, ended ? 1.0 : 0.0});
    for (const char* name : {"gr", "gauss_seidel"}) {
      interpolated_ends =
          interpolated_ends &&
          resolve_impacts(problem, with_operator(name)).status == ImpactStatus::resolved;
    }
  }
  outcome.claims.push_back(
      claim_at_least("propagated: growth of the applications from one coefficient to the next",
                     least_growth, 1.0));
  outcome.claims.push_back(
      claim_true("propagated: no end for the smallest coefficients", !ended_before && !ends_again));
  outcome.claims.push_back(
      claim_true("interpolated: gr and gauss_seidel end for every coefficient", interpolated_ends));
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
