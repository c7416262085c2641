#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/recording/detail/growing_dataset.h"
#include "carom/recording/detail/hdf5.h"
#include "carom/recording/detail/latched_file.h"
#include "carom/recording/detail/records.h"
#include "carom/recording/recording.h"

namespace carom::detail {

inline constexpr const char* kFormatName = "carom recording";
/// Of recordings whose bodies are there from the first step to the last.
inline constexpr std::uint64_t kFormatVersion = 1;
/// Of those whose bodies come and go, which readers of version 1 would not understand.
inline constexpr std::uint64_t kFormatVersionOfChanges = 2;

/// The access properties of every recording: the newest format that HDF5 1.10 knows, in which all
/// metadata carry checksums. Reading takes no locks; a recording never changes in place.
[[nodiscard]] Handle recording_access();

/// Makes the HDF5 file of a recording, front to back, in bounded memory. Throws Hdf5Error; a full
/// disk is seen in the LatchedFile below.
class Hdf5Sink {
 public:
  Hdf5Sink(LatchedFile& file, const RecordingHeader& header, const RecordingOptions& options);

  void add(const RecordedFrame& frame);
  void add(const DiagnosticBits& row);
  void add(std::span<const ContactEvent> events);

  /// Writes the rest and closes the file.
  void finish(std::span<const Checkpoint> checkpoints, const RunEnd& end);

 private:
  void write_header(const RecordingHeader& header);
  void write_bodies(const RecordingHeader& header);
  void write_presence(hid_t bodies, const RecordingHeader& header);
  void make_diagnostics(const RecordingHeader& header);
  void make_events();
  void write_checkpoints(std::span<const Checkpoint> checkpoints);
  std::size_t make(hid_t group, const DatasetInfo& info, hid_t type, std::vector<hsize_t> row = {});

  unsigned compression_ = 0;
  Handle file_;
  std::vector<std::unique_ptr<GrowingDataset>> datasets_;
  std::size_t frames_ = 0;        ///< first of step, time, position, velocity
  std::size_t orientations_ = 0;  ///< only where bodies turn
  std::size_t body_numbers_ = 0;  ///< first of the body columns
  std::size_t diagnostics_ = 0;   ///< first of step, time, columns
  std::size_t events_ = 0;        ///< first of step, time, body_a, body_b, normal, impulse, point
};

}  // namespace carom::detail
