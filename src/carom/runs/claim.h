#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom {

/// One thing that was claimed and measured.
struct Claim {
  std::string text;  ///< "angular velocity"
  double measured = 0.0;
  std::string relation;  ///< "<=", ">=", "=" or "is" (yes or no: 1 or 0)
  double bound = 0.0;
  double tolerance = 0.0;  ///< of "="
  bool passed = false;
  /// Not empty: nothing was measured, for this reason. Such a claim has neither held nor failed.
  std::string unjudged;
};

[[nodiscard]] Claim claim_at_most(std::string text, double measured, double bound);
[[nodiscard]] Claim claim_at_least(std::string text, double measured, double bound);
/// |measured - expected| <= tolerance
[[nodiscard]] Claim claim_equal(std::string text, double measured, double expected,
                                double tolerance);
[[nodiscard]] Claim claim_true(std::string text, bool measured);
[[nodiscard]] Claim claim_unjudged(std::string text, std::string reason);

/// True when none failed.
[[nodiscard]] bool all_passed(std::span<const Claim> claims);
/// "angular velocity: 0 <= 1e-12"; a number that is not finite never passes.
[[nodiscard]] std::string describe(const Claim& claim);

/// Numbers worth plotting, e.g. a curve of a figure.
struct DataTable {
  std::string name;  ///< usable as a file name
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};
/// Comma-separated, first line the column names, numbers that read back to the same bits.
[[nodiscard]] std::string to_csv(const DataTable& table);

}  // namespace carom
