// G1 and G2: the chart of desiderata, and the box that meets the floor with a whole face.

#include <cmath>

#include <fmt/format.h>

#include "carom/gallery/detail/checks.h"
#include "carom/study/chains.h"
#include "carom/study/operator_chart.h"

namespace carom::detail {

// GR Table 1, of which every entry is measured: an operator keeps those of the five laws that it
// promises and breaks the others. Of FEAS, FIN and WAV (QCE Table 1) what is promised, exactly or
// approximately, is kept.
CheckOutcome check_desiderata(const CheckInput& input) {
  input.parameters.demand_only({"problems", "seed"});
  ChartSettings settings;
  settings.problems = input.parameters.count("problems");
  settings.seed = input.parameters.count("seed");
  const OperatorChart chart = compute_operator_chart(settings);
  CheckOutcome outcome;
  for (const ChartRow& row : chart.rows) {
    for (const Law law : {Law::brk, Law::sym, Law::kin, Law::mom, Law::one}) {
      const ChartCell& cell = row.cell(law);
      const bool promised = cell.promise == Promise::yes;
      outcome.claims.push_back(claim_true(
          fmt::format("{} {} {} ({} of {} problems break it)", row.impact_operator,
                      promised ? "keeps" : "breaks", to_string(law), cell.broken, cell.tried),
          cell.tried > 0 && cell.held() == promised));
    }
    for (const Law law : {Law::feas, Law::fin, Law::wav}) {
      const ChartCell& cell = row.cell(law);
      if (cell.promise == Promise::no) continue;
      outcome.claims.push_back(
          claim_true(fmt::format("{} keeps {}", row.impact_operator, to_string(law)), cell.held()));
    }
  }
  return outcome;
}

namespace {

double angular_speed(const ImpactResult& result) {
  return std::hypot(result.velocities[3], result.velocities[4], result.velocities[5]);
}

}  // namespace

// The file's box falls straight down. All four corner rows are alike, so nothing chooses an axis
// for it to turn about; a method that takes them one by one does.
CheckOutcome check_box_rotates(const CheckInput& input) {
  input.parameters.demand_only({"straight", "turning"});
  CheckOutcome outcome;
  const auto add = [&](const std::string& name, bool turns) {
    const ImpactResult result = resolve_impacts(input.instant->problem, with_operator(name));
    const double spin = angular_speed(result);
    outcome.claims.push_back(turns ? claim_at_least(name + ": angular speed", spin, 0.1)
                                   : claim_at_most(name + ": angular speed", spin, 1e-12));
    outcome.claims.push_back(
        claim_at_most(name + ": relative energy change", std::abs(result.report.energy), 1e-13));
  };
  for (const std::string& name : input.parameters.texts("straight")) add(name, false);
  for (const std::string& name : input.parameters.texts("turning")) add(name, true);
  return outcome;
}

}  // namespace carom::detail
