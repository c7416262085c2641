#pragma once

#include <array>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/core/worker_pool.h"
#include "carom/solvers/linked_pivoting.h"

namespace carom::solvers {

/// Linked rows in the order of their elimination, with an x, what it does, and who carries it.
template <std::size_t D>
struct LinkState {
  using Row = typename LinkedRows<D>::Row;

  std::vector<Row> rows;
  std::vector<double> weight;  ///< of each point
  std::vector<double> c;
  std::vector<double> x;
  std::vector<double> response;                 ///< A x
  std::vector<double> gradient;                 ///< A x + c
  std::vector<unsigned char> active;            ///< rows that carry
  std::vector<std::array<double, D>> velocity;  ///< of each point: W N x
  std::vector<Index> first_row;                 ///< of each point, in rows_at
  std::vector<Index> rows_at;
  /// Beside rows_at, where threads go through the points: what the row does to this one of its two.
  std::vector<std::array<double, D>> pushes_at;
  std::vector<Index> number_of;  ///< of each point of the system: its number here
  WorkerPool* pool = nullptr;    ///< for the long loops, or none

  [[nodiscard]] Index size() const { return static_cast<Index>(rows.size()); }
  [[nodiscard]] Index point_count() const { return static_cast<Index>(weight.size()); }

  /// Row order[k] is to stand at place k; all rows that close carry.
  void load(const LinkedRows<D>& system, std::span<const double> given,
            std::span<const Index> order, WorkerPool* threads);
  /// Fills rows_at, which load() leaves empty: not everybody needs it.
  void list_rows_at();
  [[nodiscard]] std::span<const Index> rows_of(Index point) const {
    return {rows_at.data() + first_row[point], first_row[point + 1] - first_row[point]};
  }
  /// A_jk
  [[nodiscard]] double coupling(Index j, Index k) const {
    const Row& row = rows[j];
    const Row& with = rows[k];
    const double weight_a = weight[row.a];
    const double weight_b = row.b == kNone ? 0.0 : weight[row.b];
    double shared = 0.0;
    if (row.a == with.a) shared += weight_a;
    if (row.a == with.b) shared -= weight_a;
    if (row.b == with.a) shared -= weight_b;
    if (row.b == with.b) shared += weight_b;
    double product = 0.0;
    for (std::size_t d = 0; d < D; ++d) product += row.gradient[d] * with.gradient[d];
    return shared * product;
  }
  /// What x does: velocity, response, gradient.
  void respond();
  /// The same, without response and gradient of the rows that carry.
  void respond_of_others();
  /// Guesses who carries: sweeps in which each row by itself goes to its own solution. Needs rows
  /// scaled to A_ii of about 1.
  void guess_active(int sweeps);

 private:
  void number_points(const LinkedRows<D>& system);
  void list_pushes();
  void move_points();
  void move_point(Index point);
  void feel(Index k);
};

extern template struct LinkState<2>;
extern template struct LinkState<3>;

}  // namespace carom::solvers
