#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/detail/elimination_tree.h"
#include "carom/solvers/detail/sparse_cholesky.h"

namespace carom::solvers {

/// Neighbouring columns of L that are stored and factored as one dense panel, column after column:
///
///   rows 0 .. width      the columns' own rows, lower triangle
///   rows width .. top    zeros, so that what follows starts at a multiple of four
///   rows top .. stride   the rows below, then zeros up to a multiple of four
///
/// What the panel subtracts from the rows below, a square of stride - top, goes to the parent.
struct Supernode {
  Index first = 0;  ///< column
  Index width = 0;
  Index below = 0;  ///< rows below the columns
  Index top = 0;
  Index stride = 0;
  Index inner = 0;            ///< of the rows below, those that are columns of the parent
  Index side = 0;             ///< 0 or 1: parity of the depth, which of two stacks holds the square
  std::size_t square = 0;     ///< where it stands there
  std::size_t panel = 0;      ///< where the panel starts
  std::size_t row_start = 0;  ///< into rows and rows_in_parent
  std::size_t entry_end = 0;  ///< into entries; starts where the one before ends
  std::size_t child_end = 0;  ///< into children; likewise

  [[nodiscard]] Index square_size() const { return stride - top; }
};

/// Which entry of the matrix goes where in its panel.
struct PanelEntry {
  Index source;
  Index target;
};

/// What a sparse factorisation L L' by supernodes can know before the numbers.
///
/// Reference: Liu1992 (elimination tree, multifrontal method, amalgamation). Columns with the same
/// rows below form one supernode. A child is merged with its parent, at the price of stored zeros,
/// where a model of the time says that this pays.
struct SupernodalStructure {
  std::vector<Index> new_of_old;      ///< final order: fill-reducing, then by supernodes
  std::vector<Supernode> supernodes;  ///< children before parents
  std::vector<Index> rows;            ///< below each supernode, ascending
  std::vector<Index> rows_in_parent;  ///< their rows in the parent's panel
  std::vector<Index> children;
  std::vector<PanelEntry> entries;
  std::size_t panel_size = 0;               ///< of all panels
  std::array<std::size_t, 2> stack_size{};  ///< of the squares
  std::size_t largest_stride = 0;

  /// `fill_reducing` holds the new number of each row, `tree` is the tree of that order.
  void analyse(const SparsePattern& pattern, std::span<const Index> fill_reducing,
               const EliminationTree& tree);
};

}  // namespace carom::solvers
