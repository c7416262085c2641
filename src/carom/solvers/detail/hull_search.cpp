// The point of a convex hull nearest to the origin, to round-off (Wolfe).
#include "carom/solvers/detail/hull_search.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {

HullSearch::HullSearch(const MinimumNormProblem& problem) : problem_(problem) {
  rows_.bind(*problem.rows, problem.selection);
  roots_.bind(rows_);
  extra_coordinate_ = !problem.offsets.empty() || problem.with_extra_row;
  gather_points();
}

void HullSearch::gather_points() {
  SparseColumns scaled;
  roots_.columns(rows_, scaled);
  const Index dofs = rows_.dof_count();
  points_.clear(dofs + (extra_coordinate_ ? 1 : 0));
  for (Index i = 0; i < rows_.row_count(); ++i) {
    for (std::size_t k = scaled.start[i]; k < scaled.start[i + 1]; ++k) {
      points_.push(scaled.index[k], scaled.value[k] / rows_.scale(i));
    }
    if (!problem_.offsets.empty()) points_.push(dofs, problem_.offsets[i]);
    points_.end_column();
  }
  if (problem_.with_extra_row) {
    points_.push(dofs, 1.0);
    points_.end_column();
  }
  for (Index i = 0; i < points_.count(); ++i) longest_ = std::max(longest_, points_.norm(i));
  if (longest_ == 0.0) longest_ = 1.0;
}

MinimumNormPoint HullSearch::run() {
  MinimumNormPoint result = run_with(longest_);
  if (result.converged || !(result.margin > 0.0)) return result;
  MinimumNormPoint second = run_with(result.margin);
  second.iterations += result.iterations;
  return second.margin - second.lower_bound < result.margin - result.lower_bound ? second : result;
}

MinimumNormPoint HullSearch::run_with(double unit) {
  MinimumNormPoint result;
  make_columns(unit);
  const Index count = columns_.count();
  std::vector<double> c(count);
  for (Index i = 0; i < count; ++i) c[i] = -1.0 / length_[i];
  const std::vector<double> lower(count, 0.0);
  const std::vector<double> upper(count, kInfinity);
  std::vector<double> x(count, 0.0);
  const CoreOutcome outcome =
      active_set_.run({&columns_, c, lower, upper}, 200 + 20 * std::uint64_t{count}, x);
  result.iterations = outcome.iterations;
  find_point(x, result);
  measure(unit, result);
  write_point(unit, result);
  return result;
}

void HullSearch::make_columns(double unit) {
  columns_.clear(points_.dimension + 1);
  length_.clear();
  for (Index i = 0; i < points_.count(); ++i) {
    const double length = std::hypot(points_.norm(i) / unit, 1.0);
    length_.push_back(length);
    for (std::size_t k = points_.start[i]; k < points_.start[i + 1]; ++k) {
      columns_.push(points_.index[k], points_.value[k] / unit / length);
    }
    columns_.push(points_.dimension, 1.0 / length);
    columns_.end_column();
  }
}

/// At the solution of (1) the vector (sum x_i a_i, s - 1) is orthogonal to the columns of the
/// corral. What round-off left of it along them is taken out, which makes the products <p, n_i>
/// accurate relative to |p|^2 even where |p| is itself near round-off.
void HullSearch::find_point(std::span<const double> x, MinimumNormPoint& result) {
  point_.assign(columns_.dimension, 0.0);
  result.lambda.resize(x.size());
  double sum = 0.0;
  for (Index i = 0; i < columns_.count(); ++i) {
    if (x[i] != 0.0) columns_.add(i, x[i], point_);
    result.lambda[i] = x[i] / length_[i];
    sum += result.lambda[i];
  }
  for (double& value : result.lambda) value /= sum;
  point_.back() -= 1.0;
  active_set_.basis().project_out(point_);
  point_.pop_back();
  for (double& value : point_) value /= sum;
}

void HullSearch::measure(double unit, MinimumNormPoint& result) const {
  double squares = 0.0;
  for (const double value : point_) squares += value * value;
  squares *= unit * unit;
  double least = kInfinity;
  for (Index i = 0; i < points_.count(); ++i) {
    least = std::min(least, points_.dot(i, point_) * unit);
  }
  judge_hull(squares, least, longest_, result);
}

void HullSearch::write_point(double unit, MinimumNormPoint& result) const {
  const BlockRows& rows = *problem_.rows;
  std::vector<double> local(rows_.dof_count(), 0.0);
  roots_.to_impulse(rows_, point_, local);
  result.point.assign(rows.dof_count() + (extra_coordinate_ ? std::size_t{1} : 0), 0.0);
  for (std::size_t i = 0; i < problem_.selection.size(); ++i) {
    const std::span<const BlockRows::Entry> entries = rows.entries(problem_.selection[i]);
    const std::span<const SelectedRows::Part> parts = rows_.parts(static_cast<Index>(i));
    for (std::size_t k = 0; k < entries.size(); ++k) {
      for (Index d = 0; d < entries[k].size; ++d) {
        result.point[entries[k].dof + d] = local[parts[k].dof + d] * unit;
      }
    }
  }
  if (extra_coordinate_) result.point.back() = point_[rows_.dof_count()] * unit;
}

void judge_hull(double squares, double least, double longest, MinimumNormPoint& result) {
  const double length = std::sqrt(squares);
  const double round_off = 4.0 * kRoundOff * longest;
  result.margin = length;
  result.gap = std::max(0.0, squares - least);
  result.lower_bound = length > 0.0 ? std::max(0.0, least / length - round_off) : 0.0;
  result.lower_bound = std::min(result.lower_bound, length);
  result.converged =
      result.margin - result.lower_bound <= 1e-8 * result.margin + 100.0 * kRoundOff * longest;
}

}  // namespace carom::solvers
