#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/engine.h"

namespace carom::asynchronous::detail {

/// From the corners that an engine leaves to the paths of all its vertices, one window of time
/// after the other.
class WindowPath {
 public:
  /// The next window begins here.
  void begin_at(const Configuration& begin) { begin_ = begin; }

  [[nodiscard]] double begin() const { return begin_.time; }

  /// The paths from there to `end`, which is later, with the corners between in order of time. A
  /// vertex that kicks hit at two moments which a double does not tell apart has the corner of the
  /// first: the other place is the same up to round-off. Good until the next call.
  [[nodiscard]] AuditPath to(const Configuration& end, std::span<const PathCorner> corners);

 private:
  Configuration begin_;
  std::vector<PathKnot> knots_;
  std::vector<std::size_t> first_knot_;
  std::vector<double> last_;         ///< time of the last knot that was counted
  std::vector<std::size_t> filled_;  ///< end of a vertex's knots so far
};

}  // namespace carom::asynchronous::detail
