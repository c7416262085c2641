#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "carom/page/page.h"
#include "carom/plots/height_map.h"
#include "carom/plots/plot.h"
#include "carom/runs/run_record.h"

namespace carom {

/// A recorded run as the page shows it. At most `max_frames` frames are read, evenly spread.
[[nodiscard]] PageRun page_run(const RunRecord& record, std::size_t max_frames = SIZE_MAX);

/// Energy, momentum, contacts and applications over time, one line per run. `labels` name the runs
/// where there are several; none: by their operators.
[[nodiscard]] Figure run_figure(std::span<const RunRecord* const> records,
                                std::span<const std::string> labels = {});

/// The heights at the last frame that is not after `time`, where the scene measures them. Throws
/// InputError where it does not.
[[nodiscard]] HeightMap run_height_map(const RunRecord& record, double time = kInfinity);
/// The plane waves of the same heights.
[[nodiscard]] HeightMap run_spectrum_map(const RunRecord& record, double time = kInfinity);

}  // namespace carom
