// Selected rows copied next to each other, and products with them.
#include "carom/solvers/detail/selected_rows.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {

double power_of_two_scale(double diagonal) {
  if (diagonal >= 0.5 && diagonal < 2.0) return 1.0;
  if (!(diagonal > 0.0) || !std::isfinite(diagonal)) return 1.0;
  const int exponent = std::ilogb(diagonal) + 1;  // diagonal in [2^(exponent-1), 2^exponent)
  return std::ldexp(1.0, -(exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2)));
}

void SelectedRows::bind(const BlockRows& rows, std::span<const Index> selection) {
  rows_ = &rows;
  number_blocks(selection);
  const std::size_t count = selection.size();
  scale_.resize(count);
  diagonal_.resize(count);
  gradient_.clear();
  response_.clear();
  std::size_t part_number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double diagonal = rows.diagonal(selection[i]);
    const double scale = power_of_two_scale(diagonal);
    scale_[i] = scale;
    diagonal_[i] = diagonal * scale * scale;
    for (const BlockRows::Entry& entry : rows.entries(selection[i])) {
      parts_[part_number++].values = static_cast<Index>(gradient_.size());
      for (const double n : rows.gradient(entry)) gradient_.push_back(n * scale);
      for (const double w : rows.response(entry)) response_.push_back(w * scale);
    }
  }
  gather_touches();
}

void SelectedRows::number_blocks(std::span<const Index> selection) {
  if (block_stamp_.size() < rows_->block_count()) {
    block_stamp_.resize(rows_->block_count(), 0);
    local_block_.resize(rows_->block_count());
  }
  ++stamp_;
  block_of_.clear();
  block_dof_.assign(1, 0);
  row_start_.assign(1, 0);
  parts_.clear();
  for (const Index row : selection) {
    for (const BlockRows::Entry& entry : rows_->entries(row)) {
      if (block_stamp_[entry.block] != stamp_) {
        block_stamp_[entry.block] = stamp_;
        local_block_[entry.block] = static_cast<Index>(block_of_.size());
        block_of_.push_back(entry.block);
        block_dof_.push_back(block_dof_.back() + entry.size);
      }
      const Index block = local_block_[entry.block];
      parts_.push_back({block, block_dof_[block], entry.size, 0});
    }
    row_start_.push_back(static_cast<Index>(parts_.size()));
  }
}

void SelectedRows::gather_touches() {
  const Index blocks = block_count();
  touch_start_.assign(blocks + std::size_t{1}, 0);
  for (const Part& part : parts_) ++touch_start_[part.block + 1];
  for (Index b = 0; b < blocks; ++b) touch_start_[b + 1] += touch_start_[b];
  next_.assign(touch_start_.begin(), touch_start_.end() - 1);
  touches_.resize(parts_.size());
  for (Index row = 0; row < row_count(); ++row) {
    for (Index p = row_start_[row]; p < row_start_[row + 1]; ++p) {
      touches_[next_[parts_[p].block]++] = {row, p};
    }
  }
  if (row_mark_.size() < row_count()) {
    row_mark_.resize(row_count(), 0);
    row_value_.resize(row_count());
  }
}

std::uint64_t SelectedRows::pair_count() const {
  std::uint64_t pairs = 0;
  for (Index b = 0; b < block_count(); ++b) {
    const std::uint64_t rows = touch_start_[b + 1] - touch_start_[b];
    pairs += rows * rows;
  }
  return pairs;
}

void SelectedRows::velocity(std::span<const double> y, std::span<double> v) const {
  std::fill(v.begin(), v.end(), 0.0);
  for (Index row = 0; row < row_count(); ++row) {
    const double amount = y[row];
    if (amount == 0.0) continue;
    for (const Part& part : parts(row)) {
      const double* w = response(part);
      for (Index k = 0; k < part.size; ++k) v[part.dof + k] += w[k] * amount;
    }
  }
}

double SelectedRows::dot(Index row, std::span<const double> v) const {
  double sum = 0.0;
  for (const Part& part : parts(row)) {
    const double* n = gradient(part);
    for (Index k = 0; k < part.size; ++k) sum += n[k] * v[part.dof + k];
  }
  return sum;
}

void SelectedRows::gradient_at(std::span<const double> y, std::span<const double> c,
                               std::span<double> g, std::span<double> v) const {
  velocity(y, v);
  for (Index row = 0; row < row_count(); ++row) g[row] = dot(row, v) + c[row];
}

double SelectedRows::matrix_norm(Index stride) {
  double largest = 0.0;
  for (Index row = 0; row < row_count(); row += stride) {
    double sum = 0.0;
    for_each_neighbour(row,
                       [&](Index other, double value) { sum += std::abs(value) / scale_[other]; });
    largest = std::max(largest, sum / scale_[row]);
  }
  return largest;
}

}  // namespace carom::solvers
