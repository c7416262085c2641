#include "carom/impact/lineality.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>

#include "carom/core/assert.h"
#include "carom/solvers/minimum_norm_point.h"

namespace carom {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// The whitened component: block L with W = L L', per block, and the projection onto E.
struct UnlockedComponent::Geometry {
  std::vector<Index> original_dof;  // per block: where it begins in the original layout
  std::vector<Index> local_dof;     // per block: where it begins here
  std::vector<Matrix> root;         // L
  Index dof_count = 0;
  Matrix coefficients;  // |E| x kept rows: the part of each row in E
  Matrix basis;         // orthonormal, of the span of E
};

namespace {

// Weights below this do not make a row part of the support of a minimum-norm point.
constexpr double kSupport = 1e-8;

using Geometry = UnlockedComponent::Geometry;

Geometry whiten(const ComponentRows& component) {
  Geometry geometry;
  for (const Index block : component.blocks) {
    const Index size = component.rows->block_size(block);
    const auto n = static_cast<Eigen::Index>(size);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Matrix w = Eigen::Map<const RowMajor>(component.rows->inverse_mass(block).data(), n, n);
    geometry.original_dof.push_back(component.rows->block_dof(block));
    geometry.local_dof.push_back(geometry.dof_count);
    geometry.root.emplace_back(Eigen::LLT<Matrix>(w).matrixL());
    geometry.dof_count += size;
  }
  return geometry;
}

Vector segment(std::span<const double> values, Index begin, Eigen::Index size) {
  return Eigen::Map<const Vector>(values.data() + begin, size);
}

// y = L' n, all blocks of the component.
Vector whitened_row(const ComponentRows& component, const Geometry& geometry, Index row) {
  Vector y = Vector::Zero(geometry.dof_count);
  for (const solvers::BlockRows::Entry& entry : component.rows->entries(row)) {
    const auto at =
        std::lower_bound(component.blocks.begin(), component.blocks.end(), entry.block) -
        component.blocks.begin();
    const auto k = static_cast<std::size_t>(at);
    const std::span<const double> n = component.rows->gradient(entry);
    y.segment(geometry.local_dof[k], entry.size) =
        geometry.root[k].transpose() * segment(n, 0, entry.size);
  }
  return y;
}

// z = L^-1 v
Vector whitened_velocity(const Geometry& geometry, std::span<const double> velocity) {
  Vector z(geometry.dof_count);
  for (std::size_t k = 0; k < geometry.root.size(); ++k) {
    const Eigen::Index size = geometry.root[k].rows();
    z.segment(geometry.local_dof[k], size) = geometry.root[k].triangularView<Eigen::Lower>().solve(
        segment(velocity, geometry.original_dof[k], size));
  }
  return z;
}

// What has been found so far.
struct Search {
  std::vector<Index> equalities;  // positions in component.active
  Vector kernel;                  // positive, per equality
  Matrix gradients;               // whitened rows of E as columns
  Matrix basis;                   // orthonormal, of their span
  Matrix pseudo_inverse;          // of the gradients
  Vector target;                  // w of the rows of E
  std::vector<Index> kept;        // positions of rows that are neither in E nor vanished
  std::vector<double> stretch;    // per kept row
  Matrix coefficients;            // |E| x kept
  solvers::BlockRows projected;   // per kept row
  std::vector<double> offset;     // per kept row, scaled like the row
};

// Adds the rows of a margin-zero combination to E; weights are those of the projected rows.
void join_equalities(Search& search, std::span<const double> weights) {
  const auto old_count = static_cast<Eigen::Index>(search.equalities.size());
  Vector y = Vector::Zero(old_count);  // weights on the old equalities, of any sign
  std::vector<double> fresh;
  std::vector<Index> fresh_rows;
  for (std::size_t k = 0; k < search.kept.size(); ++k) {
    if (weights[k] <= kSupport) continue;
    const double weight = weights[k] * search.stretch[k];
    fresh.push_back(weight);
    fresh_rows.push_back(search.kept[k]);
    if (old_count > 0) y -= weight * search.coefficients.col(static_cast<Eigen::Index>(k));
  }
  double shift = 0.0;
  for (Eigen::Index e = 0; e < old_count; ++e) {
    shift = std::max(shift, 1.0 - y(e) / search.kernel(e));
  }
  Vector kernel(old_count + static_cast<Eigen::Index>(fresh.size()));
  if (old_count > 0) kernel.head(old_count) = y + shift * search.kernel;
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    kernel(old_count + static_cast<Eigen::Index>(k)) = fresh[k];
    search.equalities.push_back(fresh_rows[k]);
  }
  search.kernel = kernel / kernel.maxCoeff();
}

// Gathers the gradients of E and factorises them.
void factorise(const ComponentRows& component, const Geometry& geometry, double rank_threshold,
               Search& search) {
  const auto equality_count = static_cast<Eigen::Index>(search.equalities.size());
  search.gradients.resize(geometry.dof_count, equality_count);
  search.target.resize(equality_count);
  for (Eigen::Index e = 0; e < equality_count; ++e) {
    const Index row = component.active[search.equalities[static_cast<std::size_t>(e)]];
    search.gradients.col(e) = whitened_row(component, geometry, row);
    search.target(e) = component.offset[row];
  }
  if (equality_count == 0) return;
  Eigen::CompleteOrthogonalDecomposition<Matrix> factor;
  factor.setThreshold(rank_threshold);
  factor.compute(search.gradients);
  search.pseudo_inverse = factor.pseudoInverse();
  search.basis = factor.householderQ() * Matrix::Identity(geometry.dof_count, factor.rank());
}

// (2), in coordinates where the metric is the identity: away from the span of E. Twice, because
// cancellation leaves a part of it behind in rows that nearly lie in it.
void project_away(const Matrix& basis, Vector& y) {
  for (int pass = 0; pass < 2; ++pass) y -= basis * (basis.transpose() * y);
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

void project_rows(const ComponentRows& component, const Geometry& geometry, double rank_threshold,
                  Search& search) {
  factorise(component, geometry, rank_threshold, search);
  const auto equality_count = static_cast<Eigen::Index>(search.equalities.size());
  std::vector<bool> in_e(component.active.size(), false);
  for (const Index position : search.equalities) in_e[position] = true;
  search.kept.clear();
  search.stretch.clear();
  search.offset.clear();
  search.projected.clear();
  for (const Matrix& root : geometry.root) {
    search.projected.add_scalar_block(static_cast<Index>(root.rows()), 1.0);
  }
  std::vector<Vector> coefficients;
  for (Index position = 0; position < component.active.size(); ++position) {
    if (in_e[position]) continue;
    const Index row = component.active[position];
    Vector y = whitened_row(component, geometry, row);
    double offset = component.offset[row];
    double stretch = 1.0;
    Vector c = Vector::Zero(equality_count);
    if (equality_count > 0) {
      c = search.pseudo_inverse * y;
      project_away(search.basis, y);
      const double length = y.norm();
      if (length <= rank_threshold) continue;
      stretch = 1.0 / length;
      y *= stretch;
      offset = stretch * (offset - c.dot(search.target));
    }
    add_projected_row(geometry, y, search.projected);
    search.kept.push_back(position);
    search.stretch.push_back(stretch);
    search.offset.push_back(offset);
    coefficients.push_back(std::move(c));
  }
  search.projected.finish();
  search.coefficients.resize(equality_count, static_cast<Eigen::Index>(coefficients.size()));
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    search.coefficients.col(static_cast<Eigen::Index>(k)) = coefficients[k];
  }
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

std::unique_ptr<UnlockedComponent> unlock(const ComponentRows& component, Geometry geometry,
                                          Search search, std::span<const double> velocity) {
  auto unlocked = std::make_unique<UnlockedComponent>();
  Vector z = whitened_velocity(geometry, velocity);
  for (const Index position : search.equalities) {
    unlocked->equalities.push_back(component.active[position]);
  }
  // The nearest z with E'z = w_E: a particular solution, and the part of z away from E.
  const Vector particular = search.pseudo_inverse.transpose() * search.target;
  Vector rest = z - particular;
  project_away(search.basis, rest);
  const Vector projected = particular + rest;
  const Vector impulse = search.pseudo_inverse * (projected - z);
  z = projected;
  unlocked->projection_impulse.assign(impulse.data(), impulse.data() + impulse.size());
  unlocked->kernel.assign(search.kernel.data(), search.kernel.data() + search.kernel.size());
  unlocked->velocity.assign(z.data(), z.data() + z.size());
  for (const Index position : search.kept) unlocked->row_of.push_back(component.active[position]);
  unlocked->rows = std::move(search.projected);
  unlocked->stretch = std::move(search.stretch);
  unlocked->offset = std::move(search.offset);
  geometry.coefficients = std::move(search.coefficients);
  geometry.basis = std::move(search.basis);
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
  project_away(geometry->basis, y);
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

void UnlockedComponent::to_impulses(std::span<const double> lambda,
                                    std::span<double> original) const {
  const auto equality_count = static_cast<Eigen::Index>(equalities.size());
  Vector held = Eigen::Map<const Vector>(projection_impulse.data(), equality_count);
  for (std::size_t k = 0; k < row_of.size(); ++k) {
    const double impulse = stretch[k] * lambda[k];
    original[row_of[k]] += impulse;
    held -= impulse * geometry->coefficients.col(static_cast<Eigen::Index>(k));
  }
  double shift = 0.0;
  for (Eigen::Index e = 0; e < equality_count; ++e) {
    shift = std::max(shift, -held(e) / kernel[static_cast<std::size_t>(e)]);
  }
  for (std::size_t e = 0; e < equalities.size(); ++e) {
    original[equalities[e]] +=
        std::max(0.0, held(static_cast<Eigen::Index>(e)) + shift * kernel[e]);
  }
}

Lineality find_lineality(const ComponentRows& component, std::span<const double> velocity,
                         const LinealitySettings& settings) {
  Lineality result;
  Geometry geometry = whiten(component);
  Search search;
  for (bool first = true;; first = false) {
    project_rows(component, geometry, settings.rank_threshold, search);
    if (search.kept.empty()) break;
    const solvers::MinimumNormPoint nearest = nearest_point(search, component.speed_scale);
    if (first) result.margin = nearest.margin;
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
