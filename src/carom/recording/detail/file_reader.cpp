// Reading the parts of a recording from HDF5.
#include "carom/recording/detail/file_reader.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <numeric>
#include <optional>
#include <system_error>
#include <utility>

#include "carom/core/assert.h"
#include "carom/recording/detail/file.h"
#include "carom/recording/detail/file_header.h"
#include "carom/recording/detail/hdf5_sink.h"

namespace carom::detail {
namespace {

constexpr std::size_t kBlock = 4096;  // rows that are read at once

// A dataset of which some rows are read again and again.
class RowReader {
 public:
  RowReader(hid_t group, const std::string& name, std::size_t width, hid_t type)
      : dataset_(open_dataset(group, name)),
        shape_(extents(dataset_.get(), width == 1 ? 1 : 2, name)),
        type_(type) {
    if (width > 1 && shape_[1] != width) {
      throw Hdf5Error("use " + name + ", which needs " + std::to_string(width) + " columns");
    }
  }
  template <typename T>
  void read(std::size_t first, std::size_t count, std::vector<T>& values) const {
    const std::size_t width = shape_.size() > 1 ? shape_[1] : 1;
    if (first > shape_[0] || count > shape_[0] - first) throw Hdf5Error("read rows beyond the end");
    values.resize(count * width);
    read_rows(dataset_.get(), type_, shape_, {first, count}, values.data());
  }
  [[nodiscard]] std::size_t rows() const { return shape_[0]; }

 private:
  Handle dataset_;
  std::vector<hsize_t> shape_;
  hid_t type_;
};

std::size_t rows_of(hid_t group, const std::string& name) {
  const Handle dataset = open_dataset(group, name);
  return extents(dataset.get(), 1, name)[0];
}

RunStatus status_named(const std::string& name) {
  for (const RunStatus status :
       {RunStatus::finished, RunStatus::interrupted, RunStatus::crashed, RunStatus::failed}) {
    if (to_string(status) == name) return status;
  }
  throw Hdf5Error("use the status '" + name + "'");
}

// Where a column stands by an attribute of its dataset.
template <typename Column>
std::optional<Column>& place_in(std::vector<std::optional<Column>>& columns, hid_t dataset,
                                const char* attribute) {
  const std::uint64_t at = read_integer_attribute(dataset, attribute);
  if (at > kBlock) throw Hdf5Error(std::string("use the attribute ") + attribute);
  if (columns.size() <= at) columns.resize(at + 1);
  return columns[at];
}

hid_t memory_type(ColumnType type) {
  return type == ColumnType::real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT64;
}

}  // namespace

RecordingFile::RecordingFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) {
    refuse(error ? "cannot be opened: " + error.message() : "there is no such recording");
  }
  if (!std::filesystem::is_regular_file(path_, error)) {
    refuse(std::filesystem::is_directory(path_, error)
               ? "is a directory; expected a Carom recording"
               : "is not a file; expected a Carom recording");
  }
  const FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) refuse("cannot be opened: " + system_message(errno));
  guarded([&] {
    open();
    read_header(file_.get(), header_);
    read_end();
    read_columns();
    read_frame_index();
    read_checkpoint_index();
    event_count_ = rows_of(open_group(file_.get(), "events").get(), "step");
  });
}

void RecordingFile::guarded(const std::function<void()>& action) const {
  const QuietErrors quiet;
  try {
    action();
  } catch (const Hdf5Error& error) {
    refuse(std::string("is damaged: ") + error.what());
  } catch (const std::bad_alloc&) {
    refuse("needs more memory than there is; the file may be damaged");
  } catch (const std::length_error&) {
    refuse("is damaged: it states an impossible size");
  }
}

void RecordingFile::refuse(const std::string& message) const { refuse_file(path_, message); }

void RecordingFile::open() {
  const Handle access = recording_access();
  const htri_t is_hdf5 = H5Fis_hdf5(path_.c_str());
  if (is_hdf5 <= 0) refuse("is not an HDF5 file; expected a Carom recording");
  file_ = Handle(checked(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.get()), "open the file"),
                 H5Fclose);
  check_format();
}

