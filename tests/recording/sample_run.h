#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "carom/recording/reader.h"
#include "carom/recording/recording.h"
#include "carom/recording/writer.h"

namespace carom::test {

/// A run that never was: everything in it is a closed form of the step, so that any part of a
/// recording can be judged alone. The checkers in Python know the same formulas.
struct SampleRun {
  std::size_t bodies = 5;
  std::uint64_t frame_every = 1;
  std::uint64_t checkpoint_every = 10;
  /// Body 0 is a ball that does not turn, body 1 a ball that does, the others are tetrahedra.
  bool turns = false;
  std::size_t body_columns = 0;
};

[[nodiscard]] RecordingHeader sample_header(const SampleRun& run);
[[nodiscard]] RecordedFrame sample_frame(const SampleRun& run, std::uint64_t step);
[[nodiscard]] std::vector<DiagnosticValue> sample_diagnostics(std::uint64_t step);
[[nodiscard]] std::vector<ContactEvent> sample_events(std::uint64_t step);
[[nodiscard]] Checkpoint sample_checkpoint(const SampleRun& run, std::uint64_t step);

/// Appends everything that the run has for the steps first .. last.
void append_steps(const SampleRun& run, RecordingWriter& writer, std::uint64_t first,
                  std::uint64_t last);

/// A finished recording of the steps 0 .. last.
void record_sample(const SampleRun& run, const std::filesystem::path& path, std::uint64_t last);

/// Bit for bit.
[[nodiscard]] bool same_bits(const RecordedFrame& a, const RecordedFrame& b);

/// What is wrong with a recording that should hold the run up to some step, all of it and nothing
/// else; "" when it does. Its diagnostics, events and frames may end at neighbouring steps, because
/// a crash falls between two of them.
[[nodiscard]] std::string fault_of_prefix(const SampleRun& run, const RecordingReader& recording);

}  // namespace carom::test
