#pragma once

#include <string>

#include "scaling/run.h"

namespace carom::bench {

/// The columns of Smith2012's Table 2 for a person, with the paper's numbers where it has the
/// scene.
[[nodiscard]] std::string scaling_table(const ScalingOptions& options, const ScalingResult& result);

/// A header line and one row. Times are seconds per step: CPU time with one thread, wall time with
/// several. A scene without mirror has the symmetry error "nan".
[[nodiscard]] std::string scaling_csv(const ScalingOptions& options, const ScalingResult& result);

/// The programs bench_drop and bench_gas: reads the options, runs, prints; an exit code.
int scaling_main(int argc, char** argv, const ScalingOptions& defaults);

}  // namespace carom::bench
