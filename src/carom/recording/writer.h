#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "carom/recording/error.h"
#include "carom/recording/recording.h"

namespace carom {

struct RecordingOptions {
  /// How many checkpoints stay in the finished file, the newest ones; at least 1. While the run
  /// goes on the journal holds all of them.
  std::uint32_t kept_checkpoints = 2;
  /// Effort of the deflate filter, 0 (none) to 9.
  std::uint32_t compression = 3;
};

/// Writes one run into one HDF5 file. While the run goes on, everything is appended to a journal,
/// FILE.journal, which survives a crash at any moment; finish() turns it into the file. A writer
/// that is destroyed before finish() leaves the journal with all that it was given, as a crash
/// does; open_recording() reads it and resume() goes on with it.
///
/// Per step, in any order: diagnostics, events, a frame; then a checkpoint. Steps grow: a frame
/// and a row of diagnostics need a step greater than the one before, and nothing may be added for a
/// step that a checkpoint has closed.
///
/// Every function throws RecordingError when the disk is full; what was appended before stays
/// valid, and the call that failed has kept its data and is completed by flush() or finish().
/// Not for use from several threads at once.
class RecordingWriter {
 public:
  /// Starts a recording; a file of that name is replaced when the run ends, not before (finish()).
  /// A run that waits in the journal beside it is given up. Symbolic links are followed. Throws
  /// InputError when the place cannot be written or another process writes there.
  [[nodiscard]] static RecordingWriter create(const std::filesystem::path& path,
                                              const RecordingHeader& header,
                                              const RecordingOptions& options = {});

  /// Continues a recording, or the run that waits in its journal, after its checkpoint at `step`;
  /// whatever it holds for later steps is dropped. Throws InputError when there is no such
  /// checkpoint.
  [[nodiscard]] static RecordingWriter resume(const std::filesystem::path& path, std::uint64_t step,
                                              const RecordingOptions& options = {});

  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;
  ~RecordingWriter();

  void append_frame(const Frame& frame);
  /// One value per column of the header, of the column's type.
  void append_diagnostics(std::uint64_t step, double time, std::span<const DiagnosticValue> values);
  void append_events(std::span<const ContactEvent> events);
  /// A program changed something after `changes.step`, which the frames so far do not show: bodies
  /// that leave are not in later ones, those that join are.
  void append_changes(const BodyChanges& changes);
  /// Where all shapes are that a program moves, from where they began: at the time of a frame, m.
  void append_shape_places(double time, std::span<const std::array<double, 3>> offsets);
  /// Also waits until everything so far is on the disk.
  void append_checkpoint(const Checkpoint& checkpoint);

  /// Hands what is buffered to the system: from here on it survives the end of this process.
  void flush();

  /// Gives a resumed run another length: `header` is as before but for what depends on that.
  /// `dropped_frame` is the step of a frame that only the shorter run has, its last.
  void extend(const RecordingHeader& header, std::optional<std::uint64_t> dropped_frame);

  /// Ends the run and makes the file. When that fails for want of room the journal stays and is
  /// complete; finish() may be called again. A recording that has finished is only replaced by one
  /// that has finished too, one that failed not by one that was interrupted: otherwise false, and
  /// the run waits in the journal for resume().
  bool finish(const RunEnd& end);

  /// The header as it was created or, after resume(), as it was found.
  [[nodiscard]] const RecordingHeader& header() const;

 private:
  class Implementation;
  explicit RecordingWriter(std::unique_ptr<Implementation> implementation);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace carom
