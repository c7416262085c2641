#include "carom/solvers/minimum_norm_point.h"

#include <algorithm>
#include <cmath>

#include "carom/core/assert.h"
#include "carom/solvers/detail/block_roots.h"
#include "carom/solvers/detail/dual_active_set.h"
#include "carom/solvers/detail/selected_rows.h"

namespace carom::solvers {
namespace {

/// With a_i = L'n_i (so that |a_i| = |n_i|_W, all divided by the longest) and one more coordinate:
///   minimise 1/2 |sum x_i (a_i, 1)|^2 - sum x_i,   x >= 0.                                    (1)
/// Its solution is x = s lambda with s = sum x = 1/(1 + rho^2): the same corral as Wolfe's method,
/// the columns (a_i, 1) of a corral being linearly independent where its points are affinely so,
/// and never unbounded. A margin of 0 is an ordinary case of (1).
class MinimumNormSearch {
 public:
  explicit MinimumNormSearch(const MinimumNormProblem& problem) : problem_(problem) {
    rows_.bind(*problem.rows, problem.selection);
    roots_.bind(rows_);
    extra_coordinate_ = !problem.offsets.empty() || problem.with_extra_row;
    make_columns();
  }

  MinimumNormPoint run();

 private:
  void make_columns();
  void find_point(std::span<const double> x, MinimumNormPoint& result);
  void measure(MinimumNormPoint& result);
  void write_point(MinimumNormPoint& result);

  const MinimumNormProblem& problem_;
  SelectedRows rows_;
  BlockRoots roots_;
  SparseColumns columns_;
  DualActiveSet active_set_;
  bool extra_coordinate_ = false;
  double longest_ = 0.0;
  std::vector<double> point_;  ///< sum lambda_i a_i, and the extra coordinate
};

void MinimumNormSearch::make_columns() {
  SparseColumns bare;
  roots_.columns(rows_, bare);
  const Index dofs = rows_.dof_count();
  columns_.clear(dofs + (extra_coordinate_ ? 2 : 1));
  for (Index i = 0; i < rows_.row_count(); ++i) {
    for (std::size_t k = bare.start[i]; k < bare.start[i + 1]; ++k) {
      columns_.push(bare.index[k], bare.value[k] / rows_.scale(i));
    }
    if (!problem_.offsets.empty()) columns_.push(dofs, problem_.offsets[i]);
    columns_.end_column();
  }
  if (problem_.with_extra_row) {
    columns_.push(dofs, 1.0);
    columns_.end_column();
  }
  for (Index i = 0; i < columns_.count(); ++i) longest_ = std::max(longest_, columns_.norm(i));
  if (longest_ == 0.0) longest_ = 1.0;
  const SparseColumns plain = columns_;
  columns_.clear(plain.dimension);
  for (Index i = 0; i < plain.count(); ++i) {
    for (std::size_t k = plain.start[i]; k < plain.start[i + 1]; ++k) {
      columns_.push(plain.index[k], plain.value[k] / longest_);
    }
    columns_.push(plain.dimension - 1, 1.0);
    columns_.end_column();
  }
}

MinimumNormPoint MinimumNormSearch::run() {
  MinimumNormPoint result;
  const Index count = columns_.count();
  const std::vector<double> c(count, -1.0);
  const std::vector<double> lower(count, 0.0);
  const std::vector<double> upper(count, kInfinity);
  std::vector<double> x(count, 0.0);
  const CoreOutcome outcome =
      active_set_.run({&columns_, c, lower, upper}, 200 + 20 * std::uint64_t{count}, x);
  result.iterations = outcome.iterations;
  find_point(x, result);
  measure(result);
  write_point(result);
  return result;
}

/// At the solution of (1) the vector (sum x_i a_i, s - 1) is orthogonal to the columns of the
/// corral. What round-off left of it along them is taken out, which makes the products <p, n_i>
/// accurate relative to |p|^2 even where |p| is itself near round-off.
void MinimumNormSearch::find_point(std::span<const double> x, MinimumNormPoint& result) {
  const Index last = columns_.dimension - 1;
  double sum = 0.0;
  for (const double value : x) sum += value;
  result.lambda.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result.lambda[i] = x[i] / sum;
  point_.assign(columns_.dimension, 0.0);
  for (Index i = 0; i < columns_.count(); ++i) {
    if (x[i] != 0.0) columns_.add(i, x[i], point_);
  }
  point_[last] -= 1.0;
  active_set_.basis().project_out(point_);
  for (double& value : point_) value /= sum;
  point_.resize(last);
}

void MinimumNormSearch::measure(MinimumNormPoint& result) {
  double squares = 0.0;
  for (const double value : point_) squares += value * value;
  const double length = std::sqrt(squares);
  double least = kInfinity;
  for (Index i = 0; i < columns_.count(); ++i) {
    double product = 0.0;
    for (std::size_t k = columns_.start[i]; k + 1 < columns_.start[i + 1]; ++k) {
      product += columns_.value[k] * point_[columns_.index[k]];
    }
    least = std::min(least, product);
  }
  const double round_off = 4.0 * kRoundOff;
  result.margin = length * longest_;
  result.gap = std::max(0.0, squares - least) * longest_ * longest_;
  if (length > 0.0) {
    result.lower_bound = std::max(0.0, least / length - round_off) * longest_;
  }
  result.converged = result.margin - result.lower_bound <=
                     1e-8 * result.margin + 100.0 * kRoundOff * longest_;
}

void MinimumNormSearch::write_point(MinimumNormPoint& result) {
  const BlockRows& rows = *problem_.rows;
  std::vector<double> local(rows_.dof_count(), 0.0);
  roots_.to_impulse(rows_, point_, local);
  result.point.assign(rows.dof_count() + (extra_coordinate_ ? std::size_t{1} : 0), 0.0);
  for (std::size_t i = 0; i < problem_.selection.size(); ++i) {
    const std::span<const BlockRows::Entry> entries = rows.entries(problem_.selection[i]);
    const std::span<const SelectedRows::Part> parts = rows_.parts(static_cast<Index>(i));
    for (std::size_t k = 0; k < entries.size(); ++k) {
      for (Index d = 0; d < entries[k].size; ++d) {
        result.point[entries[k].dof + d] = local[parts[k].dof + d] * longest_;
      }
    }
  }
  if (extra_coordinate_) result.point.back() = point_[rows_.dof_count()] * longest_;
}

}  // namespace

MinimumNormPoint minimum_norm_point(const MinimumNormProblem& problem) {
  CAROM_DEMAND(problem.rows != nullptr);
  CAROM_DEMAND(problem.offsets.empty() || problem.offsets.size() == problem.selection.size());
  if (problem.selection.empty() && !problem.with_extra_row) {
    MinimumNormPoint nothing;
    nothing.margin = kInfinity;
    nothing.lower_bound = kInfinity;
    nothing.point.assign(problem.rows->dof_count(), 0.0);
    return nothing;
  }
  return MinimumNormSearch(problem).run();
}

}  // namespace carom::solvers
