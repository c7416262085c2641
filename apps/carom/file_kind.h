#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "carom/core/error.h"

namespace carom::cli {

enum class FileKind : std::uint8_t { scene, instant, recording, journal, xml, other };

/// What a file is, by its content; `other` also where it cannot be read.
[[nodiscard]] FileKind kind_of(const std::filesystem::path& path);

/// Throws InputError when the file is of a kind that another command takes: what it is, and which.
void refuse_other_kind(const std::filesystem::path& path, FileKind wanted);

/// Whatever `read` returns. Where it refuses the file because that is of another kind, the message
/// says which command takes it.
template <typename Read>
auto read_as(FileKind wanted, const std::filesystem::path& path, const Read& read) {
  try {
    return read();
  } catch (const InputError&) {
    refuse_other_kind(path, wanted);
    throw;
  }
}

}  // namespace carom::cli
