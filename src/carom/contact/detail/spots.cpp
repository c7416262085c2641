// The origin and the roundings of a screen of spots.
#include "carom/contact/detail/spots.h"

namespace carom::detail {

SpotScreen::SpotScreen(const Periodicity& periodicity, const Vec3& origin, double lost)
    : origin_(origin), lost_(lost) {
  const Vec3& length = periodicity.length;
  lost_ += kLost * (length.x + length.y + length.z);
  const auto of_axis = [](double period) {
    return static_cast<float>(period > 0.0 ? period : kInfinity);
  };
  period_x_ = of_axis(length.x);
  period_y_ = of_axis(length.y);
  period_z_ = of_axis(length.z);
}

}  // namespace carom::detail
