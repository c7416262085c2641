#pragma once

#include <span>
#include <vector>

#include "carom/solvers/detail/orthogonal_basis.h"
#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {

/// Active-set method in the space of the columns, for
///   minimise 1/2 |sum_i x_i a_i|^2 + c'x,   lower <= x <= upper.                            (1)
///
/// Reference: Goldfarb1983 (the dual method: (1) with lower = 0 is the dual of "nearest point to
/// the origin with a_i'w + c_i >= 0"), which in terms of x is the symmetric pivoting of Dantzig and
/// of van de Panne and Whinston (Cottle1992, chapter 4). F is a set of linearly independent
/// columns with g_F = 0, g = (a_i'w + c_i), w = sum x_i a_i. The most infeasible row p moves:
///   a_p = A_F r + z,  z orthogonal to A_F,   x_p += t,  x_F -= t r,  g_p += t |z|^2,         (2)
/// until g_p = 0 (p joins F), or a row of F or p itself meets a bound.
/// Guarantees: x stays within its bounds; every completed move of a row lowers the objective, so in
/// exact arithmetic no F comes twice and the method ends, whatever the rank. Where z = 0 and
/// nothing stops the move, d = (1 at p, -r on F) >= 0 proves that (1) is unbounded.
/// Departs from the paper: box bounds; Q R of the columns instead of the inverse of their Gram
/// matrix, so that the condition number enters once and not squared; the last x is computed from
/// c and R afresh, and not refined where x is large: the gradient of a near-locked x is mostly
/// round-off.
class DualActiveSet {
 public:
  struct Program {
    const SparseColumns* columns;  ///< lengths within a factor of two or so of 1
    std::span<const double> c;
    std::span<const double> lower;
    std::span<const double> upper;
  };

  CoreOutcome run(const Program& program, std::uint64_t budget, std::span<double> x);

  /// The rows of F after run(), and their orthogonal basis.
  [[nodiscard]] std::span<const Index> free_rows() const { return free_; }
  [[nodiscard]] OrthogonalBasis& basis() { return basis_; }
  /// sum x_i a_i after run()
  [[nodiscard]] std::span<const double> point() const { return w_; }

 private:
  struct Step {
    double length = kInfinity;
    Index blocking = kNone;  ///< place in free_, or kNone
    bool own_bound = false;
  };

  void start(const Program& program, std::span<double> x);
  void update_point(const Program& program, std::span<const double> x);
  [[nodiscard]] Index choose(const Program& program, std::span<const double> x, double slack) const;
  [[nodiscard]] Step longest_step(const Program& program, std::span<const double> x, Index p,
                                  double remainder) const;
  bool move(const Program& program, std::span<double> x, Index p, bool& unbounded);
  void drop(const Program& program, std::span<double> x, Index place);
  void solve_free(const Program& program, std::span<double> x);

  OrthogonalBasis basis_;
  std::vector<Index> free_;
  std::vector<unsigned char> is_free_;
  std::vector<unsigned char> ignored_;
  std::vector<double> w_;
  std::vector<double> g_;
  std::vector<double> r_;
};

}  // namespace carom::solvers
