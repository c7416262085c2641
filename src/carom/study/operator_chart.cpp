// Which laws each operator keeps, on random problems, cradles and waves.
#include "carom/study/operator_chart.h"

#include <algorithm>
#include <cmath>

#include "carom/core/assert.h"
#include "carom/core/random.h"
#include "carom/runs/instant_run.h"
#include "carom/study/chains.h"
#include "carom/study/detail/random_problems.h"

namespace carom {
namespace {

using detail::LooseProblem;

// Round-off is 1e-15, but lzb integrates, and its answers are good to about this.
constexpr double kSymmetryBound = 1e-6;
constexpr double kWaveBound = 0.25;
constexpr double kDisturbance = 1e-6;

ImpactSettings chart_settings(const std::string& name) {
  ImpactSettings settings = with_operator(name);
  // Enough for every problem here that ends at all.
  if (make_operator(name)->info().promise(Law::fin) == Promise::no)
    settings.max_applications = 1000;
  return settings;
}

class ChartBuilder {
 public:
  explicit ChartBuilder(std::string name, const std::vector<Law>& laws)
      : settings_(chart_settings(name)) {
    const OperatorInfo& info = make_operator(name)->info();
    row_.impact_operator = std::move(name);
    for (const Law law : laws) row_.cells.push_back({law, info.promise(law)});
  }

  void add(Law law, double residual, bool held) {
    for (ChartCell& cell : row_.cells) {
      if (cell.law != law) continue;
      ++cell.tried;
      if (!held) ++cell.broken;
      // A NaN must not look small.
      if (!(std::abs(residual) <= cell.worst)) cell.worst = std::abs(residual);
    }
  }

  void try_problem(const LooseProblem& loose) {
    const ImpactProblem problem = loose.build();
    const ImpactResult result = resolve_impacts(problem, settings_);
    for (const LawVerdict& verdict : judge_laws(problem, settings_, result)) {
      if (verdict.judged) add(verdict.law, verdict.residual, verdict.held);
    }
    const ImpactResult image = resolve_impacts(loose.mirrored().build(), settings_);
    const std::vector<double> expected = detail::mirrored_velocities(problem, result.velocities);
    double speed = 0.0;
    for (const double v : problem.velocities()) speed = std::max(speed, std::abs(v));
    const double error = max_difference(image.velocities, expected) / speed;
    // Two runs that were both cut off have nothing to compare.
    const bool ended =
        result.status == ImpactStatus::resolved || result.status == ImpactStatus::still_closing;
    if (ended) add(Law::sym, error, error <= kSymmetryBound);
  }

  // Only the first ball moves; the last must leave its neighbour behind.
  void try_cradle(Random& random) {
    const std::size_t count = 3 + random.below(6);
    std::vector<double> masses(count);
    for (double& mass : masses) mass = random.uniform(0.5, 2.0);
    const std::vector<double> v = cradle_velocities(count);
    const ImpactResult result = resolve_impacts(make_chain(v, masses), settings_);
    const double parting = result.velocities[count - 1] - result.velocities[count - 2];
    const bool broke_away = parting > 1e-6;
    add(Law::brk, broke_away ? 0.0 : 1.0, broke_away);
  }

  void try_wave(Random& random) {
    std::vector<double> v = cradle_velocities(3);
    for (double& x : v) x += random.uniform(-kDisturbance, kDisturbance);
    const ImpactResult result = resolve_impacts(make_chain(v), settings_);
    const std::vector<double> ideal = {0.0, 0.0, 1.0};
    const double error = max_difference(result.velocities, ideal);
    add(Law::wav, error, error <= kWaveBound);
  }

  [[nodiscard]] const ChartRow& row() const { return row_; }

 private:
  ImpactSettings settings_;
  ChartRow row_;
};

}  // namespace

const ChartCell& ChartRow::cell(Law law) const {
  const auto found =
      std::find_if(cells.begin(), cells.end(), [&](const ChartCell& c) { return c.law == law; });
  CAROM_DEMAND(found != cells.end());
  return *found;
}

OperatorChart compute_operator_chart(const ChartSettings& settings) {
  OperatorChart chart;
  chart.laws = {Law::brk,  Law::sym, Law::kin, Law::mom, Law::one,
                Law::feas, Law::fin, Law::wav, Law::imp};
  const std::vector<std::string> names =
      settings.operators.empty() ? operator_names() : settings.operators;
  for (const std::string& name : names) {
    ChartBuilder builder(name, chart.laws);
    Random random(settings.seed);  // the same problems for every operator
    for (std::uint64_t k = 0; k < settings.problems; ++k) {
      builder.try_problem(detail::random_chain(random));
      builder.try_problem(detail::random_rack(random));
      builder.try_problem(detail::random_box(random));
      builder.try_cradle(random);
      builder.try_wave(random);
    }
    chart.rows.push_back(builder.row());
  }
  return chart;
}

}  // namespace carom
