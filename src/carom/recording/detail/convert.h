#pragma once

#include <filesystem>

#include "carom/recording/detail/contents.h"
#include "carom/recording/detail/file.h"
#include "carom/recording/writer.h"

namespace carom::detail {

[[nodiscard]] std::filesystem::path journal_of(const std::filesystem::path& recording);
/// The recording that the journal at this place belongs to.
[[nodiscard]] std::filesystem::path recording_of(const std::filesystem::path& journal);
/// Where a recording is made before it takes its place.
[[nodiscard]] std::filesystem::path partial_of(const std::filesystem::path& recording);

/// Makes a recording of everything that `contents` holds. It is made aside, put on the disk and
/// moved into place. Throws RecordingError when there is no room, and leaves what was at its place
/// as it was.
void write_recording(const RecordingContents& contents, const RecordingOptions& options,
                     const std::filesystem::path& recording);

/// True when a run that ended so may take the place of what is at `recording`: a run that has
/// ended is only replaced by one that has finished.
[[nodiscard]] bool may_replace(const std::filesystem::path& recording, RunStatus ended);

/// Makes the recording from its locked journal, where the run may take its place, and then removes
/// the journal; repeating it after a crash at any moment gives the same file. False: what is there
/// stays, and the journal too.
bool convert_journal(const std::filesystem::path& recording, const FileDescriptor& journal);

}  // namespace carom::detail
