// Impacts of packings that are locked: how many rows are, impulses that explain the velocities,
// and how one watches and ends what takes long.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/long_work.h"
#include "carom/core/random.h"
#include "carom/impact/resolve.h"

namespace carom {
namespace {

// Others may be at work on the machine.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Discs of radius 1/2 in hexagonal order, rows of `width` and of one less in turn, in a box whose
// four walls touch them.
struct Packing {
  int width = 2;
  int rows = 2;
  double holes = 0.0;  // share of the places that are empty
  std::uint64_t seed = 1;
};

ImpactProblem packed(const Packing& packing) {
  Random random(packing.seed);
  struct Disc {
    int row;
    int twice_x;
  };
  std::vector<Disc> discs;
  ImpactProblem problem;
  for (int row = 0; row < packing.rows; ++row) {
    for (int k = 0; k < packing.width - row % 2; ++k) {
      if (random.uniform(0.0, 1.0) < packing.holes) continue;
      discs.push_back({row, 2 * k + row % 2});
      BodyDefinition body;
      body.mass = random.uniform(0.2, 2.5);
      body.velocity = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
      problem.add_body(body);
    }
  }
  const auto touch = [&](Index a, Index b, double x, double y) {
    ContactDefinition contact;
    contact.body_a = a;
    contact.body_b = b;
    contact.normal = {x, y};
    problem.add_contact(contact);
  };
  const double high = 0.5 * std::numbers::sqrt3;
  for (Index a = 0; a < discs.size(); ++a) {
    const auto [row, x] = discs[a];
    for (Index b = a + 1; b < discs.size(); ++b) {
      const int up = discs[b].row - row;
      const int along = discs[b].twice_x - x;
      if (up == 0 && along == 2) touch(a, b, -1.0, 0.0);
      if (up == 1 && std::abs(along) == 1) touch(a, b, -0.5 * along, -high);
    }
    if (x == 0) touch(a, kNone, 1.0, 0.0);
    if (x == 2 * (packing.width - 1)) touch(a, kNone, -1.0, 0.0);
    if (row == 0) touch(a, kNone, 0.0, 1.0);
    if (row == packing.rows - 1) touch(a, kNone, 0.0, -1.0);
  }
  return problem;
}

TEST(LockedPacking, EveryRowIsCountedAndNothingMoves) {
  for (const auto& [width, rows] : std::vector<std::pair<int, int>>{{2, 2}, {5, 5}, {7, 7}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const ImpactProblem problem = packed({width, rows, 0.0, seed});
      const ImpactResult result = resolve_impacts(problem);
      ASSERT_EQ(result.status, ImpactStatus::resolved);
      ASSERT_EQ(result.report.components.size(), 1U);
      EXPECT_EQ(result.report.components[0].lineality_rows.size(), problem.row_count());
      for (const double v : result.velocities) EXPECT_NEAR(v, 0.0, 64 * kRoundOff);
    }
  }
}

// Each stopped disc asks for its own momentum m |v|, which its neighbours hand on to the walls: no
// row has to carry more than all of them together.
TEST(LockedPacking, ImpulsesExplainTheVelocitiesAndAreNoLargerThanAllMomentum) {
  for (const int size : {5, 7, 10}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const ImpactProblem problem = packed({size, size, 0.0, seed});
      const ImpactResult result = resolve_impacts(problem);
      double momentum = 0.0;
      std::vector<double> left(problem.velocities().size());
      for (Index i = 0; i < problem.body_count(); ++i) {
        const double mass = problem.body(i).mass;
        const Index at = problem.body(i).dof;
        momentum += mass * std::hypot(problem.velocity(i)[0], problem.velocity(i)[1]);
        for (Index k = 0; k < 2; ++k) {
          left[at + k] = mass * (result.velocities[at + k] - problem.velocity(i)[k]);
        }
      }
      for (Index row = 0; row < problem.row_count(); ++row) {
        const double impulse = result.impulses[row];
        EXPECT_GE(impulse, 0.0);
        EXPECT_LE(impulse, momentum);
        const ImpactProblem::Row& r = problem.row(row);
        for (Index k = 0; k < 2; ++k) {
          left[problem.body(r.body_a).dof + k] -= problem.gradient_a(row)[k] * impulse;
          if (r.body_b == kNone) continue;
          left[problem.body(r.body_b).dof + k] -= problem.gradient_b(row)[k] * impulse;
        }
      }
      for (const double p : left) EXPECT_NEAR(p, 0.0, 1e-13 * momentum);
      EXPECT_LE(result.report.unexplained, 1e-13);
    }
  }
}

// It took more than two minutes.
TEST(LockedPacking, HundredsOfDiscsWithHolesEndSoon) {
  const ImpactProblem problem = packed({22, 22, 0.08, 7});
  EXPECT_GT(problem.row_count(), 1100U);
  const double begin = processor_seconds();
  const ImpactResult result = resolve_impacts(problem);
  EXPECT_EQ(result.status, ImpactStatus::resolved);
  const ComponentReport& largest = result.report.components[0];
  EXPECT_GT(largest.lineality_rows.size(), 900U);
  EXPECT_LE(largest.unexplained, 1e-12);
  EXPECT_EQ(largest.one_sided, 0.0);
  EXPECT_LE(*largest.margin, 1e-12);
  EXPECT_LT(processor_seconds() - begin, 30.0);
}

// Friction presses rows that hold with equality, too.
TEST(LockedPacking, WithFrictionTheImpulsesExplainTheVelocities) {
  ImpactProblem problem;
  BodyDefinition body;
  body.kind = BodyKind::rigid_2d;
  body.inertia = {0.1};
  body.position = Numbers{0.0, 0.0};
  body.velocity = {0.4, 1.0, 2.0};
  problem.add_body(body);
  for (const double side : {-1.0, 1.0}) {
    ContactDefinition contact;
    contact.body_a = 0;
    contact.normal = {-side, 0.0};
    contact.point = Numbers{0.5 * side, 0.1};
    contact.friction = 0.3;
    problem.add_contact(contact);
  }
  for (const std::string model : {"slip", "box"}) {
    ImpactSettings settings;
    settings.friction_model = model;
    const ImpactResult result = resolve_impacts(problem, settings);
    EXPECT_EQ(result.status, ImpactStatus::resolved);
    EXPECT_EQ(result.report.components[0].lineality_rows.size(), 2U);
    EXPECT_LE(result.report.unexplained, 1e-13) << model;
  }
}

class Stopper final : public WorkObserver {
 public:
  bool on_work(const Work& work) override {
    ++asked;
    done = work.done;
    doing = std::string(work.doing);
    return asked < 2;
  }
  int asked = 0;
  std::uint64_t done = 0;
  std::string doing;
};

// Two walls that all but face each other send the ball to and fro, a hundred million times.
TEST(LongImpact, TellsOfItselfAndIsEnded) {
  for (const std::string name : {"gauss_seidel", "gr"}) {
    ImpactProblem problem;
    BodyDefinition body;
    body.velocity = {1.0, 0.3};
    problem.add_body(body);
    for (const double side : {-1.0, 1.0}) {
      ContactDefinition contact;
      contact.body_a = 0;
      contact.normal = {side, 1e-9};
      problem.add_contact(contact);
    }
    Stopper stopper;
    LongWork work(stopper);
    ImpactSettings settings;
    settings.impact_operator = name;
    settings.anti_locking = AntiLocking::off;
    settings.max_applications = 1'000'000'000'000;
    settings.work = &work;
    const ImpactResult result = resolve_impacts(problem, settings);
    EXPECT_EQ(result.status, ImpactStatus::cancelled);
    EXPECT_EQ(stopper.asked, 2);
    EXPECT_EQ(stopper.doing, "applications");
    EXPECT_GT(stopper.done, 0U);
    // What was stopped stays so until it begins anew.
    EXPECT_EQ(resolve_impacts(problem, settings).status, ImpactStatus::cancelled);
    EXPECT_EQ(stopper.asked, 2);
  }
}

// Looks over the shoulder of gauss_seidel:order=worst: by how much another row closed faster.
class WorstWatcher final : public ImpactObserver {
 public:
  explicit WorstWatcher(const ImpactProblem& problem)
      : problem_(&problem), velocity_(problem.velocities().begin(), problem.velocities().end()) {}

