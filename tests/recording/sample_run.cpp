#include "recording/sample_run.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "carom/core/hash.h"

namespace carom::test {
namespace {

double time_of(std::uint64_t step) { return 0.01 * static_cast<double>(step); }

bool same_values(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

void append_turn(std::size_t body, std::uint64_t step, RecordedFrame& frame) {
  const double w = 1.0 + static_cast<double>(body);
  const double x = 0.1 * static_cast<double>(step);
  const double length = std::sqrt(w * w + x * x + 0.25);
  frame.orientations.insert(frame.orientations.end(), {w / length, x / length, -0.5 / length, 0.0});
  const auto rate = static_cast<double>(step) / 3.0;
  frame.angular_velocities.insert(frame.angular_velocities.end(), {rate, 0.5, -rate});
}

std::string fault_of_diagnostics(const RecordingReader& recording) {
  const std::vector<std::uint64_t> steps = recording.integer_column("step");
  const std::vector<double> times = recording.real_column("time");
  const std::vector<double> kinetic = recording.real_column("kinetic");
  const std::vector<std::uint64_t> rows = recording.integer_column("rows");
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::vector<DiagnosticValue> expected = sample_diagnostics(k);
    if (steps[k] != k || times[k] != time_of(k) || DiagnosticValue(kinetic[k]) != expected[0] ||
        DiagnosticValue(rows[k]) != expected[1]) {
      return "diagnostics differ in row " + std::to_string(k);
    }
  }
  return "";
}

std::string fault_of_events(const RecordingReader& recording, std::uint64_t step_count) {
  std::vector<ContactEvent> expected;
  for (std::uint64_t step = 0; step < step_count; ++step) {
    for (const ContactEvent& event : sample_events(step)) expected.push_back(event);
  }
  const std::vector<ContactEvent> events = recording.events();
  if (events.size() > expected.size() || events.size() + 4 < expected.size()) {
    return "holds " + std::to_string(events.size()) + " events of " +
           std::to_string(expected.size());
  }
  return std::equal(events.begin(), events.end(), expected.begin()) ? "" : "events differ";
}

std::string fault_of_checkpoints(const SampleRun& run, const RecordingReader& recording) {
  for (std::size_t k = 0; k < recording.checkpoints().size(); ++k) {
    const Checkpoint found = recording.checkpoint(k);
    const Checkpoint expected = sample_checkpoint(run, found.step);
    if (found.step % run.checkpoint_every != 0 || found.time != expected.time ||
        found.state_hash != expected.state_hash || found.state != expected.state) {
      return "checkpoint " + std::to_string(k) + " differs";
    }
  }
  return "";
}

}  // namespace

RecordingHeader sample_header(const SampleRun& run) {
  RecordingHeader header;
  header.scene_name = "sample";
  header.scene_text = "# a scene\n[world]\ndimension = 3\ntitle = \"\u00e9toile\"\n";
  header.shapes_json = R"([{"kind": "half_plane"}])";
  header.settings_json = "{}";
  header.carom_version = "0.0";
  header.build = "test";
  header.impact_operator = "gr";
  header.dimension = 3;
  header.step = 0.01;
  for (std::size_t body = 0; body < run.bodies; ++body) {
    header.body_names.push_back(body == 1 ? "a, \"quoted\" name" : "ball" + std::to_string(body));
    header.masses.push_back(1.0 + 0.5 * static_cast<double>(body));
    header.radii.push_back(0.1 * static_cast<double>(body + 1));
    header.materials.push_back(static_cast<std::uint32_t>(body % 2));
  }
  if (run.turns) {
    header.solids_json = R"([{"type": "sphere", "radius": 0.2}, {"type": "hull", "surface": {
      "vertices": [[0.1, 0, 0], [-0.2, 0.25, 0], [-0.2, -0.25, 0], [0, 0, 0.75]],
      "triangles": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]}}])";
    header.shapes_json = R"([{"type": "half_plane", "point": [0, 0, 0], "normal": [0, 1, 0]},
      {"type": "solid", "name": "stone", "position": [1, -2, 0.5], "orientation": [0.6, 0, 0.8, 0],
       "surface": {"vertices": [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]],
                   "triangles": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]}}])";
    for (std::size_t body = 0; body < run.bodies; ++body) {
      header.solids.push_back(body == 0 ? kNoSolid : static_cast<std::uint32_t>(body > 1));
    }
  }
  header.columns = {{"kinetic", ColumnType::real, "J", "kinetic energy"},
                    {"rows", ColumnType::integer, "", "active rows"}};
  for (std::size_t k = 0; k < run.body_columns; ++k) {
    header.body_columns.push_back({"own_" + std::to_string(k), k == 0 ? "" : "s", "a number"});
  }
  return header;
}

