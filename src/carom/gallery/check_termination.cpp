// A2, A3, A5, U1: iterations whose number of applications is known exactly.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "carom/core/random.h"
#include "carom/gallery/detail/checks.h"
#include "carom/study/chains.h"

namespace carom::detail {

// A ball between two walls (A2): reflecting at one wall and then at the other returns the velocity,
// so the iteration cannot end; with the locked rows found it must, whenever they are looked for.
CheckOutcome check_anti_locking(const CheckInput& input) {
  input.parameters.demand_only({"budget"});
  const std::uint64_t budget = input.parameters.count("budget");
  CheckOutcome outcome;
  for (const std::string& name : input.instant->operators) {
    ImpactSettings settings = with_operator(name);
    settings.max_applications = budget;
    settings.anti_locking = AntiLocking::off;
    const ImpactResult off = resolve_impacts(input.instant->problem, settings);
    outcome.claims.push_back(claim_true(name + " without detection: budget exhausted",
                                        off.status == ImpactStatus::budget_exhausted));
    outcome.claims.push_back(claim_equal(name + " without detection: applications",
                                         static_cast<double>(off.report.applications),
                                         static_cast<double>(budget), 0.0));
    settings.anti_locking = AntiLocking::lazy;
    settings.anti_locking_after = budget / 2;
    const ImpactResult lazy = resolve_impacts(input.instant->problem, settings);
    settings.anti_locking = AntiLocking::eager;
    const ImpactResult eager = resolve_impacts(input.instant->problem, settings);
    outcome.claims.push_back(
        claim_true(name + " with lazy detection: resolved", lazy.status == ImpactStatus::resolved));
    outcome.claims.push_back(claim_true(name + " with eager detection: resolved",
                                        eager.status == ImpactStatus::resolved));
    outcome.claims.push_back(claim_at_most(name + ": lazy and eager velocities differ by",
                                           max_difference(lazy.velocities, eager.velocities),
                                           1e-14));
  }
  return outcome;
}

namespace {

ImpactProblem make_wedge(double angle, double direction) {
  ImpactProblem problem;
  BodyDefinition ball;
  ball.velocity = {std::cos(direction), std::sin(direction)};
  const Index body = problem.add_body(ball);
  ContactDefinition wall;
  wall.body_a = body;
  wall.normal = {0.0, 1.0};
  problem.add_contact(wall);
  wall.normal = {std::sin(angle), -std::cos(angle)};
  problem.add_contact(wall);
  return problem;
}

// Reflections of the direction phi in a wedge whose walls lie at 0 and theta. A wall at 0 turns phi
// into -phi, one at theta into 2 theta - phi; feasible is 0 <= phi <= theta. After a first
// reflection at the floor (when phi < 0) psi = |phi| is in (0, pi), and the walls take turns:
//   psi -> 2 theta - psi -> psi - 2 theta -> 4 theta - psi -> ...
// Unfolded, that is a straight line that crosses one image of a wall per theta.
struct Reflections {
  double count = 0.0;
  double direction = 0.0;
};

Reflections exact_reflections(double angle, double direction) {
  const double psi = std::abs(direction);
  const double crossings = std::max(0.0, std::ceil(psi / angle) - 1.0);
  const bool odd = std::fmod(crossings, 2.0) == 1.0;
  return {crossings + (direction < 0.0 ? 1.0 : 0.0),
          odd ? (crossings + 1.0) * angle - psi : psi - crossings * angle};
}

// AWEW Lemma 5.1: <w, v> rises for every feasible w. The paper's Fig. 3 takes these two.
class CertificateWatcher final : public ImpactObserver {
 public:
  CertificateWatcher(double angle, double direction)
      : certificates_{{{angle / 3.0, 0.0}, {2.0 * angle / 3.0, 0.0}}} {
    for (Certificate& c : certificates_) c.value = std::cos(direction - c.direction);
  }

  bool on_application(const Event& event) override {
    for (Certificate& c : certificates_) {
      const double value =
          event.velocities[0] * std::cos(c.direction) + event.velocities[1] * std::sin(c.direction);
      least_rise_ = std::min(least_rise_, value - c.value);
      c.value = value;
    }
    return true;
  }
  [[nodiscard]] double least_rise() const { return least_rise_; }

