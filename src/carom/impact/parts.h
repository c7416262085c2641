#pragma once

#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/operator.h"
#include "carom/solvers/block_rows.h"

namespace carom {

/// Splits a set of rows into the parts that share no block. A restricted to the set is block
/// diagonal over them, so that each can be solved alone, exactly.
class PartSplitter {
 public:
  /// Rows in any order without repetition.
  void split(const solvers::BlockRows& rows, std::span<const Index> selection);

  [[nodiscard]] std::size_t part_count() const { return start_.size() - 1; }
  /// Ascending; parts are ordered by their smallest row.
  [[nodiscard]] std::span<const Index> part(std::size_t k) const {
    return {rows_.data() + start_[k], start_[k + 1] - start_[k]};
  }

 private:
  std::vector<Index> sorted_;
  std::vector<Index> parent_;
  std::vector<Index> part_of_;
  std::vector<Index> owner_;  // per block: the position of the last row that touched it ...
  std::vector<Index> stamp_;  // ... valid where the stamp is this call's
  Index call_ = 0;
  std::vector<std::size_t> start_{0};
  std::vector<std::size_t> next_;
  std::vector<Index> rows_;
};

/// Scales the impulses of a part so that they keep the kinetic energy: energy_keeping_scale().
class EnergyScaler {
 public:
  void scale(const Application& application, std::span<const Index> part, std::span<double> lambda);

 private:
  std::vector<double> change_;  // W N lambda, kept at zero between calls
};

}  // namespace carom
