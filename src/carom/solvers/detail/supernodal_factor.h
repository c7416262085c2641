#pragma once

#include <array>
#include <span>
#include <vector>

#include "carom/solvers/detail/dense_panel.h"
#include "carom/solvers/detail/supernodal_structure.h"

namespace carom::solvers {

/// A = L L' by supernodes.
///
/// Reference: Liu1992, the multifrontal method. For each supernode, children first: the panel gets
/// the entries of A and what its children subtract there, its columns of L replace it, and
///   square := -B B' + what the children subtract there,   B the rows below,                    (1)
/// is what it subtracts from its parent. No memory is asked for after analyse().
class SupernodalFactor {
 public:
  void analyse(const SparsePattern& pattern, std::span<const Index> fill_reducing,
               const EliminationTree& tree);
  /// False at the first pivot that is not positive, which is then the smallest one.
  bool factor(std::span<const double> values);
  [[nodiscard]] double smallest_pivot() const { return smallest_pivot_; }
  void solve(std::span<double> x);

 private:
  [[nodiscard]] DensePanel panel(const Supernode& node) {
    return {panels_.data() + node.panel, node.stride, node.width, node.top};
  }
  void assemble(const Supernode& node, std::span<const double> values, std::size_t entry);
  void add_to_panel(const Supernode& child, const Supernode& node);
  void add_to_square(const Supernode& child, const Supernode& node);
  bool factor(const Supernode& node);

  SupernodalStructure structure_;
  std::vector<double> panels_;
  std::vector<double> inverse_;  ///< of the diagonal of L
  std::array<std::vector<double>, 2> stack_;
  std::vector<double> x_;
  std::vector<double> local_;  ///< x in the rows of one panel
  double smallest_pivot_ = kInfinity;
};

}  // namespace carom::solvers
