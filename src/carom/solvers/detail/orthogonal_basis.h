#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/types.h"

namespace carom::solvers {

/// Sparse vectors a_0, a_1, ... of equal dimension, one after the other.
struct SparseColumns {
  Index dimension = 0;
  std::vector<std::size_t> start{0};
  std::vector<Index> index;
  std::vector<double> value;

  [[nodiscard]] Index count() const { return static_cast<Index>(start.size() - 1); }
  void clear(Index new_dimension);
  void push(Index at, double number) {
    index.push_back(at);
    value.push_back(number);
  }
  void end_column() { start.push_back(index.size()); }
  [[nodiscard]] double dot(Index column, std::span<const double> w) const;
  void add(Index column, double factor, std::span<double> w) const;
  [[nodiscard]] double norm(Index column) const;
};

/// Q R of a changing set of columns: Gram-Schmidt, repeated where it takes much away, when a column
/// joins, Givens rotations when one leaves, so that Q stays orthonormal to round-off.
class OrthogonalBasis {
 public:
  void reset(Index dimension);
  [[nodiscard]] Index size() const { return size_; }
  /// coefficients() = Q'a, remainder() = a - Q Q'a; returns the length of the remainder.
  double project(const SparseColumns& columns, Index column);
  [[nodiscard]] std::span<const double> coefficients() const { return coefficients_; }
  [[nodiscard]] std::span<const double> remainder() const { return remainder_; }
  /// Adds the column that was projected last; its remainder must not be 0.
  void append(double remainder_length);
  void remove(Index place);
  /// x := R^-1 x
  void solve_upper(std::span<double> x) const;
  /// x := (R'R)^-1 x
  void solve_normal(std::span<double> x) const;
  /// w -= Q Q'w
  void project_out(std::span<double> w);

 private:
  /// A Givens rotation.
  struct Turn {
    double cosine = 1.0;
    double sine = 0.0;

    void apply(double& first, double& second) const {
      const double left = first;
      first = cosine * left + sine * second;
      second = cosine * second - sine * left;
    }
  };

  [[nodiscard]] double& r(Index i, Index j) { return r_[std::size_t{j} * stride_ + i]; }
  [[nodiscard]] double r(Index i, Index j) const { return r_[std::size_t{j} * stride_ + i]; }
  void grow();

  Index dimension_ = 0;
  Index size_ = 0;
  Index stride_ = 0;       ///< columns there is room for
  std::vector<double> q_;  ///< one row of `stride_` numbers per dimension
  std::vector<double> r_;  ///< column by column
  std::vector<double> coefficients_;
  std::vector<double> remainder_;
  std::vector<double> correction_;
  std::vector<Turn> turns_;
};

}  // namespace carom::solvers
