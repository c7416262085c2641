// What every family of forces promises (carom/forces/family.h), on random worlds.

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/forces/family.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/rotation.h"

#include "forces/family_samples.h"

namespace carom {
namespace {

using test::FamilyKind;
using test::FamilySample;

class FamilyContract : public testing::TestWithParam<FamilyKind> {};

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
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random&) {
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
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random&) {
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
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random&) {
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
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random&) {
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
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random& random) {
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
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random& random) {
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
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random&) {
    if (!sample.is_flat) return;
    std::vector<double> memory = sample.memory(sample.rest);
    for (const Vec3& J : impulses(sample, sample.all_elements(), sample.position, memory)) {
      EXPECT_EQ(J.z, 0.0);
    }
  });
}

TEST_P(FamilyContract, HeldBodiesDoNotMoveAndOthersFeelTheSame) {
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random&) {
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
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random&) {
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
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random&) {
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
  test::for_each_world(GetParam(), [](const FamilySample& sample, Random& random) {
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

INSTANTIATE_TEST_SUITE_P(Families, FamilyContract,
                         testing::ValuesIn(test::family_kinds().begin(),
                                           test::family_kinds().end()),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace carom
