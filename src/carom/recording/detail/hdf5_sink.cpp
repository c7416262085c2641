// Writing a recording as HDF5.
#include "carom/recording/detail/hdf5_sink.h"

#include <algorithm>
#include <utility>

namespace carom::detail {
namespace {

template <typename T>
std::span<const T> one(const T& value) {
  return std::span<const T>(&value, 1);
}

Handle create_file(LatchedFile& file) {
  const Handle access = recording_access();
  file.use_in(access.get());
  const Handle properties(checked(H5Pcreate(H5P_FILE_CREATE), "create a file"), H5Pclose);
  demand_ok(H5Pset_obj_track_times(properties.get(), false), "create a file");
  return {checked(H5Fcreate("recording", H5F_ACC_TRUNC, properties.get(), access.get()),
                  "create a file"),
          H5Fclose};
}

// Texts are arrays of one text: only an array can be chunked, and only a chunk has a checksum.
template <typename Texts>
void write_texts(hid_t group, const DatasetInfo& info, const Texts& texts, unsigned compression) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  const Handle type = text_type(longest);
  GrowingDataset dataset(group, info, {type.get(), {}, compression, texts.size()});
  for (std::string text : texts) {
    text.resize(longest, '\0');
    dataset.append_values(std::span<const char>(text));
  }
  dataset.finish();
}

template <typename T>
void write_array(hid_t group, const DatasetInfo& info, std::span<const T> values,
                 const GrowingDataset::Layout& layout) {
  GrowingDataset dataset(group, info, layout);
  dataset.append_values(values);
  dataset.finish();
}

}  // namespace

Handle recording_access() {
  Handle access(checked(H5Pcreate(H5P_FILE_ACCESS), "prepare a file"), H5Pclose);
  demand_ok(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
            "choose a format");
  demand_ok(H5Pset_file_locking(access.get(), false, true), "choose not to lock");
  return access;
}

Hdf5Sink::Hdf5Sink(LatchedFile& file, const RecordingHeader& header,
                   const RecordingOptions& options)
    : compression_(options.compression), file_(create_file(file)) {
  write_header(header);
  write_bodies(header);
  const Handle frames = new_group(file_.get(), "frames");
  frames_ = make(frames.get(), {"step", "", "number of the step after which the frame was taken"},
                 H5T_STD_U64LE);
  make(frames.get(), {"time", "s", "simulated time"}, H5T_IEEE_F64LE);
  const hsize_t bodies = header.body_count();
  make(frames.get(), {"position", "m", "frame, body, (x, y, z)"}, H5T_IEEE_F64LE, {bodies, 3});
  make(frames.get(), {"velocity", "m/s", "frame, body, (x, y, z)"}, H5T_IEEE_F64LE, {bodies, 3});
  if (header.any_turns()) {
    orientations_ = make(frames.get(), {"orientation", "", "frame, body, quaternion (w, x, y, z)"},
                         H5T_IEEE_F64LE, {bodies, 4});
    make(frames.get(), {"angular_velocity", "rad/s", "frame, body, (x, y, z)"}, H5T_IEEE_F64LE,
         {bodies, 3});
  }
  body_numbers_ = datasets_.size();
  for (std::size_t k = 0; k < header.body_columns.size(); ++k) {
    const BodyColumn& column = header.body_columns[k];
    const std::size_t made = make(frames.get(), {column.name, column.unit, column.description},
                                  H5T_IEEE_F64LE, {bodies});
    write_attribute(datasets_[made]->id(), "body_column", std::uint64_t{k});
  }
  make_diagnostics(header);
  make_events();
}

std::size_t Hdf5Sink::make(hid_t group, const DatasetInfo& info, hid_t type,
                           std::vector<hsize_t> row) {
  datasets_.push_back(std::make_unique<GrowingDataset>(
      group, info, GrowingDataset::Layout{type, std::move(row), compression_, 0}));
  return datasets_.size() - 1;
}

