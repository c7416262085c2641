// The parts of the factorisation by supernodes: dense panels, elimination tree, layout.

#include "carom/solvers/detail/supernodal_factor.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom::solvers {
namespace {

Eigen::MatrixXd random_definite(Eigen::Index size, std::uint64_t seed) {
  Random random(seed);
  Eigen::MatrixXd root(size, size);
  for (double& value : root.reshaped()) value = random.uniform(-1.0, 1.0);
  return root * root.transpose() + Eigen::MatrixXd::Identity(size, size);
}

/// The first `width` columns of a matrix, laid out as Supernode says.
struct LaidOut {
  std::size_t width, below, top, stride;
  std::vector<double> values;
  std::vector<double> inverse;
  std::vector<double> square;

  LaidOut(const Eigen::MatrixXd& matrix, std::size_t columns)
      : width(columns), below(static_cast<std::size_t>(matrix.rows()) - columns) {
    top = width < 4 ? width : (width + 3) / 4 * 4;
    stride = top + (below + 3) / 4 * 4;
    values.assign(stride * width, 0.0);
    inverse.assign(width, 0.0);
    square.assign((stride - top) * (stride - top), 7.0);
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t i = j; i < width + below; ++i)
        values[j * stride + row(i)] = at(matrix, i, j);
    }
  }
  [[nodiscard]] std::size_t row(std::size_t i) const { return i < width ? i : top + i - width; }
  static double at(const Eigen::MatrixXd& matrix, std::size_t i, std::size_t j) {
    return matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  }
  [[nodiscard]] DensePanel panel() { return {values.data(), stride, width, top}; }
};

const std::vector<std::pair<std::size_t, std::size_t>> kShapes = {
    {1, 0}, {1, 1}, {1, 9}, {2, 3}, {3, 4},  {3, 13}, {4, 0},   {4, 5},    {5, 6},
    {6, 2}, {7, 8}, {8, 1}, {9, 9}, {12, 5}, {31, 0}, {33, 40}, {130, 17}, {260, 30}};

TEST(DensePanel, ItsColumnsAreThoseOfTheDenseFactor) {
  for (const auto& [width, below] : kShapes) {
    const Eigen::MatrixXd matrix = random_definite(static_cast<Eigen::Index>(width + below), width);
    const Eigen::MatrixXd L = matrix.llt().matrixL();
    LaidOut laid_out(matrix, width);
    ASSERT_EQ(laid_out.panel().factor(laid_out.inverse.data()), width);
    const double tolerance = 20.0 * kRoundOff * matrix.diagonal().maxCoeff();
    for (std::size_t j = 0; j < width; ++j) {
      const double diagonal = LaidOut::at(L, j, j);
      EXPECT_NEAR(laid_out.inverse[j] * diagonal, 1.0, tolerance);
      EXPECT_NEAR(laid_out.values[j * laid_out.stride + j], diagonal * diagonal, tolerance);
      for (std::size_t i = j + 1; i < width + below; ++i) {
        EXPECT_NEAR(laid_out.values[j * laid_out.stride + laid_out.row(i)], LaidOut::at(L, i, j),
                    tolerance)
            << width << " x " << below << " at " << i << ", " << j;
      }
    }
  }
}

TEST(DensePanel, WhatItSubtractsIsTheRestOfTheSchurComplement) {
  for (const auto& [width, below] : kShapes) {
    const Eigen::MatrixXd matrix = random_definite(static_cast<Eigen::Index>(width + below), width);
    LaidOut laid_out(matrix, width);
    ASSERT_EQ(laid_out.panel().factor(laid_out.inverse.data()), width);
    laid_out.panel().subtract_square(laid_out.square.data());
    if (below == 0) continue;  // nothing is left; Eigen cannot solve for no columns
    const auto w = static_cast<Eigen::Index>(width);
    const auto b = static_cast<Eigen::Index>(below);
    const Eigen::MatrixXd subtracted =
        matrix.bottomLeftCorner(b, w) *
        matrix.topLeftCorner(w, w).llt().solve(matrix.topRightCorner(w, b));
    const double tolerance = 20.0 * kRoundOff * matrix.diagonal().maxCoeff();
    for (std::size_t j = 0; j < below; ++j) {
      for (std::size_t i = j; i < below; ++i) {
        EXPECT_NEAR(laid_out.square[j * (laid_out.stride - laid_out.top) + i],
                    -LaidOut::at(subtracted, i, j), tolerance)
            << width << " x " << below << " at " << i << ", " << j;
      }
    }
  }
}

TEST(DensePanel, CountsTheGoodPivotsBeforeABadOne) {
  for (const auto& [width, below] : kShapes) {
    for (const std::size_t bad : {std::size_t{0}, width / 2, width - 1}) {
      Eigen::MatrixXd matrix = random_definite(static_cast<Eigen::Index>(width + below), width);
      const auto k = static_cast<Eigen::Index>(bad);
      matrix(k, k) = -1.0;
      LaidOut laid_out(matrix, width);
      EXPECT_EQ(laid_out.panel().factor(laid_out.inverse.data()), bad);
      EXPECT_LT(laid_out.values[bad * laid_out.stride + bad], 0.0);
    }
  }
}

