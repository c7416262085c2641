// Reading an instant.
#include "carom/scene/instant.h"

#include <utility>

#include "carom/scene/detail/instant_parts.h"
#include "carom/scene/detail/sections.h"
#include "carom/scene/detail/table_reader.h"
#include "carom/scene/detail/text_file.h"

namespace carom {

bool Expectation::empty() const {
  return !status && !applications && !applications_at_most && !lineality_rows && !energy &&
         laws.empty() && velocities.empty() && impulses.empty();
}

Instant read_instant(std::string_view text, const std::string& file) {
  detail::check_size(text.size(), file);
  const toml::table table = detail::parse_toml(text, file);
  detail::TableReader root(table, "", file);
  detail::InstantBuilder builder;
  Instant& instant = builder.instant;
  instant.file = file;
  detail::check_kind(root, "instant");
  instant.title = root.text("title").value_or("");
  instant.description = root.text("description").value_or("");
  instant.figure = root.text("figure").value_or("");
  detail::read_impact_section(root, instant.settings, instant.operators);
  detail::read_bodies(root, builder);
  detail::read_rows(root, builder);
  detail::CheckSection check = detail::read_check(root);
  instant.check = std::move(check.name);
  instant.parameters = std::move(check.parameters);
  instant.slow_parameters = std::move(check.slow_parameters);
  if (instant.problem.body_count() == 0 && instant.check.empty()) {
    root.refuse_missing("body", "at least one [[body]]");
  }
  detail::read_expectations(root, builder);
  root.finish();
  return std::move(builder.instant);
}

Instant read_instant_file(const std::filesystem::path& path) {
  return read_instant(detail::read_text_file(path), path.string());
}

}  // namespace carom
