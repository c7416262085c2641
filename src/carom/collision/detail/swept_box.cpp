// Boxes in which balls stay on their way through a step.
#include "carom/collision/detail/swept_box.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "carom/core/assert.h"

namespace carom::detail {
namespace {

// Wrapping, subtracting and comparing places loses less than this fraction of them.
constexpr double kPad = 4.0 * kRoundOff;

struct Axis {
  double begin;   // of the first copy; 0 where the world does not repeat
  double period;  // infinite where it does not
};

Axis axis_of(double period_lower, double period_length) {
  return period_length > 0.0 ? Axis{period_lower, period_length} : Axis{0.0, kInfinity};
}

struct Interval {
  double lower;
  double extent;
};

// The copy of a place (relative to the first copy's beginning) that lies in the first copy.
double wrapped(double place, double period) {
  // Where this is wrong by more than round-off of `place`, the pad has outgrown the period.
  const double copy = place - period * std::floor(place / period);
  return std::clamp(copy, 0.0, period);
}

Interval swept_interval(const Axis& axis, double begin, double end, double reach) {
  const double low = std::min(begin, end);
  const double length = std::abs(end - begin);  // not a number if one of them is not
  const double size = std::max(std::abs(begin), std::abs(end)) + reach;
  if (axis.period == kInfinity) {
    const double enlarged = reach + kPad * size;
    return {low - enlarged, length + 2.0 * enlarged};
  }
  const double enlarged = reach + kPad * (size + std::abs(axis.begin) + axis.period);
  return {wrapped((low - enlarged) - axis.begin, axis.period), length + 2.0 * enlarged};
}

}  // namespace

Vec3 period_of(const BallSweep& sweep) {
  return {axis_of(0.0, sweep.period_length.x).period, axis_of(0.0, sweep.period_length.y).period,
          sweep.dimension == 3 ? axis_of(0.0, sweep.period_length.z).period : kInfinity};
}

void compute_swept_boxes(const BallSweep& sweep, std::vector<SweptBox>& boxes) {
  CAROM_ASSERT(sweep.dimension == 2 || sweep.dimension == 3);
  CAROM_DEMAND(sweep.end.size() == sweep.begin.size() && sweep.radius.size() == sweep.begin.size());
  CAROM_ASSERT(sweep.margin >= 0.0);
  const Axis x = axis_of(sweep.period_lower.x, sweep.period_length.x);
  const Axis y = axis_of(sweep.period_lower.y, sweep.period_length.y);
  const Axis z = axis_of(sweep.period_lower.z, sweep.period_length.z);
  const double factor = 1.0 + sweep.margin;
  boxes.resize(sweep.begin.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Vec3& begin = sweep.begin[i];
    const Vec3& end = sweep.end[i];
    const double reach = sweep.radius[i] * factor;
    const Interval along_x = swept_interval(x, begin.x, end.x, reach);
    const Interval along_y = swept_interval(y, begin.y, end.y, reach);
    const Interval along_z =
        sweep.dimension == 3 ? swept_interval(z, begin.z, end.z, reach) : Interval{0.0, 0.0};
    boxes[i] = {{along_x.lower, along_y.lower, along_z.lower},
                {along_x.extent, along_y.extent, along_z.extent},
                static_cast<Index>(i)};
  }
}

}  // namespace carom::detail
