// The sparse factorisations against Eigen's, and against what they must satisfy by themselves.

#include "carom/solvers/detail/sparse_cholesky.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/solvers/detail/elimination_tree.h"
#include "carom/solvers/detail/simplicial_factor.h"
#include "carom/solvers/detail/supernodal_factor.h"

namespace carom::solvers {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using Vector = std::vector<double>;

struct Named {
  std::string name;
  Matrix matrix;  ///< upper triangle, the whole diagonal stored
};

SparsePattern pattern_of(const Matrix& upper) {
  SparsePattern pattern;
  pattern.start.assign(upper.outerIndexPtr(), upper.outerIndexPtr() + upper.cols() + 1);
  pattern.row.assign(upper.innerIndexPtr(), upper.innerIndexPtr() + upper.nonZeros());
  return pattern;
}

std::span<const double> values_of(const Matrix& upper) {
  return {upper.valuePtr(), static_cast<std::size_t>(upper.nonZeros())};
}

/// From links (i, j) with weights: each adds weight to both diagonal entries and takes it from the
/// entry between, so that the matrix is positive semidefinite; `shift` makes it definite.
Matrix linked(int size, const std::vector<std::pair<int, int>>& links, double shift,
              std::uint64_t seed) {
  Random random(seed);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < size; ++i) entries.emplace_back(i, i, shift);
  for (const auto& [i, j] : links) {
    const double weight = random.uniform(0.5, 2.0);
    entries.emplace_back(i, i, weight);
    entries.emplace_back(j, j, weight);
    entries.emplace_back(std::min(i, j), std::max(i, j), -weight);
  }
  Matrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Matrix random_links(int size, int count, double shift, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<int, int>> links;
  for (int k = 0; k < count; ++k) {
    const auto i = static_cast<int>(random.below(static_cast<Index>(size)));
    const auto j = static_cast<int>(random.below(static_cast<Index>(size)));
    if (i != j) links.emplace_back(i, j);
  }
  return linked(size, links, shift, seed + 1);
}

Matrix grid(int n, double shift) {
  std::vector<std::pair<int, int>> links;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i + 1 < n) links.emplace_back(i * n + j, (i + 1) * n + j);
      if (j + 1 < n) links.emplace_back(i * n + j, i * n + j + 1);
    }
  }
  return linked(n * n, links, shift, 1);
}

/// Blocks of `block` rows that all touch each other and the next block: stacked boxes.
Matrix stack(int blocks, int block) {
  std::vector<std::pair<int, int>> links;
  for (int i = 0; i < blocks * block; ++i) {
    const int end = std::min(blocks * block, (i / block + 2) * block);
    for (int j = i + 1; j < end; ++j) links.emplace_back(i, j);
  }
  return linked(blocks * block, links, 0.1, 2);
}

Matrix star(int size) {
  std::vector<std::pair<int, int>> links;
  for (int i = 0; i + 1 < size; ++i) links.emplace_back(i, size - 1);
  return linked(size, links, 0.1, 3);
}

Matrix line(int size) {
  std::vector<std::pair<int, int>> links;
  for (int i = 0; i + 1 < size; ++i) links.emplace_back(i, i + 1);
  return linked(size, links, 0.1, 4);
}

/// Rows of random unit vectors in too few dimensions, squared: rank 3 of `size`, plus `shift`.
Matrix low_rank(int size, double shift) {
  Random random(5);
  Eigen::MatrixXd rows(3, size);
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < 3; ++i) rows(i, j) = random.normal();
    rows.col(j).normalize();
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i <= j; ++i) {
      entries.emplace_back(i, j, rows.col(i).dot(rows.col(j)) + (i == j ? shift : 0.0));
    }
  }
  Matrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

