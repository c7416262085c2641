#pragma once

#include <span>
#include <vector>

#include "carom/forces/family.h"

namespace carom {

/// Inverse masses (one entry per body) after each body's mass is shared out equally among the
/// elements that limit the step and act on it. With these in place of the bodies' own, the smallest
/// ForceFamily::stable_step() of all elements is stable for all of them together, on one clock:
///
/// With K = sum K_e, B = sum B_e (damping) and M = sum M_e (the shares), an eigenvector x of all
/// together follows the equation of detail/stable_step.h with omega^2 = x*Kx / x*Mx and
/// gamma = x*Bx / x*Mx, and is stable while
///   x*(4 M - 2 h B - h^2 K) x = sum x_e*(4 M_e - 2 h B_e - h^2 K_e) x_e >= 0,
/// which no term breaks while h is at most the stable step of each element with its share.
///
/// Elements by themselves allow steps longer by about the root of the number of elements at a body:
/// 2.4 for the six triangles of a regular mesh's vertex, 3.5 for its twelve hinges.
[[nodiscard]] std::vector<double> shared_inverse_mass(std::span<const ForceFamily* const> families,
                                                      std::span<const double> inverse_mass);

}  // namespace carom
