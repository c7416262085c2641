// Pivoting on the program with a little norm added: what it claims, against the dense method.

#include "carom/solvers/detail/sparse_pivoting.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "carom/solvers/quadratic_program.h"

#include "solvers/qp_families.h"
#include "solvers/qp_reference.h"

namespace carom::solvers {
namespace {

using families::Instance;

ScaledProgram scaled_program(const Instance& instance) {
  ScaledProgram program;
  program.rows.bind(instance.rows, instance.selection);
  for (Index i = 0; i < instance.size(); ++i) {
    const double scale = program.rows.scale(i);
    program.c.push_back(instance.c[i] * scale);
    program.lower.push_back(instance.lower.empty() ? 0.0 : instance.lower[i] / scale);
    program.upper.push_back(instance.upper.empty() ? kInfinity : instance.upper[i] / scale);
    program.has_upper = program.has_upper || std::isfinite(program.upper.back());
    program.largest_c = std::max(program.largest_c, std::abs(instance.c[i]));
  }
  return program;
}

struct Pivoted {
  CoreOutcome outcome;
  std::vector<double> x;
};

Pivoted pivot(const Instance& instance, std::span<const double> start_x) {
  ScaledProgram program = scaled_program(instance);
  for (std::size_t i = 0; i < start_x.size(); ++i) {
    program.start.push_back(start_x[i] / program.rows.scale(static_cast<Index>(i)));
  }
  AssembledRows matrix;
  matrix.assemble(program);
  Pivoted result;
  result.x.resize(instance.size());
  result.outcome = SparsePivoting().run(program, matrix, {}, result.x);
  for (Index i = 0; i < instance.size(); ++i) result.x[i] *= program.rows.scale(i);
  return result;
}

std::vector<double> dense_solution(const Instance& instance, bool minimum_norm) {
  QpSettings settings;
  settings.minimum_norm = minimum_norm;
  QpResult result;
  make_qp_solver("dense_pivoting")->solve(instance.view(), settings, result);
  EXPECT_EQ(result.status, QpStatus::solved) << instance.name;
  return result.x;
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(SparsePivoting, FindsTheLeastNormFromAnySolution) {
  for (const Instance& instance :
       {families::box_stack(12, 3), families::box_stack(40, 5), families::face_patch(8, 4),
        families::duplicated(families::hexagonal_grid(8, 2))}) {
    const std::vector<double> least = dense_solution(instance, true);
    const Pivoted pivoted = pivot(instance, dense_solution(instance, false));
    EXPECT_EQ(pivoted.outcome.status, QpStatus::solved) << instance.name;
    EXPECT_TRUE(pivoted.outcome.is_least_norm) << instance.name;
    EXPECT_LE(largest_difference(pivoted.x, least), 1e-9 * euclidean_norm(least)) << instance.name;
  }
}

TEST(SparsePivoting, IsRightWhereItSaysSo) {
  int solved = 0;
  int least_norm = 0;
  for (const Instance& instance : families::contract_corpus()) {
    const ScaledProgram program = scaled_program(instance);
    const auto is_fixed = [&](Index i) {
      return !(program.lower[i] < program.upper[i]) || !(program.rows.diagonal(i) > 0.0);
    };
    bool any_fixed = false;
    for (Index i = 0; i < instance.size(); ++i) any_fixed = any_fixed || is_fixed(i);
    if (any_fixed) continue;  // the engine has taken such rows out
    const Pivoted pivoted = pivot(instance, {});
    if (pivoted.outcome.status != QpStatus::solved) continue;
    ++solved;
    EXPECT_LE(kkt_residual(instance.view(), pivoted.x), 1e-12) << instance.name;
    if (!pivoted.outcome.is_least_norm) continue;
    ++least_norm;
    const std::vector<double> least = dense_solution(instance, true);
    EXPECT_LE(euclidean_norm(pivoted.x), (1.0 + 1e-7) * euclidean_norm(least)) << instance.name;
  }
  EXPECT_GE(solved, 20);
  EXPECT_GE(least_norm, 20);
}

}  // namespace
}  // namespace carom::solvers
