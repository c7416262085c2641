// The solvers against slow references and closed forms.

#include "solvers/qp_reference.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "carom/solvers/quadratic_program.h"

#include "solvers/ipopt_reference.h"
#include "solvers/qp_families.h"

namespace carom::solvers {
namespace {

using families::Instance;

void compare_with_enumeration(const Instance& instance) {
  const std::vector<double> expected = enumerate_active_sets(instance.view());
  for (const char* name : {"auto", "dense_pivoting", "interior_point", "mprgp"}) {
    QpResult result;
    make_qp_solver(name)->solve(instance.view(), {}, result);
    EXPECT_EQ(result.status, QpStatus::solved) << name << " on " << instance.name;
    EXPECT_LE(velocity_difference(instance, result.x, expected), 1e-9)
        << name << " on " << instance.name;
    EXPECT_LE(objective(instance.view(), result.x), objective(instance.view(), expected) + 1e-10)
        << name << " on " << instance.name;
  }
}

TEST(QpAgainstEnumeration, RandomGraphsOfUpToEightRows) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto rows = static_cast<Index>(1 + seed % 8);
    const auto numbers = static_cast<Index>(1 + seed % 3);
    compare_with_enumeration(families::random_graph(3, rows, numbers, seed));
  }
}

TEST(QpAgainstEnumeration, BoxesOfUpToSixRows) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto rows = static_cast<Index>(1 + seed % 6);
    const Instance base = families::random_graph(3, rows, 2, 100 + seed);
    compare_with_enumeration(families::boxed(base, seed));
  }
}

TEST(QpAgainstEnumeration, RedundantRows) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto rows = static_cast<Index>(1 + seed % 4);
    compare_with_enumeration(families::duplicated(families::random_graph(3, rows, 2, 200 + seed)));
    compare_with_enumeration(families::random_graph(1, 7, 2, 300 + seed));
  }
}

// A = 1 after scaling, so x = max(0, -c).
TEST(QpClosedForms, TwoEqualBallsExchangeTheirVelocities) {
  const Instance instance = families::chain(2, 1.0, families::Rows::all, 5);
  const QpResult result = solve_qp(instance.view());
  ASSERT_EQ(result.x.size(), 1U);
  EXPECT_DOUBLE_EQ(result.x[0], std::max(0.0, -instance.c[0]));
}

TEST(QpClosedForms, OneRowWithBounds) {
  const double gradient = 2.0;
  BlockRows rows;
  rows.add_scalar_block(1, 0.5);
  const RowPart part{0, {&gradient, 1}};
  rows.add_row({&part, 1});
  rows.finish();  // A = 2
  const std::vector<Index> selection{0};
  const auto solve = [&](double c, double lower, double upper) {
    const std::vector<double> c_values{c};
    const std::vector<double> lower_values{lower};
    const std::vector<double> upper_values{upper};
    return solve_qp({&rows, selection, c_values, lower_values, upper_values, {}}).x[0];
  };
  EXPECT_EQ(solve(-6.0, 0.0, kInfinity), 3.0);
  EXPECT_EQ(solve(-6.0, 0.0, 1.0), 1.0);
  EXPECT_EQ(solve(6.0, 0.0, 1.0), 0.0);
  EXPECT_EQ(solve(6.0, -2.0, 1.0), -2.0);
}

// A ball that moves into the bottom of a wedge and meets both walls is thrown back the way it came:
// both rows are free, N'(v + W N x) = -N'v, and N spans the plane, so W N x = -2 v. The impulses
// are |v| over the half angle; of v itself only round-off times that may be lost.
TEST(QpClosedForms, AWedgeThrowsTheBallBack) {
  for (const double angle : {1.0, 1e-2, 1e-4, 1e-6, 1e-8}) {
    const Instance instance = families::wedge(angle);
    const std::vector<double> v{0.1 * std::sin(0.5 * angle), -1.0};
    for (const char* name : {"auto", "dense_pivoting"}) {
      QpResult result;
      make_qp_solver(name)->solve(instance.view(), {}, result);
      ASSERT_EQ(result.status, QpStatus::solved) << angle;
      std::vector<double> change(2, 0.0);
      for (Index i = 0; i < 2; ++i) instance.rows.apply(instance.selection[i], result.x[i], change);
      EXPECT_NEAR(change[0], -2.0 * v[0], 20.0 * kRoundOff / angle) << name << " " << angle;
      EXPECT_NEAR(change[1], -2.0 * v[1], 20.0 * kRoundOff / angle) << name << " " << angle;
    }
  }
}

