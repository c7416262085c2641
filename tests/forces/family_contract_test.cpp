// What every family of forces promises (carom/forces/family.h), on random worlds.

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/forces/family.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/rotation.h"

#include "forces/family_samples.h"
#include "forces/lone_element.h"

namespace carom {
namespace {

using test::FamilyKind;
using test::FamilySample;
using test::LoneElement;

constexpr int kTrials = 20;

class FamilyContract : public testing::TestWithParam<FamilyKind> {
 protected:
  // The same worlds in every test of a kind.
  template <typename Function>
  void for_each_world(const Function& function) {
    Random random(2009);
    for (int trial = 0; trial < kTrials; ++trial) {
      SCOPED_TRACE("trial " + std::to_string(trial) + " of seed 2009");
      const FamilySample sample = GetParam().make(random);
      function(sample, random);
    }
  }
};

// What a kick of these elements at these positions does to bodies at rest, times their masses.
std::vector<Vec3> impulses(const FamilySample& sample, std::span<const Index> elements,
                           std::span<const Vec3> position, std::span<double> memory) {
  const std::vector<double> inverse_mass = sample.inverse_mass();
  std::vector<Vec3> change(sample.count());
  sample.family->kick(elements, {.step = 0.01,
                                 .position = position,
                                 .inverse_mass = inverse_mass,
                                 .velocity = change,
                                 .memory = memory,
                                 .dissipated = nullptr});
  for (Index i = 0; i < sample.count(); ++i) change[i] *= sample.mass[i];
  return change;
}

double total_potential(const FamilySample& sample, std::span<const Vec3> position,
                       std::span<const double> memory) {
  double sum = 0.0;
  for (Index e = 0; e < sample.family->size(); ++e) {
    sum += sample.family->potential(e, position, memory);
  }
  return sum;
}

double size_of(std::span<const Vec3> vectors) {
  double sum = 0.0;
  for (const Vec3& v : vectors) sum += norm(v);
  return sum;
}

TEST_P(FamilyContract, StencilsNameOneToFourDifferentBodies) {
  for_each_world([](const FamilySample& sample, Random&) {
    for (Index e = 0; e < sample.family->size(); ++e) {
      const std::span<const Index> stencil = sample.family->stencil(e);
      ASSERT_TRUE(!stencil.empty() && stencil.size() <= 4);
      for (std::size_t i = 0; i < stencil.size(); ++i) {
        EXPECT_LT(stencil[i], sample.count());
        EXPECT_EQ(std::count(stencil.begin(), stencil.end(), stencil[i]), 1);
      }
    }
  });
}

TEST_P(FamilyContract, AKickIsMinusTheGradientOfThePotential) {
  for_each_world([](const FamilySample& sample, Random&) {
    std::vector<double> memory = sample.memory(sample.position);  // nothing changes: no damping
    const std::vector<Vec3> kick = impulses(sample, sample.all_elements(), sample.position, memory);
    constexpr double kStep = 1e-5;
    for (Index i = 0; i < sample.count(); ++i) {
      for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
        if (sample.is_flat && axis == &Vec3::z) continue;
        std::vector<Vec3> up = sample.position;
        std::vector<Vec3> down = sample.position;
        up[i].*axis += kStep;
        down[i].*axis -= kStep;
        // The memory after the kick: plastic rest angles have moved.
        const double slope =
            (total_potential(sample, up, memory) - total_potential(sample, down, memory)) /
            (2 * kStep);
        EXPECT_NEAR(kick[i].*axis, -0.01 * slope, 1e-6 * (1.0 + size_of(kick))) << "body " << i;
      }
    }
  });
}

TEST_P(FamilyContract, AnElementTouchesItsStencilOnly) {
  for_each_world([](const FamilySample& sample, Random&) {
    for (Index e = 0; e < sample.family->size(); ++e) {
      std::vector<double> memory = sample.memory(sample.rest);
      const std::vector<Vec3> kick = impulses(sample, std::span(&e, 1), sample.position, memory);
      const std::span<const Index> stencil = sample.family->stencil(e);
      for (Index i = 0; i < sample.count(); ++i) {
        if (std::find(stencil.begin(), stencil.end(), i) != stencil.end()) continue;
        EXPECT_EQ(kick[i], Vec3{});
      }
    }
  });
}

TEST_P(FamilyContract, ImpulsesAndTheirMomentsAddUpToNothing) {
  for_each_world([](const FamilySample& sample, Random&) {
    if (!sample.is_internal) return;
    for (Index e = 0; e < sample.family->size(); ++e) {
      std::vector<double> memory = sample.memory(sample.rest);  // damping acts
      const std::vector<Vec3> kick = impulses(sample, std::span(&e, 1), sample.position, memory);
      Vec3 sum;
      Vec3 moment;
      for (Index i = 0; i < sample.count(); ++i) {
        sum += kick[i];
        moment += cross(sample.position[i], kick[i]);
      }
      EXPECT_LE(norm(sum), 8.0 * kRoundOff * size_of(kick));
      EXPECT_LE(norm(moment), 64.0 * kRoundOff * size_of(kick));
    }
  });
}

// A motion that keeps the distances of bodies; in a flat world also its plane.
struct RigidMotion {
  Mat3 turn;
  Vec3 shift;

