// The gradients of a contact's normal and tangents.
#include "carom/impact/detail/contact_gradients.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

Numbers cross(const Numbers& a, const Numbers& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

std::optional<Numbers> unit_vector(const Numbers& vector) {
  double largest = 0.0;
  for (const double x : vector) largest = std::max(largest, std::abs(x));
  if (!(largest > 0.0)) return std::nullopt;
  Numbers scaled = vector;
  double square = 0.0;
  for (double& x : scaled) {
    x /= largest;
    square += x * x;
  }
  const double length = std::sqrt(square);
  for (double& x : scaled) x /= length;
  return scaled;
}

Numbers contact_gradient(const ContactSide& side, const std::optional<Numbers>& point,
                         const Numbers& direction, double sign) {
  if (side.kind == BodyKind::ball) {
    Numbers gradient = direction;
    for (double& x : gradient) x *= sign;
    return gradient;
  }
  Numbers arm = *point;
  for (std::size_t k = 0; k < arm.size(); ++k) arm[k] -= side.position[k];
  if (side.kind == BodyKind::rigid_2d) {
    const double turn = arm[0] * direction[1] - arm[1] * direction[0];
    return {sign * direction[0], sign * direction[1], sign * turn};
  }
  const Numbers turn = cross(arm, direction);
  return {sign * direction[0], sign * direction[1], sign * direction[2],
          sign * turn[0],      sign * turn[1],      sign * turn[2]};
}

std::vector<Numbers> tangent_directions(const Numbers& normal) {
  if (normal.size() == 1) return {};
  if (normal.size() == 2) return {Numbers{-normal[1], normal[0]}};
  // The axis along which the normal is shortest is farthest from it.
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::abs(normal[k]) < std::abs(normal[axis])) axis = k;
  }
  Numbers helper = {0.0, 0.0, 0.0};
  helper[axis] = 1.0;
  const Numbers first = *unit_vector(cross(normal, helper));
  return {first, cross(normal, first)};
}

}  // namespace carom
