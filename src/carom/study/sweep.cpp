// One scene with many values of a few keys.
#include "carom/study/sweep.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/core/hash.h"
#include "carom/core/names.h"
#include "carom/core/version.h"
#include "carom/core/worker_pool.h"
#include "carom/scene/settings.h"
#include "carom/study/detail/csv_line.h"

namespace carom {
namespace {

// More runs than anybody waits for are a slip of the pen.
constexpr std::size_t kMostRuns = 1'000'000;

std::optional<double> number_of(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

// Parts between separators that stand outside brackets and quotes.
std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == separator && depth == 0 && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<std::string> evenly_spaced(double first, double last, std::size_t count) {
  std::vector<std::string> values;
  for (std::size_t k = 0; k < count; ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(count - 1);
    // Both ends exactly, and middles without the digits of a sum.
    const double value = k + 1 == count ? last : first + part * (last - first);
    values.push_back(exact_number(value));
  }
  return values;
}

std::vector<std::string> whole_numbers(double first, double last) {
  std::vector<std::string> values;
  const auto count = static_cast<std::size_t>(last - first) + 1;
  for (std::size_t k = 0; k < count; ++k) {
    values.push_back(fmt::format("{:.0f}", first + static_cast<double>(k)));
  }
  return values;
}

[[noreturn]] void refuse_axis(const std::string& option, const std::string& message) {
  throw InputError({"", 0, 0, option}, message);
}

std::vector<std::string> axis_values(const std::string& text, const std::string& option) {
  const std::vector<std::string> range = parts_of(text, ':');
  if (range.size() == 1) return parts_of(text, ',');
  const std::optional<double> first = number_of(range[0]);
  const std::optional<double> last = number_of(range[1]);
  const auto is_whole = [](double x) { return x == std::floor(x) && std::abs(x) < 1e15; };
  if (!first || !last || range.size() > 3) {
    refuse_axis(option,
                "expected FIRST:LAST:COUNT, FIRST:LAST or VALUE,VALUE,..., found '" + text + "'");
  }
  if (range.size() == 2) {
    if (!is_whole(*first) || !is_whole(*last) || !(*last >= *first) ||
        *last - *first >= static_cast<double>(kMostRuns)) {
      refuse_axis(option, "FIRST:LAST are whole numbers that rise; FIRST:LAST:COUNT may be any");
    }
    return whole_numbers(*first, *last);
  }
  const std::optional<double> count = number_of(range[2]);
  if (!count || !is_whole(*count) || *count < 2.0 || *count > static_cast<double>(kMostRuns)) {
    refuse_axis(option, fmt::format("COUNT must be a whole number from 2 to {}, found '{}'",
                                    kMostRuns, range[2]));
  }
  return evenly_spaced(*first, *last, static_cast<std::size_t>(*count));
}

// Stops a run from outside.
class Watch final : public RunObserver {
 public:
  explicit Watch(const std::function<bool()>& keep_going) : keep_going_(keep_going) {}
  bool on_step(const RunProgress& /*progress*/) override { return !keep_going_ || keep_going_(); }

 private:
  const std::function<bool()>& keep_going_;
};

std::vector<std::string> heading_of(const SweepPlan& plan) {
  std::vector<std::string> cells = {"run"};
  for (const SweepAxis& axis : plan.axes) cells.push_back(axis.label);
  cells.emplace_back("status");
  for (const Measure& measure : plan.measures) cells.push_back(measure.text());
  return cells;
}

std::string mark_of(const SweepPlan& plan) {
  return fmt::format("# carom sweep 1, {:016x}", plan.fingerprint());
}

}  // namespace

SweepAxis parse_sweep_axis(std::string_view text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    refuse_axis(option, "expected KEY=FIRST:LAST:COUNT, found '" + std::string(text) + "'");
  }
  SweepAxis axis;
  axis.label = text.substr(0, equals);
  axis.keys = parts_of(axis.label, '+');
  axis.values = axis_values(std::string(text.substr(equals + 1)), option);
  return axis;
}

SweepAxis parse_sweep_cases(const std::vector<std::string>& texts) {
  SweepAxis axis;
  axis.label = "case";
  for (const std::string& text : texts) {
    const std::string option = "--case " + text;
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    if (name.empty() || name.find('=') != std::string::npos) {
      refuse_axis(option, "expected NAME:KEY=VALUE;KEY=VALUE, found '" + text + "'");
    }
    if (std::find(axis.values.begin(), axis.values.end(), name) != axis.values.end()) {
      refuse_axis(option, "there is a case '" + name + "' already");
    }
    axis.values.push_back(name);
    axis.overrides.emplace_back();
    if (colon == std::string::npos) continue;
    for (const std::string& part : parts_of(text.substr(colon + 1), ';')) {
      const std::size_t equals = part.find('=');
      if (equals == std::string::npos || equals == 0 || equals + 1 == part.size()) {
        refuse_axis(option, "expected KEY=VALUE, found '" + part + "'");
      }
      axis.overrides.back().push_back(part);
    }
  }
  return axis;
}

std::size_t SweepPlan::run_count() const {
  std::size_t count = 1;
  for (const SweepAxis& axis : axes) {
    count *= axis.values.size();
    if (count > kMostRuns) {
      throw InputError({"", 0, 0, "--vary"}, fmt::format("asks for more than {} runs", kMostRuns));
    }
  }
  return count;
}

std::vector<std::string> SweepPlan::values_of(std::size_t run) const {
  std::vector<std::string> values(axes.size());
  for (std::size_t k = axes.size(); k-- > 0;) {
    values[k] = axes[k].values[run % axes[k].values.size()];
    run /= axes[k].values.size();
  }
  return values;
}

std::vector<std::string> SweepPlan::overrides_of(std::size_t run) const {
  std::vector<std::string> overrides = settings;
  const std::vector<std::string> values = values_of(run);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (!axes[k].overrides.empty()) {
      const auto found = std::find(axes[k].values.begin(), axes[k].values.end(), values[k]);
      const std::vector<std::string>& chosen =
          axes[k].overrides[static_cast<std::size_t>(found - axes[k].values.begin())];
      overrides.insert(overrides.end(), chosen.begin(), chosen.end());
    }
    for (const std::string& key : axes[k].keys) overrides.push_back(key + "=" + values[k]);
  }
  return overrides;
}

