// The span of implicit equalities: one basis, or one for each part that shares no body with others.
#include "carom/impact/detail/equality_span.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <Eigen/QR>
#include <Eigen/SparseCholesky>

#include "carom/core/joined_sets.h"
#include "carom/core/long_work.h"

namespace carom::detail {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// Rows from which it pays to ask at once whether they span everything.
constexpr std::size_t kManyRows = 200;
// Entries of a matrix whose basis takes a second or two.
constexpr Eigen::Index kQuick = 2'000'000;
// Ratio of pivots below which a matrix is not called regular at a glance.
constexpr double kFarFromSingular = 1e-4;

// Whether rows of E span all of so many directions, by far: no pivot of their Gram matrix over the
// dofs is small. That matrix is sparse, as every row knows two bodies. `local`: the number of a dof
// among those directions.
bool spans_all(const EqualityRows& all, std::span<const Index> rows, std::span<const Index> local,
               Eigen::Index directions) {
  if (static_cast<Eigen::Index>(rows.size()) < directions) return false;
  std::vector<Eigen::Triplet<double>> products;
  for (const Index e : rows) {
    const Index row = all.component.active[all.equalities[e]];
    const Vector y = whitened_row(all.component, all.whitening, row);
    std::vector<Eigen::Index> where;
    for (const Index dof : dofs_of(all.component, all.whitening, row)) where.push_back(dof);
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
  const auto block_of = [&](const solvers::BlockRows::Entry& entry) {
    return static_cast<Index>(
        std::lower_bound(component.blocks.begin(), component.blocks.end(), entry.block) -
        component.blocks.begin());
  };
  const auto entries_of = [&](Index position) {
    return component.rows->entries(component.active[position]);
  };
  for (const Index position : equalities) {
    const Index first = block_of(entries_of(position).front());
    for (const auto& entry : entries_of(position)) join_sets(parent, first, block_of(entry));
  }
  std::vector<std::vector<Index>> lists;
  std::vector<Index> list_of(component.blocks.size(), kNone);
  for (std::size_t e = 0; e < equalities.size(); ++e) {
    const Index of = smallest_joined(parent, block_of(entries_of(equalities[e]).front()));
    if (list_of[of] == kNone) {
      list_of[of] = static_cast<Index>(lists.size());
      lists.emplace_back();
    }
    lists[list_of[of]].push_back(static_cast<Index>(e));
  }
  return lists;
}

// The span of rows of E that share no block with the others. False: it was stopped.
bool span_alone(const EqualityRows& all, const std::vector<Index>& rows, SpanPart& part) {
  const auto& [component, whitening, equalities, settings] = all;
  for (const Index e : rows) {
    const std::vector<Index> dofs = dofs_of(component, whitening, component.active[equalities[e]]);
    part.dofs.insert(part.dofs.end(), dofs.begin(), dofs.end());
  }
  std::sort(part.dofs.begin(), part.dofs.end());
  part.dofs.erase(std::unique(part.dofs.begin(), part.dofs.end()), part.dofs.end());
  std::vector<Index> local(whitening.dof_count, kNone);
  for (std::size_t d = 0; d < part.dofs.size(); ++d) local[part.dofs[d]] = static_cast<Index>(d);
  const auto directions = static_cast<Eigen::Index>(part.dofs.size());
  if (rows.size() > kManyRows && spans_all(all, rows, local, directions)) {
    return true;
  }
  Matrix columns(directions, rows.size());
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const Vector y = whitened_row(component, whitening, component.active[equalities[rows[e]]]);
    for (std::size_t d = 0; d < part.dofs.size(); ++d) {
      columns(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(e)) = y(part.dofs[d]);
    }
  }
  return span_columns(columns, settings, part);
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

}  // namespace

bool span_equalities(const EqualityRows& rows, EqualitySpan& span, Vector& particular) {
  const ComponentRows& component = rows.component;
  const Whitening& whitening = rows.whitening;
  const std::vector<Index>& equalities = rows.equalities;
  particular = Vector::Zero(whitening.dof_count);
  span = {};
  if (equalities.empty()) return true;
  const auto moves_row = [&](Index e) { return component.offset[component.active[e]] != 0.0; };
  const bool moves = std::any_of(equalities.begin(), equalities.end(), moves_row);
  const auto equality_count = static_cast<Eigen::Index>(equalities.size());
  const std::vector<std::vector<Index>> lists = joined_rows(component, equalities);
  if (lists.size() > 1 && !moves && equality_count * whitening.dof_count > kQuick) {
    span.part_of.assign(whitening.dof_count, kNone);
    for (const std::vector<Index>& list : lists) {
      SpanPart part;
      if (!span_alone(rows, list, part)) return false;
      for (const Index dof : part.dofs) {
        span.part_of[dof] = static_cast<Index>(span.parts.size());
      }
      span.parts.push_back(std::move(part));
    }
    return true;
  }
  SpanPart& part = span.parts.emplace_back();
  if (!moves && equalities.size() > kManyRows) {
    std::vector<Index> all(whitening.dof_count);
    std::iota(all.begin(), all.end(), Index{0});
    std::vector<Index> each(equalities.size());
    std::iota(each.begin(), each.end(), Index{0});
    if (spans_all(rows, each, all, whitening.dof_count)) return true;
  }
  Matrix gradients(whitening.dof_count, equality_count);
  Vector target(equality_count);
  for (Eigen::Index e = 0; e < equality_count; ++e) {
    const Index row = component.active[equalities[static_cast<std::size_t>(e)]];
    gradients.col(e) = whitened_row(component, whitening, row);
    target(e) = component.offset[row];
  }
  if (!moves) return span_columns(gradients, rows.settings, part);
  Eigen::ColPivHouseholderQR<Matrix> factor;
  factor.setThreshold(rows.settings.rank_threshold);
  factor.compute(gradients);
  part.basis = factor.householderQ() * Matrix::Identity(whitening.dof_count, factor.rank());
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
  solver.setThreshold(rows.settings.rank_threshold);
  solver.compute(gradients);
  particular = solver.pseudoInverse().transpose() * target;
  return true;
}

// (2), in coordinates where the metric is the identity: away from the span of E. Twice, because
// cancellation leaves a part of it behind in rows that nearly lie in it.
void project_away(const EqualitySpan& span, Vector& y) {
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

}  // namespace carom::detail
