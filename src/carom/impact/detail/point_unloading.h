#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/detail/loading_contact.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/operator.h"

namespace carom {

/// One application of qce to one connected part of points, elastic: what the operator answers, to
/// round-off, without rows in blocks. Working memory is kept between calls.
template <std::size_t D>
class PointUnloading {
 public:
  /// Impulses of a part, in its order, in units of the given rows, scaled so that the energy is
  /// kept. `locked` where contacts are left that never end.
  ApplicationStatus apply(std::span<const Violation<D>> part, const PointFront<D>& front,
                          std::span<double> impulses);

 private:
  struct End {
    Index point;  ///< of the part; kNone: a wall
    double sign;  ///< 1 where the normal points to it, -1 at the other end
  };
  struct Touch {
    Index contact;
    double sign;
  };

  void number_points(std::span<const Violation<D>> part, const PointFront<D>& front);
  void load(std::span<const Violation<D>> part);
  [[nodiscard]] bool unload_all(std::span<const Violation<D>> part);
  [[nodiscard]] Index next_to_end();
  void end_contact(std::span<const Violation<D>> part, Index ending);
  void keep_energy(std::span<const Violation<D>> part, std::span<double> impulses);
  /// Sum of impulse times normal at each point.
  void push_points(std::span<const Violation<D>> part, std::span<const double> impulses);

  std::vector<Index> number_;   ///< per point of the front; kNone between calls
  std::vector<double> weight_;  ///< per point of the part, as are the next two
  std::vector<std::array<double, D>> push_;
  std::vector<Index> first_touch_;
  std::vector<Touch> touches_;
  std::vector<std::array<End, 2>> ends_;  ///< per contact
  std::vector<detail::LoadingContact> contacts_;
  std::vector<double> loads_;
  std::vector<detail::ContactEnd> heap_;  ///< unused where contacts are few
};

extern template class PointUnloading<2>;
extern template class PointUnloading<3>;

}  // namespace carom
