#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/impact/problem.h"
#include "carom/impact/system.h"
#include "carom/schemes/registry.h"
#include "carom/solvers/quadratic_program.h"
#include "carom/stepping/stepper.h"

namespace carom {
namespace {

// A touching grid of unit balls whose lower corners stand on a drum (Smith2012, Drop).
Simulation drop(int side, unsigned threads) {
  Simulation s;
  const double radius = 1.5 * side;
  const double half = side - 1.0;
  const double lowest = -std::sqrt((radius - 1.0) * (radius - 1.0) - half * half);
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      s.world.bodies.mass.push_back(1.0);
      s.world.bodies.radius.push_back(1.0);
      s.world.bodies.material.push_back(0);
      s.world.bodies.name.push_back("ball-" + std::to_string(j * side + i));
      s.start.position.push_back({2.0 * i - half, lowest + 2.0 * j, 0.0});
      s.start.velocity.emplace_back();
    }
  }
  PlacedShape drum;
  drum.name = "drum";
  drum.shape = SphereInside{{}, radius};
  s.world.shapes.push_back(drum);
  s.forces.gravity = {0.0, -9.81, 0.0};
  s.time.step = 0.01;
  s.time.duration = 10.0;
  s.detection.redetect = false;
  s.detection.sweep = false;
  s.detection.hold = false;
  s.threads = threads;
  return s;
}

// Generalized Reflections as one writes them down: look at every row, one program for all that are
// violated, again. Components only set the scale of the tolerance.
struct Naive {
  std::vector<double> velocity;
  std::uint64_t applications = 0;
};

Naive naive_reflections(const ImpactProblem& problem) {
  constexpr double kTolerance = 1e-10;
  Naive result;
  result.velocity.assign(problem.velocities().begin(), problem.velocities().end());
  solvers::BlockRows rows;
  for (Index body = 0; body < problem.body_count(); ++body) {
    rows.add_block(problem.body(body).size, problem.inverse_mass(body));
  }
  for (Index row = 0; row < problem.row_count(); ++row) {
    const ImpactProblem::Row& r = problem.row(row);
    std::vector<solvers::RowPart> parts{{r.body_a, problem.gradient_a(row)}};
    if (r.body_b != kNone) parts.push_back({r.body_b, problem.gradient_b(row)});
    rows.add_row(parts);
    rows.scale_row(row, 1.0 / std::sqrt(rows.diagonal(row)));
  }
  rows.finish();
  std::vector<double> threshold(problem.row_count());
  for (const Component& component : find_components(problem)) {
    const ComponentSystem system(problem, component);
    const double scale = system.speed_scale * system.velocity_unit * std::sqrt(system.mass_unit);
    for (const Index row : component.rows) threshold[row] = kTolerance * scale;
  }
  for (;;) {
    std::vector<Index> violated;
    std::vector<double> c;
    for (Index row = 0; row < problem.row_count(); ++row) {
      const double b = rows.dot(row, result.velocity);
      if (b >= -threshold[row]) continue;
      violated.push_back(row);
      c.push_back(2.0 * b);
    }
    if (violated.empty()) return result;
    const solvers::QpResult solved = solvers::solve_qp({&rows, violated, c, {}, {}, {}});
    EXPECT_EQ(solved.status, solvers::QpStatus::solved);
    for (std::size_t k = 0; k < violated.size(); ++k) {
      rows.apply(violated[k], solved.x[k], result.velocity);
    }
    ++result.applications;
  }
}

// Every step of a fast run, resolved again from the same instant.
void compare_with_naive(int side, int steps, int every) {
  const Simulation simulation = drop(side, 1);
  const std::unique_ptr<Stepper> fast = make_stepper(simulation);
  double worst = 0.0;
  for (int step = 0; step < steps; ++step) {
    const StepReport report = fast->step();
    ASSERT_EQ(report.status, ImpactStatus::resolved) << step;
    ASSERT_LE(std::abs(report.dissipated), 1e-12 * report.totals.kinetic) << step;
    if (step % every != 0 || report.rows == 0) continue;
    const ImpactProblem problem = fast->resolved_problem();
    const Naive naive = naive_reflections(problem);
    ASSERT_EQ(report.applications, naive.applications) << "step " << step;
    // v' = v+ + h g, so that v+ is known from the state.
    double fastest = 1e-300;
    for (const double v : naive.velocity) fastest = std::max(fastest, std::abs(v));
    for (Index body = 0; body < problem.body_count(); ++body) {
      const std::string& name = problem.body(body).name;
      const auto number = static_cast<std::size_t>(std::stoul(name.substr(5)));
      const Vec3 v =
          fast->state().velocity[number] - simulation.time.step * simulation.forces.gravity;
      worst = std::max({worst, std::abs(v.x - naive.velocity[2 * body]) / fastest,
                        std::abs(v.y - naive.velocity[2 * body + 1]) / fastest});
    }
    ASSERT_LT(worst, 5e-12) << "step " << step;
  }
}

TEST(DropAtSize, FastAndNaiveReflectionsAgree) { compare_with_naive(21, 120, 1); }

TEST(SlowDropAtSize, FastAndNaiveReflectionsAgreeAtEveryStepOfTenThousand) {
  compare_with_naive(101, 600, 1);
}

TEST(SlowDropAtSize, TwoThreadsGiveTheSameBits) {
  const Simulation one = drop(101, 1);
  const Simulation two = drop(101, 2);
  const std::unique_ptr<Stepper> a = make_stepper(one);
  const std::unique_ptr<Stepper> b = make_stepper(two);
  for (int step = 0; step < 600; ++step) {
    a->step();
    b->step();
    ASSERT_EQ(state_hash(a->state()), state_hash(b->state())) << step;
  }
}

}  // namespace
}  // namespace carom
