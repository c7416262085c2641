#include "carom/solvers/tangent_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom::solvers {
namespace {

template <std::size_t D>
struct Program {
  TangentRows<D> system;
  std::vector<double> c;
  std::vector<double> lower;
  std::vector<double> upper;
};

// Rows between random pairs of bodies, some to a wall, some twice.
template <std::size_t D>
Program<D> random_program(std::uint64_t seed, Index bodies, Index rows) {
  Random random(seed);
  Program<D> program;
  for (Index i = 0; i < bodies; ++i) {
    const double weight = std::pow(10.0, random.uniform(-1.0, 1.0));
    program.system.bodies.push_back({weight, i % 5 == 4 ? 0.0 : 2.5 * weight});
  }
  const auto body = [&] {
    return std::min(bodies - 1, static_cast<Index>(random.uniform(0.0, 1.0) * bodies));
  };
  for (Index k = 0; k < rows; ++k) {
    typename TangentRows<D>::Row row;
    row.a = body();
    row.b = body();
    if (row.b == row.a || k % 7 == 0) row.b = kNone;
    for (double& x : row.along) x = random.uniform(-1.0, 1.0);
    for (double& x : row.turn_a) x = random.uniform(-1.0, 1.0);
    for (double& x : row.turn_b) x = random.uniform(-1.0, 1.0);
    if (k > 0 && k % 6 == 0) row = program.system.rows.back();
    program.system.rows.push_back(row);
    program.c.push_back(random.uniform(-1.0, 1.0));
    program.upper.push_back(random.uniform(0.0, 0.5));
    program.lower.push_back(k % 2 == 0 ? 0.0 : -program.upper.back());
  }
  return program;
}

// A x + c, by what the impulses do to the bodies.
template <std::size_t D>
std::vector<double> gradient(const Program<D>& program, const std::vector<double>& x) {
  constexpr std::size_t kTurns = TangentRows<D>::kTurns;
  const TangentRows<D>& system = program.system;
  std::vector<std::array<double, D>> v(system.bodies.size());
  std::vector<std::array<double, kTurns>> w(system.bodies.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto& row = system.rows[k];
    for (std::size_t d = 0; d < D; ++d) {
      v[row.a][d] += x[k] * system.bodies[row.a].weight * row.along[d];
      if (row.b != kNone) v[row.b][d] -= x[k] * system.bodies[row.b].weight * row.along[d];
    }
    for (std::size_t d = 0; d < kTurns; ++d) {
      w[row.a][d] += x[k] * system.bodies[row.a].turn_weight * row.turn_a[d];
      if (row.b != kNone) w[row.b][d] += x[k] * system.bodies[row.b].turn_weight * row.turn_b[d];
    }
  }
  std::vector<double> g = program.c;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto& row = system.rows[k];
    for (std::size_t d = 0; d < D; ++d) {
      g[k] += row.along[d] * (v[row.a][d] - (row.b != kNone ? v[row.b][d] : 0.0));
    }
    for (std::size_t d = 0; d < kTurns; ++d) {
      g[k] += row.turn_a[d] * w[row.a][d] + (row.b != kNone ? row.turn_b[d] * w[row.b][d] : 0.0);
    }
  }
  return g;
}

template <std::size_t D>
void expect_minimum(const Program<D>& program, TangentSolver<D>& solver) {
  std::vector<double> x(program.c.size());
  ASSERT_TRUE(solver.solve(program.system, program.c, {program.lower, program.upper}, x));
  const std::vector<double> g = gradient(program, x);
  for (std::size_t k = 0; k < x.size(); ++k) {
    ASSERT_GE(x[k], program.lower[k]);
    ASSERT_LE(x[k], program.upper[k]);
    const double there = std::clamp(x[k] - g[k], program.lower[k], program.upper[k]);
    ASSERT_NEAR(x[k], there, 1e-10) << "row " << k;
  }
}

TEST(TangentSolver, FindsMinimaOfAllSizes) {
  TangentSolver<2> plane;
  TangentSolver<3> space;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const auto rows = static_cast<Index>(1 + seed * seed % 97);
    expect_minimum(random_program<2>(seed, 2 + rows / 3, rows), plane);
    expect_minimum(random_program<3>(seed, 2 + rows / 3, rows), space);
  }
}

TEST(TangentSolver, AFewRowsNeedNoProducts) {
  TangentSolver<3> solver;
  Program<3> program = random_program<3>(1, 6, 5);
  expect_minimum(program, solver);
  EXPECT_EQ(solver.products(), 0U);
  program = random_program<3>(1, 40, 60);
  expect_minimum(program, solver);
  EXPECT_GT(solver.products(), 0U);
}

}  // namespace
}  // namespace carom::solvers
