#pragma once

#include <vector>

#include "carom/impact/iterate.h"
#include "carom/impact/lineality.h"
#include "carom/impact/system.h"

namespace carom {

/// The arrays that the loop over applications wants, for the rows of a component without its
/// implicit equalities.
struct UnlockedWork {
  UnlockedWork() = default;
  UnlockedWork(const ComponentSystem& system, const UnlockedComponent& unlocked);

  [[nodiscard]] IterationRows rows(const UnlockedComponent& unlocked, double threshold) const {
    return {&unlocked.rows, all, scale, unlocked.offset, stiffness, threshold};
  }
  /// The kinetic energy that the iteration gained, less what moving surfaces put in.
  [[nodiscard]] double gained(const UnlockedComponent& unlocked) const;

  std::vector<Index> all;
  std::vector<double> scale;
  std::vector<double> restitution;
  std::vector<double> stiffness;
  std::vector<double> velocity;
  std::vector<double> lambda;
};

}  // namespace carom