SparsePattern random_pattern(int size, int links, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(size));
  for (int j = 0; j < size; ++j) rows[static_cast<std::size_t>(j)].push_back(j);
  for (int k = 0; k < links; ++k) {
    const auto i = static_cast<int>(random.below(static_cast<Index>(size)));
    const auto j = static_cast<int>(random.below(static_cast<Index>(size)));
    rows[static_cast<std::size_t>(std::max(i, j))].push_back(std::min(i, j));
  }
  SparsePattern pattern;
  pattern.start.push_back(0);
  for (std::vector<int>& column : rows) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    pattern.row.insert(pattern.row.end(), column.begin(), column.end());
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
  }
  return pattern;
}

/// Gaussian elimination on a table of yes and no.
std::vector<std::vector<bool>> filled(const SparsePattern& pattern) {
  const std::size_t size = pattern.size();
  std::vector<std::vector<bool>> has(size, std::vector<bool>(size, false));
  for (std::size_t j = 0; j < size; ++j) {
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      has[static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(k)])][j] = true;
    }
  }
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = k + 1; i < size; ++i) {
      for (std::size_t j = i + 1; j < size && has[k][i]; ++j) {
        if (has[k][j]) has[i][j] = true;
      }
    }
  }
  return has;
}

std::vector<Index> given_order(const SparsePattern& pattern) {
  std::vector<Index> order(pattern.size());
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

TEST(EliminationTree, CountsWhatEliminationFills) {
  for (const int links : {0, 20, 50, 120, 400}) {
    const SparsePattern pattern = random_pattern(60, links, static_cast<std::uint64_t>(links));
    const EliminationTree tree(EntryPlaces(pattern, given_order(pattern)), pattern.size());
    const auto has = filled(pattern);
    double entries = 0.0;
    for (Index j = 0; j < pattern.size(); ++j) {
      Index below = 0;
      Index first = kNone;
      for (Index i = pattern.size(); i-- > j + 1;) {
        if (!has[j][i]) continue;
        ++below;
        first = i;
      }
      EXPECT_EQ(tree.below[j], below);
      EXPECT_EQ(tree.parent[j], first);
      entries += below;
    }
    EXPECT_EQ(tree.entries(), entries);
  }
}

/// Whether the halves open at begin and closed at neither end share a number.
bool overlap(std::size_t begin_a, std::size_t size_a, std::size_t begin_b, std::size_t size_b) {
  return begin_a < begin_b + size_b && begin_b < begin_a + size_a;
}

TEST(SupernodalStructure, SquaresThatAreNeededTogetherDoNotOverlap) {
  for (const int links : {0, 100, 200, 400}) {
    const SparsePattern pattern = random_pattern(200, links, static_cast<std::uint64_t>(links));
    const std::vector<Index> order = given_order(pattern);
    SupernodalStructure structure;
    structure.analyse(pattern, order, EliminationTree(EntryPlaces(pattern, order), pattern.size()));
    std::vector<const Supernode*> waiting;
    std::size_t child = 0;
    for (const Supernode& node : structure.supernodes) {
      const auto size_of = [](const Supernode& one) {
        return std::size_t{one.square_size()} * one.square_size();
      };
      EXPECT_LE(node.square + size_of(node), structure.stack_size[node.side]);
      for (const Supernode* other : waiting) {
        if (other->side != node.side) continue;
        EXPECT_FALSE(overlap(node.square, size_of(node), other->square, size_of(*other)));
      }
      for (; child < node.child_end; ++child) {
        std::erase(waiting, &structure.supernodes[structure.children[child]]);
      }
      waiting.push_back(&node);
    }
  }
}

TEST(SupernodalStructure, SupernodesShareTheColumnsAndListTheRowsBelow) {
  for (const int links : {0, 100, 200, 400}) {
    const SparsePattern pattern = random_pattern(200, links, static_cast<std::uint64_t>(links));
    const std::vector<Index> order = given_order(pattern);
    SupernodalStructure structure;
    structure.analyse(pattern, order, EliminationTree(EntryPlaces(pattern, order), pattern.size()));
    std::vector<Index> sorted = structure.new_of_old;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, order);
    EXPECT_EQ(structure.entries.size(), pattern.row.size());
    Index next = 0;
    for (const Supernode& node : structure.supernodes) {
      EXPECT_EQ(node.first, next);
      next += node.width;
      const auto begin = structure.rows.begin() + static_cast<std::ptrdiff_t>(node.row_start);
      const auto end = begin + static_cast<std::ptrdiff_t>(node.below);
      EXPECT_TRUE(std::is_sorted(begin, end));
      EXPECT_EQ(std::adjacent_find(begin, end), end);
      if (begin != end) {
        EXPECT_GE(*begin, next);
      }
    }
    EXPECT_EQ(next, pattern.size());
  }
}

}  // namespace
}  // namespace carom::solvers
