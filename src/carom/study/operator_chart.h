#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/impact/operator.h"

namespace carom {

struct ChartSettings {
  std::vector<std::string> operators;  ///< as for make_operator; empty: every registered one
  std::uint64_t problems = 60;         ///< random problems of each family
  std::uint64_t seed = 1;
};

/// How one operator fared with one law over all problems.
struct ChartCell {
  Law law = Law::one;
  Promise promise = Promise::no;
  std::uint64_t tried = 0;
  std::uint64_t broken = 0;  ///< problems in which the law did not hold
  double worst = 0.0;        ///< largest residual

  [[nodiscard]] bool held() const { return broken == 0; }
};

struct ChartRow {
  std::string impact_operator;
  std::vector<ChartCell> cells;  ///< in the order of OperatorChart::laws

  [[nodiscard]] const ChartCell& cell(Law law) const;
};

/// Operators against laws, measured and not typed in (GR Table 1, QCE Table 1).
///
/// ONE, MOM, KIN, FEAS, FIN: the reports of random chains, racks of balls and boxes on their
/// corners. SYM: each of those against its mirror image with bodies and rows in the opposite order;
/// the worst difference of velocities over the largest speed. BRK: cradles of random masses, of
/// whose touching, resting balls the last must fly off; the residual is 1 where it sticks. WAV:
/// three equal balls (1, 0, 0), contacts disturbed by 1e-6; the difference from the exchange of
/// velocities (0, 0, 1) stays below 1/4 (springs give 0.14, a common velocity of two balls 1/3).
struct OperatorChart {
  std::vector<Law> laws;
  std::vector<ChartRow> rows;
};
[[nodiscard]] OperatorChart compute_operator_chart(const ChartSettings& settings = {});

}  // namespace carom
