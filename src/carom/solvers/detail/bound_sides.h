#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/types.h"

namespace carom::solvers {

/// Which rows of a program with bounds are free, or at which bound, and who changes sides next when
/// it is pivoted in blocks [Judice1994].
class BoundSides {
 public:
  enum class Side : unsigned char { free, lower, upper };

  /// y and its gradient, with their bounds; signs count beyond the slack.
  struct Standing {
    std::span<const double> lower;
    std::span<const double> upper;
    std::span<const double> y;
    std::span<const double> gradient;
    double slack_y = 0.0;
    double slack_gradient = 0.0;
  };

  /// All rows at their lower bounds. `grace` as in exchange_some().
  void reset(std::size_t size, int grace);

  [[nodiscard]] Side operator[](std::size_t row) const { return side_[row]; }
  void set(std::size_t row, Side side) { side_[row] = side; }
  /// Where a row that is not free stands.
  [[nodiscard]] double bound(std::size_t row, std::span<const double> lower,
                             std::span<const double> upper) const {
    return side_[row] == Side::lower ? lower[row] : upper[row];
  }

  /// Lists the rows on the wrong side: free ones outside their bounds, and at bounds those whose
  /// gradient points inside.
  void find_moves(const Standing& standing);
  [[nodiscard]] bool has_moves() const { return !moves_.empty(); }
  void clear_moves() { moves_.clear(); }
  void add_move(Index row, Side to) { moves_.push_back({row, to}); }
  /// All that are listed change sides.
  void exchange_all() { exchange_from(0); }
  /// All do while their number falls, with some tries of grace; after that only the last one does
  /// (Murty's rule), until the number falls again.
  void exchange_some();
  /// Forgets how few there have been.
  void begin_anew();

 private:
  struct Move {
    Index row;
    Side to;
  };

  void exchange_from(std::size_t first);

  std::vector<Side> side_;
  std::vector<Move> moves_;
  std::size_t fewest_ = 0;
  int most_grace_ = 0;
  int grace_ = 0;
};

}  // namespace carom::solvers
