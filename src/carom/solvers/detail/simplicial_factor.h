#pragma once

#include <memory>
#include <span>

#include "carom/solvers/detail/sparse_cholesky.h"

namespace carom::solvers {

/// A = L D L' column by column (Eigen's): for factors so sparse that panels do not pay, such as
/// those of chains.
class SimplicialFactor {
 public:
  SimplicialFactor();
  ~SimplicialFactor();
  SimplicialFactor(const SimplicialFactor&) = delete;
  SimplicialFactor& operator=(const SimplicialFactor&) = delete;

  /// `new_of_old` is a fill-reducing order.
  void analyse(const SparsePattern& pattern, std::span<const Index> new_of_old);
  /// False at the first pivot that is not positive, which is then the smallest one.
  bool factor(std::span<const double> values);
  [[nodiscard]] double smallest_pivot() const;
  void solve(std::span<double> x);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace carom::solvers