void Hdf5Sink::write_header(const RecordingHeader& header) {
  write_attribute(file_.get(), "format", std::string(kFormatName));
  write_attribute(file_.get(), "format_version",
                  header.presence.empty() ? kFormatVersion : kFormatVersionOfChanges);
  const Handle run = new_group(file_.get(), "run");
  write_attribute(run.get(), "carom_version", header.carom_version);
  write_attribute(run.get(), "build", header.build);
  write_attribute(run.get(), "impact_operator", header.impact_operator);
  write_attribute(run.get(), "step", header.step);
  if (header.driven_from) write_attribute(run.get(), "driven_from", *header.driven_from);
  const Handle scene = new_group(file_.get(), "scene");
  write_attribute(scene.get(), "name", header.scene_name);
  write_attribute(scene.get(), "dimension", static_cast<std::uint64_t>(header.dimension));
  write_texts(scene.get(), {"text", "", "the scene file (TOML) as it was run"},
              one(header.scene_text), compression_);
  write_texts(scene.get(), {"shapes", "", "static and scripted shapes (JSON)"},
              one(header.shapes_json), compression_);
  write_texts(scene.get(), {"settings", "", "everything else that the run was given (JSON)"},
              one(header.settings_json), compression_);
  if (!header.solids_json.empty()) {
    write_texts(scene.get(), {"solids", "", "surfaces of the solids (JSON)"},
                one(header.solids_json), compression_);
  }
  if (!header.surfaces_json.empty()) {
    write_texts(scene.get(), {"surfaces", "", "deformable surfaces and chains (JSON)"},
                one(header.surfaces_json), compression_);
  }
}

void Hdf5Sink::write_bodies(const RecordingHeader& header) {
  const Handle bodies = new_group(file_.get(), "bodies");
  write_texts(bodies.get(), {"name", "", "name of each body"}, header.body_names, compression_);
  const GrowingDataset::Layout real{H5T_IEEE_F64LE, {}, compression_, header.body_count()};
  write_array<double>(bodies.get(), {"mass", "kg", "mass of each body"}, header.masses, real);
  write_array<double>(bodies.get(), {"radius", "m", "radius of each body"}, header.radii, real);
  write_array<std::uint32_t>(bodies.get(), {"material", "", "number of each body's material"},
                             header.materials,
                             {H5T_STD_U32LE, {}, compression_, header.body_count()});
  if (header.any_turns()) {
    write_array<std::uint32_t>(
        bodies.get(), {"solid", "", "number of each body's solid; 4294967295: it does not turn"},
        header.solids, {H5T_STD_U32LE, {}, compression_, header.body_count()});
  }
  if (!header.presence.empty()) write_presence(bodies.get(), header);
}

void Hdf5Sink::write_presence(hid_t bodies, const RecordingHeader& header) {
  const GrowingDataset::Layout layout{H5T_STD_U64LE, {}, compression_, header.body_count()};
  const auto write = [&](const DatasetInfo& info, std::uint64_t BodyPresence::*number) {
    std::vector<std::uint64_t> numbers;
    for (const BodyPresence& body : header.presence) numbers.push_back(body.*number);
    write_array<std::uint64_t>(bodies, info, numbers, layout);
  };
  write({"id", "", "the program's name of each body"}, &BodyPresence::id);
  write({"first_step", "", "the first step of each body"}, &BodyPresence::first_step);
  write({"last_step", "", "the last step of each body; 18446744073709551615: it stays"},
        &BodyPresence::last_step);
}

void Hdf5Sink::make_diagnostics(const RecordingHeader& header) {
  const Handle group = new_group(file_.get(), "diagnostics");
  diagnostics_ = make(group.get(), {"step", "", "number of the step"}, H5T_STD_U64LE);
  make(group.get(), {"time", "s", "simulated time after the step"}, H5T_IEEE_F64LE);
  for (std::size_t k = 0; k < header.columns.size(); ++k) {
    const DiagnosticColumn& column = header.columns[k];
    const std::size_t made = make(group.get(), {column.name, column.unit, column.description},
                                  column.type == ColumnType::real ? H5T_IEEE_F64LE : H5T_STD_U64LE);
    write_attribute(datasets_[made]->id(), "column", std::uint64_t{k});
  }
}

void Hdf5Sink::make_events() {
  const Handle group = new_group(file_.get(), "events");
  events_ = make(group.get(), {"step", "", "number of the step"}, H5T_STD_U64LE);
  make(group.get(), {"time", "s", "simulated time"}, H5T_IEEE_F64LE);
  make(group.get(), {"body_a", "", "number of a body, or -1 - number of a shape"}, H5T_STD_I64LE);
  make(group.get(), {"body_b", "", "number of a body, or -1 - number of a shape"}, H5T_STD_I64LE);
  make(group.get(), {"normal", "", "unit vector from b to a"}, H5T_IEEE_F64LE, {3});
  make(group.get(), {"impulse", "N s", "impulse on a; b receives its opposite"}, H5T_IEEE_F64LE,
       {3});
  make(group.get(), {"point", "m", "point of contact"}, H5T_IEEE_F64LE, {3});
}