std::vector<Named> corpus() {
  std::vector<Named> all;
  for (const int size : {1, 2, 3, 4, 5, 7, 12}) {
    all.push_back({"dense_" + std::to_string(size), stack(1, size)});
    all.push_back({"line_" + std::to_string(size), line(size)});
  }
  all.push_back({"diagonal", linked(40, {}, 3.0, 1)});
  all.push_back({"dense_300", stack(1, 300)});
  all.push_back({"line_1000", line(1000)});
  all.push_back({"star_200", star(200)});
  all.push_back({"grid_40", grid(40, 0.01)});
  all.push_back({"grid_40_nearly_singular", grid(40, 1e-11)});
  all.push_back({"stack_4", stack(100, 4)});
  all.push_back({"stack_7", stack(40, 7)});
  all.push_back({"low_rank", low_rank(60, 1e-10)});
  for (const int count : {100, 300, 600, 1500}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      all.push_back({"random_" + std::to_string(count) + "_" + std::to_string(seed),
                     random_links(300, count, 0.01, seed)});
    }
  }
  return all;
}

Vector random_vector(int size) {
  Random random(17);
  Vector values(static_cast<std::size_t>(size));
  for (double& value : values) value = random.uniform(-1.0, 1.0);
  return values;
}

Eigen::Map<const Eigen::VectorXd> as_eigen(const Vector& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// |A x - b| over |A| |x| + |b|, all largest entries: a few round-offs for a stable factorisation.
double backward_error(const Matrix& upper, const Vector& x, const Vector& b) {
  const Eigen::VectorXd residual =
      upper.selfadjointView<Eigen::Upper>() * as_eigen(x) - as_eigen(b);
  const double largest_entry = upper.coeffs().abs().maxCoeff();
  return residual.lpNorm<Eigen::Infinity>() /
         (largest_entry * as_eigen(x).lpNorm<Eigen::Infinity>() +
          as_eigen(b).lpNorm<Eigen::Infinity>());
}

/// The two factorisations with the order in which the rows come.
template <class Factor>
struct InGivenOrder {
  Factor factor_itself;

  void analyse(const SparsePattern& pattern) {
    std::vector<Index> order(pattern.size());
    std::iota(order.begin(), order.end(), Index{0});
    const EliminationTree tree(EntryPlaces(pattern, order), pattern.size());
    if constexpr (std::is_same_v<Factor, SupernodalFactor>)
      factor_itself.analyse(pattern, order, tree);
    else
      factor_itself.analyse(pattern, order);
  }
  bool factor(std::span<const double> values) { return factor_itself.factor(values); }
  [[nodiscard]] double smallest_pivot() const { return factor_itself.smallest_pivot(); }
  void solve(std::span<double> x) { factor_itself.solve(x); }
};

template <class Type>
class SparseFactor : public testing::Test {};
using Factors =
    testing::Types<SparseCholesky, InGivenOrder<SupernodalFactor>, InGivenOrder<SimplicialFactor>>;
TYPED_TEST_SUITE(SparseFactor, Factors);

TYPED_TEST(SparseFactor, SolvesToRoundOff) {
  for (const Named& named : corpus()) {
    SCOPED_TRACE(named.name);
    TypeParam cholesky;
    cholesky.analyse(pattern_of(named.matrix));
    ASSERT_TRUE(cholesky.factor(values_of(named.matrix)));
    const Vector b = random_vector(static_cast<int>(named.matrix.rows()));
    Vector x = b;
    cholesky.solve(x);
    EXPECT_LE(backward_error(named.matrix, x, b), 100.0 * kRoundOff);
  }
}

// The smallest pivot of a given order is a number that every factorisation must find: to round-off
// of the largest entry, whatever the condition.
TYPED_TEST(SparseFactor, FindsTheSmallestPivotThatEigenFinds) {
  for (const Named& named : corpus()) {
    SCOPED_TRACE(named.name);
    TypeParam cholesky;
    cholesky.analyse(pattern_of(named.matrix));
    ASSERT_TRUE(cholesky.factor(values_of(named.matrix)));
    double expected = 0.0;
    if constexpr (std::is_same_v<TypeParam, SparseCholesky>) {
      const Eigen::SimplicialLDLT<Matrix, Eigen::Upper> reference(named.matrix);
      expected = reference.vectorD().minCoeff();
    } else {
      const Eigen::SimplicialLDLT<Matrix, Eigen::Upper, Eigen::NaturalOrdering<int>> reference(
          named.matrix);
      expected = reference.vectorD().minCoeff();
    }
    EXPECT_NEAR(cholesky.smallest_pivot(), expected,
                100.0 * kRoundOff * named.matrix.coeffs().abs().maxCoeff());
  }
}

// x -> A^-1 x of every unit vector, so that no entry of the factor can hide.
TYPED_TEST(SparseFactor, GivesTheInverseOfSmallMatrices) {
  for (int size = 1; size <= 24; ++size) {
    for (const int links : {0, size / 2, size, 3 * size}) {
      const Matrix matrix = random_links(size, links, 0.3, static_cast<std::uint64_t>(size));
      TypeParam cholesky;
      cholesky.analyse(pattern_of(matrix));
      ASSERT_TRUE(cholesky.factor(values_of(matrix)));
      const Eigen::MatrixXd full = Matrix(matrix.selfadjointView<Eigen::Upper>());
      const Eigen::MatrixXd inverse = full.inverse();
      for (int k = 0; k < size; ++k) {
        Vector x(static_cast<std::size_t>(size), 0.0);
        x[static_cast<std::size_t>(k)] = 1.0;
        cholesky.solve(x);
        EXPECT_LE((as_eigen(x) - inverse.col(k)).lpNorm<Eigen::Infinity>(), 1e-12)
            << size << " rows, " << links << " links, column " << k;
      }
    }
  }
}

TYPED_TEST(SparseFactor, RefusesWhatIsNotPositiveDefinite) {
  Matrix matrix = grid(12, 0.01);
  TypeParam cholesky;
  cholesky.analyse(pattern_of(matrix));
  for (const int at : {0, 70, 143}) {
    Matrix indefinite = matrix;
    indefinite.coeffRef(at, at) = -1.0;
    EXPECT_FALSE(cholesky.factor(values_of(indefinite)));
    EXPECT_LE(cholesky.smallest_pivot(), 0.0);
    indefinite.coeffRef(at, at) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(cholesky.factor(values_of(indefinite)));
  }
  const Matrix zero = 0.0 * matrix;
  EXPECT_FALSE(cholesky.factor(values_of(zero)));
}

// An interior point puts z/s on the diagonal, which may overflow: that row is then fixed.
TYPED_TEST(SparseFactor, AnInfiniteDiagonalEntryFixesItsRow) {
  Matrix matrix = grid(12, 0.01);
  matrix.coeffRef(70, 70) = kInfinity;
  TypeParam cholesky;
  cholesky.analyse(pattern_of(matrix));
  ASSERT_TRUE(cholesky.factor(values_of(matrix)));
  Vector x(144, 1.0);
  cholesky.solve(x);
  EXPECT_EQ(x[70], 0.0);
  for (const double value : x) EXPECT_TRUE(std::isfinite(value));
}

TYPED_TEST(SparseFactor, RepeatsItsBitsAfterOtherNumbersAndAfterFailures) {
  for (const Named& named : corpus()) {
    SCOPED_TRACE(named.name);
    const Vector b = random_vector(static_cast<int>(named.matrix.rows()));
    TypeParam used;
    used.analyse(pattern_of(named.matrix));
    ASSERT_TRUE(used.factor(values_of(named.matrix)));
    Vector first = b;
    used.solve(first);
    const Matrix other = 3.0 * named.matrix;
    EXPECT_TRUE(used.factor(values_of(other)));
    const Matrix negative = -1.0 * named.matrix;
    EXPECT_FALSE(used.factor(values_of(negative)));
    ASSERT_TRUE(used.factor(values_of(named.matrix)));
    Vector second = b;
    used.solve(second);
    EXPECT_EQ(first, second);
  }
}

TYPED_TEST(SparseFactor, TakesAnotherPattern) {
  TypeParam cholesky;
  for (const Named& named : corpus()) {
    SCOPED_TRACE(named.name);
    cholesky.analyse(pattern_of(named.matrix));
    ASSERT_TRUE(cholesky.factor(values_of(named.matrix)));
    const Vector b = random_vector(static_cast<int>(named.matrix.rows()));
    Vector x = b;
    cholesky.solve(x);
    EXPECT_LE(backward_error(named.matrix, x, b), 100.0 * kRoundOff);
  }
}

// The n x n grid with fixed rim: sin(pi i/(n+1)) sin(pi j/(n+1)) is an eigenvector of its Laplacian
// with the eigenvalue 4 - 4 cos(pi/(n+1)).
TYPED_TEST(SparseFactor, AnEigenvectorOfTheGridIsDividedByItsEigenvalue) {
  const int n = 50;
  std::vector<Eigen::Triplet<double>> entries;
  Vector mode;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int k = i * n + j;
      entries.emplace_back(k, k, 4.0);
      if (j + 1 < n) entries.emplace_back(k, k + 1, -1.0);
      if (i + 1 < n) entries.emplace_back(k, k + n, -1.0);
      const double step = std::numbers::pi / (n + 1);
      mode.push_back(std::sin(step * (i + 1)) * std::sin(step * (j + 1)));
    }
  }
  Matrix matrix(n * n, n * n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  TypeParam cholesky;
  cholesky.analyse(pattern_of(matrix));
  ASSERT_TRUE(cholesky.factor(values_of(matrix)));
  const double eigenvalue = 4.0 - 4.0 * std::cos(std::numbers::pi / (n + 1));
  Vector x = mode;
  cholesky.solve(x);
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(x[k] * eigenvalue, mode[k], 1000.0 * kRoundOff);
  }
}