std::uint64_t SweepPlan::fingerprint() const {
  Hash64 hash;
  const auto add = [&](std::string_view part) {
    hash.add(static_cast<std::uint64_t>(part.size()));
    hash.add(part);
  };
  add(kVersion);
  add(text);
  for (const std::string& setting : settings) add(setting);
  for (const SweepAxis& axis : axes) {
    add(axis.label);
    for (std::size_t k = 0; k < axis.overrides.size(); ++k) {
      add(axis.values[k]);
      for (const std::string& setting : axis.overrides[k]) add(setting);
    }
  }
  for (const Measure& measure : measures) add(measure.text());
  return hash.value();
}

SweepTable::SweepTable(const SweepPlan& plan) : plan_(&plan), rows_(plan.run_count()) {}

std::size_t SweepTable::finished() const {
  return static_cast<std::size_t>(
      std::count_if(rows_.begin(), rows_.end(), [](const auto& row) { return row.has_value(); }));
}

std::string SweepTable::csv() const {
  std::string out = mark_of(*plan_) + "\n" + detail::csv_line(heading_of(*plan_)) + "\n";
  for (std::size_t run = 0; run < rows_.size(); ++run) {
    if (!rows_[run]) continue;
    const SweepRow& row = *rows_[run];
    std::vector<std::string> cells = {std::to_string(run + 1)};
    cells.insert(cells.end(), row.values.begin(), row.values.end());
    cells.push_back(row.status);
    for (const double value : row.measured) cells.push_back(fmt::format("{}", value));
    out += detail::csv_line(cells) + "\n";
  }
  return out;
}

std::size_t SweepTable::take_over(std::string_view csv, const std::string& file) {
  const std::vector<std::vector<std::string>> lines = detail::csv_lines(csv);
  if (!csv.starts_with(mark_of(*plan_) + "\n") || lines.size() < 2 ||
      lines[1] != heading_of(*plan_)) {
    throw InputError({file, 0, 0, ""},
                     "holds results of another sweep (another scene, other settings, keys or "
                     "measures): name another file with -o, or replace it with --force");
  }
  const std::size_t axes = plan_->axes.size();
  std::size_t taken = 0;
  for (std::size_t k = 2; k < lines.size(); ++k) {
    const std::vector<std::string>& cells = lines[k];
    if (cells.size() != lines[1].size()) {
      throw InputError({file, static_cast<int>(k + 1), 0, ""}, "is not a line of such a table");
    }
    SweepRow row;
    row.values.assign(cells.begin() + 1, cells.begin() + 1 + static_cast<std::ptrdiff_t>(axes));
    row.status = cells[axes + 1];
    for (std::size_t m = axes + 2; m < cells.size(); ++m) {
      row.measured.push_back(detail::csv_number(cells[m]));
    }
    for (std::size_t run = 0; run < rows_.size(); ++run) {
      if (rows_[run] || plan_->values_of(run) != row.values) continue;
      rows_[run] = row;
      ++taken;
    }
  }
  return taken;
}