  bool on_application(const Event& event) override {
    const double chosen = closing(event.impulse_rows.front());
    for (const Index row : event.violated_rows) {
      passed_over = std::max(passed_over, chosen - closing(row));
    }
    ++applications;
    velocity_.assign(event.velocities.begin(), event.velocities.end());
    return true;
  }
  double passed_over = 0.0;
  int applications = 0;

 private:
  [[nodiscard]] double closing(Index row) const {
    const ImpactProblem::Row& r = problem_->row(row);
    double sum = 0.0;
    for (Index k = 0; k < 2; ++k) {
      sum += problem_->gradient_a(row)[k] * velocity_[problem_->body(r.body_a).dof + k];
      sum += problem_->gradient_b(row)[k] * velocity_[problem_->body(r.body_b).dof + k];
    }
    return sum;
  }

  const ImpactProblem* problem_;
  std::vector<double> velocity_;
};

// Discs of equal mass in hexagonal order, without walls: all rows are scaled alike.
ImpactProblem loose_discs(int size, std::uint64_t seed) {
  Random random(seed);
  ImpactProblem problem;
  for (int k = 0; k < size * size; ++k) {
    BodyDefinition body;
    body.velocity = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
    problem.add_body(body);
  }
  const double high = 0.5 * std::numbers::sqrt3;
  const auto touch = [&](int a, int b, double x, double y) {
    ContactDefinition contact;
    contact.body_a = static_cast<Index>(a);
    contact.body_b = static_cast<Index>(b);
    contact.normal = {x, y};
    problem.add_contact(contact);
  };
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      const int at = j * size + i;
      if (i + 1 < size) touch(at, at + 1, -1.0, 0.0);
      if (j + 1 == size) continue;
      // Odd rows stand half a disc to the right.
      const int shift = j % 2 == 0 ? -1 : 1;
      touch(at, at + size, 0.5 * shift, -high);
      if (i + shift >= 0 && i + shift < size) touch(at, at + size + shift, -0.5 * shift, -high);
    }
  }
  return problem;
}

TEST(GaussSeidelWorst, AlwaysTakesTheFastestClosingRow) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const ImpactProblem problem = loose_discs(9, seed);
    WorstWatcher watcher(problem);
    ImpactSettings settings;
    settings.impact_operator = "gauss_seidel:order=worst";
    settings.observer = &watcher;
    settings.anti_locking = AntiLocking::off;
    const ImpactResult result = resolve_impacts(problem, settings);
    EXPECT_EQ(result.status, ImpactStatus::resolved);
    EXPECT_GT(watcher.applications, 100);
    EXPECT_LE(watcher.passed_over, 1e-14);
  }
}

// A search through all violated rows took more than a minute.
TEST(GaussSeidelWorst, OfTenThousandDiscsEndsSoon) {
  ImpactSettings settings;
  settings.impact_operator = "gauss_seidel:order=worst";
  const ImpactProblem problem = loose_discs(100, 1);
  const double begin = processor_seconds();
  const ImpactResult result = resolve_impacts(problem, settings);
  EXPECT_EQ(result.status, ImpactStatus::resolved);
  EXPECT_LT(processor_seconds() - begin, 20.0);
}

}  // namespace
}  // namespace carom