  [[nodiscard]] std::vector<Vec3> operator()(std::span<const Vec3> positions) const {
    std::vector<Vec3> moved;
    for (const Vec3& p : positions) moved.push_back(turn * p + shift);
    return moved;
  }
};

RigidMotion random_motion(const FamilySample& sample, double angle, Random& random) {
  const auto number = [&] { return random.uniform(-2, 2); };
  const Vec3 axis = sample.is_flat ? Vec3{0, 0, 1} : Vec3{number(), number(), number()};
  return {matrix_of(rotation_about(direction_of(axis).unit, angle)),
          {number(), number(), sample.is_flat ? 0.0 : number()}};
}

TEST_P(FamilyContract, InternalPotentialsDoNotKnowWhereTheyAreAndHowTheyAreTurned) {
  for_each_world([](const FamilySample& sample, Random& random) {
    if (!sample.is_internal) return;
    const RigidMotion motion = random_motion(sample, random.uniform(-3, 3), random);
    const std::vector<Vec3> moved = motion(sample.position);
    const std::vector<double> memory = sample.memory(sample.rest);
    for (Index e = 0; e < sample.family->size(); ++e) {
      const double here = sample.family->potential(e, sample.position, memory);
      EXPECT_NEAR(sample.family->potential(e, moved, memory), here, 1e-11 * (1.0 + here));
    }
  });
}

TEST_P(FamilyContract, DampingDoesNotSeeATurnSinceTheLastKick) {
  for_each_world([](const FamilySample& sample, Random& random) {
    if (!sample.is_internal) return;
    const RigidMotion motion = random_motion(sample, random.uniform(-1.5, 1.5), random);
    const std::vector<Vec3> moved = motion(sample.position);
    const std::vector<Index> elements = sample.all_elements();
    std::vector<double> memory = sample.memory(sample.position);
    const std::vector<Vec3> still = impulses(sample, elements, sample.position, memory);
    memory = sample.memory(sample.position);
    const std::vector<Vec3> turned = impulses(sample, elements, moved, memory);
    for (Index i = 0; i < sample.count(); ++i) {
      EXPECT_LT(norm(turned[i] - motion.turn * still[i]), 1e-11 * (1.0 + size_of(still)));
    }
  });
}

TEST_P(FamilyContract, AFlatWorldStaysFlat) {
  for_each_world([](const FamilySample& sample, Random&) {
    if (!sample.is_flat) return;
    std::vector<double> memory = sample.memory(sample.rest);
    for (const Vec3& J : impulses(sample, sample.all_elements(), sample.position, memory)) {
      EXPECT_EQ(J.z, 0.0);
    }
  });
}

TEST_P(FamilyContract, HeldBodiesDoNotMoveAndOthersFeelTheSame) {
  for_each_world([](const FamilySample& sample, Random&) {
    const std::vector<Index> elements = sample.all_elements();
    std::vector<double> memory = sample.memory(sample.rest);
    const std::vector<Vec3> free = impulses(sample, elements, sample.position, memory);
    std::vector<double> inverse_mass = sample.inverse_mass();
    inverse_mass[0] = 0.0;
    inverse_mass[3] = 0.0;
    std::vector<Vec3> velocity(sample.count());
    velocity[0] = {1, 2, 3};
    memory = sample.memory(sample.rest);
    sample.family->kick(elements, {.step = 0.01,
                                   .position = sample.position,
                                   .inverse_mass = inverse_mass,
                                   .velocity = velocity,
                                   .memory = memory,
                                   .dissipated = nullptr});
    EXPECT_EQ(velocity[0], (Vec3{1, 2, 3}));
    EXPECT_EQ(velocity[3], Vec3{});
    for (const Index i : {1U, 2U, 4U, 5U, 6U}) {
      EXPECT_LT(norm(sample.mass[i] * velocity[i] - free[i]), 8.0 * kRoundOff * size_of(free));
    }
  });
}

TEST_P(FamilyContract, OrderAndBatchesDoNotMatter) {
  for_each_world([](const FamilySample& sample, Random&) {
    std::vector<Index> elements = sample.all_elements();
    std::vector<double> memory = sample.memory(sample.rest);
    const std::vector<Vec3> together = impulses(sample, elements, sample.position, memory);

    std::reverse(elements.begin(), elements.end());
    std::vector<double> other_memory = sample.memory(sample.rest);
    std::vector<Vec3> sum(sample.count());
    for (const Index& e : elements) {
      const std::vector<Vec3> one =
          impulses(sample, std::span(&e, 1), sample.position, other_memory);
      for (Index i = 0; i < sample.count(); ++i) sum[i] += one[i];
    }
    EXPECT_EQ(memory, other_memory);
    for (Index i = 0; i < sample.count(); ++i) {
      EXPECT_LT(norm(sum[i] - together[i]), 16.0 * kRoundOff * (1.0 + size_of(together)));
    }
  });
}

TEST_P(FamilyContract, StartWritesAllThatIsRemembered) {
  for_each_world([](const FamilySample& sample, Random&) {
    const std::vector<double> memory = sample.memory(sample.position);  // NaN where not written
    EXPECT_TRUE(
        std::all_of(memory.begin(), memory.end(), [](double m) { return std::isfinite(m); }));
    EXPECT_EQ(memory.size(), std::size_t{sample.family->size()} * sample.family->memory_size());
    if (sample.is_damped) {
      EXPECT_GT(memory.size(), 0U);
    }
  });
}

TEST_P(FamilyContract, DissipatedEnergyIsNeverNegative) {
  for_each_world([](const FamilySample& sample, Random& random) {
    const std::vector<double> inverse_mass = sample.inverse_mass();
    std::vector<double> memory = sample.memory(sample.rest);
    std::vector<Vec3> velocity(sample.count());
    for (int k = 0; k < 20; ++k) {
      std::vector<Vec3> position = sample.rest;
      for (Vec3& p : position) {
        p += Vec3{random.uniform(-1, 1), random.uniform(-1, 1),
                  sample.is_flat ? 0.0 : random.uniform(-1, 1)};
      }
      for (const Index e : sample.all_elements()) {
        double dissipated = 0.0;
        sample.family->kick(std::span(&e, 1), {.step = 0.01,
                                               .position = position,
                                               .inverse_mass = inverse_mass,
                                               .velocity = velocity,
                                               .memory = memory,
                                               .dissipated = &dissipated});
        EXPECT_GE(dissipated, 0.0);
        EXPECT_TRUE(std::isfinite(dissipated));
        if (!sample.is_damped && !sample.is_plastic) {
          EXPECT_EQ(dissipated, 0.0);
        }
      }
    }
  });
}

// ----- An element by itself ---------------------------------------------------------------------

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

TEST_P(FamilyContract, TheStableStepIsTwoOverTheLargestFrequencyOrALittleLess) {
  for_each_world([](const FamilySample& sample, Random&) {
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

TEST_P(FamilyContract, AnElementIsStableBelowItsStableStep) {
  for_each_world([](const FamilySample& sample, Random& random) {
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

TEST_P(FamilyContract, HeavierBodiesAllowLongerSteps) {
  for_each_world([](const FamilySample& sample, Random&) {
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

TEST_P(FamilyContract, ADampedElementComesToRestAndTheBooksBalance) {
  for_each_world([](const FamilySample& sample, Random& random) {
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

INSTANTIATE_TEST_SUITE_P(Families, FamilyContract,
                         testing::ValuesIn(test::family_kinds().begin(),
                                           test::family_kinds().end()),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace carom
