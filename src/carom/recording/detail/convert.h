#pragma once

#include <filesystem>

#include "carom/recording/detail/file.h"

namespace carom::detail {

[[nodiscard]] std::filesystem::path journal_of(const std::filesystem::path& recording);
/// Where a recording is made before it takes its place.
[[nodiscard]] std::filesystem::path partial_of(const std::filesystem::path& recording);

/// Makes the recording from its locked journal: everything that is valid in it, behind what the
/// present file holds up to the checkpoint where a resumed run began. The file is made aside, put
/// on the disk and moved into place, and only then is the journal removed; repeating it after a
/// crash at any moment gives the same file. Throws RecordingError when there is no room and
/// InputError when the journal does not belong here; both leave journal and file as they were.
void convert_journal(const std::filesystem::path& recording, const FileDescriptor& journal);

/// Converts the journal of a run that ended without finishing. False when there is none.
bool repair_recording(const std::filesystem::path& recording);

}  // namespace carom::detail