 private:
  struct Certificate {
    double direction;
    double value;
  };
  std::array<Certificate, 2> certificates_;
  double least_rise_ = kInfinity;
};

}  // namespace

CheckOutcome check_wedge(const CheckInput& input) {
  input.parameters.demand_only({"angles", "directions"});
  CheckOutcome outcome;
  DataTable table{"wedge", {"angle", "direction", "applications", "exact"}, {}};
  double worst_count = 0.0;
  double worst_direction = 0.0;
  double least_rise = kInfinity;
  double most = 0.0;
  for (const double angle : input.parameters.numbers("angles")) {
    for (const double direction : input.parameters.numbers("directions")) {
      ImpactSettings settings = with_operator("gauss_seidel");
      CertificateWatcher watcher(angle, direction);
      settings.observer = &watcher;
      const ImpactResult result = resolve_impacts(make_wedge(angle, direction), settings);
      const Reflections exact = exact_reflections(angle, direction);
      const auto count = static_cast<double>(result.report.applications);
      const std::array<double, 2> v = {std::cos(exact.direction), std::sin(exact.direction)};
      worst_count = std::max(worst_count, std::abs(count - exact.count));
      worst_direction =
          std::max(worst_direction, max_difference(result.velocities, v) / (1.0 + exact.count));
      least_rise = std::min(least_rise, watcher.least_rise());
      most = std::max(most, count);
      table.rows.push_back({angle, direction, count, exact.count});
    }
  }
  outcome.claims.push_back(
      claim_at_most("applications differ from the exact reflections by", worst_count, 0.0));
  outcome.claims.push_back(claim_at_least("most applications", most, 1000.0));
  outcome.claims.push_back(
      claim_at_least("least rise of a certificate in one application", least_rise, 0.0));
  outcome.claims.push_back(
      claim_at_most("final velocity differs, per reflection, by", worst_direction, 1e-14));
  outcome.tables.push_back(std::move(table));
  return outcome;
}

// Reflecting two equal balls swaps their velocities, so Gauss-Seidel is a sort by exchanging
// neighbours, and each exchange removes exactly one inversion (AWEW section 3).
CheckOutcome check_sorting(const CheckInput& input) {
  input.parameters.demand_only({"sizes", "seeds", "orders"});
  CheckOutcome outcome;
  for (const std::string& order : input.parameters.texts("orders")) {
    double worst_count = 0.0;
    double worst_velocity = 0.0;
    double most = 0.0;
    for (const double size : input.parameters.numbers("sizes")) {
      for (std::uint64_t seed = 1; seed <= input.parameters.count("seeds"); ++seed) {
        Random random(seed);
        std::vector<double> velocities(static_cast<std::size_t>(size));
        for (double& v : velocities) v = random.uniform(-1.0, 1.0);
        double inversions = 0.0;
        for (std::size_t i = 0; i < velocities.size(); ++i) {
          for (std::size_t j = i + 1; j < velocities.size(); ++j) {
            if (velocities[i] > velocities[j]) inversions += 1.0;
          }
        }
        const ImpactResult result =
            resolve_impacts(make_chain(velocities), with_operator("gauss_seidel:order=" + order));
        std::sort(velocities.begin(), velocities.end());
        worst_velocity = std::max(worst_velocity, max_difference(result.velocities, velocities));
        worst_count = std::max(
            worst_count, std::abs(static_cast<double>(result.report.applications) - inversions));
        most = std::max(most, inversions);
      }
    }
    outcome.claims.push_back(
        claim_at_most(order + ": differs from the sorted velocities by", worst_velocity, 1e-13));
    outcome.claims.push_back(claim_at_most(
        fmt::format("{}: applications differ from inversions (up to {}) by", order, most),
        worst_count, 0.0));
  }
  return outcome;
}

// Wall, small block, large block that comes in. In mass-weighted velocities the two contacts are
// the walls of a wedge of angle theta = atan(sqrt(m/M)), and the large block's motion runs along
// one of them, so the unfolded line crosses the walls ceil(pi/theta) - 1 times: 3, 31, 314, 3141
// (Galperin, Playing pool with pi).
CheckOutcome check_galperin(const CheckInput& input) {
  input.parameters.demand_only({"ratios", "digits"});
  const std::vector<double> ratios = input.parameters.numbers("ratios");
  const std::vector<double> digits = input.parameters.numbers("digits");
  if (ratios.size() != digits.size()) input.parameters.refuse("digits", "one per ratio is needed");
  CheckOutcome outcome;
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    const double ratio = ratios[k];
    const std::array<double, 2> velocities = {0.0, -1.0};
    const std::array<double, 2> masses = {1.0, ratio};
    ImpactProblem problem = make_chain(velocities, masses);
    ContactDefinition wall;
    wall.body_a = 0;
    wall.normal = {1.0};
    problem.add_contact(wall);
    const ImpactResult result = resolve_impacts(problem, with_operator("gauss_seidel"));
    const double angle = std::atan(std::sqrt(1.0 / ratio));
    // For equal masses pi/theta is exactly 4; round-off must not make it 4 and a bit.
    const double exact = std::ceil(std::numbers::pi / angle - 1e-9) - 1.0;
    const auto count = static_cast<double>(result.report.applications);
    outcome.claims.push_back(
        claim_equal(fmt::format("mass ratio {:g}: applications", ratio), count, exact, 0.0));
    outcome.claims.push_back(
        claim_equal(fmt::format("mass ratio {:g}: digits of pi", ratio), count, digits[k], 0.0));
    outcome.claims.push_back(
        claim_at_most(fmt::format("mass ratio {:g}: relative energy change", ratio),
                      std::abs(result.report.energy), 1e-15 * (10.0 + count)));
  }
  return outcome;
}

}  // namespace carom::detail
