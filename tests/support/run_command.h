#pragma once

#include <filesystem>
#include <string>

#include "support/directories.h"

namespace carom::test {

/// What a command did.
struct CommandResult {
  int code = -1;
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Runs `carom <arguments>` through the shell, in the directory of the sources or in a given one.
[[nodiscard]] CommandResult run_carom(const std::string& arguments,
                                      const std::filesystem::path& directory = source_directory());

/// A directory of this process for files that tests write.
[[nodiscard]] std::filesystem::path scratch_directory();

}  // namespace carom::test
