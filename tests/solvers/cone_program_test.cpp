#include "carom/solvers/cone_program.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"

#include "solvers/cone_families.h"
#include "support/slow.h"

namespace carom::solvers {
namespace {

struct Solution {
  ConeResult result;
  std::vector<ConeVector> impulses;
  std::vector<double> velocity;
};

Solution solved(const ConeProgram& program, const ConeSettings& settings = {}) {
  Solution solution;
  solution.impulses.resize(program.contacts.size());
  solution.result = solve_cone_program(program, settings, solution.impulses, solution.velocity);
  return solution;
}

// A point mass of 4 kg above a floor; the first number is along its normal.
ConeProgram point_on_floor(const ConeVector& velocity, double friction) {
  constexpr double kRoot = 2.0;
  ConeProgram program;
  program.free_velocity.assign(6, 0.0);
  ConeContact contact;
  contact.body_a = 0;
  contact.friction = friction;
  for (std::size_t d = 0; d < 3; ++d) {
    program.free_velocity[d] = kRoot * velocity[d];
    contact.gradient_a[6 * d + d] = 1.0 / kRoot;
  }
  program.contacts.push_back(contact);
  program.speed = 0.1;
  return program;
}

void expect_velocity(const Solution& solution, const ConeVector& expected) {
  // The residual is in velocities of one contact, relative to the program's speed.
  constexpr double kAllowed = 4.0 * 1e-10 * 0.1;
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_NEAR(solution.velocity[d] / 2.0, expected[d], kAllowed) << d;
  }
}

TEST(ConeProgram, APointSticksSlidesAndParts) {
  expect_velocity(solved(point_on_floor({-1.0, 0.3, 0.1}, 0.5)), {0.0, 0.0, 0.0});
  // mu times the normal impulse off the slip, along it; no flight upwards.
  expect_velocity(solved(point_on_floor({-1.0, 0.6, 0.8}, 0.5)), {0.0, 0.3, 0.4});
  expect_velocity(solved(point_on_floor({-1.0, 0.6, 0.8}, 0.0)), {0.0, 0.6, 0.8});
  expect_velocity(solved(point_on_floor({0.2, 0.6, 0.8}, 0.5)), {0.2, 0.6, 0.8});
}

TEST(ConeProgram, BothMethodsFindTheSame) {
  for (const ConeVector& v : {ConeVector{-1.0, 0.6, 0.8}, ConeVector{-0.1, 0.01, 0.0}}) {
    ConeSettings settings;
    settings.method = ConeMethod::gradient;
    const Solution by_gradients = solved(point_on_floor(v, 0.7), settings);
    EXPECT_EQ(by_gradients.result.status, ConeStatus::solved);
    const Solution by_newton = solved(point_on_floor(v, 0.7));
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(by_gradients.velocity[d], by_newton.velocity[d], 1e-9);
    }
  }
}

TEST(ConeProgram, AGoodStartCostsNothing) {
  const ConeProgram program = point_on_floor({-1.0, 0.6, 0.8}, 0.5);
  Solution solution = solved(program);
  EXPECT_GT(solution.result.iterations, 0U);
  solution.result = solve_cone_program(program, {}, solution.impulses, solution.velocity);
  EXPECT_EQ(solution.result.iterations, 0U);
  EXPECT_EQ(solution.result.status, ConeStatus::solved);
}

// What holds whatever the iteration did.
void expect_laws(const ConeProgram& program, const Solution& solution, std::uint64_t seed) {
  std::vector<double> velocity;
  cone_velocity(program, solution.impulses, velocity);
  for (std::size_t c = 0; c < program.contacts.size(); ++c) {
    const ConeVector& r = solution.impulses[c];
    ASSERT_GE(r[0], 0.0) << "seed " << seed;
    ASSERT_LE(std::hypot(r[1], r[2]),
              program.contacts[c].friction * r[0] * (1.0 + 8.0 * kRoundOff) + 1e-300)
        << "seed " << seed;
  }
  ASSERT_EQ(velocity, solution.velocity) << "seed " << seed;
  ASSERT_EQ(cone_residual(program, solution.impulses, velocity), solution.result.residual)
      << "seed " << seed;
}

// How many of the random programs were solved to the tolerance.
int count_solved(int count) {
  int good = 0;
  for (int k = 0; k < count; ++k) {
    const auto seed = static_cast<std::uint64_t>(k);
    const ConeProgram program = random_cone_program(seed);
    const Solution solution = solved(program);
    expect_laws(program, solution, seed);
    if (testing::Test::HasFatalFailure()) return good;
    if (solution.result.status == ConeStatus::solved) ++good;
  }
  return good;
}

TEST(ConeProgram, LawsHoldOnRandomInstantsAndNearlyAllAreSolved) {
  constexpr int kCount = 2000;
  const int good = count_solved(kCount);
  RecordProperty("solved", good);
  EXPECT_GE(good, kCount * 98 / 100);
}

TEST(SlowConeProgram, LawsHoldOnAMillionRandomInstants) {
  const int count = test::problem_count(1000, 1'000'000);
  const int good = count_solved(count);
  RecordProperty("solved", good);
  EXPECT_GE(good, count / 100 * 98);
}

TEST(ConeProgram, LawsHoldWhenTheBudgetEnds) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const ConeProgram program = random_cone_program(seed);
    ConeSettings settings;
    settings.method = ConeMethod::gradient;
    settings.max_iterations = seed % 7;
    const Solution solution = solved(program, settings);
    expect_laws(program, solution, seed);
    ASSERT_LE(solution.result.iterations, settings.max_iterations);
  }
}

// Bodies at rest under each other, all friction small: the velocity is unique there.
TEST(ConeProgram, TheOrderOfContactsDoesNotMatter) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    ConeProgram program = random_cone_program(seed);
    for (ConeContact& contact : program.contacts) contact.friction *= 0.1;
    const Solution given = solved(program);
    std::vector<std::size_t> order(program.contacts.size());
    std::iota(order.begin(), order.end(), 0U);
    Random random(seed);
    for (std::size_t k = order.size(); k > 1; --k) {
      std::swap(order[k - 1], order[random.below(static_cast<Index>(k))]);
    }
    ConeProgram other = program;
    for (std::size_t k = 0; k < order.size(); ++k) {
      other.contacts[k] = program.contacts[order[k]];
    }
    const Solution shuffled = solved(other);
    if (given.result.status != ConeStatus::solved || shuffled.result.status != ConeStatus::solved) {
      continue;
    }
    ++compared;
    for (std::size_t c = 0; c < order.size(); ++c) {
      const ConeVector u = cone_slip(program.contacts[order[c]], given.velocity);
      const ConeVector v = cone_slip(other.contacts[c], shuffled.velocity);
      for (std::size_t d = 0; d < 3; ++d) {
        ASSERT_NEAR(u[d], v[d], 1e-5 * program.speed) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(compared, 285);
}

}  // namespace
}  // namespace carom::solvers
