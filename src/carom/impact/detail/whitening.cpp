// Coordinates in which the metric of a component is the identity.
#include "carom/impact/detail/whitening.h"

#include <algorithm>

#include <Eigen/Cholesky>

namespace carom::detail {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

Whitening whiten(const ComponentRows& component) {
  Whitening whitening;
  for (const Index block : component.blocks) {
    const Index size = component.rows->block_size(block);
    const auto n = static_cast<Eigen::Index>(size);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Matrix w = Eigen::Map<const RowMajor>(component.rows->inverse_mass(block).data(), n, n);
    whitening.original_dof.push_back(component.rows->block_dof(block));
    whitening.local_dof.push_back(whitening.dof_count);
    whitening.root.emplace_back(Eigen::LLT<Matrix>(w).matrixL());
    whitening.dof_count += size;
  }
  return whitening;
}

Vector whitened_row(const ComponentRows& component, const Whitening& whitening, Index row) {
  Vector y = Vector::Zero(whitening.dof_count);
  for (const solvers::BlockRows::Entry& entry : component.rows->entries(row)) {
    const auto at =
        std::lower_bound(component.blocks.begin(), component.blocks.end(), entry.block) -
        component.blocks.begin();
    const auto k = static_cast<std::size_t>(at);
    const std::span<const double> n = component.rows->gradient(entry);
    y.segment(whitening.local_dof[k], entry.size) =
        whitening.root[k].transpose() * segment(n, 0, entry.size);
  }
  return y;
}

std::vector<Index> dofs_of(const ComponentRows& component, const Whitening& whitening, Index row) {
  std::vector<Index> dofs;
  for (const solvers::BlockRows::Entry& entry : component.rows->entries(row)) {
    const auto block = static_cast<std::size_t>(
        std::lower_bound(component.blocks.begin(), component.blocks.end(), entry.block) -
        component.blocks.begin());
    for (Index k = 0; k < entry.size; ++k) dofs.push_back(whitening.local_dof[block] + k);
  }
  return dofs;
}

Vector whitened_velocity(const Whitening& whitening, std::span<const double> velocity) {
  Vector z(whitening.dof_count);
  for (std::size_t k = 0; k < whitening.root.size(); ++k) {
    const Eigen::Index size = whitening.root[k].rows();
    z.segment(whitening.local_dof[k], size) =
        whitening.root[k].triangularView<Eigen::Lower>().solve(
            segment(velocity, whitening.original_dof[k], size));
  }
  return z;
}

}  // namespace carom::detail
