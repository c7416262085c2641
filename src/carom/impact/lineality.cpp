// Which rows lock each other: the minimum-norm test, and how far a component is from it.
#include "carom/impact/lineality.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include <Eigen/Core>

#include "carom/core/assert.h"
#include "carom/core/long_work.h"
#include "carom/impact/detail/equality_span.h"
#include "carom/impact/detail/whitening.h"
#include "carom/solvers/minimum_norm_point.h"
#include "carom/solvers/quadratic_program.h"

namespace carom {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using detail::project_away;
using detail::segment;
using detail::whitened_row;
using detail::whitened_velocity;

// Whitened, with the projection onto E.
struct UnlockedComponent::Geometry : detail::Whitening {
  detail::EqualitySpan span;
};

namespace {

// Weights below this do not make a row part of the support of a minimum-norm point.
constexpr double kSupport = 1e-8;
// Speeds of surfaces, in units of the scale, that are the same but for round-off.
constexpr double kSameSpeed = 1e-9;

// Rows from which it pays to look for many equalities at once.
constexpr std::size_t kManyRows = 200;
// What the combination found so may leave, relative to the sum of its weights, and weights of rows
// that are surely part of it, relative to the largest.
constexpr double kNullCombination = 1e-12;
constexpr double kSureWeight = 1e-5;
using Geometry = UnlockedComponent::Geometry;

// What has been found so far.
struct Search {
  std::vector<Index> equalities;  // positions in component.active
  detail::EqualitySpan span;
  Vector particular;             // the smallest z with E' z = w_E
  std::vector<Index> kept;       // positions of rows that are neither in E nor vanished
  std::vector<Index> vanished;   // positions of those that follow from E
  std::vector<double> stretch;   // per kept row
  solvers::BlockRows projected;  // per kept row
  std::vector<double> offset;    // per kept row, scaled like the row
};

// Adds the rows of a margin-zero combination to E.
void join_equalities(Search& search, std::span<const double> weights) {
  for (std::size_t k = 0; k < search.kept.size(); ++k) {
    if (weights[k] > kSupport) search.equalities.push_back(search.kept[k]);
  }
}

Index add_projected_row(const Geometry& geometry, const Vector& y, solvers::BlockRows& rows) {
  std::vector<solvers::RowPart> parts;
  for (std::size_t k = 0; k < geometry.root.size(); ++k) {
    const auto size = static_cast<std::size_t>(geometry.root[k].rows());
    const std::span<const double> piece(y.data() + geometry.local_dof[k], size);
    const bool touched =
        std::any_of(piece.begin(), piece.end(), [](double x) { return std::abs(x) > kRoundOff; });
    if (touched) parts.push_back({static_cast<Index>(k), piece});
  }
  return rows.add_row(parts);
}

// False: it was stopped.
bool project_rows(const ComponentRows& component, const Geometry& geometry,
                  const LinealitySettings& settings, Search& search) {
  if (!detail::span_equalities({component, geometry, search.equalities, settings}, search.span,
                               search.particular)) {
    return false;
  }
  std::vector<bool> in_e(component.active.size(), false);
  for (const Index position : search.equalities) in_e[position] = true;
  search.kept.clear();
  search.vanished.clear();
  search.stretch.clear();
  search.offset.clear();
  search.projected.clear();
  for (const Matrix& root : geometry.root) {
    search.projected.add_scalar_block(static_cast<Index>(root.rows()), 1.0);
  }
  for (Index position = 0; position < component.active.size(); ++position) {
    if (in_e[position]) continue;
    const Index row = component.active[position];
    Vector y = whitened_row(component, geometry, row);
    double offset = component.offset[row];
    double stretch = 1.0;
    if (!search.equalities.empty()) {
      offset -= y.dot(search.particular);
      project_away(search.span, y);
      const double length = y.norm();
      if (length <= settings.rank_threshold) {
        if (std::abs(offset) <= kSameSpeed * component.speed_scale) {
          search.vanished.push_back(position);
        }
        continue;
      }
      stretch = 1.0 / length;
      y *= stretch;
      offset *= stretch;
    }
    add_projected_row(geometry, y, search.projected);
    search.kept.push_back(position);
    search.stretch.push_back(stretch);
    search.offset.push_back(offset);
  }
  search.projected.finish();
  return true;
}

solvers::MinimumNormPoint nearest_point(const Search& search, double speed_scale) {
  std::vector<Index> all(search.kept.size());
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<double> offsets;
  if (std::any_of(search.offset.begin(), search.offset.end(), [](double w) { return w != 0.0; })) {
    for (const double w : search.offset) offsets.push_back(-w / speed_scale);
  }
  return solvers::minimum_norm_point({&search.projected, all, offsets, !offsets.empty()});
}

// Of large components, most equalities at once: the positive combination k with N k = 0 that is
// next to (1, 1, ..., 1) is found as the smallest x = k - 1 among the solutions of
//   minimise 1/2 |N (1 + x)|_W^2,  x >= -1.                                                     (3)
// Joins its rows to E and returns the margin that it proves, if it proves any; rows that it misses
// are found one support after the other.
std::optional<double> join_many(Search& search) {
  const auto count = static_cast<Index>(search.kept.size());
  const bool moves =
      std::any_of(search.offset.begin(), search.offset.end(), [](double w) { return w != 0.0; });
  if (count < kManyRows || moves) return std::nullopt;
  const solvers::BlockRows& rows = search.projected;
  std::vector<Index> all(count);
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<double> sum(rows.dof_count(), 0.0);
  for (const Index row : all) rows.apply(row, 1.0, sum);
  std::vector<double> c;
  for (const Index row : all) c.push_back(rows.dot(row, sum));
  const std::vector<double> lower(count, -1.0);
  const std::vector<double> upper(count, kInfinity);
  const solvers::QpResult result =
      solvers::solve_qp({&rows, all, c, lower, upper, lower},
                        {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = true});
  std::fill(sum.begin(), sum.end(), 0.0);
  double total = 0.0;
  double largest = 0.0;
  for (const Index row : all) {
    const double weight = 1.0 + result.x[row];
    rows.apply(row, weight, sum);
    total += weight;
    largest = std::max(largest, weight);
  }
  const double left = Eigen::Map<const Vector>(sum.data(), static_cast<Eigen::Index>(sum.size()))
                          .norm();  // the metric of projected rows is the identity
  if (!(total > 0.0) || !(left <= kNullCombination * total)) return std::nullopt;
  const std::size_t before = search.equalities.size();
  for (const Index row : all) {
    if (1.0 + result.x[row] > kSureWeight * largest) search.equalities.push_back(search.kept[row]);
  }
  if (search.equalities.size() == before) return std::nullopt;
  return left / total;
}

std::unique_ptr<UnlockedComponent> unlock(const ComponentRows& component, Geometry geometry,
                                          Search search, std::span<const double> velocity) {
  auto unlocked = std::make_unique<UnlockedComponent>();
  Vector z = whitened_velocity(geometry, velocity);
  for (const std::vector<Index>* positions : {&search.equalities, &search.vanished}) {
    for (const Index position : *positions) {
      unlocked->equalities.push_back(component.active[position]);
    }
  }
  std::sort(unlocked->equalities.begin(), unlocked->equalities.end());
  // The nearest z with E'z = w_E: a particular solution, and the part of z away from E.
  Vector rest = z - search.particular;
  project_away(search.span, rest);
  z = search.particular + rest;
  unlocked->velocity.assign(z.data(), z.data() + z.size());
  for (const Index position : search.kept) unlocked->row_of.push_back(component.active[position]);
  unlocked->rows = std::move(search.projected);
  unlocked->stretch = std::move(search.stretch);
  unlocked->offset = std::move(search.offset);
  geometry.span = std::move(search.span);
  unlocked->geometry = std::make_shared<const Geometry>(std::move(geometry));
  return unlocked;
}

}  // namespace

Index UnlockedComponent::add_row(std::span<const solvers::RowPart> parts,
                                 solvers::BlockRows& to) const {
  Vector y = Vector::Zero(geometry->dof_count);
  for (const solvers::RowPart& part : parts) {
    const auto size = static_cast<Eigen::Index>(part.gradient.size());
    y.segment(geometry->local_dof[part.block], size) =
        geometry->root[part.block].transpose() * segment(part.gradient, 0, size);
  }
  const double length = y.norm();
  project_away(geometry->span, y);
  // A direction that E blocks is a zero row, not a row of round-off.
  if (y.norm() <= 1e-12 * length) y.setZero();
  return add_projected_row(*geometry, y, to);
}

void UnlockedComponent::to_velocity(std::span<const double> z, std::span<double> v) const {
  for (std::size_t k = 0; k < geometry->root.size(); ++k) {
    const Eigen::Index size = geometry->root[k].rows();
    Eigen::Map<Vector>(v.data() + geometry->original_dof[k], size) =
        geometry->root[k] * segment(z, geometry->local_dof[k], size);
  }
}

Lineality find_lineality(const ComponentRows& component, std::span<const double> velocity,
                         const LinealitySettings& settings) {
  Lineality result;
  Geometry geometry{detail::whiten(component), {}};
  Search search;
  for (bool first = search.equalities.empty();;) {
    const bool projected = project_rows(component, geometry, settings, search);
    if (projected && search.kept.empty()) break;
    if (!projected || (settings.work != nullptr &&
                       !settings.work->go_on("locked rows", search.equalities.size()))) {
      result.status = LinealityStatus::stopped;
      return result;
    }
    if (const std::optional<double> margin = join_many(search)) {
      if (first) result.margin = *margin;
      first = false;
      continue;
    }
    const solvers::MinimumNormPoint nearest = nearest_point(search, component.speed_scale);
    if (first) result.margin = nearest.margin;
    first = false;
    if (nearest.margin > settings.threshold) break;
    if (nearest.lambda.size() > search.kept.size() && nearest.lambda.back() > kSupport) {
      result.status = LinealityStatus::infeasible;
      for (std::size_t k = 0; k < search.kept.size(); ++k) {
        if (nearest.lambda[k] > kSupport) {
          result.contradiction.push_back(component.active[search.kept[k]]);
        }
      }
      for (const Index position : search.equalities) {
        result.contradiction.push_back(component.active[position]);
      }
      std::sort(result.contradiction.begin(), result.contradiction.end());
      return result;
    }
    const std::size_t before = search.equalities.size();
    join_equalities(search, nearest.lambda);
    CAROM_DEMAND(search.equalities.size() > before);  // weights sum to 1, so one is large
  }
  if (search.equalities.empty()) return result;
  result.status = LinealityStatus::equalities;
  result.unlocked = unlock(component, std::move(geometry), std::move(search), velocity);
  return result;
}

double lineality_margin(const ComponentRows& component) {
  std::vector<double> offsets;
  for (const Index row : component.active) {
    if (component.offset[row] == 0.0) continue;
    for (const Index each : component.active) {
      offsets.push_back(-component.offset[each] / component.speed_scale);
    }
    break;
  }
  return solvers::minimum_norm_point({component.rows, component.active, offsets, !offsets.empty()})
      .margin;
}

double application_bound(double margin, double speed, double least_impulse) {
  if (!(margin > 0.0) || !(least_impulse > 0.0)) return kInfinity;
  return 2.0 * speed / (margin * least_impulse);
}

}  // namespace carom
