#include "carom/scene/instant.h"

#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/scene/detail/instant_parts.h"
#include "carom/scene/detail/table_reader.h"

namespace carom {
namespace {

using detail::TableReader;

// Larger files are a mistake (somebody's recording), and reading them would only take long.
constexpr std::uintmax_t kMaxBytes = 64U << 20U;

void check_kind(TableReader& root) {
  const std::optional<std::string> kind = root.text("kind");
  if (!kind) root.refuse_missing("kind", "kind = \"instant\"");
  if (*kind != "instant") {
    const std::vector<std::string> known = {"instant"};
    root.refuse("kind", unknown_name_message("kind", detail::printable(*kind), known));
  }
}

}  // namespace

bool Expectation::empty() const {
  return !status && !applications && !applications_at_most && !lineality_rows && !energy &&
         laws.empty() && velocities.empty() && impulses.empty();
}

Instant read_instant(std::string_view text, const std::string& file) {
  if (text.size() > kMaxBytes) {
    throw InputError({file, 0, 0, ""}, "larger than 64 MiB: not a hand-written instant");
  }
  const toml::table table = detail::parse_toml(text, file);
  TableReader root(table, "", file);
  detail::InstantBuilder builder;
  Instant& instant = builder.instant;
  instant.file = file;
  check_kind(root);
  instant.title = root.text("title").value_or("");
  instant.description = root.text("description").value_or("");
  instant.figure = root.text("figure").value_or("");
  detail::read_impact_section(root, instant);
  detail::read_bodies(root, builder);
  detail::read_rows(root, builder);
  detail::read_check(root, instant);
  if (instant.problem.body_count() == 0 && instant.check.empty()) {
    root.refuse_missing("body", "at least one [[body]]");
  }
  detail::read_expectations(root, builder);
  root.finish();
  return std::move(builder.instant);
}

Instant read_instant_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InputError({path.string(), 0, 0, ""}, "is a directory; expected a file");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError({path.string(), 0, 0, ""}, "cannot be opened");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kMaxBytes) {
    throw InputError({path.string(), 0, 0, ""}, "larger than 64 MiB: not a hand-written instant");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw InputError({path.string(), 0, 0, ""}, "cannot be read");
  return read_instant(text, path.string());
}

}  // namespace carom
