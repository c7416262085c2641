#pragma once

#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/core/worker_pool.h"
#include "carom/solvers/detail/column_bundle.h"
#include "carom/solvers/detail/link_order.h"
#include "carom/solvers/detail/tree_shares.h"

namespace carom::solvers {

/// A_FF = U D^-1 U' for a set F of active rows that changes: left-looking, column by column, in
/// the order of a LinkOrder. Everything here goes by places in that order.
///
///   u_ij = A_ij - sum over active k < j of u_ik u_jk / d_k,   d_j = u_jj.                     (1)
///
/// Rows that are not active keep their places: a change of row j concerns no column but those on
/// the way from j to the root of the elimination tree. Columns k of one node of the order are taken
/// off together.
///
/// Threads take subtrees of it. A column is computed by one thread, from the columns below it, so
/// that the bits are the same for any number of them.
class LinkFactor {
 public:
  /// What is factored, and for what: A x = -c on the active rows. All must outlive the factor.
  struct System {
    std::span<const double> values;  ///< of A, as order.below()
    std::span<const double> diagonal;
    std::span<const double> c;
  };
  /// Forgets all columns. A pool (or none) is for the work until the next reset.
  void reset(const LinkOrder& order, const System& system, WorkerPool* pool);
  /// Rows whose membership changes; the factor is out of date until update().
  void touch(Index place) { stale_[place] = 1; }
  void update(std::span<const unsigned char> active);
  /// x := -A_FF^-1 c; 0 for rows that are not active.
  void solve_system(std::span<const unsigned char> active, std::span<double> x) const;
  /// x := A_FF^-1 x, where x is 0 for rows that are not active.
  void solve(std::span<const unsigned char> active, std::span<double> x) const;
  /// A number of B, in the place of an active row.
  struct Entry {
    Index place;
    Index column;
    double value;
  };
  /// A row of Y, from its first column that is not zero to before `last`.
  struct ReducedRow {
    std::size_t at;  ///< where it begins, with its column 0
    Index first;
    Index last;
  };
  /// Y with Y'Y = B' A_FF^-1 B, for a sparse B of a few columns.
  void reduce(std::span<const unsigned char> active, std::span<const Entry> entries, Index columns);
  [[nodiscard]] std::span<const ReducedRow> reduced_rows() const { return reduced_rows_; }
  [[nodiscard]] std::span<const double> reduced() const { return reduced_; }
  /// Of an active row; small where it depends on those before it.
  [[nodiscard]] double pivot(Index place) const { return 1.0 / inverse_[place]; }

 private:
  /// What a thread computes a column with.
  struct Workspace {
    std::vector<double> column;  ///< by place
    ColumnBundle bundle;
  };

  /// Computes a column if it is stale; true: the next one is stale, too.
  bool renew(Index j, std::span<const unsigned char> active, Workspace& workspace);
  void compute(Index j, std::span<const unsigned char> active, Workspace& workspace);
  void update_shares(std::span<const unsigned char> active);
  void substitute_back(std::span<const unsigned char> active, std::span<double> x) const;
  void substitute(Index j, std::span<const unsigned char> active, std::span<double> x) const;
  void reach(std::span<const Entry> entries);

  const LinkOrder* order_ = nullptr;
  System system_;
  std::vector<double> u_;
  std::vector<double> forward_;        ///< D U^-1 (-c), kept as the columns are
  std::vector<double> inverse_;        ///< 1 / d
  std::vector<Workspace> workspaces_;  ///< per thread
  std::vector<unsigned char> stale_;
  std::vector<Index> reached_;      ///< places at which Y has rows, ascending
  std::vector<Index> reached_row_;  ///< by place: its row of Y; kNone: none, so it is between calls
  std::vector<ReducedRow> reduced_rows_;
  std::vector<double> reduced_;
  WorkerPool* pool_ = nullptr;
  TreeShares shares_;  ///< where there is a pool
};

}  // namespace carom::solvers
