// Rows with their gradients block by block.
#include "carom/solvers/block_rows.h"

#include "carom/core/assert.h"

namespace carom::solvers {

void BlockRows::clear() {
  block_dof_.assign(1, 0);
  block_mass_.assign(1, 0);
  inverse_mass_.clear();
  row_start_.assign(1, 0);
  entries_.clear();
  gradient_.clear();
  response_.clear();
  block_rows_start_.clear();
  block_rows_.clear();
}

Index BlockRows::add_block(Index size, std::span<const double> inverse_mass) {
  CAROM_DEMAND(inverse_mass.size() == static_cast<std::size_t>(size) * size);
  inverse_mass_.insert(inverse_mass_.end(), inverse_mass.begin(), inverse_mass.end());
  block_mass_.push_back(static_cast<Index>(inverse_mass_.size()));
  block_dof_.push_back(block_dof_.back() + size);
  return block_count() - 1;
}

Index BlockRows::add_scalar_block(Index size, double inverse_mass) {
  inverse_mass_.resize(inverse_mass_.size() + static_cast<std::size_t>(size) * size, 0.0);
  double* block = inverse_mass_.data() + block_mass_.back();
  for (Index k = 0; k < size; ++k) block[k * size + k] = inverse_mass;
  block_mass_.push_back(static_cast<Index>(inverse_mass_.size()));
  block_dof_.push_back(block_dof_.back() + size);
  return block_count() - 1;
}

std::span<const double> BlockRows::inverse_mass(Index block) const {
  return {inverse_mass_.data() + block_mass_[block], block_mass_[block + 1] - block_mass_[block]};
}

Index BlockRows::add_row(std::span<const RowPart> parts) {
  for (const RowPart& part : parts) {
    CAROM_DEMAND(part.block < block_count());
    const Index size = block_size(part.block);
    CAROM_DEMAND(part.gradient.size() == size);
    const Entry entry{part.block, block_dof_[part.block], size,
                      static_cast<Index>(gradient_.size())};
    entries_.push_back(entry);
    const std::span<const double> mass = inverse_mass(part.block);
    for (Index k = 0; k < size; ++k) {
      double sum = 0.0;
      for (Index l = 0; l < size; ++l) sum += mass[k * size + l] * part.gradient[l];
      gradient_.push_back(part.gradient[k]);
      response_.push_back(sum);
    }
  }
  row_start_.push_back(static_cast<Index>(entries_.size()));
  return row_count() - 1;
}

void BlockRows::scale_row(Index row, double factor) {
  for (const Entry& entry : entries(row)) {
    for (Index k = 0; k < entry.size; ++k) {
      gradient_[entry.values + k] *= factor;
      response_[entry.values + k] *= factor;
    }
  }
}

void BlockRows::finish() {
  block_rows_start_.assign(block_count() + 1, 0);
  for (const Entry& entry : entries_) ++block_rows_start_[entry.block + 1];
  for (Index b = 0; b < block_count(); ++b) block_rows_start_[b + 1] += block_rows_start_[b];
  block_rows_.resize(entries_.size());
  std::vector<Index> next(block_rows_start_.begin(), block_rows_start_.end() - 1);
  for (Index row = 0; row < row_count(); ++row) {
    for (const Entry& entry : entries(row)) block_rows_[next[entry.block]++] = row;
  }
}

double BlockRows::dot(Index row, std::span<const double> v) const {
  double sum = 0.0;
  for (const Entry& entry : entries(row)) {
    const double* n = gradient_.data() + entry.values;
    const double* u = v.data() + entry.dof;
    for (Index k = 0; k < entry.size; ++k) sum += n[k] * u[k];
  }
  return sum;
}

void BlockRows::apply(Index row, double lambda, std::span<double> v) const {
  for (const Entry& entry : entries(row)) {
    const double* response = response_.data() + entry.values;
    double* u = v.data() + entry.dof;
    for (Index k = 0; k < entry.size; ++k) u[k] += response[k] * lambda;
  }
}

void BlockRows::apply_impulse(Index row, double lambda, std::span<double> p) const {
  for (const Entry& entry : entries(row)) {
    const double* n = gradient_.data() + entry.values;
    double* u = p.data() + entry.dof;
    for (Index k = 0; k < entry.size; ++k) u[k] += n[k] * lambda;
  }
}

void BlockRows::add_inverse_mass_times(std::span<const double> p, std::span<double> v) const {
  for (Index block = 0; block < block_count(); ++block) {
    const Index size = block_size(block);
    const std::span<const double> mass = inverse_mass(block);
    const double* from = p.data() + block_dof_[block];
    double* to = v.data() + block_dof_[block];
    for (Index k = 0; k < size; ++k) {
      double sum = 0.0;
      for (Index l = 0; l < size; ++l) sum += mass[k * size + l] * from[l];
      to[k] += sum;
    }
  }
}

double BlockRows::product(Index row_i, Index row_j) const {
  double sum = 0.0;
  for (const Entry& entry_i : entries(row_i)) {
    for (const Entry& entry_j : entries(row_j)) {
      if (entry_i.block != entry_j.block) continue;
      const double* n = gradient_.data() + entry_i.values;
      const double* response = response_.data() + entry_j.values;
      for (Index k = 0; k < entry_i.size; ++k) sum += n[k] * response[k];
    }
  }
  return sum;
}

}  // namespace carom::solvers
