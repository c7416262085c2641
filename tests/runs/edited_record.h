#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"
#include "carom/runs/run_record.h"

namespace carom::test {

/// A recorded run of which some things are told otherwise.
class EditedRecord final : public RunRecord {
 public:
  explicit EditedRecord(const RunRecord& record)
      : own_header(record.header()),
        own_end(record.end()),
        own_times(record.frame_times()),
        own_events(record.events()),
        record_(&record) {}

  [[nodiscard]] const RecordingHeader& header() const override { return own_header; }
  [[nodiscard]] const RunEnd& end() const override { return own_end; }
  [[nodiscard]] const std::vector<double>& frame_times() const override { return own_times; }
  [[nodiscard]] RecordedFrame frame(std::size_t k) const override {
    if (k == unreadable) throw InputError({}, "is damaged");
    RecordedFrame frame = record_->frame(std::min(k, record_->frame_times().size() - 1));
    if (k == edited && position) frame.positions[3] = std::nextafter(frame.positions[3], 1e9);
    if (k == edited && velocity) frame.velocities[7] = -frame.velocities[7];
    if (k == edited && moved != kNone) {
      const std::array<double, 3> x = {place.x, place.y, place.z};
      std::copy(x.begin(), x.end(), frame.positions.begin() + std::ptrdiff_t{3} * moved);
    }
    return frame;
  }
  [[nodiscard]] std::vector<double> real_column(std::string_view name) const override {
    std::vector<double> values = record_->real_column(name);
    if (name == column) values[edited] = std::nextafter(values[edited], 1e9);
    return values;
  }
  [[nodiscard]] std::vector<std::uint64_t> integer_column(std::string_view name) const override {
    return record_->integer_column(name);
  }
  [[nodiscard]] bool has_column(std::string_view name) const override {
    return record_->has_column(name);
  }
  [[nodiscard]] std::vector<ContactEvent> events() const override { return own_events; }

  RecordingHeader own_header;
  RunEnd own_end;
  std::vector<double> own_times;
  std::vector<ContactEvent> own_events;
  std::size_t edited = SIZE_MAX;      ///< the frame, or the row of diagnostics, that is changed
  std::size_t unreadable = SIZE_MAX;  ///< a frame
  bool position = false;              ///< in the last bit
  bool velocity = false;
  Index moved = kNone;  ///< a body that stands elsewhere:
  Vec3 place;           ///< here
  std::string column;   ///< in the last bit

 private:
  const RunRecord* record_;
};

}  // namespace carom::test
