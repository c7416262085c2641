#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/core/joined_sets.h"
#include "carom/core/types.h"
#include "carom/impact/detail/part_answer.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/operator.h"
#include "carom/solvers/block_rows.h"
#include "carom/solvers/linked_pivoting.h"
#include "carom/solvers/quadratic_program.h"
#include "carom/solvers/small_pivoting.h"

namespace carom {

/// Sorts violated rows that share points into their connected parts.
template <std::size_t D>
class PointParts {
 public:
  /// Puts `rows` in the order of parts; parts by their first row, rows of a part as they were.
  void split(std::vector<Violation<D>>& rows, const PointFront<D>& front);

  /// The same row by row: clear(), add() each, sort(). A point remembers the last row at it in a
  /// mark, in which anything but that is below kMarked; the marks are left to the caller.
  static constexpr Index kMarked = Index{1} << 31U;
  void clear() { parent_.clear(); }
  void add(Index& mark_of_self, Index& mark_of_other) {
    const auto row = static_cast<Index>(parent_.size());
    parent_.push_back(row);
    join(row, mark_of_self);
    join(row, mark_of_other);
  }
  void sort(std::vector<Violation<D>>& rows);

  [[nodiscard]] std::size_t count() const { return start_.size() - 1; }
  [[nodiscard]] std::size_t begin(std::size_t part) const { return start_[part]; }
  [[nodiscard]] std::size_t size(std::size_t part) const { return start_[part + 1] - start_[part]; }

 private:
  [[nodiscard]] Index root(Index i) { return smallest_joined(parent_, i); }
  void join(Index row, Index& mark) {
    if ((mark & kMarked) != 0) {
      const Index a = root(mark & ~kMarked);
      const Index b = root(row);
      parent_[std::max(a, b)] = std::min(a, b);
    }
    mark = kMarked | row;
  }

  std::vector<Index> mark_;  ///< per point, of split(); 0 between calls
  std::vector<Index> parent_;
  std::vector<Index> part_of_;
  std::vector<std::size_t> start_{0};
  std::vector<std::size_t> next_;
  std::vector<Violation<D>> sorted_;
};

/// A part as linked rows, scaled to n' W n = 1, its points numbered as they come.
template <std::size_t D>
class PartLinker {
 public:
  void link(std::span<const Violation<D>> part, const PointFront<D>& front);
  [[nodiscard]] const solvers::LinkedRows<D>& system() const { return system_; }
  /// Of each row: scaled row = scale * given row.
  [[nodiscard]] std::span<const double> scale() const { return scale_; }

 private:
  solvers::LinkedRows<D> system_;
  std::vector<double> scale_;
  std::vector<Index> number_of_;  ///< per point; kNone between calls
};

/// One application of gr to one connected part [Smith2012, Alg. 2], or its inelastic response:
///
///   (1)  0 <= lambda  perp  A lambda + 2 b >= 0,   A = N' W N,  b the closing speeds
///   (2)  lambda <- t lambda,   t = -2 b'lambda / lambda'A lambda   (energy_scale.h)
///   (3)  0 <= lambda  perp  A lambda + b >= 0   instead, inelastic
///
/// Impulses are in units of the given rows. Where rows are redundant they are one of the possible
/// answers, or those of least norm where these are wanted; what they do to the points is the same
/// for all.
template <std::size_t D>
class PartReflection final : public PartAnswer<D> {
 public:
  PartReflection();

  void want_least_norm(bool wanted) override { least_norm_ = wanted; }
  ApplicationStatus apply(std::span<const Violation<D>> part, const PointFront<D>& front,
                          std::span<double> impulses, WorkerPool* pool) override;
  /// The inelastic response instead, 0 <= l perp A l + b >= 0. `impulses` hold a guess at first.
  ApplicationStatus absorb(std::span<const Violation<D>> part, const PointFront<D>& front,
                           std::span<double> impulses);

  /// What apply() solves, for the general solvers; valid until the next call.
  [[nodiscard]] solvers::QuadraticProgram program(std::span<const Violation<D>> part,
                                                  const PointFront<D>& front);

 private:
  using PartAnswer<D>::seconds_;
  /// Solves with c = factor * b; false where the general solvers must.
  [[nodiscard]] bool solve_small(std::span<const Violation<D>> part, const PointFront<D>& front,
                                 double factor);
  /// The same for parts of any size; leaves the impulses on scaled rows, and their scale_.
  [[nodiscard]] bool solve_linked(std::span<const Violation<D>> part, const PointFront<D>& front,
                                  double factor, std::span<double> impulses,
                                  WorkerPool* pool = nullptr);
  /// Gives the last answer of solve_linked, on scaled rows, the least norm. Only rows that do not
  /// open can share, and connected ones among them only with each other: each such part with a
  /// doubtful row is solved by itself.
  [[nodiscard]] bool take_least_norm(std::span<const Violation<D>> part, const PointFront<D>& front,
                                     double factor, std::span<double> impulses);
  void assemble(std::span<const Violation<D>> part, const PointFront<D>& front);
  ApplicationStatus solve(double factor, std::span<const double> guess, std::span<double> impulses);
  void keep_energy(std::span<double> impulses);

  std::unique_ptr<solvers::QpSolver> solver_;
  std::unique_ptr<solvers::QpSolver> interior_point_;
  solvers::SmallPivoting small_;
  PartLinker<D> linker_;
  solvers::LinkedPivoting<D> pivoting_;
  solvers::BlockRows rows_;
  std::vector<Index> all_;
  std::vector<Index> block_of_;  ///< per point; kNone between calls
  std::vector<double> scale_;
  std::vector<double> b_;
  std::vector<double> c_;
  std::vector<double> guess_;
  std::vector<double> change_;
  solvers::QpResult result_;
  bool least_norm_ = false;
  // where that is wanted
  std::unique_ptr<PointParts<D>> sharing_parts_;
  std::vector<Violation<D>> sharing_;
  std::vector<double> shared_;
  std::vector<double> kept_scale_;
};

extern template class PointParts<2>;
extern template class PointParts<3>;
extern template class PartLinker<2>;
extern template class PartLinker<3>;
extern template class PartReflection<2>;
extern template class PartReflection<3>;

}  // namespace carom