void Hdf5Sink::add(const RecordedFrame& frame) {
  datasets_[frames_]->append_values(one(frame.step));
  datasets_[frames_ + 1]->append_values(one(frame.time));
  datasets_[frames_ + 2]->append_values(std::span<const double>(frame.positions));
  datasets_[frames_ + 3]->append_values(std::span<const double>(frame.velocities));
  if (!frame.orientations.empty()) {
    datasets_[orientations_]->append_values(std::span<const double>(frame.orientations));
    datasets_[orientations_ + 1]->append_values(std::span<const double>(frame.angular_velocities));
  }
  const std::size_t bodies = frame.positions.size() / 3;
  const std::span<const double> numbers(frame.body_numbers);
  for (std::size_t k = 0; k * bodies < numbers.size(); ++k) {
    datasets_[body_numbers_ + k]->append_values(numbers.subspan(k * bodies, bodies));
  }
}

void Hdf5Sink::add(const DiagnosticBits& row) {
  datasets_[diagnostics_]->append_values(one(row.step));
  datasets_[diagnostics_ + 1]->append_values(one(row.time));
  for (std::size_t k = 0; k < row.values.size(); ++k) {
    datasets_[diagnostics_ + 2 + k]->append_values(one(row.values[k]));
  }
}

void Hdf5Sink::add(std::span<const ContactEvent> events) {
  for (const ContactEvent& event : events) {
    datasets_[events_]->append_values(one(event.step));
    datasets_[events_ + 1]->append_values(one(event.time));
    datasets_[events_ + 2]->append_values(one(event.body_a));
    datasets_[events_ + 3]->append_values(one(event.body_b));
    datasets_[events_ + 4]->append_values(std::span<const double>(event.normal));
    datasets_[events_ + 5]->append_values(std::span<const double>(event.impulse));
    datasets_[events_ + 6]->append_values(std::span<const double>(event.point));
  }
}

void Hdf5Sink::write_checkpoints(std::span<const Checkpoint> checkpoints) {
  const Handle group = new_group(file_.get(), "checkpoints");
  std::vector<std::uint64_t> steps;
  std::vector<double> times;
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint64_t> sizes;
  hsize_t total = 0;
  for (const Checkpoint& checkpoint : checkpoints) {
    steps.push_back(checkpoint.step);
    times.push_back(checkpoint.time);
    hashes.push_back(checkpoint.state_hash);
    sizes.push_back(checkpoint.state.size());
    total += checkpoint.state.size();
  }
  const GrowingDataset::Layout integers{H5T_STD_U64LE, {}, compression_, steps.size()};
  const GrowingDataset::Layout reals{H5T_IEEE_F64LE, {}, compression_, steps.size()};
  write_array<std::uint64_t>(group.get(), {"step", "", "number of the step"}, steps, integers);
  write_array<double>(group.get(), {"time", "s", "simulated time"}, times, reals);
  write_array<std::uint64_t>(group.get(), {"state_hash", "", "hash of the state, by the stepper"},
                             hashes, integers);
  write_array<std::uint64_t>(group.get(), {"size", "", "bytes of the state"}, sizes, integers);
  GrowingDataset states(group.get(), {"state", "", "the states, one behind the other"},
                        {H5T_STD_U8LE, {}, compression_, total});
  for (const Checkpoint& checkpoint : checkpoints) states.append(checkpoint.state);
  states.finish();
}

void Hdf5Sink::finish(std::span<const Checkpoint> checkpoints, const RunEnd& end) {
  write_checkpoints(checkpoints);
  for (const std::unique_ptr<GrowingDataset>& dataset : datasets_) dataset->finish();
  datasets_.clear();
  {
    const Handle run = open_group(file_.get(), "run");
    write_attribute(run.get(), "status", std::string(to_string(end.status)));
    write_attribute(run.get(), "reason", end.reason);
    write_attribute(run.get(), "wall_seconds", end.wall_seconds);
  }
  demand_ok(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "write the file");
  file_.close();
}

}  // namespace carom::detail
