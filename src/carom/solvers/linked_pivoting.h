#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/quadratic_program.h"

namespace carom {
class WorkerPool;
}

namespace carom::solvers {

/// Rows that each join two points, or a point and a wall: A = N' W N by its factors, with
/// N_i = gradient at a, -gradient at b, and W the weights of the points.
template <std::size_t D>
struct LinkedRows {
  struct Row {
    Index a = 0;
    Index b = kNone;  ///< kNone: a wall
    std::array<double, D> gradient{};
  };

  std::vector<Row> rows;       ///< scaled to A_ii of about 1; a and b differ
  std::vector<double> weight;  ///< 1 / mass of each point

  void clear() {
    rows.clear();
    weight.clear();
  }
};

/// The selected rows of a program as linked ones, points as its blocks; none where blocks do not
/// have D numbers and one weight, or rows push two points unequally.
template <std::size_t D>
[[nodiscard]] std::optional<LinkedRows<D>> linked_rows(const QuadraticProgram& problem);

/// 0 <= x  perp  A x + c >= 0 for linked rows by block principal pivoting: a guess of the rows that
/// carry an impulse, a factorisation of A on them, exchange of rows of wrong sign, again.
///
/// Reference: Judice1994. Departs from the paper:
///  - All rows of wrong sign change sides while their number falls quickly. Then only the worst
///    ones of all that share a point, or a neighbour, do: where rows are redundant, neighbours that
///    change together cycle, but far ones do not disturb each other.
///  - Once a few rows in a hundred are wrong, the rows around each are solved by themselves with an
///    interior point, the others keeping their x, to guess who carries; again where sides cycle.
///  - The last dozens are answered together, with the response of all others (LinkDispute), and
///    with them those that are wrong then.
///  - Where none of this helps, rows change sides one by one, by a rule under which no set comes
///    twice [Murty1974], until fewer are wrong than ever.
///  - The first guess are the rows that close; where many do not, those that carry after a few
///    sweeps in which each row is solved by itself.
///  - After an exchange only the columns of the factor that depend on it are computed again.
///  - Redundant rows are solved with 1e-12 added to the diagonal and refined: x is then one of the
///    solutions, A x is the same for all.
///
/// Guarantee: none in the strict sense (a budget ends it); where it says true, x is a solution to
/// round-off. Same rows and numbers: same bits, for any number of threads. Working memory is kept
/// between calls.
template <std::size_t D>
class LinkedPivoting {
 public:
  LinkedPivoting();
  ~LinkedPivoting();
  LinkedPivoting(const LinkedPivoting&) = delete;
  LinkedPivoting& operator=(const LinkedPivoting&) = delete;

  /// Rows from which on threads pay.
  static constexpr std::size_t kThreadedRows = 10'000;

  /// True: x is a solution, with a KKT residual (2) of quadratic_program.h below 5e-13. The threads
  /// of a pool share the work of kThreadedRows and more.
  [[nodiscard]] bool solve(const LinkedRows<D>& system, std::span<const double> c,
                           std::span<double> x, WorkerPool* pool = nullptr);
  /// x'Ax of the last solution.
  [[nodiscard]] double square() const { return square_; }
  /// Whether that is the only one: the rows that carry are independent, and no other is at rest.
  [[nodiscard]] bool is_unique() const { return unique_; }
  /// What speaks against it, by rows.
  enum class Standing : std::uint8_t {
    opens,     ///< carries nothing in any solution
    carries,   ///< or may carry
    doubtful,  ///< the same, and depends on rows before it, or is at rest and carries nothing
  };
  [[nodiscard]] std::span<const Standing> standing() const { return standing_; }
  /// Factorisations of the last solve(), whole or in part.
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }

 private:
  struct Work;

  double square_ = 0.0;
  bool unique_ = false;
  std::vector<Standing> standing_;
  std::uint64_t rounds_ = 0;
  std::unique_ptr<Work> work_;
};

extern template std::optional<LinkedRows<2>> linked_rows(const QuadraticProgram& problem);
extern template std::optional<LinkedRows<3>> linked_rows(const QuadraticProgram& problem);
extern template class LinkedPivoting<2>;
extern template class LinkedPivoting<3>;

}  // namespace carom::solvers
