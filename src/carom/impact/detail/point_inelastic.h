#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/detail/point_parts.h"
#include "carom/impact/points.h"

namespace carom {

/// The inelastic response of some components of a PointFront: the least-energy feasible velocity,
///   0 <= l  perp  A l + b >= 0  over all rows of the component.                               (1)
/// Solved on the rows that are closing, part by part; rows that the outcome makes close join them,
/// and the parts that they touch are solved again from the first velocity, until there are none.
/// Rows that never join have l = 0 and do not close: that is (1). Where many rows of a component
/// are closing, or rows go on joining, all of them join at once. So they do where the impulses of
/// least norm are wanted and a row that did not join is at rest: it may have to carry a share.
template <std::size_t D>
class PointInelastic {
 public:
  struct Task {
    PointFront<D>* front = nullptr;  ///< velocities before the impact; afterwards those of (1)
    const PointProblem* problem = nullptr;
    std::span<const std::uint8_t> takes_part;  ///< per component
    std::span<double> impulses;                ///< per row; those of the components are 0 at first
  };

  /// Components that could not be solved (rows that contradict each other, a solver that failed)
  /// are returned.
  [[nodiscard]] const std::vector<Index>& run(const Task& task);
  [[nodiscard]] Index largest_part() const { return largest_part_; }

 private:
  void join(const Task& task);
  void join_whole_components(const Task& task, Index round);
  void find_rows_at_rest(const Task& task);
  void solve_changed_parts(const Task& task, Index round);
  void move(const Task& task, std::span<const Violation<D>> part, Index round);

  PartReflection<D> reflection_;
  PointParts<D> parts_;
  std::vector<std::array<double, D>> start_;
  std::vector<Violation<D>> violated_;
  std::vector<Violation<D>> set_;  ///< rows that joined, with their speed at the start
  std::vector<Index> joined_in_;   ///< per row: the round, 0 for none
  std::vector<double> part_impulses_;
  std::vector<Index> row_count_;       ///< per component
  std::vector<Index> violated_count_;  ///< likewise
  std::vector<std::uint8_t> at_rest_;  ///< per component: such a row was found; empty: none yet
  std::vector<Index> touched_;
  std::vector<Index> failed_;
  Index largest_part_ = 0;
};

extern template class PointInelastic<2>;
extern template class PointInelastic<3>;

}  // namespace carom
