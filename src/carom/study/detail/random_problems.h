#pragma once

#include <vector>

#include "carom/core/random.h"
#include "carom/impact/problem.h"

namespace carom::detail {

/// An impact problem that can still be taken apart, to build its mirror image.
struct LooseProblem {
  std::vector<BodyDefinition> bodies;
  std::vector<ContactDefinition> contacts;

  [[nodiscard]] ImpactProblem build() const;
  /// Reflected in the first axis, with bodies and contacts in the opposite order.
  [[nodiscard]] LooseProblem mirrored() const;
};

/// The velocities that the mirror image of `problem` should have, given those of `problem`.
[[nodiscard]] std::vector<double> mirrored_velocities(const ImpactProblem& problem,
                                                      std::span<const double> velocities);

/// Balls on a line, 3 to 8, masses and velocities at random.
[[nodiscard]] LooseProblem random_chain(Random& random);
/// A triangle of touching balls in the plane, 3, 6 or 10.
[[nodiscard]] LooseProblem random_rack(Random& random);
/// A box that meets a floor with the four corners of a face: redundant rows.
[[nodiscard]] LooseProblem random_box(Random& random);

}  // namespace carom::detail
