#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/measures/measure.h"
#include "carom/plots/plot.h"

namespace carom {

/// What is varied: one or several keys of the scene, which take the same values together.
struct SweepAxis {
  std::string label;                ///< as written, e.g. "body.cue.velocity"
  std::vector<std::string> keys;    ///< as `--set` names them
  std::vector<std::string> values;  ///< as TOML
  /// Of named cases: the overrides that each value stands for, instead of the keys.
  std::vector<std::vector<std::string>> overrides = {};
};

/// "KEY=FIRST:LAST:COUNT", evenly spaced; "KEY=FIRST:LAST", whole numbers one after the other; or
/// "KEY=VALUE,VALUE,...", commas inside brackets or quotes belonging to the value. KEY may be
/// several joined by +. Throws InputError that names `option`.
[[nodiscard]] SweepAxis parse_sweep_axis(std::string_view text, const std::string& option);

/// "NAME:KEY=VALUE;KEY=VALUE;..." for each case, semicolons inside brackets or quotes belonging to
/// the value; a name alone changes nothing. One axis "case" with the names as values. Throws
/// InputError that names the option.
[[nodiscard]] SweepAxis parse_sweep_cases(const std::vector<std::string>& texts);

/// A scene over a grid of values.
struct SweepPlan {
  std::string file;                   ///< the scene
  std::string text;                   ///< what the file holds
  std::vector<std::string> settings;  ///< overrides for all runs, before those of the axes
  std::vector<SweepAxis> axes;        ///< the last one varies fastest
  std::vector<Measure> measures;

  [[nodiscard]] std::size_t run_count() const;
  /// The value of each axis in a run.
  [[nodiscard]] std::vector<std::string> values_of(std::size_t run) const;
  /// All overrides of a run.
  [[nodiscard]] std::vector<std::string> overrides_of(std::size_t run) const;
  /// Names what the numbers of a run depend on, apart from the values of the axes.
  [[nodiscard]] std::uint64_t fingerprint() const;
};

/// One finished run.
struct SweepRow {
  std::vector<std::string> values;  ///< of the axes
  std::string status;               ///< RunStatus as text, and why where it failed
  std::vector<double> measured;

  friend bool operator==(const SweepRow&, const SweepRow&) = default;
};

/// The results, by the number of the run; none where a run is not finished.
class SweepTable {
 public:
  explicit SweepTable(const SweepPlan& plan);

  /// Takes over the rows of a table that was written before, for runs of this plan; the others are
  /// left out. Returns how many. Throws InputError, naming `file`, on a table of other runs.
  std::size_t take_over(std::string_view csv, const std::string& file);
  void set(std::size_t run, SweepRow row) { rows_[run] = std::move(row); }
  [[nodiscard]] const std::optional<SweepRow>& row(std::size_t run) const { return rows_[run]; }
  [[nodiscard]] std::size_t finished() const;

  /// A comment with the fingerprint, a heading, and one line per finished run in their order:
  /// numbers with all digits, so the same runs give the same bytes.
  [[nodiscard]] std::string csv() const;
  /// One panel per measure: over the last axis whose values are numbers, one curve for each
  /// combination of the others; more than eight of those are one cloud of points.
  [[nodiscard]] Figure figure() const;

 private:
  const SweepPlan* plan_;
  std::vector<std::optional<SweepRow>> rows_;
};

/// One run of a plan, wherever it is made: the same plan gives the same row. `keep_going` is asked
/// after every step; none where it answered false. Throws InputError where the scene of the run
/// cannot be used.
[[nodiscard]] std::optional<SweepRow> run_of_sweep(const SweepPlan& plan, std::size_t number,
                                                   const std::function<bool()>& keep_going = {});

/// Runs what the table lacks on `threads` threads (0: one for each core), one run on each. The rows
/// do not depend on their number. `keep_going` is asked now and then by every thread; false stops
/// all runs and leaves those that were under way undone. `on_row` hears of every finished run, one
/// call at a time. Throws InputError where a run's scene cannot be used.
struct SweepRunner {
  unsigned threads = 0;
  std::function<bool()> keep_going = {};
  std::function<void(const SweepTable&)> on_row = {};
  std::vector<std::size_t> runs = {};  ///< that are to be made; empty: all

  void run(const SweepPlan& plan, SweepTable& table) const;
};

}  // namespace carom
