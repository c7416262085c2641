// The words for how a run ended, and the numbers of bodies by the names of their columns.

#include "carom/recording/recording.h"

#include <algorithm>

#include "carom/core/assert.h"

namespace carom {

std::string_view to_string(RunStatus status) {
  switch (status) {
    case RunStatus::finished:
      return "finished";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::crashed:
      return "crashed";
    case RunStatus::failed:
      return "failed";
    case RunStatus::running:
      return "running";
  }
  CAROM_DEMAND(false);
  return "";
}

namespace {

std::size_t place_of(const RecordingHeader& header, std::string_view name) {
  const auto found = std::ranges::find(header.body_columns, name, &BodyColumn::name);
  return static_cast<std::size_t>(found - header.body_columns.begin());
}

}  // namespace

bool has_body_column(const RecordingHeader& header, std::string_view name) {
  return place_of(header, name) < header.body_columns.size();
}

std::vector<double> body_column(const RecordingHeader& header, const RecordedFrame& frame,
                                std::string_view name) {
  const std::size_t place = place_of(header, name);
  CAROM_DEMAND(place < header.body_columns.size());
  const auto bodies = static_cast<std::ptrdiff_t>(header.body_count());
  const auto begin = frame.body_numbers.begin() + static_cast<std::ptrdiff_t>(place) * bodies;
  return {begin, begin + bodies};
}

}  // namespace carom
