// What every registered operator promises, on random, degenerate and adversarial problems. A new
// operator joins by being registered.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/impact/problem.h"
#include "carom/impact/resolve.h"

#include "support/impact_families.h"
#include "support/slow.h"

namespace carom {
namespace {

// Every operator, and the variants whose arithmetic differs.
std::vector<std::string> specifications() {
  std::vector<std::string> all = operator_names();
  all.insert(all.end(),
             {"gauss_seidel:order=random", "gauss_seidel:order=worst", "lzb:exponent=1"});
  return all;
}

OperatorInfo info_of(const std::string& specification) {
  return make_operator(specification)->info();
}

struct Setting {
  std::string impact_operator;
  double restitution = 1.0;  // negative: a different one for each row
  double friction = 0.0;
  std::string friction_model = "none";
  std::string restitution_model = "interpolated";
  AntiLocking anti_locking = AntiLocking::lazy;
};

// Velocities are sums of impulses, so their round-off grows with what was exchanged; every
// application and every row adds its own.
double round_off(const ComponentReport& component) {
  return 8.0 * kRoundOff *
         (8.0 + static_cast<double>(component.applications) +
          static_cast<double>(component.rows.size()) + component.total_impulse);
}

// The first promise that is broken, or "".
std::string broken_promise(const test::Instance& instance, const Setting& setting,
                           const OperatorInfo& info) {
  ImpactSettings settings;
  settings.impact_operator = setting.impact_operator;
  settings.friction_model = setting.friction_model;
  settings.restitution_model = setting.restitution_model;
  settings.anti_locking = setting.anti_locking;
  const ImpactResult result = resolve_impacts(instance.problem, settings);
  const auto promised = [&](Law law) { return info.promise(law) == Promise::yes; };
  for (const double v : result.velocities) {
    if (!std::isfinite(v)) return "a velocity is not finite";
  }
  for (const double impulse : result.impulses) {
    if (!std::isfinite(impulse)) return "an impulse is not finite";
  }
  const bool elastic = setting.restitution == 1.0 && setting.friction == 0.0;
  for (const ComponentReport& component : result.report.components) {
    const double noise = round_off(component);
    if (promised(Law::one) && component.one_sided > 0.0) return "ONE";
    if (promised(Law::mom) && component.momentum_linear > noise) return "MOM, linear";
    if (promised(Law::mom) && component.momentum_angular.value_or(0.0) > noise) {
      return "MOM, angular";
    }
    if (promised(Law::kin) && component.energy > noise) return "KIN: energy gained";
    if (promised(Law::kin) && elastic && component.energy < -noise) return "KIN: energy lost";
    if (promised(Law::feas) && component.feasibility > settings.tolerance * (1.0 + 1e-6)) {
      return "FEAS";
    }
    if (promised(Law::imp) && component.unexplained > noise) return "IMP";
    const bool ended = component.status == ImpactStatus::resolved ||
                       (!promised(Law::feas) && component.status == ImpactStatus::still_closing);
    if (promised(Law::fin) && !ended) {
      return "FIN: " + std::string(to_string(component.status));
    }
  }
  return "";
}

// Runs seeds begin .. end-1 and describes the first failure of each half (two threads).
std::string first_failure(const Setting& setting, std::uint64_t begin, std::uint64_t end) {
  const OperatorInfo info = info_of(setting.impact_operator);
  test::FamilyLimits limits;
  limits.restitution = setting.restitution;
  limits.friction = setting.friction;
  const auto search = [&](std::uint64_t from, std::uint64_t to, std::string& found) {
    for (std::uint64_t seed = from; seed < to && found.empty(); ++seed) {
      const test::Instance instance = test::random_instance(seed, limits);
      const std::string broken = broken_promise(instance, setting, info);
      if (!broken.empty()) {
        found = setting.impact_operator + ", seed " + std::to_string(seed) + " (" +
                instance.family + "): " + broken + "\n";
      }
    }
  };
  std::string low;
  std::string high;
  const std::uint64_t middle = begin + (end - begin) / 2;
  std::thread other([&] { search(middle, end, high); });
  search(begin, middle, low);
  other.join();
  return low + high;
}

std::uint64_t affordable(const std::string& specification, std::uint64_t count,
                         std::uint64_t for_lzb) {
  return specification.starts_with("lzb") ? std::min(count, for_lzb) : count;
}

std::string test_name(const testing::TestParamInfo<std::string>& specification) {
  std::string name = specification.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class OperatorContract : public testing::TestWithParam<std::string> {};

TEST_P(OperatorContract, ElasticImpactsKeepWhatIsPromised) {
  const std::uint64_t count = affordable(GetParam(), 2000, 2000);
  EXPECT_EQ(first_failure({GetParam()}, 1, count + 1), "");
}

TEST_P(OperatorContract, DifferentCoefficientsInOneComponentKeepThemToo) {
  const std::uint64_t count = affordable(GetParam(), 1000, 100);
  EXPECT_EQ(first_failure({GetParam(), -1.0}, 1, count + 1), "");
}

TEST_P(OperatorContract, FrictionAlongTheSlipKeepsThemToo) {
  const std::uint64_t count = affordable(GetParam(), 1000, 200);
  EXPECT_EQ(first_failure({GetParam(), 0.7, 0.4, "slip"}, 1, count + 1), "");
}

TEST_P(OperatorContract, BoxFrictionKeepsThemToo) {
  const std::uint64_t count = affordable(GetParam(), 1000, 200);
  EXPECT_EQ(first_failure({GetParam(), 1.0, 0.4, "box"}, 1, count + 1), "");
}

TEST_P(OperatorContract, CollisionsFollowedThroughKeepThemToo) {
  const std::uint64_t count = affordable(GetParam(), 1000, 200);
  EXPECT_EQ(first_failure({GetParam(), 0.7, 0.4, "collision"}, 1, count + 1), "");
}

TEST_P(OperatorContract, QceLcpRestitutionKeepsThemToo) {
  const std::uint64_t count = affordable(GetParam(), 1000, 100);
  EXPECT_EQ(first_failure({GetParam(), -1.0, 0.0, "none", "qce_lcp"}, 1, count + 1), "");
}

TEST_P(OperatorContract, EagerAntiLockingKeepsThemToo) {
  const std::uint64_t count = affordable(GetParam(), 1000, 100);
  EXPECT_EQ(first_failure({GetParam(), 1.0, 0.0, "none", "interpolated", AntiLocking::eager}, 1,
                          count + 1),
            "");
}

TEST_P(OperatorContract, SameInputGivesSameBits) {
  ImpactSettings settings;
  settings.impact_operator = GetParam();
  settings.friction_model = "slip";
  test::FamilyLimits limits;
  limits.friction = 0.3;
  limits.restitution = 0.8;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const test::Instance instance = test::random_instance(seed, limits);
    const ImpactResult first = resolve_impacts(instance.problem, settings);
    const ImpactResult second = resolve_impacts(instance.problem, settings);
    ASSERT_EQ(first.velocities, second.velocities) << "seed " << seed;
    ASSERT_EQ(first.impulses, second.impulses) << "seed " << seed;
    ASSERT_EQ(first.friction_impulses, second.friction_impulses) << "seed " << seed;
  }
}

// Balls on a line that touch, from left to right.
ImpactProblem chain_of(const std::vector<double>& velocities, const std::vector<double>& masses) {
  ImpactProblem problem;
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    BodyDefinition ball;
    ball.velocity = Numbers{velocities[i]};
    ball.mass = masses[i];
    const Index body = problem.add_body(ball);
    if (body == 0) continue;
    ContactDefinition contact;
    contact.body_a = body - 1;
    contact.body_b = body;
    contact.normal = Numbers{-1.0};
    problem.add_contact(contact);
  }
  return problem;
}

std::vector<double> outcome_of(const std::string& specification, const ImpactProblem& problem) {
  ImpactSettings settings;
  settings.impact_operator = specification;
  return resolve_impacts(problem, settings).velocities;
}

// Only the first ball of a cradle moves: the last leaves its neighbour behind (BRK). An operator
// that does not promise that does not do it.
TEST_P(OperatorContract, TouchingBodiesBreakAwayWhereThatIsPromised) {
  const bool promised = info_of(GetParam()).promise(Law::brk) == Promise::yes;
  Random random(7);
  for (int k = 0; k < 100; ++k) {
    const std::size_t count = 3 + random.below(6);
    std::vector<double> velocities(count, 0.0);
    velocities.front() = 1.0;
    std::vector<double> masses(count);
    for (double& mass : masses) mass = random.uniform(0.5, 2.0);
    const std::vector<double> after = outcome_of(GetParam(), chain_of(velocities, masses));
    EXPECT_EQ(after[count - 1] - after[count - 2] > 1e-6, promised) << "cradle " << k;
  }
}

// The speed of the first of three equal balls passes through to the last (WAV), also where the
// others move by a millionth of it; a quarter of it may be left on the way, as springs leave it.
TEST_P(OperatorContract, SpeedsPassThroughAChainWhereThatIsPromised) {
  if (info_of(GetParam()).promise(Law::wav) == Promise::no) return;
  Random random(8);
  for (int k = 0; k < 100; ++k) {
    std::vector<double> velocities = {1.0, 0.0, 0.0};
    for (double& v : velocities) v += random.uniform(-1e-6, 1e-6);
    const std::vector<double> after = outcome_of(GetParam(), chain_of(velocities, {1.0, 1.0, 1.0}));
    const double error =
        std::max({std::abs(after[0]), std::abs(after[1]), std::abs(after[2] - 1.0)});
    EXPECT_LE(error, 0.25) << "chain " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, OperatorContract, testing::ValuesIn(specifications()),
                         test_name);

// The same with a million problems each (lzb: 20,000).
class SlowOperatorContract : public testing::TestWithParam<std::string> {};

TEST_P(SlowOperatorContract, AMillionElasticImpactsKeepWhatIsPromised) {
  const std::uint64_t count = affordable(GetParam(), 1'000'000, 20'000);
  EXPECT_EQ(first_failure({GetParam()}, 1, count + 1), "");
}

TEST_P(SlowOperatorContract, ManyWithRestitutionAndFrictionKeepIt) {
  const std::uint64_t count = affordable(GetParam(), 100'000, 2'000);
  EXPECT_EQ(first_failure({GetParam(), -1.0, 0.5, "slip"}, 1, count + 1), "");
  EXPECT_EQ(first_failure({GetParam(), 0.5, 0.5, "box"}, 1, count + 1), "");
}

INSTANTIATE_TEST_SUITE_P(Registry, SlowOperatorContract, testing::ValuesIn(specifications()),
                         test_name);

// The families are what they say they are.
TEST(ImpactFamilies, AThirdHaveRedundantRowsAndManyAreNearlyLocked) {
  int redundant = 0;
  int near_locked = 0;
  constexpr int kCount = 3000;
  for (int seed = 1; seed <= kCount; ++seed) {
    const test::Instance instance = test::random_instance(static_cast<std::uint64_t>(seed));
    redundant += instance.redundant ? 1 : 0;
    near_locked += instance.near_locked ? 1 : 0;
  }
  EXPECT_GT(redundant, kCount / 3);
  EXPECT_GT(near_locked, kCount / 20);
}

}  // namespace
}  // namespace carom
