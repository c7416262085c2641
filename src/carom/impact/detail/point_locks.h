#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/points.h"

namespace carom {

/// Whether components of a PointFront in which something keeps closing may be locked. A component
/// that could blow up uniformly (point_expansion.h) is not, and is not asked about again. While
/// some of its rows wait only the piece that its rows join so far is asked about: a row that wakes
/// may join what is free to what is not.
template <std::size_t D>
class PointLocks {
 public:
  /// Both must outlive the questions; the front remembers which components are free.
  void begin(PointFront<D>& front, const PointProblem& problem);
  /// Pieces are no longer what they were.
  void rows_have_joined();
  /// The component of a point, or its piece.
  [[nodiscard]] bool may_be_locked(Index point);

 private:
  [[nodiscard]] bool some_wait_in(Index component);
  [[nodiscard]] bool piece_can_expand(Index point);

  PointFront<D>* front_ = nullptr;
  const PointProblem* problem_ = nullptr;
  std::vector<Index> piece_of_;             ///< by point; empty: not asked for yet
  std::vector<Index> expanding_pieces_;     ///< known to be free
  std::vector<std::uint8_t> some_wait_in_;  ///< by component; empty: not asked for yet
};

extern template class PointLocks<2>;
extern template class PointLocks<3>;

}  // namespace carom
