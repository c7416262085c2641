// A symmetric matrix by its envelope, its order and its factor.
#include "carom/solvers/detail/envelope_matrix.h"

#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {

void EnvelopeMatrix::reset_full(Index size) {
  first_.assign(size, 0);
  start_.resize(size);
  std::size_t total = 0;
  for (Index i = 0; i < size; ++i) {
    start_[i] = total;
    total += i + std::size_t{1};
  }
  values_.resize(total);
}

void EnvelopeMatrix::assemble(SelectedRows& rows) {
  find_order(rows);
  const Index size = rows.row_count();
  first_.resize(size);
  start_.resize(size);
  for (Index i = 0; i < size; ++i) {
    Index first = i;
    for (const SelectedRows::Part& part : rows.parts(order_[i])) {
      for (const SelectedRows::Touch& touch : rows.touches(part.block)) {
        first = std::min(first, place_[touch.row]);
      }
    }
    first_[i] = first;
  }
  std::size_t total = 0;
  for (Index i = 0; i < size; ++i) {
    start_[i] = total;
    total += i - first_[i] + std::size_t{1};
  }
  values_.assign(total, 0.0);
  for (Index i = 0; i < size; ++i) {
    double* values = row(i);
    rows.for_each_neighbour(order_[i], [&](Index other, double value) {
      const Index j = place_[other];
      if (j <= i) values[j - first_[i]] = value;
    });
  }
}

/// Breadth-first from a row far from the first one, part by part: neighbours stay close together.
void EnvelopeMatrix::find_order(SelectedRows& rows) {
  const Index size = rows.row_count();
  order_.clear();
  seen_.assign(size, 0);
  for (Index i = 0; i < size; ++i) {
    if (seen_[i] != 0) continue;
    const std::size_t begin = order_.size();
    const Index far = breadth_first(rows, i, begin);
    for (std::size_t k = begin; k < order_.size(); ++k) seen_[order_[k]] = 0;
    breadth_first(rows, far, begin);
  }
  place_.resize(size);
  for (Index k = 0; k < size; ++k) place_[order_[k]] = k;
}

Index EnvelopeMatrix::breadth_first(SelectedRows& rows, Index root, std::size_t begin) {
  order_.resize(begin);
  order_.push_back(root);
  seen_[root] = 1;
  for (std::size_t k = begin; k < order_.size(); ++k) {
    for (const SelectedRows::Part& part : rows.parts(order_[k])) {
      for (const SelectedRows::Touch& touch : rows.touches(part.block)) {
        if (seen_[touch.row] != 0) continue;
        seen_[touch.row] = 1;
        order_.push_back(touch.row);
      }
    }
  }
  return order_.back();
}

double EnvelopeMatrix::factor_work() const {
  double work = 0.0;
  for (Index i = 0; i < size(); ++i) {
    const double width = i - first_[i] + 1.0;
    work += width * width;
  }
  return 0.5 * work;
}

void EnvelopeMatrix::multiply_add(std::span<const double> x, std::span<const double> c,
                                  std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) {
    const double* values = row(i);
    const Index first = first_[i];
    const double x_i = x[i];
    double sum = c[i];
    for (Index j = first; j < i; ++j) {
      const double a = values[j - first];
      sum += a * x[j];
      out[j] += a * x_i;
    }
    out[i] = sum + values[i - first] * x_i;
  }
}

double EnvelopeFactor::factor(const EnvelopeMatrix& matrix, std::span<const Index> free,
                              double regularisation, double floor) {
  const auto count = static_cast<Index>(free.size());
  rank_.resize(matrix.size() + std::size_t{1});
  for (Index place = 0, k = 0; place < matrix.size(); ++place) {
    rank_[place] = k;
    if (k < count && free[k] == place) ++k;
  }
  first_.resize(count);
  start_.resize(count);
  inverse_diagonal_.resize(count);
  std::size_t total = 0;
  for (Index a = 0; a < count; ++a) {
    first_[a] = rank_[matrix.first(free[a])];
    start_[a] = total;
    total += a - first_[a];
  }
  values_.resize(total);
  double smallest = kInfinity;
  for (Index a = 0; a < count; ++a) {
    const double* from = matrix.row(free[a]);
    const Index from_first = matrix.first(free[a]);
    const Index first_a = first_[a];
    double* row_a = values_.data() + start_[a];
    const double diagonal = from[free[a] - from_first];
    double pivot = diagonal + regularisation;
    for (Index b = first_a; b < a; ++b) {
      const Index first_b = first_[b];
      const Index begin = std::max(first_a, first_b);
      double sum = from[free[b] - from_first];
      if (begin < b) {
        sum -= dot_product(row_a + (begin - first_a),
                           values_.data() + start_[b] + (begin - first_b), b - begin);
      }
      sum *= inverse_diagonal_[b];
      row_a[b - first_a] = sum;
      pivot -= sum * sum;
    }
    smallest = std::min(smallest, pivot / diagonal);
    if (!(pivot > floor * diagonal)) return smallest;
    inverse_diagonal_[a] = 1.0 / std::sqrt(pivot);
  }
  return smallest;
}

void EnvelopeFactor::solve(std::span<double> x) const {
  const auto count = static_cast<Index>(first_.size());
  for (Index a = 0; a < count; ++a) {
    const Index first = first_[a];
    x[a] -= dot_product(values_.data() + start_[a], x.data() + first, a - first);
    x[a] *= inverse_diagonal_[a];
  }
  for (Index a = count; a-- > 0;) {
    x[a] *= inverse_diagonal_[a];
    const Index first = first_[a];
    const double* row = values_.data() + start_[a];
    const double x_a = x[a];
    for (Index b = first; b < a; ++b) x[b] -= row[b - first] * x_a;
  }
}

}  // namespace carom::solvers
