#pragma once

#include <array>
#include <cmath>

#include "carom/impact/problem.h"

namespace carom {

/// A vector of space; the plane and the line are its first coordinates.
using Vector3 = std::array<double, 3>;

[[nodiscard]] inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

[[nodiscard]] inline double length(const Vector3& a) {
  return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/// How many of a body's velocity numbers are linear.
[[nodiscard]] inline Index linear_size(const ImpactProblem::Body& body) {
  if (body.kind == BodyKind::rigid_2d) return 2;
  return body.kind == BodyKind::rigid_3d ? 3 : body.size;
}

}  // namespace carom
