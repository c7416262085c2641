#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/block_rows.h"
#include "carom/solvers/detail/link_state.h"
#include "carom/solvers/quadratic_program.h"

namespace carom::solvers {

/// Guesses who carries around rows where pivoting cycles: the rows within a few steps of them are
/// solved by themselves with an interior point, each connected part of them alone, while all others
/// keep their impulses.
template <std::size_t D>
class LinkRepair {
 public:
  /// Rows near `wrong` that should change sides. False, and none, where that would be more than
  /// half of all rows: then the caller's problem is no local one. Overwrites x near `wrong`.
  [[nodiscard]] bool find(LinkState<D>& state, std::span<const Index> wrong, int steps);
  [[nodiscard]] std::span<const Index> changes() const { return changes_; }

 private:
  void reach(const LinkState<D>& state, std::span<const Index> wrong, int steps);
  void split(const LinkState<D>& state);
  [[nodiscard]] Index lead(Index reached);
  /// Of a part, rows_[begin] to before rows_[end].
  void solve(const LinkState<D>& state, Index begin, Index end);

  std::vector<Index> number_of_;  ///< per point: its place in points_; kNone: not reached
  std::vector<Index> points_;     ///< reached ones
  std::vector<Index> rows_;       ///< between them, part by part
  std::vector<Index> start_;      ///< of each part, and the end of the last
  std::vector<Index> lead_;       ///< per reached point, towards the first of its part
  std::vector<Index> block_;      ///< per reached point; kNone between calls
  std::vector<Index> sorted_;
  std::vector<Index> changes_;
  BlockRows blocks_;
  std::vector<Index> all_;
  std::vector<double> c_;
  std::unique_ptr<QpSolver> solver_;
  QpResult result_;
};

extern template class LinkRepair<2>;
extern template class LinkRepair<3>;

}  // namespace carom::solvers
