#pragma once

#include <string>
#include <vector>

#include "carom/plots/plot.h"

namespace carom::detail {

/// Variation below this share of the scale is round-off: series are flat and ranges no narrower.
inline constexpr double kFlat = 1e-9;

/// A range for the points lower..upper on a linear axis that is never too narrow to be labelled:
/// points that agree to kFlat of `scale` get five per cent of it around them. `padding` is a share
/// of the range to be left free on both sides. Nonnegative points that come near zero start at
/// zero.
[[nodiscard]] PlotRange linear_range(PlotRange points, double scale, double padding);
/// The same for counts: at least one whole number wide, and below zero only where the points are.
[[nodiscard]] PlotRange whole_range(PlotRange points, double padding);
/// The same for positive points on a logarithmic axis.
[[nodiscard]] PlotRange log_range(PlotRange points, double padding);

struct AxisTick {
  double value = 0.0;
  std::string label;  ///< empty: a small tick between labelled ones
};

struct AxisTicks {
  std::vector<AxisTick> ticks;
  /// What the labels leave out: value = label * 10^-9 + 12.5 gives "×10⁻⁹ + 12.5"; mostly empty.
  std::string factor;
};

/// Ticks at 1, 2 or 5 times a power of ten (on a logarithmic axis at powers of ten where it is long
/// enough), at most about `most` with labels.
[[nodiscard]] AxisTicks make_ticks(PlotRange range, bool logarithmic, int most);
/// The same at whole numbers only.
[[nodiscard]] AxisTicks make_whole_ticks(PlotRange range, int most);

/// From values to pixels.
class AxisMap {
 public:
  AxisMap(PlotRange range, bool logarithmic, double lower_pixel, double upper_pixel);
  /// Held within 1e5 pixels of the axis, which no image shows but every renderer can hold.
  [[nodiscard]] double pixel(double value) const;

 private:
  [[nodiscard]] double position(double value) const;

  bool logarithmic_;
  double lower_;
  double upper_;
  double lower_pixel_;
  double upper_pixel_;
};

}  // namespace carom::detail
