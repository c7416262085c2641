// Shares of the bodies' masses for steps at which all elements together are stable.

#include "carom/forces/shared_masses.h"

#include <cstddef>

#include "carom/core/types.h"

namespace carom {

std::vector<double> shared_inverse_mass(std::span<const ForceFamily* const> families,
                                        std::span<const double> inverse_mass) {
  std::vector<Index> elements_at(inverse_mass.size(), 0);
  for (const ForceFamily* family : families) {
    for (Index e = 0; e < family->size(); ++e) {
      if (family->stable_step(e, inverse_mass) == kInfinity) continue;
      for (const Index body : family->stencil(e)) ++elements_at[body];
    }
  }
  std::vector<double> shared(inverse_mass.begin(), inverse_mass.end());
  for (std::size_t i = 0; i < shared.size(); ++i) {
    if (elements_at[i] > 0) shared[i] *= static_cast<double>(elements_at[i]);
  }
  return shared;
}

}  // namespace carom
