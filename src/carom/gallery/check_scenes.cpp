// Checks of the papers' scenes.

#include <algorithm>
#include <cmath>

#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/runs/scene_check.h"
#include "carom/runs/scene_run.h"

namespace carom::detail {
namespace {

Vec3 mean_of(const std::vector<double>& numbers) {
  Vec3 sum;
  const std::size_t count = numbers.size() / 3;
  for (std::size_t i = 0; i < count; ++i) sum += vector_at(numbers, i);
  return (1.0 / static_cast<double>(count)) * sum;
}

// Root mean square distance from the mean.
double spread_of(const std::vector<double>& numbers) {
  const Vec3 mean = mean_of(numbers);
  const std::size_t count = numbers.size() / 3;
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += norm_squared(vector_at(numbers, i) - mean);
  return std::sqrt(sum / static_cast<double>(count));
}

double norm_of(const std::vector<double>& numbers) {
  double sum = 0.0;
  for (const double x : numbers) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

// The grid falls freely until its lowest balls touch the drum; at the frame in which the mean
// vertical velocity is largest it has rebounded.
CheckOutcome check_rebound(const CheckInput& input) {
  input.parameters.demand_only(
      {"name", "scattered", "together", "scattered_at_least", "together_at_most"});
  CheckOutcome outcome;
  const auto measure = [&](const std::string& name) {
    const MemoryRun run = run_with(*input.scene, name);
    const RunRecord& record = *run.record;
    double impact_speed = 0.0;
    double best = -kInfinity;
    double spread = 0.0;
    for (std::size_t k = 0; k < record.frame_times().size(); ++k) {
      const RecordedFrame frame = record.frame(k);
      const double vertical = mean_of(frame.velocities).y;
      impact_speed = std::max(impact_speed, -vertical);
      if (impact_speed > 0.0 && vertical > best && vertical > 0.0) {
        best = vertical;
        spread = spread_of(frame.velocities);
      } else if (vertical < 0.0 && best > 0.0) {
        break;  // it falls again
      }
    }
    return impact_speed > 0.0 ? spread / impact_speed : 0.0;
  };
  for (const std::string& name : input.parameters.texts("scattered")) {
    outcome.claims.push_back(
        claim_at_least(name + ": spread after the first bounce, in impact speeds", measure(name),
                       input.parameters.number("scattered_at_least")));
  }
  for (const std::string& name : input.parameters.texts("together")) {
    outcome.claims.push_back(
        claim_at_most(name + ": spread after the first bounce, in impact speeds", measure(name),
                      input.parameters.number("together_at_most")));
  }
  return outcome;
}

// Energy over many steps, without frames.
CheckOutcome check_energy_run(const CheckInput& input) {
  input.parameters.demand_only({"name", "operators", "steps", "energy_drift"});
  CheckOutcome outcome;
  Scene scene = *input.scene;
  scene.record.every = input.parameters.count("steps");
  for (const std::string& name : input.parameters.texts("operators")) {
    RunOptions options;
    options.impact_operator = name;
    options.steps = input.parameters.count("steps");
    const MemoryRun run = run_in_memory(scene, options);
    outcome.claims.push_back(
        claim_true(name + ": the run is completed", run.summary.end.status == RunStatus::finished));
    outcome.claims.push_back(claim_at_most(
        name + ": energy drift over " + std::to_string(*options.steps) + " steps",
        run.summary.statistics.energy_drift(), input.parameters.number("energy_drift")));
  }
  outcome.headline = 1;
  return outcome;
}

// Two operators that agree in every impact give the same trajectories; others lose their speed.
CheckOutcome check_same_traces(const CheckInput& input) {
  input.parameters.demand_only(
      {"name", "operators", "difference", "slower", "energy_left_at_most"});
  CheckOutcome outcome;
  const std::vector<std::string> names = input.parameters.texts("operators");
  const MemoryRun first = run_with(*input.scene, names.front());
  for (std::size_t n = 1; n < names.size(); ++n) {
    const MemoryRun other = run_with(*input.scene, names[n]);
    double worst = 0.0;
    const bool same = first.record->frame_times() == other.record->frame_times();
    outcome.claims.push_back(
        claim_true(names.front() + " and " + names[n] + " have the same times", same));
    for (std::size_t k = 0; same && k < first.record->frame_times().size(); ++k) {
      const RecordedFrame a = first.record->frame(k);
      const RecordedFrame b = other.record->frame(k);
      for (std::size_t i = 0; i < a.positions.size(); ++i) {
        worst = std::max(worst, std::abs(a.positions[i] - b.positions[i]));
      }
    }
    outcome.claims.push_back(
        claim_at_most("largest difference of positions, " + names.front() + " and " + names[n],
                      worst, input.parameters.number("difference")));
  }
  for (const std::string& name : input.parameters.texts("slower")) {
    const RunStatistics statistics = run_with(*input.scene, name).summary.statistics;
    outcome.claims.push_back(
        claim_at_most(name + ": energy at the end over energy at the start",
                      statistics.last().totals.kinetic / statistics.first().totals.kinetic,
                      input.parameters.number("energy_left_at_most")));
  }
  return outcome;
}

namespace {

struct PlugMotion {
  double up = 0.0;        // mean
  double sideways = 0.0;  // largest
};

// The balls whose names begin with `plug`, in the first frame at or after `time`.
PlugMotion plug_motion(const RunRecord& record, const std::string& plug, double time) {
  const std::vector<double>& times = record.frame_times();
  const auto at = std::lower_bound(times.begin(), times.end() - 1, time);
  const RecordedFrame frame = record.frame(static_cast<std::size_t>(at - times.begin()));
  PlugMotion motion;
  double count = 0.0;
  for (std::size_t i = 0; i < record.header().body_count(); ++i) {
    if (!record.header().body_names[i].starts_with(plug)) continue;
    const Vec3 v = vector_at(frame.velocities, i);
    motion.up += v.y;
    motion.sideways = std::max(motion.sideways, std::abs(v.x));
    count += 1.0;
  }
  motion.up /= count;
  return motion;
}

}  // namespace

// A plug fills a shaft from wall to wall: its rows are implicit equalities. Without looking for
// them the operator runs into any budget; with it the run goes on, the plug moves along the shaft
// and not across it.
CheckOutcome check_anti_locking_run(const CheckInput& input) {
  input.parameters.demand_only(
      {"name", "budget", "plug", "time", "upward_at_least", "sideways_at_most", "set"});
  CheckOutcome outcome;
  const Scene scene = chosen_scene(input);
  const std::string plug = input.parameters.text("plug");
  for (const std::string& name : scene.operators) {
    Scene without = scene;
    without.simulation.impact.anti_locking = AntiLocking::off;
    without.simulation.impact.max_applications = input.parameters.count("budget");
    const MemoryRun printed = run_with(without, name);
    outcome.claims.push_back(
        claim_true(name + " without lineality detection reaches the limit of applications",
                   printed.summary.statistics.worst_status() == ImpactStatus::budget_exhausted));
    const MemoryRun run = run_with(scene, name);
    const RunStatistics& statistics = run.summary.statistics;
    outcome.claims.push_back(claim_true(name + " with it resolves every impact",
                                        statistics.worst_status() == ImpactStatus::resolved &&
                                            run.summary.end.status == RunStatus::finished));
    const PlugMotion motion = plug_motion(*run.record, plug, input.parameters.number("time"));
    outcome.claims.push_back(claim_at_least(name + ": mean upward speed of the plug", motion.up,
                                            input.parameters.number("upward_at_least")));
    outcome.claims.push_back(claim_at_most(name + ": largest sideways speed of the plug",
                                           motion.sideways,
                                           input.parameters.number("sideways_at_most")));
  }
  return outcome;
}

// Two breaks are similar when the final velocities point the same way: their correlation.
CheckOutcome check_similar_runs(const CheckInput& input) {
  input.parameters.demand_only({"name", "operators", "least_correlation"});
  CheckOutcome outcome;
  const std::vector<std::string> names = input.parameters.texts("operators");
  const MemoryRun first = run_with(*input.scene, names.front());
  const std::size_t last = first.record->frame_times().size() - 1;
  const std::vector<double> a = first.record->frame(last).velocities;
  for (std::size_t n = 1; n < names.size(); ++n) {
    const MemoryRun other = run_with(*input.scene, names[n]);
    const std::vector<double> b = other.record->frame(last).velocities;
    double product = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) product += a[i] * b[i];
    outcome.claims.push_back(claim_at_least(
        "correlation of final velocities, " + names.front() + " and " + names[n],
        product / (norm_of(a) * norm_of(b)), input.parameters.number("least_correlation")));
  }
  return outcome;
}

}  // namespace carom::detail
