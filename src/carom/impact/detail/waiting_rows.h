#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/points.h"

namespace carom {

/// Rows that wait beside an impact (PointProblem::waiting_from): whenever nothing closes any more,
/// those around points whose velocity changed are asked, and join where they wake.
template <std::size_t D>
class WaitingRows {
 public:
  /// Both must outlive the impact.
  void begin(PointFront<D>& front, const PointProblem& problem);
  /// Points whose velocity an application changed; each is kept once.
  void note(std::span<const Index> touched);
  /// Counts the applications of each component that changed since rows were asked last, which was
  /// after the application `first`.
  void count_applications(Index first);
  /// Asks the rows around points that changed and take part; adds those that wake and are violated.
  void wake(const std::function<bool(Index point)>& takes_part,
            std::vector<Violation<D>>& violated);

 private:
  PointFront<D>* front_ = nullptr;
  const PointProblem* problem_ = nullptr;
  std::vector<Index> changed_points_;      ///< since rows were asked last
  std::vector<std::uint8_t> has_changed_;  ///< per point
  std::vector<Index> rows_to_wake_;
};

extern template class WaitingRows<2>;
extern template class WaitingRows<3>;

}  // namespace carom