void RecordingFile::check_format() const {
  if (H5Aexists(file_.get(), "format") <= 0 ||
      read_text_attribute(file_.get(), "format") != kFormatName) {
    refuse("is an HDF5 file, but not a Carom recording");
  }
  const std::uint64_t version = read_integer_attribute(file_.get(), "format_version");
  if (version != kFormatVersion && version != kFormatVersionOfChanges) {
    refuse("is a recording of format version " + std::to_string(version) +
           "; this Carom reads versions " + std::to_string(kFormatVersion) + " and " +
           std::to_string(kFormatVersionOfChanges));
  }
}

void RecordingFile::read_end() {
  const Handle run = open_group(file_.get(), "run");
  end_.status = status_named(read_text_attribute(run.get(), "status"));
  end_.reason = read_text_attribute(run.get(), "reason");
  end_.wall_seconds = read_real_attribute(run.get(), "wall_seconds");
}

void RecordingFile::read_columns() {
  const Handle group = open_group(file_.get(), "diagnostics");
  diagnostics_count_ = rows_of(group.get(), "step");
  std::vector<std::optional<DiagnosticColumn>> columns;
  for (const std::string& name : link_names(group.get())) {
    const Handle dataset = open_dataset(group.get(), name);
    if (extents(dataset.get(), 1, name)[0] != diagnostics_count_) {
      throw Hdf5Error("use /diagnostics, whose columns differ in length");
    }
    if (H5Aexists(dataset.get(), "column") <= 0) continue;
    const Handle type(checked(H5Dget_type(dataset.get()), "read " + name), H5Tclose);
    place_in(columns, dataset.get(), "column") = DiagnosticColumn{
        name, H5Tget_class(type.get()) == H5T_FLOAT ? ColumnType::real : ColumnType::integer,
        H5Aexists(dataset.get(), "unit") > 0 ? read_text_attribute(dataset.get(), "unit") : "",
        read_text_attribute(dataset.get(), "description")};
  }
  for (std::optional<DiagnosticColumn>& column : columns) {
    if (!column) throw Hdf5Error("find every column of /diagnostics");
    header_.columns.push_back(std::move(*column));
  }
}

void RecordingFile::read_body_columns(hid_t frames) {
  const hsize_t bodies = header_.body_count();
  const std::vector<hsize_t> expected = {bodies == 0 ? 0 : frame_steps_.size(), bodies};
  std::vector<std::optional<BodyColumn>> columns;
  for (const std::string& name : link_names(frames)) {
    const Handle dataset = open_dataset(frames, name);
    if (H5Aexists(dataset.get(), "body_column") <= 0) continue;
    if (extents(dataset.get(), 2, name) != expected) {
      throw Hdf5Error("use /frames, whose arrays differ in shape");
    }
    place_in(columns, dataset.get(), "body_column") = BodyColumn{
        name,
        H5Aexists(dataset.get(), "unit") > 0 ? read_text_attribute(dataset.get(), "unit") : "",
        read_text_attribute(dataset.get(), "description")};
  }
  for (std::optional<BodyColumn>& column : columns) {
    if (!column) throw Hdf5Error("find every body column of /frames");
    body_numbers_.push_back(open_dataset(frames, column->name));
    header_.body_columns.push_back(std::move(*column));
  }
}

void RecordingFile::read_frame_index() {
  const Handle frames = open_group(file_.get(), "frames");
  frame_steps_ = read_array<std::uint64_t>(frames.get(), "step", H5T_NATIVE_UINT64);
  frame_times_ = read_array<double>(frames.get(), "time", H5T_NATIVE_DOUBLE);
  positions_ = open_dataset(frames.get(), "position");
  velocities_ = open_dataset(frames.get(), "velocity");
  const hsize_t bodies = header_.body_count();
  const std::vector<hsize_t> expected = {bodies == 0 ? 0 : frame_steps_.size(), bodies, 3};
  if (extents(positions_.get(), 3, "position") != expected ||
      extents(velocities_.get(), 3, "velocity") != expected ||
      frame_times_.size() != frame_steps_.size()) {
    throw Hdf5Error("use /frames, whose arrays differ in shape");
  }
  read_body_columns(frames.get());
  if (!header_.any_turns()) return;
  orientations_ = open_dataset(frames.get(), "orientation");
  angular_velocities_ = open_dataset(frames.get(), "angular_velocity");
  const std::vector<hsize_t> quaternions = {expected[0], bodies, 4};
  if (extents(orientations_.get(), 3, "orientation") != quaternions ||
      extents(angular_velocities_.get(), 3, "angular_velocity") != expected) {
    throw Hdf5Error("use /frames, whose arrays differ in shape");
  }
}

