#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "carom/stepping/stepper.h"

namespace carom {

/// A number of a step: whole numbers are counts, states and hashes.
using StepNumber = std::variant<double, std::uint64_t>;

/// How a number of a step that was taken in parts follows from those of the parts.
enum class Merge : std::uint8_t { sum, maximum, last };

/// A number that a step reports, as recordings, tables and sweeps know it. Here it is said once
/// what it is called, where it stands in the report and how parts of a step merge.
struct StepColumn {
  std::string name;
  std::string unit;  ///< "" for a count or a ratio
  std::string description;
  bool whole = false;  ///< a whole number
  Merge merge = Merge::last;
  std::function<StepNumber(const StepReport&)> get;
  std::function<void(StepReport&, const StepNumber&)> set;
};

/// What a column is called, and what it means.
struct StepColumnText {
  std::string name;
  std::string unit;
  std::string description;
};

/// The column of one number of the report; `place` takes a report, const or not, to it.
template <class Place>
[[nodiscard]] StepColumn step_column(StepColumnText text, Merge merge, Place place) {
  using Value = std::remove_cvref_t<decltype(place(std::declval<StepReport&>()))>;
  using Stored = std::conditional_t<std::is_same_v<Value, double>, double, std::uint64_t>;
  StepColumn column{
      std::move(text.name), std::move(text.unit), std::move(text.description), {}, {}, {}, {}};
  column.whole = std::is_same_v<Stored, std::uint64_t>;
  column.merge = merge;
  column.get = [place](const StepReport& report) {
    return StepNumber(static_cast<Stored>(place(report)));
  };
  column.set = [place](StepReport& report, const StepNumber& number) {
    place(report) = static_cast<Value>(std::get<Stored>(number));
  };
  return column;
}

/// Energies and momenta: the first columns of every scheme.
[[nodiscard]] const std::vector<StepColumn>& state_columns();
/// Those of schemes whose contacts are impacts.
[[nodiscard]] const std::vector<StepColumn>& impact_columns();

/// Adds a part of a step to what was done before in the same step. The report of no part has
/// substeps = 0.
void merge_part(const std::vector<StepColumn>& columns, const StepReport& part, StepReport& whole);
/// Only the times that it took.
void merge_times(const StepReport& part, StepReport& whole);

}  // namespace carom