namespace {

// Numbers of which the small ones would lie on the axis: errors, say.
bool spans_powers_of_ten(const PlotPanel& panel) {
  constexpr double kWide = 1000.0;
  double least = kInfinity;
  double most = 0.0;
  for (const PlotSeries& series : panel.series) {
    for (const double y : series.y) {
      if (!std::isfinite(y)) continue;
      if (!(y > 0.0)) return false;
      least = std::min(least, y);
      most = std::max(most, y);
    }
  }
  return most > kWide * least;
}

}  // namespace

Figure SweepTable::figure() const {
  const std::vector<SweepAxis>& axes = plan_->axes;
  const auto is_numeric = [](const SweepAxis& axis) {
    return std::all_of(axis.values.begin(), axis.values.end(),
                       [](const std::string& value) { return number_of(value).has_value(); });
  };
  std::size_t along = axes.size();
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (is_numeric(axes[k])) along = k;
  }
  Figure figure;
  figure.title = plan_->file;
  for (std::size_t m = 0; m < plan_->measures.size(); ++m) {
    PlotPanel panel;
    panel.title = plan_->measures[m].text();
    panel.x_label = along < axes.size() ? axes[along].label : "run";
    const std::string unit = plan_->measures[m].unit();
    panel.y_label = panel.title + (unit.empty() ? "" : " (" + unit + ")");
    for (std::size_t run = 0; run < rows_.size(); ++run) {
      if (!rows_[run]) continue;
      std::string label;
      for (std::size_t k = 0; k < axes.size(); ++k) {
        if (k == along) continue;
        label += label.empty() ? "" : ", ";
        if (axes[k].overrides.empty()) label += axes[k].label + " ";  // cases have names already
        label += rows_[run]->values[k];
      }
      auto series = std::find_if(panel.series.begin(), panel.series.end(),
                                 [&](const PlotSeries& s) { return s.label == label; });
      if (series == panel.series.end()) {
        panel.series.push_back({label, {}, {}, SeriesStyle::marked});
        series = panel.series.end() - 1;
      }
      series->x.push_back(along < axes.size() ? *number_of(rows_[run]->values[along])
                                              : static_cast<double>(run + 1));
      series->y.push_back(rows_[run]->measured[m]);
    }
    // More curves than colours tell nothing apart: one cloud.
    constexpr std::size_t kMostCurves = 8;
    if (panel.series.size() > kMostCurves) {
      PlotSeries cloud;
      cloud.style = SeriesStyle::points;
      for (const PlotSeries& series : panel.series) {
        cloud.x.insert(cloud.x.end(), series.x.begin(), series.x.end());
        cloud.y.insert(cloud.y.end(), series.y.begin(), series.y.end());
      }
      panel.series = {cloud};
    }
    panel.log_y = spans_powers_of_ten(panel);
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

std::optional<SweepRow> run_of_sweep(const SweepPlan& plan, std::size_t number,
                                     const std::function<bool()>& keep_going) {
  Scene scene = read_scene(plan.text, plan.file, plan.overrides_of(number));
  const bool all_frames = std::any_of(plan.measures.begin(), plan.measures.end(),
                                      [](const Measure& m) { return m.needs_frames(); });
  if (!all_frames)
    scene.record.every = std::max<std::uint64_t>(1, step_count(scene.simulation.time));
  Watch watch(keep_going);
  RunOptions options;
  options.observer = &watch;
  const MemoryRun run = run_in_memory(scene, options);
  if (run.summary.end.status == RunStatus::interrupted) return std::nullopt;
  SweepRow row;
  row.values = plan.values_of(number);
  row.status = to_string(run.summary.end.status);
  if (!run.summary.end.reason.empty()) row.status += ": " + run.summary.end.reason;
  for (const Measure& measure : plan.measures) row.measured.push_back(measure.of(scene, run));
  return row;
}

void SweepRunner::run(const SweepPlan& plan, SweepTable& table) const {
  std::vector<std::size_t> missing;
  for (std::size_t run = 0; run < plan.run_count(); ++run) {
    const bool is_wanted = runs.empty() || std::find(runs.begin(), runs.end(), run) != runs.end();
    if (is_wanted && !table.row(run)) missing.push_back(run);
  }
  WorkerPool pool(threads);
  std::mutex mutex;
  pool.run(missing.size(), [&](std::size_t job, unsigned /*worker*/) {
    if (keep_going && !keep_going()) return;
    std::optional<SweepRow> row = run_of_sweep(plan, missing[job], keep_going);
    if (!row) return;
    const std::lock_guard lock(mutex);
    table.set(missing[job], std::move(*row));
    if (on_row) on_row(table);
  });
}

}  // namespace carom