void RecordingFile::read_checkpoint_index() {
  const Handle group = open_group(file_.get(), "checkpoints");
  const auto steps = read_array<std::uint64_t>(group.get(), "step", H5T_NATIVE_UINT64);
  const auto times = read_array<double>(group.get(), "time", H5T_NATIVE_DOUBLE);
  const auto hashes = read_array<std::uint64_t>(group.get(), "state_hash", H5T_NATIVE_UINT64);
  checkpoint_sizes_ = read_array<std::uint64_t>(group.get(), "size", H5T_NATIVE_UINT64);
  if (times.size() != steps.size() || hashes.size() != steps.size() ||
      checkpoint_sizes_.size() != steps.size()) {
    throw Hdf5Error("use /checkpoints, whose arrays differ in length");
  }
  for (std::size_t k = 0; k < steps.size(); ++k) {
    checkpoints_.push_back({steps[k], times[k], hashes[k], {}});
  }
}

void RecordingFile::read_frame(std::size_t number, RecordedFrame& frame) const {
  CAROM_DEMAND(number < frame_steps_.size());
  const std::size_t bodies = header_.body_count();
  frame.step = frame_steps_[number];
  frame.time = frame_times_[number];
  frame.positions.resize(3 * bodies);
  frame.velocities.resize(3 * bodies);
  const std::size_t turning = header_.any_turns() ? bodies : 0;
  frame.orientations.resize(4 * turning);
  frame.angular_velocities.resize(3 * turning);
  frame.body_numbers.resize(body_numbers_.size() * bodies);
  guarded([&] {
    const std::vector<hsize_t> shape = {frame_steps_.size(), bodies, 3};
    read_rows(positions_.get(), H5T_NATIVE_DOUBLE, shape, {number, 1}, frame.positions.data());
    read_rows(velocities_.get(), H5T_NATIVE_DOUBLE, shape, {number, 1}, frame.velocities.data());
    const std::vector<hsize_t> one_number = {frame_steps_.size(), bodies};
    for (std::size_t k = 0; k < body_numbers_.size() && bodies > 0; ++k) {
      read_rows(body_numbers_[k].get(), H5T_NATIVE_DOUBLE, one_number, {number, 1},
                &frame.body_numbers[k * bodies]);
    }
    if (turning == 0) return;
    const std::vector<hsize_t> quaternions = {frame_steps_.size(), bodies, 4};
    read_rows(orientations_.get(), H5T_NATIVE_DOUBLE, quaternions, {number, 1},
              frame.orientations.data());
    read_rows(angular_velocities_.get(), H5T_NATIVE_DOUBLE, shape, {number, 1},
              frame.angular_velocities.data());
  });
}

Checkpoint RecordingFile::checkpoint(std::size_t number) const {
  CAROM_DEMAND(number < checkpoints_.size());
  Checkpoint result = checkpoints_[number];
  guarded([&] {
    const Handle group = open_group(file_.get(), "checkpoints");
    const RowReader states(group.get(), "state", 1, H5T_NATIVE_UINT8);
    std::size_t first = 0;
    for (std::size_t k = 0; k < number; ++k) first += checkpoint_sizes_[k];
    states.read(first, checkpoint_sizes_[number], result.state);
  });
  return result;
}