// Two opposite walls, c = (-1, -1): the header's example of the unbounded. With c = (-1, 1) the
// rows pull against each other and x = (1 + s, s) is a solution for every s >= 0.
TEST(QpClosedForms, OppositeWalls) {
  const double right = 1.0;
  const double left = -1.0;
  BlockRows rows;
  rows.add_scalar_block(1, 1.0);
  const RowPart first{0, {&right, 1}};
  const RowPart second{0, {&left, 1}};
  rows.add_row({&first, 1});
  rows.add_row({&second, 1});
  rows.finish();
  const std::vector<Index> selection{0, 1};
  const std::vector<double> closing{-1.0, -1.0};
  const std::vector<double> pulling{-1.0, 1.0};
  for (const std::string& name : qp_solver_names()) {
    if (name == "closed_form") continue;
    QpResult result;
    make_qp_solver(name)->solve({&rows, selection, closing, {}, {}, {}}, {}, result);
    EXPECT_EQ(result.status, QpStatus::unbounded) << name;
    QpSettings smallest;
    smallest.minimum_norm = true;
    make_qp_solver(name)->solve({&rows, selection, pulling, {}, {}, {}}, smallest, result);
    EXPECT_EQ(result.status, QpStatus::solved) << name;
    EXPECT_NEAR(result.x[0], 1.0, 1e-12) << name;
    EXPECT_NEAR(result.x[1], 0.0, 1e-12) << name;
  }
}

// Wrong exchanges would be hidden by the methods behind them; they show in the number of steps.
TEST(QpEffort, PivotingNeedsAFewExchangesAndTheInteriorPointAFewFactorisations) {
  for (const Instance& instance : {families::rack(5), families::box_stack(10, 10),
                                   families::chain(40, 1.0, families::Rows::all, 3)}) {
    QpResult result;
    make_qp_solver("dense_pivoting")->solve(instance.view(), {}, result);
    EXPECT_LE(result.iterations, 12U) << instance.name;
  }
  for (const auto& [instance, most] :
       {std::pair(families::hexagonal_grid(20, 2), 10U), std::pair(families::rack(20), 16U),
        std::pair(families::square_grid(30, 2), 1U)}) {
    QpResult result;
    make_qp_solver("interior_point")->solve(instance.view(), {}, result);
    EXPECT_LE(result.iterations, most) << instance.name;
  }
}

TEST(LargeQp, TenThousandRowsAndMore) {
  const std::unique_ptr<QpSolver> solver = make_qp_solver("auto");
  for (const Instance& instance : {families::square_grid(105, 1), families::hexagonal_grid(60, 2),
                                   families::box_stack(500, 3)}) {
    QpResult result;
    solver->solve(instance.view(), {}, result);
    EXPECT_EQ(result.status, QpStatus::solved) << instance.name;
    EXPECT_EQ(result.method, "interior_point") << instance.name;
    EXPECT_LE(kkt_residual(instance.view(), result.x), 1e-12) << instance.name;
  }
}

TEST(LargeQp, TheMatrixFreeMethodAgreesWithTheInteriorPoint) {
  for (const Instance& instance : {families::square_grid(40, 4), families::hexagonal_grid(20, 5)}) {
    QpResult sparse;
    QpResult matrix_free;
    make_qp_solver("interior_point")->solve(instance.view(), {}, sparse);
    make_qp_solver("mprgp")->solve(instance.view(), {}, matrix_free);
    EXPECT_EQ(matrix_free.status, QpStatus::solved) << instance.name;
    EXPECT_LE(velocity_difference(instance, sparse.x, matrix_free.x), 1e-10) << instance.name;
  }
}

#ifdef CAROM_HAVE_IPOPT
TEST(QpAgainstIpopt, SameVelocitiesAndNoLargerResidual) {
  IpoptReference ipopt;
  for (const Instance& instance :
       {families::rack(5), families::square_grid(12, 3), families::hexagonal_grid(8, 3),
        families::box_stack(10, 3), families::random_graph(30, 80, 3, 3),
        families::face_patch(20, 3), families::boxed(families::random_graph(20, 40, 2, 4), 4)}) {
    const IpoptAnswer expected = ipopt.solve(instance.view());
    ASSERT_TRUE(expected.solved) << instance.name;
    const QpResult result = solve_qp(instance.view());
    EXPECT_LE(result.kkt_residual, std::max(expected.kkt_residual, 1e-14)) << instance.name;
    EXPECT_LE(velocity_difference(instance, result.x, expected.x),
              1e-9 + std::sqrt(expected.kkt_residual))
        << instance.name;
  }
}
#endif

}  // namespace
}  // namespace carom::solvers
