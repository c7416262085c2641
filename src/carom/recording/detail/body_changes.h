#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "carom/recording/recording.h"

namespace carom::detail {

/// Bodies join and leave: the header knows all that there ever were.
void take_changes(const BodyChanges& changes, RecordingHeader& header);

/// How many bodies are there after a step.
[[nodiscard]] std::size_t bodies_there(const RecordingHeader& header, std::uint64_t step);

/// Gives the numbers of those that are there their places among all; the others are NaN. A body
/// that does not turn gets the orientation 1.
void spread_frame(const RecordingHeader& header, RecordedFrame& frame);

/// Where all shapes have been brought to at one moment, from where they began.
struct ShapePlaces {
  double time = 0.0;  ///< s
  std::vector<std::array<double, 3>> offsets;
};

/// The shapes with these motions.
[[nodiscard]] std::string with_motions(const std::string& shapes_json,
                                       const std::vector<ShapePlaces>& places);

}  // namespace carom::detail
