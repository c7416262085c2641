// The normal equations over dofs of some rows, dense or sparse.
#include <algorithm>
#include <numeric>

#include "carom/solvers/detail/minimum_norm_solution.h"

namespace carom::solvers {
namespace {

constexpr Index kDenseDofs = 60;

}  // namespace

void DofSystem::prepare(const SelectedRows& rows, std::span<const Index> chosen,
                        const SparseColumns& columns) {
  columns_ = &columns;
  dense_ = columns.dimension <= kDenseDofs;
  if (dense_) {
    matrix_.reset_full(columns.dimension);
    all_.resize(columns.dimension);
    std::iota(all_.begin(), all_.end(), Index{0});
  } else {
    prepare_sparse(rows, chosen);
  }
}

void DofSystem::prepare_sparse(const SelectedRows& rows, std::span<const Index> chosen) {
  // Which blocks meet in a row: pairs (block, earlier block), sorted, each once.
  std::vector<std::pair<Index, Index>> pairs;
  for (Index block = 0; block < rows.block_count(); ++block) pairs.emplace_back(block, block);
  for (const Index row : chosen) {
    for (const auto& a : rows.parts(row)) {
      for (const auto& b : rows.parts(row)) {
        if (b.block < a.block) pairs.emplace_back(a.block, b.block);
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

  std::vector<std::size_t> pair_offset(pairs.size());  // of the earlier block within its columns
  pattern_.start.assign(1, 0);
  pattern_.row.clear();
  diagonal_.resize(rows.dof_count());
  for (std::size_t begin = 0; begin < pairs.size();) {
    const Index block = pairs[begin].first;
    std::size_t end = begin;
    std::size_t offset = 0;
    for (; end < pairs.size() && pairs[end].first == block; ++end) {
      pair_offset[end] = offset;
      offset += rows.block_size(pairs[end].second);
    }
    for (Index j = 0; j < rows.block_size(block); ++j) {
      for (std::size_t k = begin; k < end; ++k) {
        const Index other = pairs[k].second;
        const Index count = other == block ? j + 1 : rows.block_size(other);
        for (Index i = 0; i < count; ++i) {
          pattern_.row.push_back(static_cast<int>(rows.block_dof(other) + i));
        }
      }
      diagonal_[rows.block_dof(block) + j] = pattern_.row.size() - 1;
      pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
    }
    begin = end;
  }

  place_.clear();
  for (const Index row : chosen) {
    for (const auto& a : rows.parts(row)) {
      for (Index j = 0; j < a.size; ++j) {
        for (const auto& b : rows.parts(row)) {
          if (b.block > a.block) continue;
          const auto at = std::lower_bound(pairs.begin(), pairs.end(),
                                           std::pair<Index, Index>{a.block, b.block});
          const std::size_t offset = pair_offset[static_cast<std::size_t>(at - pairs.begin())];
          const Index count = b.block == a.block ? j + 1 : b.size;
          for (Index i = 0; i < count; ++i) {
            place_.push_back(static_cast<std::size_t>(pattern_.start[a.dof + j]) + offset + i);
          }
        }
      }
    }
  }
  cholesky_.analyse(pattern_);
}

bool DofSystem::factor(std::span<const unsigned char> use, double delta) {
  const SparseColumns& columns = *columns_;
  if (dense_) {
    for (Index d = 0; d < columns.dimension; ++d) {
      std::fill_n(matrix_.row(d), d + std::size_t{1}, 0.0);
    }
    for (Index i = 0; i < columns.count(); ++i) {
      if (use[i] == 0) continue;
      for (std::size_t k = columns.start[i]; k < columns.start[i + 1]; ++k) {
        for (std::size_t l = columns.start[i]; l < columns.start[i + 1]; ++l) {
          if (columns.index[l] > columns.index[k]) continue;
          matrix_.row(columns.index[k])[columns.index[l]] += columns.value[k] * columns.value[l];
        }
      }
    }
    for (Index d = 0; d < columns.dimension; ++d) matrix_.row(d)[d] += delta;
    return factor_.factor(matrix_, all_, 0.0, 0.0) > 0.0;
  }
  values_.assign(pattern_.row.size(), 0.0);
  std::size_t next = 0;
  for (Index i = 0; i < columns.count(); ++i) {
    for (std::size_t k = columns.start[i]; k < columns.start[i + 1]; ++k) {
      for (std::size_t l = columns.start[i]; l < columns.start[i + 1]; ++l) {
        if (columns.index[l] > columns.index[k]) continue;
        const std::size_t place = place_[next++];
        if (use[i] != 0) values_[place] += columns.value[k] * columns.value[l];
      }
    }
  }
  for (const std::size_t place : diagonal_) values_[place] += delta;
  return cholesky_.factor(values_);
}

void DofSystem::solve(std::span<double> x) {
  if (dense_)
    factor_.solve(x);
  else
    cholesky_.solve(x);
}

}  // namespace carom::solvers
