// The recordings of a comparison while it needs them.

#include "kept_runs.h"

#include <system_error>
#include <utility>

#include "carom/core/error.h"

#include "files.h"

namespace carom::cli {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& message) {
  throw InputError({path.string(), 0, 0, ""}, message);
}

// A recording, its journal, or either before it is whole.
bool is_of_a_run(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  for (const char* ending : {".h5", ".h5.part", ".h5.journal", ".h5.journal.new"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

void demand_only_runs(const std::filesystem::path& directory) {
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.is_regular_file() && is_of_a_run(entry.path())) continue;
    refuse(directory, "holds files that are no runs of a comparison (" +
                          entry.path().filename().string() + "); name other files with -o");
  }
}

}  // namespace

KeptRuns::KeptRuns(std::filesystem::path path, bool resume, bool force) : path_(std::move(path)) {
  std::error_code error;
  const bool there =
      std::filesystem::is_directory(path_, error) && !std::filesystem::is_empty(path_, error);
  if (there) demand_only_runs(path_);
  if (there && !resume && !force) {
    refuse(path_,
           "holds the runs of a comparison that was interrupted: --resume goes on with it, "
           "--force begins anew");
  }
  if (!there && resume) refuse(path_, "there is no interrupted comparison to go on with");
  if (there && force) remove();
  error.clear();
  std::filesystem::create_directory(path_, error);
  if (error) refuse(path_, "cannot be created: " + error.message());
}

KeptRuns::~KeptRuns() {
  std::error_code not_empty;
  std::filesystem::remove(path_, not_empty);
}

std::filesystem::path KeptRuns::file(std::size_t number, const std::string& impact_operator) const {
  return path_ / (std::to_string(number + 1) + "-" + file_part(impact_operator) + ".h5");
}

void KeptRuns::remove() const {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    if (is_of_a_run(entry.path())) std::filesystem::remove(entry.path(), ignored);
  }
  std::filesystem::remove(path_, ignored);
}

}  // namespace carom::cli
