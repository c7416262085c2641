#include "carom/runs/instant_run.h"

#include <string>

#include <gtest/gtest.h>

#include "carom/scene/instant.h"
#include "carom/study/operator_chart.h"

#include "support/directories.h"

namespace carom {
namespace {

// Two equal balls that meet, with what is expected appended.
Instant pair_with(const std::string& expectations, const std::string& restitution = "1.0") {
  return read_instant(
      "kind = \"instant\"\n[[body]]\nname = \"a\"\nvelocity = 1\n[[body]]\nname = \"b\"\n"
      "velocity = 0\n[[contact]]\nname = \"touch\"\nbodies = [\"b\", \"a\"]\nnormal = 1\n"
      "restitution = " +
      restitution + "\n" + expectations);
}

std::vector<Claim> claims_of(const Instant& instant) {
  return run_instant(instant, instant.settings).claims;
}

struct Case {
  const char* name;
  const char* right;
  const char* wrong;
};

class Expectations : public testing::TestWithParam<Case> {};

TEST_P(Expectations, AreJudgedBothWays) {
  const std::vector<Claim> right = claims_of(pair_with(GetParam().right));
  ASSERT_FALSE(right.empty());
  for (const Claim& claim : right) EXPECT_TRUE(claim.passed) << describe(claim);
  EXPECT_FALSE(all_passed(claims_of(pair_with(GetParam().wrong))));
}

INSTANTIATE_TEST_SUITE_P(
    All, Expectations,
    testing::Values(
        Case{"status", "[expect]\nstatus = \"resolved\"\n", "[expect]\nstatus = \"infeasible\"\n"},
        Case{"velocity", "[expect.velocity]\na = 0\nb = 1\n", "[expect.velocity]\nb = 0.9\n"},
        Case{"impulse", "[expect.impulse]\ntouch = 1\n", "[expect.impulse]\ntouch = 2\n"},
        Case{"applications", "[expect]\napplications = 1\n", "[expect]\napplications = 2\n"},
        Case{"applications_at_most", "[expect]\napplications_at_most = 1\n",
             "[expect]\napplications_at_most = 0\n"},
        Case{"energy", "[expect]\nenergy = 0\n", "[expect]\nenergy = -0.5\n"},
        Case{"energy_range", "[expect]\nenergy = [-0.1, 0.1]\n", "[expect]\nenergy = [0.1, 1]\n"},
        Case{"lineality_rows", "[expect]\nlineality_rows = 0\n", "[expect]\nlineality_rows = 1\n"},
        Case{"tolerance", "[expect]\ntolerance = 0.2\nvelocity = { b = 0.9 }\n",
             "[expect]\ntolerance = 0.05\nvelocity = { b = 0.9 }\n"}),
    [](const testing::TestParamInfo<Case>& test) { return std::string(test.param.name); });

TEST(ExpectedLaws, FailWhereALawIsBroken) {
  const Instant instant =
      read_instant_file(test::source_directory() + "/gallery/G4-bernoulli.toml");
  Instant jacobi = instant;
  jacobi.settings.impact_operator = "jacobi";
  jacobi.expectations[0] = {};
  jacobi.expectations[0].laws = {Law::kin};
  EXPECT_FALSE(all_passed(claims_of(jacobi)));
  jacobi.expectations[0].laws = {Law::mom, Law::one};
  EXPECT_TRUE(all_passed(claims_of(jacobi)));
}

TEST(Laws, AnInelasticImpactLosesEnergyAndKeepsKin) {
  const Instant instant = pair_with("", "0.5");
  const InstantRun run = run_instant(instant, instant.settings);
  for (const LawVerdict& verdict : run.laws) {
    EXPECT_TRUE(verdict.held) << to_string(verdict.law);
    // Speeds keep half of their difference, so the energy that counts keeps a quarter.
    if (verdict.law != Law::kin) continue;
    EXPECT_NEAR(verdict.residual, -0.75, 1e-14);
  }
}

TEST(Laws, MomentumIsNotJudgedWhereAWallTakesIt) {
  const Instant instant = read_instant(
      "kind = \"instant\"\n[[body]]\nname = \"a\"\nvelocity = -1\n[[contact]]\nbodies = [\"a\"]\n"
      "normal = 1\n");
  for (const LawVerdict& verdict : run_instant(instant, instant.settings).laws) {
    EXPECT_EQ(verdict.judged, verdict.law != Law::mom);
  }
}

TEST(Laws, PromisesAreThoseOfTheOperator) {
  Instant instant = pair_with("");
  instant.settings.impact_operator = "jacobi";
  for (const LawVerdict& verdict : run_instant(instant, instant.settings).laws) {
    const bool promised =
        verdict.law == Law::one || verdict.law == Law::mom || verdict.law == Law::imp;
    EXPECT_EQ(verdict.promise == Promise::yes, promised) << to_string(verdict.law);
  }
}

TEST(OperatorChart, EveryPromiseIsKept) {
  const OperatorChart chart = compute_operator_chart({{}, 20, 7});
  EXPECT_EQ(chart.rows.size(), operator_names().size());
  for (const ChartRow& row : chart.rows) {
    for (const ChartCell& cell : row.cells) {
      EXPECT_GT(cell.tried, 0U);
      if (cell.promise == Promise::yes) {
        EXPECT_TRUE(cell.held()) << row.impact_operator << " " << to_string(cell.law) << " "
                                 << cell.worst;
      }
    }
  }
}

TEST(OperatorChart, IsTheSameTwice) {
  const ChartSettings settings{{"gr", "gauss_seidel"}, 5, 3};
  const OperatorChart once = compute_operator_chart(settings);
  const OperatorChart twice = compute_operator_chart(settings);
  for (std::size_t r = 0; r < once.rows.size(); ++r) {
    for (std::size_t k = 0; k < once.laws.size(); ++k) {
      EXPECT_EQ(once.rows[r].cells[k].worst, twice.rows[r].cells[k].worst);
    }
  }
}

TEST(Claims, NumbersThatAreNotFiniteNeverPass) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(claim_at_most("x", nan, 1.0).passed);
  EXPECT_FALSE(claim_at_least("x", nan, 1.0).passed);
  EXPECT_FALSE(claim_at_least("x", kInfinity, 1.0).passed);
  EXPECT_FALSE(claim_equal("x", nan, 1.0, 1.0).passed);
  EXPECT_EQ(describe(claim_at_most("x", 0.5, 1.0)), "x: 0.5 <= 1");
  EXPECT_EQ(describe(claim_true("x", false)), "x: no");
}

TEST(Claims, TablesAreWrittenExactly) {
  EXPECT_EQ(to_csv({"t", {"a", "b"}, {{0.1, 1.0}, {1.0 / 3.0, -2.0}}}),
            "a,b\n0.1,1\n0.3333333333333333,-2\n");
}

}  // namespace
}  // namespace carom
