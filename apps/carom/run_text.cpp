// What a run prints when it has ended.
#include "run_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "text_table.h"

namespace carom::cli {

namespace {

constexpr double kOverlap = 0.05;  // radii; what rests sinks by far less

// What impacts were like.
void print_impacts(const RunSummary& summary) {
  const RunStatistics& statistics = summary.statistics;
  const bool counts_collisions =
      summary.scheme != nullptr && summary.scheme->collisions == CollisionTimes::their_own;
  // Under events looking for collisions is the way through time.
  fmt::print("wall time {:.3g} s: integration {:.3g}, {}impact {:.3g}\n", summary.wall_seconds,
             summary.integration_seconds,
             counts_collisions ? "" : fmt::format("detection {:.3g}, ", summary.detection_seconds),
             summary.impact_seconds);
  if (counts_collisions) fmt::print("collisions {}\n", statistics.impulses());
  fmt::print("impacts in {} steps, up to {} rows; applications {:.3g} on average, {} at most\n",
             statistics.impacts(), statistics.rows_most(), statistics.applications_mean(),
             statistics.applications_most());
  if (statistics.halved() > 0) {
    fmt::print("{} steps were too long for the scene and were taken in parts\n",
               statistics.halved());
  }
  fmt::print("worst status {}{}\n", to_string(statistics.worst_status()),
             statistics.unresolved() > 0
                 ? fmt::format(", {} steps not resolved", statistics.unresolved())
                 : "");
  fmt::print("penetration at most {} ({} radii){}\n", residual_text(statistics.penetration()),
             residual_text(statistics.penetration_relative()),
             statistics.redetect_exhausted() > 0
                 ? fmt::format("; {} steps used up their rounds of re-detection",
                               statistics.redetect_exhausted())
                 : "");
  if (statistics.penetration_relative() > kOverlap) {
    fmt::print("BODIES OVERLAP: by up to {:.2f} radii, at time {}\n",
               statistics.penetration_relative(), number_text(statistics.penetration_time()));
  }
}

// What impacts have in this scheme only, where there was any of it.
void print_own_columns(const RunSummary& summary) {
  if (summary.scheme == nullptr) return;
  for (const StepColumn& column : summary.scheme->columns) {
    const auto same = [&](const StepColumn& known) { return known.name == column.name; };
    const std::vector<StepColumn>& all = impact_columns();
    if (column.merge != Merge::sum || std::any_of(all.begin(), all.end(), same)) continue;
    const double total = std::visit([](const auto& n) { return static_cast<double>(n); },
                                    summary.statistics.total(column));
    if (total == 0.0) continue;
    fmt::print("{} {:.6g}: {}\n", column.name, total, column.description);
  }
}

// Numbers of one ledger side by side: the same unit, J, for all of them. `losses`: where energy is
// lost.
void print_energy(const EnergyLedger& energy, std::string_view losses) {
  constexpr double kWorthTelling = 1e-6;
  fmt::print("energy: {:.6g} at the start, {:.6g} now; {} by work, {} lost {}, unaccounted {}\n",
             energy.start(), energy.now(), residual_text(energy.work()),
             residual_text(energy.lost()), losses, residual_text(energy.unaccounted()));
  if (energy.gained() > kWorthTelling * energy.available()) {
    fmt::print("IMPACTS GAINED ENERGY: {}, which is {:.3g} times what there was\n",
               residual_text(energy.gained()), energy.gained() / energy.available());
  }
}

// What only this scheme reports, of the whole run.
void print_columns(const RunSummary& summary) {
  fmt::print("wall time {:.3g} s, {:.3g} of it for the audit of every step\n", summary.wall_seconds,
             summary.measurement_seconds);
  for (const StepColumn& column : summary.scheme->columns) {
    const StepNumber number = summary.statistics.total(column);
    const std::string value = std::visit(
        [](const auto& n) { return fmt::format("{:.6g}", static_cast<double>(n)); }, number);
    fmt::print("  {:<20} {:>12} {:<4} {}{}\n", column.name, value, column.unit,
               column.merge == Merge::sum ? "all steps: " : "", column.description);
  }
}

}  // namespace

void print_summary(const RunSummary& summary) {
  const RunStatistics& statistics = summary.statistics;
  const std::uint64_t steps = statistics.steps() - summary.first_step;
  fmt::print("steps {}{}, simulated time {}\n", statistics.steps(),
             summary.first_step > 0 ? fmt::format(" ({} of them now)", steps) : "",
             number_text(statistics.time()));
  const bool has_impacts = summary.scheme == nullptr || summary.scheme->can.impact_problems;
  if (has_impacts) {
    print_impacts(summary);
    if (summary.scheme != nullptr && summary.scheme->collisions == CollisionTimes::at_steps) {
      print_own_columns(summary);
    }
  } else {
    print_columns(summary);
  }
  print_energy(statistics.energy(),
               has_impacts ? "in impacts" : "to restitution, friction and damping");
  fmt::print("momentum: largest change {}\n", residual_text(statistics.momentum_change()));
}

bool print_claims(const std::vector<Claim>& claims) {
  for (const Claim& claim : claims) {
    const char* verdict = !claim.unjudged.empty() ? "-   " : claim.passed ? "ok  " : "FAIL";
    fmt::print("{}  {}\n", verdict, describe(claim));
  }
  return all_passed(claims);
}

}  // namespace carom::cli
