// Elements of every family by themselves, through time: stable up to their stable step, and damped.

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/forces/family.h"

#include "forces/family_samples.h"
#include "forces/lone_element.h"

namespace carom {
namespace {

using test::FamilyKind;
using test::FamilySample;
using test::LoneElement;

class FamilyMotion : public testing::TestWithParam<FamilyKind> {};

LoneElement disturbed_element(const FamilySample& sample, Index element, Random& random) {
  std::vector<Vec3> position = sample.rest;
  for (Vec3& p : position) {
    p += 1e-6 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1),
                     sample.is_flat ? 0.0 : random.uniform(-1, 1)};
  }
  return {*sample.family, element, position, sample.inverse_mass()};
}

// Largest eigenvalue of the stiffness Hessian at rest, by differences, in the metric of the masses.
double largest_squared_frequency(const FamilySample& sample, Index element) {
  constexpr double kStep = 1e-4;
  const std::span<const Index> stencil = sample.family->stencil(element);
  const auto size = static_cast<Eigen::Index>(3 * stencil.size());
  const std::vector<double> memory = sample.memory(sample.rest);
  const auto potential = [&](Eigen::Index i, double by_i, Eigen::Index j, double by_j) {
    std::vector<Vec3> position = sample.rest;
    const auto move = [&](Eigen::Index k, double by) {
      constexpr double Vec3::*kAxes[] = {&Vec3::x, &Vec3::y, &Vec3::z};
      position[stencil[static_cast<std::size_t>(k / 3)]].*kAxes[k % 3] += by;
    };
    move(i, by_i);
    move(j, by_j);
    return sample.family->potential(element, position, memory);
  };
  Eigen::MatrixXd H(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      H(i, j) = (potential(i, kStep, j, kStep) - potential(i, kStep, j, -kStep) -
                 potential(i, -kStep, j, kStep) + potential(i, -kStep, j, -kStep)) /
                (4 * kStep * kStep);
      H(i, j) /= std::sqrt(sample.mass[stencil[static_cast<std::size_t>(i / 3)]] *
                           sample.mass[stencil[static_cast<std::size_t>(j / 3)]]);
    }
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(H).eigenvalues().maxCoeff();
}

TEST_P(FamilyMotion, TheStableStepIsTwoOverTheLargestFrequencyOrALittleLess) {
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random&) {
    if (sample.is_damped) return;
    const std::vector<double> inverse_mass = sample.inverse_mass();
    for (const Index e : sample.all_elements()) {
      const double step = sample.family->stable_step(e, inverse_mass);
      if (step == kInfinity) continue;
      const double longest = 2.0 / std::sqrt(largest_squared_frequency(sample, e));
      EXPECT_LE(step, longest * 1.001) << "element " << e;
      if (sample.angles) continue;  // theirs holds for every angle, not only that of the rest shape
      EXPECT_GE(step, longest * 0.9) << "element " << e;
    }
  });
}

TEST_P(FamilyMotion, AnElementIsStableBelowItsStableStep) {
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random& random) {
    for (const Index e : sample.all_elements()) {
      LoneElement element = disturbed_element(sample, e, random);
      const double step = element.stable_step();
      ASSERT_GT(step, 0.0);
      if (step == kInfinity) continue;
      // With omega h = 1.8 the energy at whole steps swings by (2 + 1.8) / (2 - 1.8).
      const double bound = 40.0 * element.energy();
      for (int k = 0; k < 2000; ++k) {
        element.advance(0.9 * step);
        ASSERT_LE(element.energy(), bound) << "element " << e << ", step " << k;
      }
    }
  });
}

TEST_P(FamilyMotion, HeavierBodiesAllowLongerSteps) {
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random&) {
    std::vector<double> inverse_mass = sample.inverse_mass();
    std::vector<double> before;
    for (const Index e : sample.all_elements()) {
      before.push_back(sample.family->stable_step(e, inverse_mass));
    }
    for (double& w : inverse_mass) w /= 4.0;
    for (const Index e : sample.all_elements()) {
      if (before[e] == kInfinity) continue;
      const double after = sample.family->stable_step(e, inverse_mass);
      // 2 / omega doubles, the step that damping allows grows more.
      EXPECT_GE(after, 2.0 * before[e] * (1.0 - 8.0 * kRoundOff));
    }
    std::fill(inverse_mass.begin(), inverse_mass.end(), 0.0);
    for (const Index e : sample.all_elements()) {
      EXPECT_EQ(sample.family->stable_step(e, inverse_mass), kInfinity);
    }
  });
}

TEST_P(FamilyMotion, ADampedElementComesToRestAndTheBooksBalance) {
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random& random) {
    if (!sample.is_damped || !sample.has_potential) return;
    for (const Index e : sample.all_elements()) {
      LoneElement element = disturbed_element(sample, e, random);
      const double step = 0.02 * element.stable_step();
      const double start = element.energy();
      double last = start;
      for (int k = 0; k < 10; ++k) {
        for (int j = 0; j < 500; ++j) element.advance(step);
        EXPECT_LE(element.energy(), last + 0.05 * start) << "element " << e;
        last = element.energy();
      }
      EXPECT_LT(last, start);
      EXPECT_NEAR(last + element.dissipated(), start, 0.05 * start) << "element " << e;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Families, FamilyMotion,
                         testing::ValuesIn(test::family_kinds().begin(),
                                           test::family_kinds().end()),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace carom
