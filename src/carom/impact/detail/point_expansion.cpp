// Whether all rows of a component open where it expands uniformly.
#include "carom/impact/detail/point_expansion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "carom/solvers/block_rows.h"
#include "carom/solvers/minimum_norm_point.h"

namespace carom {
namespace {

template <std::size_t D>
using Place = std::array<double, D>;

template <std::size_t D>
Place<D> place(const PointProblem& problem, Index point) {
  const std::array<double, 3> all = problem.place(point);
  Place<D> q{};
  std::copy_n(all.begin(), D, q.begin());
  return q;
}

template <std::size_t D>
double along(const PointProblem::Row& row, const Place<D>& x) {
  double sum = 0.0;
  for (std::size_t k = 0; k < D; ++k) sum += row.normal[k] * x[k];
  return sum;
}

// A direction that all walls' normals share, or nothing.
template <std::size_t D>
bool away_from_walls(const std::vector<const PointProblem::Row*>& walls, Place<D>& direction) {
  constexpr double kHalfSpace = 1e-3;  // normals that nearly oppose each other leave no room
  solvers::BlockRows normals;
  const Index block = normals.add_scalar_block(D, 1.0);
  for (const PointProblem::Row* row : walls) {
    const solvers::RowPart part{block, {row->normal.data(), D}};
    normals.add_row({&part, 1});
  }
  normals.finish();
  std::vector<Index> all(walls.size());
  std::iota(all.begin(), all.end(), Index{0});
  const solvers::MinimumNormPoint nearest = solvers::minimum_norm_point({&normals, all, {}, false});
  if (!(nearest.lower_bound > kHalfSpace)) return false;
  std::copy_n(nearest.point.begin(), D, direction.begin());
  return true;
}

}  // namespace

template <std::size_t D>
bool can_expand(const PointProblem& problem, const std::function<bool(Index)>& belongs) {
  if (!problem.knows_places()) return false;
  std::vector<const PointProblem::Row*> rows;
  std::vector<const PointProblem::Row*> walls;
  Place<D> center{};
  double size = 0.0;
  for (Index r = 0; r < problem.rows.size(); ++r) {
    const PointProblem::Row& row = problem.rows[r];
    if (!belongs(r)) continue;
    rows.push_back(&row);
    if (row.b == kNone) walls.push_back(&row);
  }
  if (rows.empty()) return true;
  center = place<D>(problem, rows.front()->a);
  if (!walls.empty()) {
    Place<D> direction{};
    if (!away_from_walls<D>(walls, direction)) return false;
    double square = 0.0;
    for (const double x : direction) square += x * x;
    double distance = 0.0;  // how far behind the centre must go
    for (const PointProblem::Row* row : walls) {
      Place<D> x = place<D>(problem, row->a);
      for (std::size_t k = 0; k < D; ++k) x[k] -= center[k];
      distance = std::max(distance, 1.0 - along<D>(*row, x));
      for (const double component : x) size = std::max(size, std::abs(component));
    }
    for (std::size_t k = 0; k < D; ++k)
      center[k] -= 2.0 * (distance + size) / square * direction[k];
  }
  constexpr double kOpening = 1e-9;  // relative to the size of x: far above its round-off
  for (const PointProblem::Row* row : rows) {
    Place<D> x = place<D>(problem, row->a);
    const Place<D> partner = row->b == kNone ? center : place<D>(problem, row->b);
    double largest = 0.0;
    for (std::size_t k = 0; k < D; ++k) {
      largest = std::max(largest, std::abs(x[k] - center[k]));
      x[k] -= partner[k];
    }
    if (!(along<D>(*row, x) > kOpening * largest)) return false;
  }
  return true;
}

template bool can_expand<2>(const PointProblem&, const std::function<bool(Index)>&);
template bool can_expand<3>(const PointProblem&, const std::function<bool(Index)>&);

}  // namespace carom
