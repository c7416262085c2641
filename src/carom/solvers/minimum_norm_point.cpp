// The margin of a set of rows: by the hull of its gradients, small or large.
#include "carom/solvers/minimum_norm_point.h"

#include <algorithm>
#include <cmath>

#include "carom/core/assert.h"
#include "carom/solvers/detail/hull_search.h"
#include "carom/solvers/quadratic_program.h"

namespace carom::solvers {
namespace {

constexpr std::size_t kDirectRows = 400;  // up to which the exact search is the fastest way
constexpr Index kDirectDofs = 200;
constexpr std::size_t kDirectEffort = 3000;  // up to which it is still worth waiting for
constexpr double kSupport = 1e-9;      // weight, relative to the largest, of a row of the support
constexpr std::size_t kNewRows = 100;  // that join the support at once
constexpr int kRounds = 30;

/// Many rows over many dofs. A sparse quadratic program,
///   minimise 1/2 |N x|_W^2 - sum x,  x >= 0,   with the solution x = lambda / rho^2,           (1)
/// answers where the margin is not small. Where it is, (1) runs away along the rows that lock: they
/// are a guess of the support, on which the exact search runs, and rows that its point does not
/// clear join until there is none.
class LargeHull {
 public:
  explicit LargeHull(const MinimumNormProblem& problem) : problem_(problem) {
    extra_coordinate_ = !problem.offsets.empty() || problem.with_extra_row;
    copy_rows();
  }

  MinimumNormPoint run();

 private:
  void copy_rows();
  MinimumNormPoint from_weights(std::vector<double> weights);
  double measure(MinimumNormPoint& result);
  MinimumNormPoint grow_support(const MinimumNormPoint& guess);

  const MinimumNormProblem& problem_;
  bool extra_coordinate_ = false;
  BlockRows rows_;  ///< the vertices of the hull, the extra coordinate a block of its own
  std::vector<Index> all_;
  std::vector<double> product_;  ///< <p, n_i> after measure()
};

void LargeHull::copy_rows() {
  const BlockRows& from = *problem_.rows;
  for (Index block = 0; block < from.block_count(); ++block) {
    rows_.add_block(from.block_size(block), from.inverse_mass(block));
  }
  const double one = 1.0;
  const Index extra = extra_coordinate_ ? rows_.add_scalar_block(1, 1.0) : kNone;
  std::vector<RowPart> parts;
  for (std::size_t i = 0; i < problem_.selection.size(); ++i) {
    parts.clear();
    for (const BlockRows::Entry& entry : from.entries(problem_.selection[i])) {
      parts.push_back({entry.block, from.gradient(entry)});
    }
    if (!problem_.offsets.empty() && problem_.offsets[i] != 0.0) {
      parts.push_back({extra, problem_.offsets.subspan(i, 1)});
    }
    all_.push_back(rows_.add_row(parts));
  }
  if (problem_.with_extra_row) {
    const RowPart part{extra, {&one, 1}};
    all_.push_back(rows_.add_row({&part, 1}));
  }
  rows_.finish();
}

MinimumNormPoint LargeHull::run() {
  const std::vector<double> c(all_.size(), -1.0);
  const QpResult qp = solve_qp({&rows_, all_, c, {}, {}, {}});
  MinimumNormPoint result = from_weights(qp.x);
  result.iterations = qp.iterations;
  if (result.converged) return result;
  MinimumNormPoint better = grow_support(result);
  better.iterations += qp.iterations;
  if (!better.converged && all_.size() <= kDirectEffort) return HullSearch({&rows_, all_}).run();
  return better;
}

MinimumNormPoint LargeHull::from_weights(std::vector<double> weights) {
  MinimumNormPoint result;
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  if (!(sum > 0.0) || !std::isfinite(sum)) {
    weights.assign(weights.size(), 1.0);
    sum = static_cast<double>(weights.size());
  }
  result.point.assign(rows_.dof_count(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] /= sum;
    if (weights[i] != 0.0) rows_.apply_impulse(all_[i], weights[i], result.point);
  }
  result.lambda = std::move(weights);
  measure(result);
  return result;
}

/// Judges result.point against all rows; returns the smallest product.
double LargeHull::measure(MinimumNormPoint& result) {
  std::vector<double> v(rows_.dof_count(), 0.0);
  rows_.add_inverse_mass_times(result.point, v);
  double squares = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) squares += v[k] * result.point[k];
  double least = kInfinity;
  double longest = 0.0;
  product_.resize(all_.size());
  for (std::size_t i = 0; i < all_.size(); ++i) {
    product_[i] = rows_.dot(all_[i], v);
    least = std::min(least, product_[i]);
    longest = std::max(longest, rows_.diagonal(all_[i]));
  }
  judge_hull(std::max(squares, 0.0), least, std::sqrt(longest), result);
  return least;
}

MinimumNormPoint LargeHull::grow_support(const MinimumNormPoint& guess) {
  MinimumNormPoint best = guess;
  std::vector<unsigned char> in_support(all_.size(), 0);
  const double largest = *std::max_element(guess.lambda.begin(), guess.lambda.end());
  for (std::size_t i = 0; i < all_.size(); ++i) {
    in_support[i] = guess.lambda[i] > kSupport * largest ? 1 : 0;
  }
  std::uint64_t iterations = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Index> support;
    for (Index i = 0; i < all_.size(); ++i) {
      if (in_support[i] != 0) support.push_back(i);
    }
    if (support.size() > kDirectEffort) break;
    std::vector<Index> selection;
    for (const Index i : support) selection.push_back(all_[i]);
    MinimumNormPoint result = HullSearch({&rows_, selection}).run();
    iterations += result.iterations;
    std::vector<double> lambda(all_.size(), 0.0);
    for (std::size_t k = 0; k < support.size(); ++k) lambda[support[k]] = result.lambda[k];
    result.lambda = std::move(lambda);
    const double squares = result.margin * result.margin;
    measure(result);
    if (result.margin - result.lower_bound < best.margin - best.lower_bound) best = result;
    if (result.converged) break;
    std::vector<Index> order;
    for (Index i = 0; i < all_.size(); ++i) {
      if (in_support[i] == 0 && product_[i] < squares) order.push_back(i);
    }
    if (order.empty()) break;
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return product_[a] < product_[b]; });
    order.resize(std::min(order.size(), kNewRows));
    for (const Index i : order) in_support[i] = 1;
  }
  best.iterations = iterations;
  return best;
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
  if (problem.selection.size() <= kDirectRows || problem.rows->dof_count() <= kDirectDofs) {
    return HullSearch(problem).run();
  }
  return LargeHull(problem).run();
}

}  // namespace carom::solvers
