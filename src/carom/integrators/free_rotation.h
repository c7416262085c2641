#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/geometry/rotation.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// How a body turns while nothing acts on it.
enum class RotationScheme {
  moser_veselov,    ///< second order
  moser_veselov_4,  ///< with preprocessed moments, fourth order
};
[[nodiscard]] std::string_view to_string(RotationScheme scheme);
[[nodiscard]] std::vector<std::string> rotation_scheme_names();
/// Throws InputError on an unknown name.
[[nodiscard]] RotationScheme rotation_scheme(std::string_view name);

/// Orientation and angular velocity of a body, both in world coordinates.
struct Turning {
  Quaternion orientation;  ///< principal axes to world
  Vec3 angular_velocity;   ///< rad/s
};

/// Free rotation of a rigid body over one step by the discrete Moser-Veselov algorithm, in the
/// quaternions of [Hairer2006]:
///
///   (1)  h y_1 / 2 = I_1 e_0 e_1 + (I_3 - I_2) e_2 e_3    and cyclic,   |e| = 1
///   (2)  q_plus = q e
///   (3)  y_plus = e' y e
///
/// y angular momentum in body coordinates, I principal moments, e the rotation of the step, q the
/// orientation, h the step. Angular momentum in space (3) and kinetic energy are kept to round-off:
/// the map is integrable, with the integrals of the motion itself.
///
/// `moser_veselov_4` solves (1) with the moments [Hairer2006, Theorem 3.1]
///
///   (4)  1 / J_k = (1 + h^2 s) / I_k + h^2 d
///   (5)  s = -(1/I_1 + 1/I_2 + 1/I_3) H / 3 + t C
///   (6)  d = t H - C / (3 I_1 I_2 I_3),   t = (I_1 + I_2 + I_3) / (6 I_1 I_2 I_3)
///
/// with H = 1/2 sum y_k^2 / I_k and C = 1/2 |y|^2, which are constants of the motion, so nothing is
/// lost by them.
///
/// Departs from the paper: steps in which a body turns by more than a quarter of a radian are done
/// in parts (1 has no solution beyond about one radian), and a body with three equal moments turns
/// about its fixed axis exactly.
[[nodiscard]] Turning free_rotation(const Vec3& moments, const Turning& start, double step,
                                    RotationScheme scheme);

/// In two dimensions: about z, exactly.
[[nodiscard]] Turning free_rotation_2d(const Turning& start, double step);

}  // namespace carom
