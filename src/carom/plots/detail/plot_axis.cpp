// Ranges and ticks of an axis.
#include "carom/plots/detail/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "carom/core/assert.h"
#include "carom/plots/detail/plot_text.h"

namespace carom::detail {
namespace {

constexpr double kSpaceAroundConstant = 0.05;
// Points that come nearer to zero than this share of the largest have an axis from zero.
constexpr double kNearZero = 0.2;
constexpr double kFarthestPixel = 1e5;
// Longer labels are written as differences from a round number.
constexpr std::int64_t kLongestLabel = 100000;

// mantissa * 10^exponent with mantissa 1, 2 or 5.
struct NiceStep {
  std::int64_t mantissa = 1;
  int exponent = 0;

  [[nodiscard]] double value(std::int64_t count) const {
    const auto number = static_cast<double>(count * mantissa);
    // Dividing by a whole power of ten gives the double nearest to the decimal number.
    return exponent < 0 ? number / std::pow(10.0, -exponent) : number * std::pow(10.0, exponent);
  }
};

// The smallest nice step that is no smaller than `least`.
NiceStep nice_step(double least) {
  NiceStep step;
  step.exponent = static_cast<int>(std::floor(std::log10(least)));
  for (const std::int64_t mantissa : {1, 2, 5}) {
    step.mantissa = mantissa;
    if (step.value(1) >= least * (1.0 - 1e-9)) return step;
  }
  return {1, step.exponent + 1};
}

// The roundest whole number in lower..upper: a multiple of the largest power of ten.
std::int64_t roundest_number(std::int64_t lower, std::int64_t upper) {
  std::int64_t power = 1;
  while (power <= std::max(std::abs(lower), std::abs(upper)) / 10) power *= 10;
  for (; power > 1; power /= 10) {
    const std::int64_t multiple = lower / power * power;
    for (const std::int64_t candidate : {multiple, multiple + power}) {
      if (candidate >= lower && candidate <= upper) return candidate;
    }
  }
  return lower;
}

// Number of digits before the point less one; 0 for 0.
int order_of(std::int64_t number, int exponent) {
  return static_cast<int>(std::to_string(std::abs(number)).size()) - 1 + exponent;
}

AxisTicks linear_ticks(PlotRange range, int most, double least_step = 0.0) {
  const NiceStep step = nice_step(std::max((range.upper - range.lower) / most, least_step));
  const double unit = step.value(1);
  const auto first = static_cast<std::int64_t>(std::ceil(range.lower / unit - 1e-6));
  const auto last = static_cast<std::int64_t>(std::floor(range.upper / unit + 1e-6));
  const std::int64_t lower = first * step.mantissa;
  const std::int64_t upper = last * step.mantissa;

  std::int64_t offset = 0;
  if (std::max(std::abs(lower), std::abs(upper)) >= kLongestLabel) {
    const std::int64_t span = upper - lower + step.mantissa;
    offset = roundest_number(lower - span, upper + span);
  }
  const std::int64_t largest = std::max(std::abs(lower - offset), std::abs(upper - offset));
  const int order = order_of(largest, step.exponent);
  const bool plain = order > -4 && order < 5 && step.exponent > -4;
  const int power = plain ? 0 : 3 * static_cast<int>(std::floor(order / 3.0));
  const int decimals = std::max(0, power - step.exponent);

  AxisTicks result;
  for (std::int64_t count = first; count <= last; ++count) {
    const std::int64_t number = count * step.mantissa - offset;
    result.ticks.push_back(
        {step.value(count), decimal_text(number, step.exponent - power, decimals)});
  }
  if (power != 0) result.factor = "\u00D7" + power_of_ten(power);
  if (offset != 0) {
    if (!result.factor.empty()) result.factor += " ";
    result.factor += offset > 0 ? "+ " : "\u2212 ";
    result.factor += short_decimal_text(std::abs(offset), step.exponent);
  }
  return result;
}

// A decade's label: a plain number while that is short.
std::string decade_label(int mantissa, int exponent, bool plain) {
  if (plain) return short_decimal_text(mantissa, exponent);
  const std::string power = power_of_ten(exponent);
  return mantissa == 1 ? power : std::to_string(mantissa) + "\u00D7" + power;
}

AxisTicks log_ticks(PlotRange range, int most) {
  const int first = static_cast<int>(std::floor(std::log10(range.lower) - 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(range.upper) + 1e-9));
  const int stride = std::max(1, (last - first + most - 1) / most);
  const bool plain = first >= -3 && last <= 5;
  const bool only_decades = std::log10(range.upper / range.lower) >= 2.0;

  AxisTicks result;
  int labels = 0;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int mantissa = 1; mantissa < (stride == 1 ? 10 : 2); ++mantissa) {
      const double value = NiceStep{mantissa, exponent}.value(1);
      if (value < range.lower * (1.0 - 1e-9) || value > range.upper * (1.0 + 1e-9)) continue;
      const bool round = mantissa == 1 || (!only_decades && (mantissa == 2 || mantissa == 5));
      // Strides are counted from 10^0, so that 1 has its label.
      const bool labelled = round && exponent % stride == 0;
      labels += labelled ? 1 : 0;
      result.ticks.push_back({value, labelled ? decade_label(mantissa, exponent, plain) : ""});
    }
  }
  return labels >= 2 ? result : linear_ticks(range, most);
}

}  // namespace

