#pragma once

#include <filesystem>

namespace carom::cli {

/// Writes what the command line says of itself as manual pages (carom.1, carom-run.1, ...) and as
/// completion for bash (carom.bash) into a directory. Throws InputError where that cannot be
/// written.
void write_manuals(const std::filesystem::path& directory);

}  // namespace carom::cli
