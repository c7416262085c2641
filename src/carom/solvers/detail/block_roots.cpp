// Columns in coordinates in which the mass is 1.
#include "carom/solvers/detail/block_roots.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {

void BlockRoots::bind(const SelectedRows& rows) {
  root_.clear();
  start_.clear();
  for (Index block = 0; block < rows.block_count(); ++block) {
    const std::size_t size = rows.block_size(block);
    const std::span<const double> mass = rows.inverse_mass(block);
    start_.push_back(root_.size());
    root_.resize(root_.size() + size * size, 0.0);
    double* lower = root_.data() + start_.back();
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = mass[i * size + j];
        for (std::size_t k = 0; k < j; ++k) sum -= lower[i * size + k] * lower[j * size + k];
        if (i == j) {
          lower[i * size + i] = std::sqrt(std::max(sum, 0.0));
        } else {
          lower[i * size + j] = lower[j * size + j] > 0.0 ? sum / lower[j * size + j] : 0.0;
        }
      }
    }
  }
}

void BlockRoots::columns(const SelectedRows& rows, SparseColumns& columns) const {
  columns.clear(rows.dof_count());
  for (Index row = 0; row < rows.row_count(); ++row) {
    for (const SelectedRows::Part& part : rows.parts(row)) {
      const double* lower = root_.data() + start_[part.block];
      const double* n = rows.gradient(part);
      for (Index j = 0; j < part.size; ++j) {
        double sum = 0.0;
        for (Index i = j; i < part.size; ++i) sum += lower[i * part.size + j] * n[i];
        columns.push(part.dof + j, sum);
      }
    }
    columns.end_column();
  }
}

void BlockRoots::to_impulse(const SelectedRows& rows, std::span<const double> w,
                            std::span<double> p) const {
  for (Index block = 0; block < rows.block_count(); ++block) {
    const Index size = rows.block_size(block);
    const double* lower = root_.data() + start_[block];
    const double* from = w.data() + rows.block_dof(block);
    double* to = p.data() + rows.block_dof(block);
    for (Index i = size; i-- > 0;) {
      double sum = from[i];
      for (Index k = i + 1; k < size; ++k) sum -= lower[k * size + i] * to[k];
      to[i] = lower[i * size + i] > 0.0 ? sum / lower[i * size + i] : 0.0;
    }
  }
}

}  // namespace carom::solvers