PlotRange linear_range(PlotRange points, double scale, double padding) {
  const double largest = std::max({std::abs(points.lower), std::abs(points.upper), scale});
  if (points.upper - points.lower <= kFlat * largest || largest == 0.0) {
    const double half = largest > 0.0 ? kSpaceAroundConstant * largest : 1.0;
    return {points.lower - half, points.upper + half};
  }
  const double space = padding * (points.upper - points.lower);
  const bool from_zero = points.lower >= 0.0 && points.lower <= kNearZero * points.upper;
  const bool to_zero = points.upper <= 0.0 && points.upper >= kNearZero * points.lower;
  return {from_zero && padding > 0.0 ? 0.0 : points.lower - space,
          to_zero && padding > 0.0 ? 0.0 : points.upper + space};
}

PlotRange whole_range(PlotRange points, double padding) {
  PlotRange range = linear_range(points, 0.0, padding);
  if (points.lower == points.upper) range = {points.lower - 1.0, points.upper + 1.0};
  if (points.lower >= 0.0) range.lower = std::max(range.lower, 0.0);
  range.upper = std::max(range.upper, std::floor(range.lower) + 1.0);
  return range;
}

PlotRange log_range(PlotRange points, double padding) {
  CAROM_DEMAND(points.lower > 0.0);
  const double ratio = points.upper / points.lower;
  const double factor = ratio <= 1.0 + kFlat ? 2.0 : std::pow(ratio, padding);
  return {points.lower / factor, points.upper * factor};
}

AxisTicks make_ticks(PlotRange range, bool logarithmic, int most) {
  CAROM_DEMAND(range.upper > range.lower && most > 0);
  return logarithmic ? log_ticks(range, most) : linear_ticks(range, most);
}

AxisTicks make_whole_ticks(PlotRange range, int most) {
  CAROM_DEMAND(range.upper > range.lower && most > 0);
  return linear_ticks(range, most, 1.0);
}

AxisMap::AxisMap(PlotRange range, bool logarithmic, double lower_pixel, double upper_pixel)
    : logarithmic_(logarithmic),
      lower_(position(range.lower)),
      upper_(position(range.upper)),
      lower_pixel_(lower_pixel),
      upper_pixel_(upper_pixel) {}

double AxisMap::position(double value) const { return logarithmic_ ? std::log10(value) : value; }

double AxisMap::pixel(double value) const {
  const double share = (position(value) - lower_) / (upper_ - lower_);
  const double pixel = lower_pixel_ + share * (upper_pixel_ - lower_pixel_);
  return std::clamp(pixel, -kFarthestPixel, kFarthestPixel);
}

}  // namespace carom::detail
