// Which rows lock each other: the minimum-norm test, and how far a component is from it.
#include "carom/impact/lineality.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <Eigen/SparseCholesky>

#include "carom/core/assert.h"
#include "carom/core/long_work.h"
#include "carom/solvers/minimum_norm_point.h"
#include "carom/solvers/quadratic_program.h"

namespace carom {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

namespace {

// The span of E. Rows that share no block, not even through others, span directions of their own.
struct SpanPart {
  std::vector<Index> dofs;  // empty: all
  Matrix basis;             // orthonormal; empty: every direction of these dofs
};
struct SpanOfEqualities {
  std::vector<SpanPart> parts;
  std::vector<Index> part_of;  // of a dof, kNone: none; empty where there is one part at most

  [[nodiscard]] bool empty() const { return parts.empty(); }
};

}  // namespace

// The whitened component: block L with W = L L', per block, and the projection onto E.
struct UnlockedComponent::Geometry {
  std::vector<Index> original_dof;  // per block: where it begins in the original layout
  std::vector<Index> local_dof;     // per block: where it begins here
  std::vector<Matrix> root;         // L
  Index dof_count = 0;
  SpanOfEqualities span;
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
// Entries of a matrix whose basis takes a second or two.
constexpr Eigen::Index kQuick = 2'000'000;
// Ratio of pivots below which a matrix is not called regular at a glance.
constexpr double kFarFromSingular = 1e-4;

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

// Where y has numbers.
std::vector<Index> dofs_of(const ComponentRows& component, const Geometry& geometry, Index row) {
  std::vector<Index> dofs;
  for (const solvers::BlockRows::Entry& entry : component.rows->entries(row)) {
    const auto block = static_cast<std::size_t>(
        std::lower_bound(component.blocks.begin(), component.blocks.end(), entry.block) -
        component.blocks.begin());
    for (Index k = 0; k < entry.size; ++k) dofs.push_back(geometry.local_dof[block] + k);
  }
  return dofs;
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
  SpanOfEqualities span;
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

// Whether rows of E span all of so many directions, by far: no pivot of their Gram matrix over the
// dofs is small. That matrix is sparse, as every row knows two bodies. `local`: the number of a dof
// among those directions.
bool spans_all(const ComponentRows& component, const Geometry& geometry, const Search& search,
               std::span<const Index> rows, std::span<const Index> local, Eigen::Index directions) {
  if (static_cast<Eigen::Index>(rows.size()) < directions) return false;
  std::vector<Eigen::Triplet<double>> products;
  for (const Index e : rows) {
    const Index row = component.active[search.equalities[e]];
    const Vector y = whitened_row(component, geometry, row);
    std::vector<Eigen::Index> where;
    for (const Index dof : dofs_of(component, geometry, row)) where.push_back(dof);
    for (const Eigen::Index i : where) {
      for (const Eigen::Index j : where) {
        products.emplace_back(static_cast<int>(local[static_cast<std::size_t>(i)]),
                              static_cast<int>(local[static_cast<std::size_t>(j)]), y(i) * y(j));
      }
    }
  }
  Eigen::SparseMatrix<double> gram(directions, directions);
  gram.setFromTriplets(products.begin(), products.end());
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor(gram);
  if (factor.info() != Eigen::Success) return false;
  const Eigen::SparseMatrix<double> triangle = factor.matrixL();
  const Vector pivots = triangle.diagonal();
  return pivots.minCoeff() > kFarFromSingular * pivots.maxCoeff();
}

// Of large matrices: an orthonormal basis of the columns by Gram and Schmidt, the longest column
// first, that can be stopped between two columns. Nothing if it was.
std::optional<Matrix> slow_basis(const Matrix& columns, double rank_threshold, LongWork* work) {
  const Eigen::SparseMatrix<double> sparse = columns.sparseView();
  Vector lengths = columns.colwise().squaredNorm();
  const double shortest = rank_threshold * std::sqrt(lengths.maxCoeff());
  const Eigen::Index most = std::min(columns.rows(), columns.cols());
  Matrix basis(columns.rows(), most);
  Eigen::Index rank = 0;
  while (rank < most) {
    if (work != nullptr && !work->go_on("locked rows", static_cast<std::uint64_t>(rank))) {
      return std::nullopt;
    }
    Eigen::Index longest = 0;
    lengths.maxCoeff(&longest);
    Vector next = columns.col(longest);
    const auto before = basis.leftCols(rank);
    const double given = next.norm();
    next -= before * (before.transpose() * next);
    if (next.norm() < 0.5 * given) next -= before * (before.transpose() * next);  // cancelled
    const double length = next.norm();
    if (length <= shortest) {
      if (lengths(longest) <= shortest * shortest) break;
      lengths(longest) = 0.0;
      continue;
    }
    basis.col(rank) = next / length;
    const Vector share = sparse.transpose() * basis.col(rank);
    lengths = (lengths - share.cwiseAbs2()).cwiseMax(0.0);
    lengths(longest) = 0.0;
    ++rank;
  }
  return Matrix(basis.leftCols(rank));
}

// False: it was stopped.
bool span_columns(const Matrix& columns, const LinealitySettings& settings, SpanPart& part) {
  if (columns.size() > kQuick) {
    std::optional<Matrix> basis = slow_basis(columns, settings.rank_threshold, settings.work);
    if (!basis) return false;
    part.basis = std::move(*basis);
    return true;
  }
  Eigen::ColPivHouseholderQR<Matrix> factor;
  factor.setThreshold(settings.rank_threshold);
  factor.compute(columns);
  part.basis = factor.householderQ() * Matrix::Identity(columns.rows(), factor.rank());
  return true;
}

// Rows of E that are joined by blocks, each list ascending, in the order of their first rows.
std::vector<std::vector<Index>> joined_rows(const ComponentRows& component,
                                            const std::vector<Index>& equalities) {
  std::vector<Index> parent(component.blocks.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index block) {
    while (parent[block] != block) block = parent[block] = parent[parent[block]];
    return block;
  };
  const auto block_of = [&](const solvers::BlockRows::Entry& entry) {
    return static_cast<Index>(
        std::lower_bound(component.blocks.begin(), component.blocks.end(), entry.block) -
        component.blocks.begin());
  };
  const auto entries_of = [&](Index position) {
    return component.rows->entries(component.active[position]);
  };
  for (const Index position : equalities) {
    const Index first = root(block_of(entries_of(position).front()));
    for (const auto& entry : entries_of(position)) parent[root(block_of(entry))] = first;
  }
  std::vector<std::vector<Index>> lists;
  std::vector<Index> list_of(component.blocks.size(), kNone);
  for (std::size_t e = 0; e < equalities.size(); ++e) {
    const Index of = root(block_of(entries_of(equalities[e]).front()));
    if (list_of[of] == kNone) {
      list_of[of] = static_cast<Index>(lists.size());
      lists.emplace_back();
    }
    lists[list_of[of]].push_back(static_cast<Index>(e));
  }
  return lists;
}

// The span of rows of E that share no block with the others. False: it was stopped.
bool span_alone(const ComponentRows& component, const Geometry& geometry,
                const std::vector<Index>& rows, const Search& search,
                const LinealitySettings& settings, SpanPart& part) {
  for (const Index e : rows) {
    const std::vector<Index> dofs =
        dofs_of(component, geometry, component.active[search.equalities[e]]);
    part.dofs.insert(part.dofs.end(), dofs.begin(), dofs.end());
  }
  std::sort(part.dofs.begin(), part.dofs.end());
  part.dofs.erase(std::unique(part.dofs.begin(), part.dofs.end()), part.dofs.end());
  std::vector<Index> local(geometry.dof_count, kNone);
  for (std::size_t d = 0; d < part.dofs.size(); ++d) local[part.dofs[d]] = static_cast<Index>(d);
  const auto directions = static_cast<Eigen::Index>(part.dofs.size());
  if (rows.size() > kManyRows && spans_all(component, geometry, search, rows, local, directions)) {
    return true;
  }
  Matrix columns(directions, rows.size());
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const Vector y =
        whitened_row(component, geometry, component.active[search.equalities[rows[e]]]);
    for (std::size_t d = 0; d < part.dofs.size(); ++d) {
      columns(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(e)) = y(part.dofs[d]);
    }
  }
  return span_columns(columns, settings, part);
}

// The span of E, and the velocity that its surfaces ask for. False: it was stopped.
bool factorise(const ComponentRows& component, const Geometry& geometry,
               const LinealitySettings& settings, Search& search) {
  search.particular = Vector::Zero(geometry.dof_count);
  search.span = {};
  if (search.equalities.empty()) return true;
  const auto moves_row = [&](Index e) { return component.offset[component.active[e]] != 0.0; };
  const bool moves = std::any_of(search.equalities.begin(), search.equalities.end(), moves_row);
  const auto equality_count = static_cast<Eigen::Index>(search.equalities.size());
  const std::vector<std::vector<Index>> lists = joined_rows(component, search.equalities);
  if (lists.size() > 1 && !moves && equality_count * geometry.dof_count > kQuick) {
    search.span.part_of.assign(geometry.dof_count, kNone);
    for (const std::vector<Index>& rows : lists) {
      SpanPart part;
      if (!span_alone(component, geometry, rows, search, settings, part)) return false;
      for (const Index dof : part.dofs) {
        search.span.part_of[dof] = static_cast<Index>(search.span.parts.size());
      }
      search.span.parts.push_back(std::move(part));
    }
    return true;
  }
  SpanPart& part = search.span.parts.emplace_back();
  if (!moves && search.equalities.size() > kManyRows) {
    std::vector<Index> all(geometry.dof_count);
    std::iota(all.begin(), all.end(), Index{0});
    std::vector<Index> rows(search.equalities.size());
    std::iota(rows.begin(), rows.end(), Index{0});
    if (spans_all(component, geometry, search, rows, all, geometry.dof_count)) return true;
  }
  Matrix gradients(geometry.dof_count, equality_count);
  Vector target(equality_count);
  for (Eigen::Index e = 0; e < equality_count; ++e) {
    const Index row = component.active[search.equalities[static_cast<std::size_t>(e)]];
    gradients.col(e) = whitened_row(component, geometry, row);
    target(e) = component.offset[row];
  }
  if (!moves) return span_columns(gradients, settings, part);
  Eigen::ColPivHouseholderQR<Matrix> factor;
  factor.setThreshold(settings.rank_threshold);
  factor.compute(gradients);
  part.basis = factor.householderQ() * Matrix::Identity(geometry.dof_count, factor.rank());
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
  solver.setThreshold(settings.rank_threshold);
  solver.compute(gradients);
  search.particular = solver.pseudoInverse().transpose() * target;
  return true;
}

void project_away(const SpanPart& part, Vector& y) {
  if (part.dofs.empty() && part.basis.size() == 0) {
    y.setZero();
    return;
  }
  if (part.dofs.empty()) {
    for (int pass = 0; pass < 2; ++pass) y -= part.basis * (part.basis.transpose() * y);
    return;
  }
  if (part.basis.size() == 0) {
    for (const Index dof : part.dofs) y(dof) = 0.0;
    return;
  }
  Vector piece(part.dofs.size());
  for (std::size_t d = 0; d < part.dofs.size(); ++d) {
    piece(static_cast<Eigen::Index>(d)) = y(part.dofs[d]);
  }
  for (int pass = 0; pass < 2; ++pass) piece -= part.basis * (part.basis.transpose() * piece);
  for (std::size_t d = 0; d < part.dofs.size(); ++d) {
    y(part.dofs[d]) = piece(static_cast<Eigen::Index>(d));
  }
}

// (2), in coordinates where the metric is the identity: away from the span of E. Twice, because
// cancellation leaves a part of it behind in rows that nearly lie in it.
void project_away(const SpanOfEqualities& span, Vector& y) {
  if (span.part_of.empty()) {
    for (const SpanPart& part : span.parts) project_away(part, y);
    return;
  }
  std::vector<Index> touched;
  for (Eigen::Index dof = 0; dof < y.size(); ++dof) {
    const Index part = span.part_of[static_cast<std::size_t>(dof)];
    if (part != kNone && y(dof) != 0.0) touched.push_back(part);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const Index part : touched) project_away(span.parts[part], y);
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
  if (!factorise(component, geometry, settings, search)) return false;
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
  Geometry geometry = whiten(component);
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
