// What a recording says of the run that made it: its scene, its scheme, its statistics.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "carom/runs/scene_run.h"
#include "carom/schemes/registry.h"

namespace carom {

std::string recorded_scheme(const RecordingHeader& header) {
  const nlohmann::json settings = nlohmann::json::parse(header.settings_json, nullptr, false);
  return settings.is_object() ? settings.value("scheme", "") : "";
}

const SchemeInfo& recorded_scheme_info(const RecordingHeader& header) {
  const std::vector<std::string> known = scheme_names();
  const std::string name = recorded_scheme(header);
  const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
  return scheme_info(is_known ? name : known.front());
}

RecordedScene scene_of(const RecordingHeader& header) {
  const nlohmann::json settings = nlohmann::json::parse(header.settings_json, nullptr, false);
  const auto has = [&](const char* key) { return settings.is_object() && settings.contains(key); };
  std::string file = header.scene_name;
  if (has("file") && settings["file"].is_string()) file = settings["file"].get<std::string>();
  RecordedScene recorded;
  recorded.scene = read_scene(header.scene_text, file);
  recorded.scene.simulation.impact.impact_operator = header.impact_operator;
  recorded.steps = step_count(recorded.scene.simulation.time);
  if (has("steps") && settings["steps"].is_number_unsigned()) {
    recorded.steps = settings["steps"].get<std::uint64_t>();
  }
  return recorded;
}

RunStatistics recorded_statistics(const RunRecord& record, std::uint64_t last_step) {
  const std::vector<std::uint64_t> steps = record.integer_column("step");
  const std::vector<double> time = record.real_column("time");
  const auto later = std::upper_bound(steps.begin(), steps.end(), last_step);
  std::vector<DiagnosticRow> rows(static_cast<std::size_t>(later - steps.begin()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].report.step = steps[k];
    rows[k].report.time = time[k];
  }
  const DiagnosticTable table(recorded_scheme_info(record.header()));
  const std::vector<DiagnosticColumn>& columns = table.columns();
  // Older recordings may lack a column; the last is the hash.
  for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
    if (!record.has_column(columns[c].name)) continue;
    const auto set_all = [&](const auto& values) {
      for (std::size_t k = 0; k < rows.size(); ++k) table.set(c, values[k], rows[k]);
    };
    if (columns[c].type == ColumnType::integer) {
      set_all(record.integer_column(columns[c].name));
    } else {
      set_all(record.real_column(columns[c].name));
    }
  }
  RunStatistics statistics;
  for (const DiagnosticRow& row : rows) statistics.add(row);
  // A step that could not be made has no row; how the run ended tells its outcome.
  if (record.end().status == RunStatus::failed) {
    for (const ImpactStatus outcome : {ImpactStatus::infeasible, ImpactStatus::diverged}) {
      if (record.end().reason.starts_with(to_string(outcome))) statistics.note_status(outcome);
    }
  }
  return statistics;
}

}  // namespace carom