std::vector<ContactEvent> RecordingFile::read_events(std::size_t first, std::size_t count) const {
  const Handle group = open_group(file_.get(), "events");
  std::vector<std::uint64_t> steps;
  std::vector<double> times;
  std::vector<std::int64_t> bodies_a;
  std::vector<std::int64_t> bodies_b;
  RowReader(group.get(), "step", 1, H5T_NATIVE_UINT64).read(first, count, steps);
  RowReader(group.get(), "time", 1, H5T_NATIVE_DOUBLE).read(first, count, times);
  RowReader(group.get(), "body_a", 1, H5T_NATIVE_INT64).read(first, count, bodies_a);
  RowReader(group.get(), "body_b", 1, H5T_NATIVE_INT64).read(first, count, bodies_b);
  std::vector<double> normals;
  std::vector<double> impulses;
  std::vector<double> points;
  RowReader(group.get(), "normal", 3, H5T_NATIVE_DOUBLE).read(first, count, normals);
  RowReader(group.get(), "impulse", 3, H5T_NATIVE_DOUBLE).read(first, count, impulses);
  RowReader(group.get(), "point", 3, H5T_NATIVE_DOUBLE).read(first, count, points);
  std::vector<ContactEvent> events(count);
  for (std::size_t k = 0; k < count; ++k) {
    ContactEvent& event = events[k];
    event.step = steps[k];
    event.time = times[k];
    event.body_a = bodies_a[k];
    event.body_b = bodies_b[k];
    std::copy_n(normals.begin() + static_cast<std::ptrdiff_t>(3 * k), 3, event.normal.begin());
    std::copy_n(impulses.begin() + static_cast<std::ptrdiff_t>(3 * k), 3, event.impulse.begin());
    std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(3 * k), 3, event.point.begin());
  }
  return events;
}

std::vector<ContactEvent> RecordingFile::events(std::size_t first, std::size_t count) const {
  CAROM_DEMAND(first <= event_count_ && count <= event_count_ - first);
  std::vector<ContactEvent> events;
  guarded([&] { events = read_events(first, count); });
  return events;
}

std::vector<std::uint64_t> RecordingFile::stored_column(std::string_view name,
                                                        ColumnType type) const {
  std::vector<std::uint64_t> bits;
  guarded([&] {
    const Handle group = open_group(file_.get(), "diagnostics");
    const RowReader reader(group.get(), std::string(name), 1, memory_type(type));
    reader.read(0, diagnostics_count_, bits);
  });
  return bits;
}

void RecordingFile::visit_rows(std::size_t count,
                               const std::function<void(const DiagnosticBits&)>& visit) const {
  CAROM_DEMAND(count <= diagnostics_count_);
  for (std::size_t first = 0; first < count; first += kBlock) {
    visit_block(first, std::min(kBlock, count - first), visit);
  }
}

void RecordingFile::visit_block(std::size_t first, std::size_t size,
                                const std::function<void(const DiagnosticBits&)>& visit) const {
  std::vector<std::uint64_t> steps;
  std::vector<double> times;
  std::vector<std::vector<std::uint64_t>> block(header_.columns.size());
  guarded([&] {
    const Handle group = open_group(file_.get(), "diagnostics");
    RowReader(group.get(), "step", 1, H5T_NATIVE_UINT64).read(first, size, steps);
    RowReader(group.get(), "time", 1, H5T_NATIVE_DOUBLE).read(first, size, times);
    for (std::size_t k = 0; k < block.size(); ++k) {
      const DiagnosticColumn& column = header_.columns[k];
      RowReader(group.get(), column.name, 1, memory_type(column.type)).read(first, size, block[k]);
    }
  });
  DiagnosticBits row;
  row.values.resize(block.size());
  for (std::size_t at = 0; at < size; ++at) {
    row.step = steps[at];
    row.time = times[at];
    for (std::size_t k = 0; k < block.size(); ++k) row.values[k] = block[k][at];
    visit(row);
  }
}

std::size_t RecordingFile::events_until(std::uint64_t last_step) const {
  std::vector<std::uint64_t> steps;
  guarded([&] {
    const Handle group = open_group(file_.get(), "events");
    RowReader(group.get(), "step", 1, H5T_NATIVE_UINT64).read(0, event_count_, steps);
  });
  return static_cast<std::size_t>(std::upper_bound(steps.begin(), steps.end(), last_step) -
                                  steps.begin());
}

}  // namespace carom::detail
