// The rows of a component without its implicit equalities, as the loop wants them.
#include "carom/impact/detail/unlocked_work.h"

namespace carom {

UnlockedWork::UnlockedWork(const ComponentSystem& system, const UnlockedComponent& unlocked)
    : velocity(unlocked.velocity), lambda(unlocked.row_of.size(), 0.0) {
  for (std::size_t k = 0; k < unlocked.row_of.size(); ++k) {
    const Index row = unlocked.row_of[k];
    all.push_back(static_cast<Index>(k));
    scale.push_back(system.scale[row] * unlocked.stretch[k]);
    restitution.push_back(system.restitution[row]);
    stiffness.push_back(system.stiffness[row]);
  }
}

double UnlockedWork::gained(const UnlockedComponent& unlocked) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    sum += 0.5 * (velocity[i] * velocity[i] - unlocked.velocity[i] * unlocked.velocity[i]);
  }
  for (std::size_t k = 0; k < lambda.size(); ++k) sum -= unlocked.offset[k] * lambda[k];
  return sum;
}

}  // namespace carom
