#pragma once

#include <array>
#include <span>
#include <vector>

#include "carom/core/types.h"

namespace carom::solvers {

/// The two points of a row; kNone stands for a wall.
using LinkEnds = std::array<Index, 2>;

/// An order of elimination for rows that join points, and what the factor of A = N' W N looks like
/// in it.
///
/// Rows at one point are all coupled to each other. Eliminating the row between p and q couples all
/// rows of p with all of q: it contracts the two points into one, and what is left at that point is
/// the column of the row in the factor. So the order is one of contractions, always of two points
/// that have the fewest rows to others (minimum external degree). Rows are then placed so that
/// every subtree of the elimination tree is one stretch: what is used together lies together.
class LinkOrder {
 public:
  void find(std::span<const LinkEnds> ends, Index point_count);

  [[nodiscard]] Index size() const { return static_cast<Index>(order_.size()); }
  /// order()[k] is the row that stands at place k.
  [[nodiscard]] std::span<const Index> order() const { return order_; }
  /// Places below the diagonal in column k of the factor, ascending: from start()[k] on in below().
  [[nodiscard]] std::span<const Index> start() const { return start_; }
  [[nodiscard]] std::span<const Index> below() const { return below_; }
  /// Columns that follow each other with the same rows, but for themselves, are one node; it has
  /// the number of its first column.
  [[nodiscard]] Index node(Index k) const { return node_[k]; }
  /// An entry of row j of the factor: its column, and where it stands in below().
  struct Entry {
    Index column;
    Index at;
  };
  /// The entries left of the diagonal in row j, by columns.
  [[nodiscard]] std::span<const Entry> row(Index j) const {
    return {entries_.data() + row_start_[j], row_start_[j + 1] - row_start_[j]};
  }

 private:
  struct Group {  ///< points contracted into one, and its rows in pool_
    Index begin = 0;
    Index end = 0;

    [[nodiscard]] Index count() const { return end - begin; }
  };
  struct Place {  ///< of a row, in the list of those with the same degree
    Index degree = 0;
    Index before = kNone;
    Index after = kNone;
  };

  void list_rows(std::span<const LinkEnds> ends, Index point_count);
  void enlist(Index row, Index degree);
  void delist(Index row);
  void contract(Index row);
  void gather_subtrees();
  void lay_out();
  void number_nodes();

  std::vector<LinkEnds> ends_;  ///< of each row: the groups that it joins by now
  std::vector<Group> groups_;
  std::vector<Place> places_;
  std::vector<Index> first_with_;  ///< by degree: a row that has it
  Index least_ = 0;                ///< no row has a smaller degree
  std::vector<Index> pool_;
  std::vector<Index> inner_;
  std::vector<Index> far_;
  std::vector<Index>
      shared_;  ///< per group: rows that join it with the one at hand; 0 between calls
  std::vector<std::array<Index, 2>> column_;  ///< by place: begin and end in pool_
  std::vector<Index> order_;
  std::vector<Index> place_;  ///< inverse of order_
  std::vector<Index> start_;
  std::vector<Index> below_;
  std::vector<Index> node_;
  std::vector<Index> row_start_;
  std::vector<Entry> entries_;
  std::vector<Index> next_;
  std::vector<Index> sorted_order_;
  std::vector<std::array<Index, 2>> sorted_column_;
};

}  // namespace carom::solvers