RecordedFrame sample_frame(const SampleRun& run, std::uint64_t step) {
  RecordedFrame frame;
  frame.step = step;
  frame.time = time_of(step);
  for (std::size_t body = 0; body < run.bodies; ++body) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double slope = 0.1 * static_cast<double>(k + 1);
      frame.positions.push_back(static_cast<double>(body) / 3.0 + slope * frame.time);
      frame.velocities.push_back(slope - static_cast<double>(body * step) / 7.0);
    }
    if (run.turns) append_turn(body, step, frame);
  }
  for (std::size_t k = 0; k < run.body_columns * run.bodies; ++k) {
    frame.body_numbers.push_back(static_cast<double>(step + 1) / static_cast<double>(k + 3));
  }
  return frame;
}

std::vector<DiagnosticValue> sample_diagnostics(std::uint64_t step) {
  return {1.0 / static_cast<double>(step + 1), step * step};
}

std::vector<ContactEvent> sample_events(std::uint64_t step) {
  std::vector<ContactEvent> events;
  for (std::uint64_t k = 0; k < step % 5; ++k) {
    const auto value = static_cast<double>(step + k);
    events.push_back({step,
                      time_of(step),
                      static_cast<std::int64_t>(k),
                      event_shape(static_cast<std::uint32_t>(k)),
                      {0.0, 1.0, -0.0},
                      {0.0, value / 3.0, 0.0},
                      {value, value / 7.0, 0.1}});
  }
  return events;
}

Checkpoint sample_checkpoint(const SampleRun& run, std::uint64_t step) {
  Checkpoint checkpoint{step, time_of(step), 0, {}};
  const RecordedFrame frame = sample_frame(run, step);
  for (const std::vector<double>* values : {&frame.positions, &frame.velocities}) {
    const auto bytes = std::as_bytes(std::span(*values));
    checkpoint.state.insert(checkpoint.state.end(), bytes.begin(), bytes.end());
  }
  Hash64 hash;
  hash.add(checkpoint.state);
  checkpoint.state_hash = hash.value();
  return checkpoint;
}

void append_steps(const SampleRun& run, RecordingWriter& writer, std::uint64_t first,
                  std::uint64_t last) {
  for (std::uint64_t step = first; step <= last; ++step) {
    writer.append_diagnostics(step, time_of(step), sample_diagnostics(step));
    writer.append_events(sample_events(step));
    if (step % run.frame_every == 0) {
      const RecordedFrame frame = sample_frame(run, step);
      writer.append_frame({frame.step, frame.time, frame.positions, frame.velocities,
                           frame.orientations, frame.angular_velocities, frame.body_numbers});
    }
    if (step % run.checkpoint_every == 0) writer.append_checkpoint(sample_checkpoint(run, step));
  }
}

void record_sample(const SampleRun& run, const std::filesystem::path& path, std::uint64_t last) {
  RecordingWriter writer = RecordingWriter::create(path, sample_header(run));
  append_steps(run, writer, 0, last);
  writer.finish({});
}

bool same_bits(const RecordedFrame& a, const RecordedFrame& b) {
  return a.step == b.step && same_values({a.time}, {b.time}) &&
         same_values(a.positions, b.positions) && same_values(a.velocities, b.velocities) &&
         same_values(a.orientations, b.orientations) &&
         same_values(a.angular_velocities, b.angular_velocities) &&
         same_values(a.body_numbers, b.body_numbers);
}

std::string fault_of_prefix(const SampleRun& run, const RecordingReader& recording) {
  if (recording.header() != sample_header(run)) return "the header differs";
  for (std::size_t k = 0; k < recording.frame_count(); ++k) {
    if (!same_bits(recording.frame(k), sample_frame(run, k * run.frame_every))) {
      return "frame " + std::to_string(k) + " differs";
    }
  }
  const std::size_t steps = recording.diagnostics_count();
  const std::size_t frames = (steps + run.frame_every - 1) / run.frame_every;
  if (recording.frame_count() > frames || recording.frame_count() + 1 < frames) {
    return std::to_string(recording.frame_count()) + " frames do not fit " + std::to_string(steps) +
           " steps";
  }
  for (const std::string& fault :
       {fault_of_diagnostics(recording), fault_of_events(recording, steps),
        fault_of_checkpoints(run, recording)}) {
    if (!fault.empty()) return fault;
  }
  return "";
}

}  // namespace carom::test
