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
  /// What a thread solves a part with.
  struct Workspace {
    BlockRows blocks;
    std::vector<Index> all;
    std::vector<double> c;
    std::unique_ptr<QpSolver> solver;
    QpResult result;
  };

  void reach(const LinkState<D>& state, std::span<const Index> wrong, int steps);
  void split(const LinkState<D>& state);
  void share_out();
  [[nodiscard]] Index lead(Index reached);
  /// Adds to `changes` those of a part.
  void solve(const LinkState<D>& state, std::span<const Index> part, Workspace& workspace,
             std::vector<Index>& changes);

  std::vector<Index> number_of_;  ///< per point: its place in points_; kNone: not reached
  std::vector<Index> points_;     ///< reached ones
  std::vector<Index> rows_;       ///< between them, part by part
  std::vector<Index> start_;      ///< of each part, and the end of the last
  std::vector<Index> lead_;       ///< per reached point, towards the first of its part
  std::vector<Index> block_;      ///< per reached point; kNone between calls
  std::vector<Index> sorted_;
  std::vector<Index> changes_;
  std::vector<Index> first_part_;                  ///< of each share of the work
  std::vector<std::vector<Index>> share_changes_;  ///< of each share
  std::vector<Workspace> workspaces_;              ///< one for each thread
};

extern template class LinkRepair<2>;
extern template class LinkRepair<3>;

}  // namespace carom::solvers
