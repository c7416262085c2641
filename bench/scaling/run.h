#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "carom/impact/points.h"

#include "scaling/scene.h"

namespace carom::bench {

/// Average and maximum of a quantity over the steps that count.
struct Series {
  double sum = 0.0;
  double largest = 0.0;
  std::uint64_t count = 0;

  void add(double value) {
    sum += value;
    largest = std::max(largest, value);
    ++count;
  }
  [[nodiscard]] double average() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
};

/// Seconds per step. CPU time is that of the calling thread: with several threads not the whole.
struct PhaseSeries {
  Series cpu;
  Series wall;
};

struct ScalingResult {
  Index balls = 0;
  std::uint64_t steps = 0;
  PhaseSeries integration;
  PhaseSeries detection;
  PhaseSeries impact;
  PhaseSeries whole;  ///< the call of step(), with what is in no phase
  Series applications;
  Series rows;
  Series largest_part;        ///< rows solved at once
  SolverSeconds solvers;      ///< of the impacts, all steps together
  double energy_drift = 0.0;  ///< as RunStatistics has it
  /// The largest mirror error after any step, in radii; none where the start has no mirror (gas).
  std::optional<double> symmetry_error;
  double overlap = 0.0;          ///< the deepest after any step, in radii
  std::uint64_t unresolved = 0;  ///< steps whose impact has another status than `resolved`
  double peak_megabytes = 0.0;   ///< resident, of the whole process; 1e6 bytes
};

/// Runs the scene until `steps` steps from the first contact on are done. Throws InputError on bad
/// options and std::runtime_error when the run cannot go on.
[[nodiscard]] ScalingResult run_scaling(const ScalingOptions& options);

}  // namespace carom::bench
