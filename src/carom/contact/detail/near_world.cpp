// Whether the balls of a world suit lists that are made in cells.
#include "carom/contact/detail/near_world.h"

#include "carom/contact/detail/skin.h"

namespace carom::detail {
namespace {

bool has_room(const Periodicity& periodicity, double largest_radius, double activation) {
  const double least = 4.0 * (1.0 + kThickestSkin + activation) * largest_radius * (1.0 + 1e-6);
  const Vec3& length = periodicity.length;
  const auto is_long = [&](double period) { return !(period > 0.0) || period > least; };
  return is_long(length.x) && is_long(length.y) && is_long(length.z);
}

}  // namespace

NearWorld::NearWorld(const World& of_world, const DetectionSettings& with_settings)
    : world(&of_world), settings(with_settings), periodicity(of_world.periods()) {
  const std::vector<double>& radii = of_world.bodies.radius;
  if (radii.empty()) return;
  smallest_radius = *std::min_element(radii.begin(), radii.end());
  largest_radius = *std::max_element(radii.begin(), radii.end());
}

bool NearWorld::fits_cells() const {
  constexpr double kLargestRatio = 2.0;  // no ball is larger than this many others
  return !world->bodies.radius.empty() && settings.broad_phase == "grid" &&
         largest_radius <= kLargestRatio * smallest_radius &&
         has_room(world->periodicity, largest_radius, settings.activation);
}

}  // namespace carom::detail
