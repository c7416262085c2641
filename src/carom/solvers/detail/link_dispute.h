#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/detail/dual_active_set.h"
#include "carom/solvers/detail/link_factor.h"
#include "carom/solvers/detail/link_state.h"

namespace carom::solvers {

/// Who carries of a few rows C, answered together: while all others keep their sides (F carries),
/// their impulses follow those of C linearly, and what is left for C is a small program,
///   0 <= x_C  perp  S x_C + s >= 0,   S = A_CC - A_CF A_FF^-1 A_FC,                            (1)
///   s = c_C - A_CF A_FF^-1 c_F,
/// the Schur complement of A. Where nobody outside is wrong afterwards, all is solved; otherwise C
/// grows.
template <std::size_t D>
class LinkDispute {
 public:
  /// The most rows that are answered together.
  static constexpr std::size_t kMost = 256;

  void clear() { rows_.clear(); }
  /// Rows and their neighbours, up to a number of steps from row to row as long as there is room,
  /// are disputed from now on. False: there are too many.
  [[nodiscard]] bool add(const LinkState<D>& state, std::span<const Index> places, int steps);
  /// By places, ascending.
  [[nodiscard]] std::span<const Index> rows() const { return rows_; }
  [[nodiscard]] bool names(Index place) const {
    return std::binary_search(rows_.begin(), rows_.end(), place);
  }
  /// Answers who of them carries, in the order of rows(), from a solution in which none does: its
  /// gradients are s. False: no answer was found.
  [[nodiscard]] bool answer(const LinkState<D>& state, LinkFactor& factor);
  [[nodiscard]] std::span<const unsigned char> carries() const { return carries_; }

 private:
  void make_set();
  void add_neighbours(const LinkState<D>& state);
  void list_couplings(const LinkState<D>& state);
  void couple(const LinkState<D>& state, LinkFactor& factor);
  void take_root();
  [[nodiscard]] double& at(std::size_t i, std::size_t j) { return matrix_[i * rows_.size() + j]; }

  std::vector<Index> rows_;
  std::vector<unsigned char> carries_;
  std::vector<Index> newest_;  ///< rows whose neighbours come next
  std::vector<Index> around_;
  std::vector<Index> before_;
  std::vector<LinkFactor::Entry> entries_;  ///< of A_FC
  std::vector<double> matrix_;              ///< S, then L with L L' = S; lower triangle
  SparseColumns columns_;
  std::vector<double> c_, x_, lower_, upper_;
  DualActiveSet active_set_;
};

extern template class LinkDispute<2>;
extern template class LinkDispute<3>;

}  // namespace carom::solvers
