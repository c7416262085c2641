// Among all solutions the smallest one: unique, hence as symmetric as the problem.

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "carom/solvers/quadratic_program.h"

#include "solvers/qp_families.h"
#include "solvers/qp_reference.h"

namespace carom::solvers {
namespace {

using families::Instance;

std::vector<double> smallest_solution(const Instance& instance, const std::string& solver) {
  QpSettings settings;
  settings.minimum_norm = true;
  QpResult result;
  make_qp_solver(solver)->solve(instance.view(), settings, result);
  EXPECT_EQ(result.status, QpStatus::solved) << solver << " on " << instance.name;
  return result.x;
}

class MinimumNorm : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Solvers, MinimumNorm,
                         testing::Values("auto", "dense_pivoting", "interior_point", "mprgp"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(MinimumNorm, ABoxFallingFlatLoadsItsFourCornersEqually) {
  const std::vector<double> x = smallest_solution(families::face_patch(4, 0), GetParam());
  for (const double value : x) EXPECT_NEAR(value, x[0], 1e-12 * x[0]);
  EXPECT_GT(x[0], 0.0);
}

TEST_P(MinimumNorm, AHexagonFallingFlatLoadsItsSixCornersEqually) {
  const std::vector<double> x = smallest_solution(families::face_patch(6, 0), GetParam());
  for (const double value : x) EXPECT_NEAR(value, x[0], 1e-12 * x[0]);
  EXPECT_GT(x[0], 0.0);
}

TEST_P(MinimumNorm, EqualRowsShareEqually) {
  for (const Instance& base :
       {families::chain(12, 1.0, families::Rows::violated, 3), families::hexagonal_grid(8, 2),
        families::random_graph(20, 60, 3, 5), families::box_stack(8, 3)}) {
    const Instance instance = families::duplicated(base);
    const std::vector<double> x = smallest_solution(instance, GetParam());
    const double scale = euclidean_norm(x);
    for (std::size_t i = 0; i < x.size() / 2; ++i) {
      EXPECT_NEAR(x[i], x[i + x.size() / 2], 1e-13 * scale) << instance.name;
    }
  }
}

// A + delta I, by a private dof of inverse mass delta for every row, has one solution, which tends
// to the smallest one of A as delta falls.
TEST_P(MinimumNorm, IsTheLimitOfTheRegularisedProblem) {
  constexpr double kDelta = 1e-8;
  for (const Instance& base :
       {families::face_patch(9, 4), families::box_stack(3, 2), families::hexagonal_grid(5, 4),
        families::random_graph(3, 20, 2, 8), families::boxed(families::face_patch(12, 3), 5),
        families::boxed(families::random_graph(3, 20, 2, 8), 9)}) {
    Instance regularised;
    regularised.c = base.c;
    regularised.lower = base.lower;
    regularised.upper = base.upper;
    for (Index block = 0; block < base.rows.block_count(); ++block) {
      regularised.rows.add_block(base.rows.block_size(block), base.rows.inverse_mass(block));
    }
    const double one = 1.0;
    for (const Index row : base.selection) {
      std::vector<RowPart> parts;
      for (const BlockRows::Entry& entry : base.rows.entries(row)) {
        parts.push_back({entry.block, base.rows.gradient(entry)});
      }
      parts.push_back({regularised.rows.add_scalar_block(1, kDelta), {&one, 1}});
      regularised.selection.push_back(regularised.rows.add_row(parts));
    }
    regularised.rows.finish();
    const std::vector<double> expected = solve_qp(regularised.view()).x;
    const std::vector<double> x = smallest_solution(base, GetParam());
    const double scale = euclidean_norm(expected);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(x[i], expected[i], 1e-5 * scale) << base.name << " row " << i;
    }
  }
}

TEST_P(MinimumNorm, DoesNotDependOnTheOrderOfTheRows) {
  for (const Instance& base : {families::face_patch(30, 2), families::box_stack(6, 5),
                               families::duplicated(families::rack(4))}) {
    Instance reversed = base;
    std::reverse(reversed.selection.begin(), reversed.selection.end());
    std::reverse(reversed.c.begin(), reversed.c.end());
    const std::vector<double> x = smallest_solution(base, GetParam());
    const std::vector<double> y = smallest_solution(reversed, GetParam());
    const double scale = euclidean_norm(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(x[i], y[x.size() - 1 - i], 1e-10 * scale) << base.name;
    }
  }
}

TEST(MinimumNormOfAuto, AFacePatchOfFiveHundredPointsIsSolvedInTheSpaceOfItsSixDofs) {
  const Instance instance = families::face_patch(500, 11);
  QpSettings settings;
  settings.minimum_norm = true;
  const QpResult result = solve_qp(instance.view(), settings);
  EXPECT_EQ(result.status, QpStatus::solved);
  EXPECT_EQ(result.method, "dense_pivoting");
  EXPECT_LE(kkt_residual(instance.view(), result.x), 1e-12);
}

TEST(RepeatedRows, OnlyTheOneThatAsksForMostBinds) {
  Instance instance = families::duplicated(families::hexagonal_grid(12, 6));
  const std::size_t half = instance.c.size() / 2;
  Random random(3);
  for (std::size_t i = 0; i < half; ++i) instance.c[i] += random.uniform(0.0, 1.0);
  const QpResult result = solve_qp(instance.view());
  ASSERT_EQ(result.status, QpStatus::solved);
  EXPECT_LE(kkt_residual(instance.view(), result.x), 1e-12);
  for (std::size_t i = 0; i < half; ++i) EXPECT_EQ(result.x[i], 0.0);
}

TEST(MinimumNormOfAuto, WorksOnThousandsOfRedundantRows) {
  const Instance instance = families::duplicated(families::hexagonal_grid(25, 6));
  QpSettings settings;
  settings.minimum_norm = true;
  const QpResult result = solve_qp(instance.view(), settings);
  EXPECT_EQ(result.status, QpStatus::solved);
  EXPECT_LE(kkt_residual(instance.view(), result.x), 1e-12);
  const std::size_t half = result.x.size() / 2;
  const double scale = euclidean_norm(result.x);
  for (std::size_t i = 0; i < half; ++i) {
    EXPECT_NEAR(result.x[i], result.x[i + half], 1e-13 * scale);
  }
}

}  // namespace
}  // namespace carom::solvers
