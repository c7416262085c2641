#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "carom/core/numbers.h"
#include "carom/impact/problem.h"

namespace carom {

/// What a contact has to know of one of its bodies.
struct ContactSide {
  BodyKind kind = BodyKind::ball;
  std::size_t space = 0;  ///< 1, 2 or 3
  std::array<double, 3> position{};
};

/// Nothing where the vector has no length. Scaled first, so that tiny and huge ones work too.
[[nodiscard]] std::optional<Numbers> unit_vector(const Numbers& vector);

/// The gradient of the speed of the contact point along `direction` with respect to the velocity
/// numbers of one body, times `sign`: (d, r x d) with r the arm from the centre of mass.
[[nodiscard]] Numbers contact_gradient(const ContactSide& side, const std::optional<Numbers>& point,
                                       const Numbers& direction, double sign);

/// Orthonormal directions of the plane at right angles to a unit normal: none in 1D, one in 2D, two
/// in 3D. No model depends on which two are taken.
[[nodiscard]] std::vector<Numbers> tangent_directions(const Numbers& normal);

}  // namespace carom
