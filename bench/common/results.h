#pragma once

#include <string_view>

namespace carom::bench {

/// Keeps one measured number for the tables of docs/benchmarks.md: `what` was measured (scene,
/// size, engine), `measure` is which number of it. Nothing happens unless the environment names a
/// file (CAROM_BENCH_RESULTS), as `./dev bench --record NAME` does; `./dev bench report` makes the
/// tables. Names without commas. Throws std::runtime_error where the file cannot be written.
void record_result(std::string_view what, std::string_view measure, std::string_view unit,
                   double value);

}  // namespace carom::bench
