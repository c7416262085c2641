// The multifrontal factor by supernodes, and solutions with it.
#include "carom/solvers/detail/supernodal_factor.h"

#include <algorithm>

#include "carom/core/assert.h"

namespace carom::solvers {

void SupernodalFactor::analyse(const SparsePattern& pattern, std::span<const Index> fill_reducing,
                               const EliminationTree& tree) {
  structure_.analyse(pattern, fill_reducing, tree);
  panels_.resize(structure_.panel_size);
  inverse_.resize(pattern.size());
  for (const std::size_t side : {0U, 1U}) stack_[side].resize(structure_.stack_size[side]);
  x_.resize(pattern.size());
  local_.resize(structure_.largest_stride);
  smallest_pivot_ = kInfinity;
}

/// The entries of the matrix that belong to the panel, from number `entry` on.
void SupernodalFactor::assemble(const Supernode& node, std::span<const double> values,
                                std::size_t entry) {
  double* to = panels_.data() + node.panel;
  std::fill_n(to, std::size_t{node.width} * node.stride, 0.0);
  for (; entry < node.entry_end; ++entry) {
    to[structure_.entries[entry].target] += values[structure_.entries[entry].source];
  }
}

/// Columns of the child's square that are columns of the panel.
void SupernodalFactor::add_to_panel(const Supernode& child, const Supernode& node) {
  const std::size_t size = child.square_size();
  const double* from = stack_[child.side].data() + child.square;
  const Index* place = structure_.rows_in_parent.data() + child.row_start;
  for (std::size_t j = 0; j < child.inner; ++j, from += size) {
    double* to = panels_.data() + node.panel + std::size_t{place[j]} * node.stride;
    for (std::size_t i = j; i < child.below; ++i) to[place[i]] += from[i];
  }
}

/// Columns of the child's square that are columns of the node's.
void SupernodalFactor::add_to_square(const Supernode& child, const Supernode& node) {
  const std::size_t size = child.square_size();
  const double* from = stack_[child.side].data() + child.square + child.inner * size;
  const Index* place = structure_.rows_in_parent.data() + child.row_start;
  double* square = stack_[node.side].data() + node.square;
  for (std::size_t j = child.inner; j < child.below; ++j, from += size) {
    double* to = square + std::size_t{place[j] - node.top} * node.square_size();
    for (std::size_t i = j; i < child.below; ++i) to[place[i] - node.top] += from[i];
  }
}

bool SupernodalFactor::factor(const Supernode& node) {
  const DensePanel dense = panel(node);
  const std::size_t good = dense.factor(inverse_.data() + node.first);
  const std::size_t known = std::min<std::size_t>(good + 1, node.width);
  for (std::size_t j = 0; j < known; ++j) {
    const double pivot = dense.values[j * node.stride + j];
    if (!(pivot >= smallest_pivot_)) smallest_pivot_ = pivot;
  }
  return good == node.width;
}

bool SupernodalFactor::factor(std::span<const double> values) {
  CAROM_ASSERT(values.size() == structure_.entries.size());
  smallest_pivot_ = kInfinity;
  std::size_t entry = 0;
  std::size_t first_child = 0;
  for (const Supernode& node : structure_.supernodes) {
    assemble(node, values, entry);
    for (std::size_t c = first_child; c < node.child_end; ++c) {
      add_to_panel(structure_.supernodes[structure_.children[c]], node);
    }
    if (!factor(node)) return false;
    panel(node).subtract_square(stack_[node.side].data() + node.square);
    for (std::size_t c = first_child; c < node.child_end; ++c) {
      add_to_square(structure_.supernodes[structure_.children[c]], node);
    }
    entry = node.entry_end;
    first_child = node.child_end;
  }
  return true;
}

void SupernodalFactor::solve(std::span<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x_[structure_.new_of_old[i]] = x[i];
  double* local = local_.data();
  for (const Supernode& node : structure_.supernodes) {
    double* own = x_.data() + node.first;
    const Index* row = structure_.rows.data() + node.row_start;
    std::copy_n(own, node.width, local);
    std::fill(local + node.width, local + node.stride, 0.0);
    panel(node).forward(inverse_.data() + node.first, local);
    std::copy_n(local, node.width, own);
    for (std::size_t i = 0; i < node.below; ++i) x_[row[i]] += local[node.top + i];
  }
  for (std::size_t s = structure_.supernodes.size(); s-- > 0;) {
    const Supernode& node = structure_.supernodes[s];
    double* own = x_.data() + node.first;
    const Index* row = structure_.rows.data() + node.row_start;
    std::copy_n(own, node.width, local);
    std::fill(local + node.width, local + node.top, 0.0);
    for (std::size_t i = 0; i < node.below; ++i) local[node.top + i] = x_[row[i]];
    std::fill(local + node.top + node.below, local + node.stride, 0.0);
    panel(node).backward(inverse_.data() + node.first, local);
    std::copy_n(local, node.width, own);
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x_[structure_.new_of_old[i]];
}

}  // namespace carom::solvers
