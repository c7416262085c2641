#pragma once

#include <vector>

#include "carom/solvers/cone_program.h"
#include "carom/solvers/detail/cone_tools.h"

namespace carom::solvers {

/// Anderson's extrapolation [Walker2011] of a fixed point r = g(r) of impulses: with the last
/// differences of g(r) - r and of g(r),
///
///   (1)  minimise |f - F c|,  f = g(r) - r,  F = (f - f_j)
///   (2)  r := P(g(r) - G c),  G = (g - g_j)
///
/// P the projection on the cones, so that what comes out is as good an iterate as any.
class ConeMixing {
 public:
  explicit ConeMixing(const ConeWork& work) : work_(&work) {}

  /// Replaces r, of which `image` is g(r), by (2).
  void mix(std::vector<ConeVector>& impulses, const std::vector<ConeVector>& image);
  void forget() { memory_.clear(); }

 private:
  static constexpr std::size_t kMemory = 6;
  struct Step {
    std::vector<ConeVector> image;   ///< g_j
    std::vector<ConeVector> change;  ///< f_j, times the roots of the weights
  };
  [[nodiscard]] bool find_shares(const Step& now, std::vector<double>& shares) const;

  const ConeWork* work_;
  std::vector<Step> memory_;
};

}  // namespace carom::solvers
