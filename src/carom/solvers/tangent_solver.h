#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/core/types.h"

namespace carom::solvers {

/// Tangential rows between spheres that turn, or a sphere and a wall: A = D' W D by its factors.
/// Row i sees the speed  along.(v_a - v_b) + turn_a.w_a + turn_b.w_b.
template <std::size_t D>
struct TangentRows {
  static constexpr std::size_t kTurns = D == 2 ? 1 : 3;  ///< numbers of an angular velocity
  struct Row {
    Index a = 0;
    Index b = kNone;  ///< kNone: a wall
    std::array<double, D> along{};
    std::array<double, kTurns> turn_a{};
    std::array<double, kTurns> turn_b{};
  };
  struct Body {
    double weight = 0.0;       ///< 1 / mass
    double turn_weight = 0.0;  ///< 1 / moment of inertia; 0: it does not turn
  };

  std::vector<Row> rows;  ///< a and b differ
  std::vector<Body> bodies;

  void clear() {
    rows.clear();
    bodies.clear();
  }
};

/// minimise 1/2 x'Ax + c'x over lower <= x <= upper for tangential rows: the program of friction.
///
/// A few rows: block principal pivoting on a dense factor (Judice1994). More, or where that cycles:
/// conjugate gradients on the rows between their bounds, with proportioning (Dostal2005, MPRGP), on
/// rows scaled to A_ii = 1. They need no factor, which in space fills up, and do not mind redundant
/// rows. From x = 0 a few sweeps over single rows come first, so that what is minimised is never
/// above 0.
///
/// Guarantee: where it says true, the KKT residual (2) of quadratic_program.h is below 1e-12.
/// Same rows and numbers: same bits. Working memory is kept between calls.
template <std::size_t D>
class TangentSolver {
 public:
  TangentSolver();
  ~TangentSolver();
  TangentSolver(const TangentSolver&) = delete;
  TangentSolver& operator=(const TangentSolver&) = delete;

  struct Bounds {
    std::span<const double> lower;  ///< <= 0
    std::span<const double> upper;  ///< >= 0
  };
  [[nodiscard]] bool solve(const TangentRows<D>& system, std::span<const double> c,
                           const Bounds& bounds, std::span<double> x);
  /// Products with A of the last solve(); 0 where a dense factor did.
  [[nodiscard]] std::uint64_t products() const { return products_; }

 private:
  struct Work;

  std::uint64_t products_ = 0;
  std::unique_ptr<Work> work_;
};

extern template class TangentSolver<2>;
extern template class TangentSolver<3>;

}  // namespace carom::solvers
