// The matrix of a program and the factors that its methods need.
#include "carom/solvers/detail/assembled_rows.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

/// Rows at the same blocks have the same neighbours, so they are ordered as one; the rows of one
/// pair of bodies stand next to each other. Number of each row's group.
void group_rows(const SelectedRows& rows, std::vector<Index>& group) {
  const auto same_blocks = [&](Index a, Index b) {
    const auto parts_a = rows.parts(a);
    const auto parts_b = rows.parts(b);
    return std::equal(parts_a.begin(), parts_a.end(), parts_b.begin(), parts_b.end(),
                      [](const SelectedRows::Part& p, const SelectedRows::Part& q) {
                        return p.block == q.block;
                      });
  };
  group.resize(rows.row_count());
  Index number = 0;
  for (Index row = 0; row < rows.row_count(); ++row) {
    if (row > 0 && !same_blocks(row - 1, row)) ++number;
    group[row] = number;
  }
}

}  // namespace

void AssembledRows::assemble(ScaledProgram& program) {
  SelectedRows& rows = program.rows;
  const Index size = program.size();
  pattern_.start.assign(1, 0);
  pattern_.row.clear();
  values_.clear();
  diagonal_.resize(size);
  double norm = 0.0;
  for (Index j = 0; j < size; ++j) {
    double sum = 0.0;
    rows.for_each_neighbour(j, [&](Index i, double value) {
      sum += std::abs(value) / rows.scale(i);
      if (i > j) return;
      if (i == j) diagonal_[j] = values_.size();
      pattern_.row.push_back(static_cast<int>(i));
      values_.push_back(value);
    });
    norm = std::max(norm, sum / rows.scale(j));
    pattern_.start.push_back(static_cast<int>(values_.size()));
  }
  program.matrix_norm = norm;
  group_rows(rows, group_);
  cholesky_.analyse(pattern_, group_);
}

bool AssembledRows::factor_with_diagonal(std::span<const double> added) {
  factored_ = values_;
  for (std::size_t i = 0; i < diagonal_.size(); ++i) factored_[diagonal_[i]] += added[i];
  return cholesky_.factor(factored_);
}

bool AssembledRows::factor_free(std::span<const unsigned char> free,
                                std::span<const double> added) {
  factored_ = values_;
  for (Index j = 0; j < pattern_.size(); ++j) {
    for (auto k = static_cast<std::size_t>(pattern_.start[j]);
         k < static_cast<std::size_t>(pattern_.start[j + 1]); ++k) {
      const auto i = static_cast<std::size_t>(pattern_.row[k]);
      if (free[i] == 0 || free[j] == 0) factored_[k] = i == j ? 1.0 : 0.0;
    }
    if (free[j] != 0) factored_[diagonal_[j]] += added[j];
  }
  return cholesky_.factor(factored_);
}

}  // namespace carom::solvers
