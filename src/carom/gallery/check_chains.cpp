// G4 (springs), Q1 and Q10: how velocities travel through touching balls.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "carom/core/random.h"
#include "carom/gallery/detail/checks.h"
#include "carom/study/chains.h"

namespace carom::detail {
namespace {

std::vector<double> resolved(std::span<const double> velocities, const std::string& name) {
  return resolve_impacts(make_chain(velocities), with_operator(name)).velocities;
}

}  // namespace

// LZB is the limit of stiffness of touching springs: integrating the springs in time must give the
// same velocities.
CheckOutcome check_spring_chain(const CheckInput& input) {
  input.parameters.demand_only({"sizes", "exponents", "step", "tolerance"});
  const double tolerance = input.parameters.number("tolerance");
  CheckOutcome outcome;
  for (const double size : input.parameters.numbers("sizes")) {
    for (const double exponent : input.parameters.numbers("exponents")) {
      const std::vector<double> v = cradle_velocities(static_cast<std::size_t>(size));
      const std::vector<double> masses(v.size(), 1.0);
      const std::vector<double> springs =
          spring_chain(v, masses, exponent, input.parameters.number("step"));
      const std::vector<double> lzb = resolved(v, fmt::format("lzb:exponent={}", exponent));
      outcome.claims.push_back(claim_at_most(
          fmt::format("cradle of {}, exponent {}: lzb differs from springs by", size, exponent),
          max_difference(lzb, springs), tolerance));
    }
  }
  return outcome;
}

// Three equal balls, v = (v_a, 0, -1). Ideally the outer two exchange their velocities through the
// middle one: (-1, 0, v_a). Springs (lzb) do nearly that, but for the cradle itself (v_a near 0),
// of which they spread a tenth while qce is exact.
CheckOutcome check_three_ball_chain(const CheckInput& input) {
  input.parameters.demand_only({"steps", "operators", "near"});
  const auto steps = input.parameters.count("steps");
  const std::vector<std::string> names = input.parameters.texts("operators");
  DataTable table{"three_ball_chain", {"v_a"}, {}};
  for (const std::string& name : names) {
    for (const char* ball : {"a", "b", "c"}) table.columns.push_back(name + "_" + ball);
  }
  // Columns of names with a comma would not survive as CSV.
  for (std::string& column : table.columns) std::replace(column.begin(), column.end(), ',', ';');
  std::vector<std::vector<double>> errors(names.size());
  for (std::uint64_t k = 0; k <= steps; ++k) {
    const double v_a = static_cast<double>(k) / static_cast<double>(steps);
    const std::array<double, 3> v = {v_a, 0.0, -1.0};
    const std::array<double, 3> ideal = {-1.0, 0.0, v_a};
    table.rows.push_back({v_a});
    for (std::size_t n = 0; n < names.size(); ++n) {
      const std::vector<double> v_plus = resolved(v, names[n]);
      table.rows.back().insert(table.rows.back().end(), v_plus.begin(), v_plus.end());
      errors[n].push_back(distance(v_plus, ideal));
    }
  }
  const auto error_of = [&](std::string_view name) -> const std::vector<double>& {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      input.parameters.refuse("operators", "must contain " + std::string(name));
    }
    return errors[static_cast<std::size_t>(found - names.begin())];
  };
  const std::vector<double>& gr = error_of("gr");
  const std::vector<double>& qce = error_of("qce");
  const std::vector<double>& lzb = error_of("lzb:exponent=1.5");
  double least_lead = kInfinity;
  double worst_lzb_lead = kInfinity;
  double late_lead = -kInfinity;
  for (std::uint64_t k = 1; k < steps; ++k) {
    const double v_a = static_cast<double>(k) / static_cast<double>(steps);
    if (v_a <= 0.6) least_lead = std::min(least_lead, gr[k] - qce[k]);
    if (v_a >= 0.7) late_lead = std::max(late_lead, gr[k] - qce[k]);
    if (v_a >= 0.1) worst_lzb_lead = std::min(worst_lzb_lead, std::min(gr[k], qce[k]) - lzb[k]);
  }
  CheckOutcome outcome;
  outcome.claims.push_back(
      claim_at_least("0 < v_a <= 0.6: least lead of qce over gr", least_lead, 0.0));
  outcome.claims.push_back(
      claim_at_most("0.7 <= v_a < 1: largest lead of qce over gr", late_lead, 0.0));
  outcome.claims.push_back(
      claim_at_least("0.1 <= v_a < 1: least lead of lzb over both", worst_lzb_lead, 0.0));
  const double near = input.parameters.number("near");
  const std::array<double, 3> cradle = {0.0, 0.0, -1.0};
  const std::array<double, 3> almost = {near, 0.0, -1.0};
  outcome.claims.push_back(
      claim_at_least("gr jumps at the cradle by",
                     max_difference(resolved(cradle, "gr"), resolved(almost, "gr")), 0.1));
  outcome.claims.push_back(
      claim_at_most("qce changes near the cradle by",
                    max_difference(resolved(cradle, "qce"), resolved(almost, "qce")), 10.0 * near));
  for (const char* name : {"gr", "qce", "lcp"}) {
    outcome.claims.push_back(
        claim_at_most(fmt::format("v_a = 1: {} errs by", name), error_of(name).back(), 1e-14));
  }
  outcome.tables.push_back(std::move(table));
  return outcome;
}

namespace {

// Errors of one operator over many cradles whose contacts all close or open a little by chance.
std::vector<double> disturbed_errors(std::size_t balls, const std::string& name, double disturbance,
                                     std::uint64_t seeds) {
  std::vector<double> errors;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Random random(seed);
    std::vector<double> v = cradle_velocities(balls);
    // The relative velocity of every contact is disturbed, so velocities add up along the chain.
    double shift = 0.0;
    for (std::size_t i = 1; i < balls; ++i) {
      shift += random.uniform(-disturbance, disturbance);
      v[i] += shift;
    }
    std::vector<double> ideal(balls, 0.0);
    ideal.back() = 1.0;
    errors.push_back(max_difference(resolved(v, name), ideal));
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

}  // namespace

// Undisturbed, the first ball gives its velocity to the last.
CheckOutcome check_disturbed_cradle(const CheckInput& input) {
  input.parameters.demand_only({"disturbance", "seeds"});
  const double disturbance = input.parameters.number("disturbance");
  const std::uint64_t seeds = input.parameters.count("seeds");
  CheckOutcome outcome;
  const std::vector<double> three = disturbed_errors(3, "qce", disturbance, seeds);
  outcome.claims.push_back(claim_at_most("three balls: largest error of qce, in disturbances",
                                         three.back() / disturbance, 2.0));
  const std::vector<double> five = disturbed_errors(5, "qce", disturbance, seeds);
  outcome.claims.push_back(claim_at_most("five balls: median error of qce, in disturbances",
                                         five[five.size() / 2] / disturbance, 2.0));
  const auto small = std::count_if(five.begin(), five.end(), [](double e) { return e < 0.1; });
  outcome.claims.push_back(
      claim_at_least("five balls: share of seeds where qce errs by less than 0.1",
                     static_cast<double>(small) / static_cast<double>(five.size()), 0.9));
  for (const std::size_t balls : {std::size_t{3}, std::size_t{5}}) {
    const std::vector<double> gr = disturbed_errors(balls, "gr", disturbance, seeds);
    outcome.claims.push_back(
        claim_at_least(fmt::format("{} balls: largest error of gr", balls), gr.back(), 0.3));
  }
  return outcome;
}

}  // namespace carom::detail
