// Looking up columns of a recording by their names.

#include "carom/recording/detail/contents.h"

#include <algorithm>

#include "carom/core/names.h"
#include "carom/recording/detail/file.h"

namespace carom::detail {

bool RecordingContents::has_column(std::string_view name) const {
  return name == "step" || name == "time" ||
         std::any_of(header().columns.begin(), header().columns.end(),
                     [&](const DiagnosticColumn& column) { return column.name == name; });
}

void RecordingContents::refuse_column(std::string_view name, ColumnType type) const {
  if (has_column(name)) {
    refuse_file(path(),
                "the column '" + std::string(name) + "' holds " +
                    (type == ColumnType::real ? "integers, not reals" : "reals, not integers"));
  }
  std::vector<std::string> names = {"step", "time"};
  for (const DiagnosticColumn& column : header().columns) names.push_back(column.name);
  refuse_file(path(), unknown_name_message("column", name, names));
}

std::vector<std::uint64_t> RecordingContents::column_bits(std::string_view name,
                                                          ColumnType type) const {
  const bool found = (name == "step" && type == ColumnType::integer) ||
                     (name == "time" && type == ColumnType::real) ||
                     std::any_of(header().columns.begin(), header().columns.end(),
                                 [&](const DiagnosticColumn& column) {
                                   return column.name == name && column.type == type;
                                 });
  if (!found) refuse_column(name, type);
  return stored_column(name, type);
}

}  // namespace carom::detail
