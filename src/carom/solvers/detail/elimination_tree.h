#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/detail/sparse_cholesky.h"

namespace carom::solvers {

/// Lists of numbers.
struct Lists {
  std::vector<std::size_t> start;  ///< one more than lists
  std::vector<Index> item;

  [[nodiscard]] std::span<const Index> operator[](std::size_t k) const {
    return {item.data() + start[k], start[k + 1] - start[k]};
  }
};

/// Sorts the numbers 0 .. keys.size()-1 into lists by their key, ascending; kNone joins none.
[[nodiscard]] Lists lists_by(std::span<const Index> keys, std::size_t list_count);

/// The entries of a symmetric pattern in some order, as pairs with small <= large.
struct EntryPlaces {
  std::vector<Index> small;
  std::vector<Index> large;

  EntryPlaces(const SparsePattern& pattern, std::span<const Index> new_of_old);
};

/// What the factor of a matrix looks like, from its pattern alone. Reference: Liu1992.
struct EliminationTree {
  std::vector<Index> parent;  ///< the first row below the diagonal; kNone for a root
  std::vector<Index> below;   ///< entries below the diagonal, per column

  EliminationTree(const EntryPlaces& places, Index size);
  /// Of L, below the diagonal.
  [[nodiscard]] double entries() const;
  /// Multiplications of a factorisation.
  [[nodiscard]] double products() const;
};

/// All nodes, the children of each before it, and between them and it nothing but what is below
/// them.
[[nodiscard]] std::vector<Index> postorder(const std::vector<Index>& parent);

}  // namespace carom::solvers