TEST(SparseCholesky, CountsTheEntriesThatEigenCounts) {
  for (const Named& named : corpus()) {
    SparseCholesky cholesky;
    cholesky.analyse(pattern_of(named.matrix));
    const Eigen::SimplicialLDLT<Matrix, Eigen::Upper> reference(named.matrix);
    EXPECT_EQ(cholesky.factor_entries(),
              static_cast<double>(reference.matrixL().nestedExpression().nonZeros()))
        << named.name;
  }
}

// Four rows for each node of a grid, all of them joined to those of its neighbours, as the corners
// of boxes are.
TEST(SparseCholesky, RowsThatAreOrderedAsOneGiveTheSameSolution) {
  constexpr int kSide = 12;
  constexpr int kRows = 4;
  std::vector<std::pair<int, int>> links;
  std::vector<Index> group;
  for (int node = 0; node < kSide * kSide; ++node) {
    std::vector<int> others;
    if (node % kSide + 1 < kSide) others.push_back(node + 1);
    if (node + kSide < kSide * kSide) others.push_back(node + kSide);
    for (int row = 0; row < kRows; ++row) {
      group.push_back(static_cast<Index>(node));
      for (int same = row + 1; same < kRows; ++same) {
        links.emplace_back(kRows * node + row, kRows * node + same);
      }
      for (const int other : others) {
        for (int k = 0; k < kRows; ++k) links.emplace_back(kRows * node + row, kRows * other + k);
      }
    }
  }
  const Matrix matrix = linked(kRows * kSide * kSide, links, 1e-3, 5);
  SparseCholesky apart;
  SparseCholesky together;
  apart.analyse(pattern_of(matrix));
  together.analyse(pattern_of(matrix), group);
  EXPECT_LE(together.factor_entries(), 1.2 * apart.factor_entries());
  ASSERT_TRUE(apart.factor(values_of(matrix)));
  ASSERT_TRUE(together.factor(values_of(matrix)));
  Vector x(static_cast<std::size_t>(matrix.cols()));
  Random random(3);
  for (double& value : x) value = random.uniform(-1.0, 1.0);
  Vector y = x;
  apart.solve(x);
  together.solve(y);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], y[k], 1e-9);
}

}  // namespace
}  // namespace carom::solvers
