#pragma once

#include <cmath>

namespace carom::detail {

/// The copies of an interval, along one axis of a world that may repeat itself, that reach into the
/// first period.
struct CopiesAlong {
  double first_lower = 0.0;
  double first_upper = 0.0;
  double length = 0.0;  ///< of the period
  int count = 1;        ///< 1 or 2

  [[nodiscard]] double lower(int copy) const { return first_lower + copy * length; }
  [[nodiscard]] double upper(int copy) const { return first_upper + copy * length; }
};

/// An interval as long as the period, or longer, has several copies at any place: then there is
/// one, the whole period.
[[nodiscard]] inline CopiesAlong copies_along(double lower, double upper, double period_lower,
                                              double period_length) {
  if (!(period_length > 0.0)) return {lower, upper, 0.0, 1};
  if (!(upper - lower < period_length)) {
    return {period_lower, period_lower + period_length, period_length, 1};
  }
  // The copy whose upper end lies in the first period, and the next where it begins there.
  const double shift = -period_length * std::floor((upper - period_lower) / period_length);
  const bool both = lower + shift <= period_lower;
  return {lower + shift, upper + shift, period_length, both ? 2 : 1};
}

}  // namespace carom::detail
