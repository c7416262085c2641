// Q R of a set of columns that changes one by one.
#include "carom/solvers/detail/orthogonal_basis.h"

#include <algorithm>
#include <cmath>

#include "carom/core/assert.h"
#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {

void SparseColumns::clear(Index new_dimension) {
  dimension = new_dimension;
  start.assign(1, 0);
  index.clear();
  value.clear();
}

double SparseColumns::dot(Index column, std::span<const double> w) const {
  double sum = 0.0;
  for (std::size_t k = start[column]; k < start[column + 1]; ++k) sum += value[k] * w[index[k]];
  return sum;
}

void SparseColumns::add(Index column, double factor, std::span<double> w) const {
  for (std::size_t k = start[column]; k < start[column + 1]; ++k) w[index[k]] += value[k] * factor;
}

double SparseColumns::norm(Index column) const {
  double sum = 0.0;
  for (std::size_t k = start[column]; k < start[column + 1]; ++k) sum += value[k] * value[k];
  return std::sqrt(sum);
}

void OrthogonalBasis::reset(Index dimension) {
  dimension_ = dimension;
  size_ = 0;
  stride_ = std::min<Index>(dimension, 8);
  q_.assign(std::size_t{dimension_} * stride_, 0.0);
  r_.assign(std::size_t{stride_} * stride_, 0.0);
  coefficients_.clear();
  remainder_.assign(dimension_, 0.0);
}

void OrthogonalBasis::grow() {
  const Index stride = std::min<Index>(dimension_, 2 * stride_);
  std::vector<double> q(std::size_t{dimension_} * stride, 0.0);
  std::vector<double> r(std::size_t{stride} * stride, 0.0);
  for (std::size_t d = 0; d < dimension_; ++d) {
    std::copy_n(q_.data() + d * stride_, size_, q.data() + d * stride);
  }
  for (std::size_t j = 0; j < size_; ++j) {
    std::copy_n(r_.data() + j * stride_, size_, r.data() + j * stride);
  }
  q_.swap(q);
  r_.swap(r);
  stride_ = stride;
}

double OrthogonalBasis::project(const SparseColumns& columns, Index column) {
  coefficients_.assign(size_, 0.0);
  std::fill(remainder_.begin(), remainder_.end(), 0.0);
  double whole = 0.0;
  for (std::size_t k = columns.start[column]; k < columns.start[column + 1]; ++k) {
    const double* q = q_.data() + std::size_t{columns.index[k]} * stride_;
    const double value = columns.value[k];
    for (Index j = 0; j < size_; ++j) coefficients_[j] += q[j] * value;
    remainder_[columns.index[k]] = value;
    whole += value * value;
  }
  double squares = 0.0;
  for (std::size_t d = 0; d < dimension_; ++d) {
    remainder_[d] -= dot_product(q_.data() + d * stride_, coefficients_.data(), size_);
    squares += remainder_[d] * remainder_[d];
  }
  // Where little was taken away, what is left is orthogonal to round-off; otherwise once more.
  if (squares > 0.5 * whole) return std::sqrt(squares);
  correction_.assign(size_, 0.0);
  for (std::size_t d = 0; d < dimension_; ++d) {
    const double* q = q_.data() + d * stride_;
    const double value = remainder_[d];
    for (Index j = 0; j < size_; ++j) correction_[j] += q[j] * value;
  }
  squares = 0.0;
  for (std::size_t d = 0; d < dimension_; ++d) {
    remainder_[d] -= dot_product(q_.data() + d * stride_, correction_.data(), size_);
    squares += remainder_[d] * remainder_[d];
  }
  for (Index j = 0; j < size_; ++j) coefficients_[j] += correction_[j];
  return std::sqrt(squares);
}

void OrthogonalBasis::append(double remainder_length) {
  CAROM_ASSERT(size_ < dimension_);
  if (size_ == stride_) grow();
  for (Index i = 0; i < size_; ++i) r(i, size_) = coefficients_[i];
  r(size_, size_) = remainder_length;
  for (std::size_t d = 0; d < dimension_; ++d) {
    q_[d * stride_ + size_] = remainder_[d] / remainder_length;
  }
  ++size_;
}

void OrthogonalBasis::remove(Index place) {
  for (Index j = place; j + 1 < size_; ++j) {
    for (Index i = 0; i <= j + 1; ++i) r(i, j) = r(i, j + 1);
  }
  --size_;
  turns_.clear();  // those that make R triangular again, column by column
  for (Index k = place; k < size_; ++k) {
    double* column = r_.data() + std::size_t{k} * stride_;
    for (Index j = place; j < k; ++j) turns_[j - place].apply(column[j], column[j + 1]);
    const double length = std::hypot(column[k], column[k + 1]);
    turns_.push_back(length == 0.0 ? Turn{} : Turn{column[k] / length, column[k + 1] / length});
    turns_.back().apply(column[k], column[k + 1]);
    column[k + 1] = 0.0;
  }
  for (std::size_t d = 0; d < dimension_; ++d) {
    double* q = q_.data() + d * stride_ + place;
    for (std::size_t j = 0; j < turns_.size(); ++j) turns_[j].apply(q[j], q[j + 1]);
  }
}

void OrthogonalBasis::solve_upper(std::span<double> x) const {
  for (Index j = size_; j-- > 0;) {
    const double* column = r_.data() + std::size_t{j} * stride_;
    x[j] /= column[j];
    const double x_j = x[j];
    for (Index i = 0; i < j; ++i) x[i] -= column[i] * x_j;
  }
}

void OrthogonalBasis::solve_normal(std::span<double> x) const {
  for (Index j = 0; j < size_; ++j) {
    const double* column = r_.data() + std::size_t{j} * stride_;
    x[j] = (x[j] - dot_product(column, x.data(), j)) / column[j];
  }
  solve_upper(x);
}

void OrthogonalBasis::project_out(std::span<double> w) {
  for (int repetition = 0; repetition < 2; ++repetition) {
    correction_.assign(size_, 0.0);
    for (std::size_t d = 0; d < dimension_; ++d) {
      const double* q = q_.data() + d * stride_;
      for (Index j = 0; j < size_; ++j) correction_[j] += q[j] * w[d];
    }
    for (std::size_t d = 0; d < dimension_; ++d) {
      w[d] -= dot_product(q_.data() + d * stride_, correction_.data(), size_);
    }
  }
}

}  // namespace carom::solvers
