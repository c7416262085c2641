// The interface of resolve_impacts: input that cannot be used, observers, settings, reports.

#include "carom/impact/resolve.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"

#include "support/impact_families.h"

namespace carom {
namespace {

using test::line_of_balls;

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

TEST(ImpactProblem, RefusesWhatCannotBeUsedAndSaysWhy) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ImpactProblem problem;
  problem.add_body({.velocity = {1.0, 0.0}, .name = "cue"});
  problem.add_body({.velocity = {0.0, 0.0, 0.0}});
  problem.add_scripted({.velocity = {0.0, 0.0}, .name = "floor"});
  problem.add_scripted({.velocity = {0.0, 0.0}});
  problem.add_body({.kind = BodyKind::rigid_2d, .velocity = {0, 0, 0}, .inertia = {1.0}});
  const std::vector<std::pair<std::function<void()>, std::string>> cases = {
      {[&] { problem.add_body({.velocity = {nan}}); }, "velocity: must be finite"},
      {[&] { problem.add_body({.velocity = {}}); }, "expected 1, 2 or 3 numbers for a ball"},
      {[&] {
         problem.add_body({.velocity = {1, 2, 3, 4}});
       },
       "found 4"},
      {[&] { problem.add_body({.mass = 0.0, .velocity = {1}}); }, "mass: must be positive"},
      {[&] { problem.add_body({.mass = -2.0, .velocity = {1}}); }, "found -2"},
      {[&] { problem.add_body({.mass = nan, .velocity = {1}}); }, "mass: must be finite"},
      {[&] { problem.add_body({.mass = 1e-320, .velocity = {1}}); }, "must not be below 1e-150"},
      {[&] { problem.add_body({.velocity = {1e200}}); }, "must not exceed 1e+150"},
      {[&] { problem.add_body({.velocity = {1}, .inertia = {1.0}}); }, "a ball has none"},
      {[&] {
         problem.add_body({.kind = BodyKind::rigid_2d, .velocity = {1, 2, 3}});
       },
       "inertia: expected 1 number"},
      {[&] {
         problem.add_body({.kind = BodyKind::rigid_2d, .velocity = {1, 2, 3}, .inertia = {-1.0}});
       },
       "must be positive definite"},
      {[&] {
         problem.add_body({.kind = BodyKind::rigid_3d,
                           .velocity = {1, 2, 3, 4, 5, 6},
                           .inertia = {1, 0, 0, 1, 1, 0, 0, 0, 1}});
       },
       "must be symmetric"},
      {[&] {
         problem.add_body({.velocity = {1, 2}, .mass_matrix = {1, 0, 0}});
       },
       "mass_matrix: expected 4 numbers"},
      {[&] {
         problem.add_body({.velocity = {1, 2}, .mass_matrix = {1, 2, 2, 1}});
       },
       "must be positive definite"},
      {[&] {
         problem.add_body({.velocity = {1, 2}, .position = Numbers{1.0}});
       },
       "position: expected 2 numbers"},
      {[&] {
         problem.add_contact({.normal = {1.0, 0.0}});
       },
       "a contact must touch a body"},
      {[&] {
         problem.add_contact({.body_a = 99, .normal = {1.0, 0.0}});
       },
       "there is no body 99"},
      {[&] {
         problem.add_contact({.body_a = 0, .normal = {0.0, 0.0}});
       },
       "normal: has no length"},
      {[&] { problem.add_contact({.body_a = 0, .normal = {1.0}}); }, "normal: expected 2 numbers"},
      {[&] {
         problem.add_contact({.body_a = 0, .normal = {nan, 1.0}});
       },
       "normal: must be finite"},
      {[&] {
         problem.add_contact({.body_a = 0, .body_b = 1, .normal = {1.0, 0.0}});
       },
       "lives in 3D, but body_a in 2D"},
      {[&] {
         problem.add_contact({.body_a = 0, .body_b = 0, .normal = {1.0, 0.0}});
       },
       "must differ from body_a"},
      {[&] {
         problem.add_contact({.body_a = 2, .body_b = 3, .normal = {1.0, 0.0}});
       },
       "touches no body that can move"},
      {[&] {
         problem.add_contact({.body_a = 4, .normal = {1.0, 0.0}});
       },
       "needs a position"},
      {[&] {
         problem.add_contact({.body_a = 0, .normal = {1.0, 0.0}, .restitution = 1.5});
       },
       "restitution: must be between 0 and 1, found 1.5"},
      {[&] {
         problem.add_contact({.body_a = 0, .normal = {1.0, 0.0}, .friction = -0.1});
       },
       "friction: must not be negative"},
      {[&] {
         problem.add_contact({.body_a = 0, .normal = {1.0, 0.0}, .stiffness = 0.0});
       },
       "stiffness: must be positive"},
      {[&] {
         problem.add_contact({.body_a = 0, .normal = {1.0, 0.0}, .offset = nan});
       },
       "offset: must be finite"},
      {[&] { problem.add_row({.body_a = 0, .gradient_a = {1.0}}); }, "as body 0 (cue) has"},
      {[&] {
         problem.add_row({.body_a = 0, .gradient_a = {0.0, 0.0}});
       },
       "is zero on every body"},
      {[&] {
         problem.add_row({.body_a = 0, .gradient_a = {1.0, 0.0}, .friction = 0.5});
       },
       "friction needs at least one tangent"},
      {[&] { problem.set_velocity(0, std::vector<double>{1.0}); }, "expected 2 numbers, found 1"},
      {[&] { problem.set_velocity(77, std::vector<double>{1.0}); }, "there is no such body"},
  };
  const Index bodies = problem.body_count();
  for (const auto& [call, fragment] : cases) {
    EXPECT_NE(message_of(call).find(fragment), std::string::npos)
        << message_of(call) << "\nshould contain: " << fragment;
  }
  EXPECT_EQ(problem.body_count(), bodies);  // nothing was half added
  EXPECT_EQ(problem.row_count(), 0U);
}

TEST(ImpactSettings, AreCheckedBeforeAnythingRuns) {
  const ImpactProblem problem = line_of_balls({1, 0});
  const std::vector<std::pair<std::function<void(ImpactSettings&)>, std::string>> cases = {
      {[](ImpactSettings& s) { s.impact_operator = "grr"; }, "did you mean 'gr'"},
      {[](ImpactSettings& s) { s.impact_operator = "gr:order=worst"; }, "takes no options"},
      {[](ImpactSettings& s) { s.impact_operator = "gauss_seidel:ordr=worst"; },
       "did you mean 'order'"},
      {[](ImpactSettings& s) { s.impact_operator = "gauss_seidel:order=wrst"; },
       "did you mean 'worst'"},
      {[](ImpactSettings& s) { s.impact_operator = "gauss_seidel:order"; }, "expected key=value"},
      {[](ImpactSettings& s) { s.impact_operator = "gauss_seidel:seed=-1"; }, "whole number"},
      {[](ImpactSettings& s) { s.impact_operator = "lzb:exponent=seven"; }, "expected a number"},
      {[](ImpactSettings& s) { s.impact_operator = "lzb:exponent=0.5"; },
       "exponent must be between 1 and 3, found 0.5"},
      {[](ImpactSettings& s) { s.restitution_model = "newton"; }, "restitution_model"},
      {[](ImpactSettings& s) { s.friction_model = "bx"; }, "did you mean 'box'"},
      {[](ImpactSettings& s) { s.tolerance = 0.0; }, "tolerance"},
      {[](ImpactSettings& s) { s.tolerance = std::nan(""); }, "tolerance"},
      {[](ImpactSettings& s) { s.lineality_threshold = 2.0; }, "lineality_threshold"},
      {[](ImpactSettings& s) { s.friction_passes = 0; }, "friction_passes"},
      {[](ImpactSettings& s) { s.layer_applications = 0; }, "layer_applications"},
  };
  for (const auto& [change, fragment] : cases) {
    ImpactSettings settings;
    change(settings);
    const std::string message =
        message_of([&] { static_cast<void>(resolve_impacts(problem, settings)); });
    EXPECT_NE(message.find(fragment), std::string::npos) << message;
  }
}

TEST(ResolveImpacts, NothingToDoIsDoneAndKeepsTheBits) {
  EXPECT_EQ(resolve_impacts(ImpactProblem{}).status, ImpactStatus::resolved);
  const ImpactProblem apart = line_of_balls({0.1, 0.2, 0.3});
  const ImpactResult result = resolve_impacts(apart);
  EXPECT_EQ(result.status, ImpactStatus::resolved);
  EXPECT_EQ(result.report.applications, 0U);
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(result.velocities[i], apart.velocities()[i]);
}

TEST(ResolveImpacts, ComponentsDoNotFeelEachOther) {
  // A cradle beside a collision a million times faster: each is judged on its own scale.
  ImpactProblem both;
  for (const double v : {1e-3, 0.0, 0.0, 1e3, 0.0}) both.add_body({.velocity = {v}});
  both.add_contact({.body_a = 1, .body_b = 0, .normal = {1.0}});
  both.add_contact({.body_a = 2, .body_b = 1, .normal = {1.0}});
  both.add_contact({.body_a = 4, .body_b = 3, .normal = {1.0}});
  const ImpactResult result = resolve_impacts(both);
  ASSERT_EQ(result.report.components.size(), 2U);
  const ImpactResult alone = resolve_impacts(line_of_balls({1e-3, 0.0, 0.0}));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.velocities[i], alone.velocities[i]);
}

TEST(ResolveImpacts, UnitsDoNotMatter) {
  // Powers of two change no digit; the largest and smallest numbers allowed stay finite.
  for (const double speed : {0x1p-490, 0x1p-40, 0x1p30, 0x1p490}) {
    for (const double mass : {0x1p-490, 0x1p10, 0x1p490}) {
      for (const OperatorInfo& info : operator_registry()) {
        ImpactSettings settings;
        settings.impact_operator = info.name;
        const ImpactResult unit = resolve_impacts(line_of_balls({1.0, 0.0, -0.5}), settings);
        const ImpactResult scaled = resolve_impacts(
            line_of_balls({speed, 0.0, -0.5 * speed}, {mass, mass, mass}), settings);
        EXPECT_EQ(scaled.status, unit.status) << info.name;
        // lzb measures its first step in seconds, which these units change.
        const double tolerance = info.name == "lzb" ? 1e-9 : 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_NEAR(scaled.velocities[i] / speed, unit.velocities[i], tolerance) << info.name;
        }
        EXPECT_NEAR(scaled.impulses[0] / speed / mass, unit.impulses[0], tolerance) << info.name;
      }
    }
  }
}

class Watcher final : public ImpactObserver {
 public:
  explicit Watcher(std::uint64_t stop_after) : stop_after_(stop_after) {}
  bool on_application(const Event& event) override {
    applications.push_back(event.application);
    rows.insert(rows.end(), event.impulse_rows.begin(), event.impulse_rows.end());
    last.assign(event.velocities.begin(), event.velocities.end());
    return event.application < stop_after_;
  }
  std::vector<std::uint64_t> applications;
  std::vector<Index> rows;
  std::vector<double> last;

 private:
  std::uint64_t stop_after_;
};

TEST(ImpactObserver, SeesEveryApplicationInTheLab) {
  Watcher watcher(100);
  ImpactSettings settings;
  settings.observer = &watcher;
  const ImpactResult result = resolve_impacts(line_of_balls({2.0, 1.0, 1.0, 1.0}), settings);
  EXPECT_EQ(watcher.applications, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(watcher.rows, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(watcher.last, result.velocities);
}

TEST(ImpactObserver, CanStopIt) {
  Watcher watcher(2);
  ImpactSettings settings;
  settings.observer = &watcher;
  const ImpactResult result = resolve_impacts(line_of_balls({1, 0, 0, 0, 0, 0}), settings);
  EXPECT_EQ(result.status, ImpactStatus::cancelled);
  EXPECT_EQ(watcher.applications.size(), 2U);
}

TEST(Budget, IsWhatTheCallerSetsAndIsReported) {
  ImpactSettings settings;
  settings.max_applications = 3;
  const ImpactResult result = resolve_impacts(line_of_balls({1, 0, 0, 0, 0, 0}), settings);
  EXPECT_EQ(result.status, ImpactStatus::budget_exhausted);
  EXPECT_EQ(result.report.applications, 3U);
  EXPECT_NEAR(result.velocities[3], 1.0, 4 * kRoundOff);  // the best iterate is there
}

TEST(EnergyCorrection, RenormalisationKeepsTheEnergyButNotTheMomentum) {
  ImpactSettings settings;
  settings.impact_operator = "jacobi";
  settings.energy_correction = EnergyCorrection::velocity_renormalisation;
  const ImpactResult result = resolve_impacts(line_of_balls({1.0, 0.0, -0.5}), settings);
  EXPECT_NEAR(result.report.energy, 0.0, 1e-15);
  // In the frame of the centre of mass momentum is 0 and stays 0; touching a wall it would change.
  EXPECT_LT(result.report.momentum_linear, 1e-15);
}

TEST(EnergyCorrection, RenormalisationLeavesTheWorkOfMovingSurfacesAlone) {
  ImpactSettings settings;
  settings.energy_correction = EnergyCorrection::velocity_renormalisation;
  ImpactProblem problem;
  problem.add_body({.velocity = {0.0}});
  problem.add_contact({.body_a = 0, .normal = {1.0}, .offset = 1.0});
  const ImpactResult result = resolve_impacts(problem, settings);
  EXPECT_EQ(result.status, ImpactStatus::resolved);
  EXPECT_NEAR(result.velocities[0], 2.0, 4 * kRoundOff);
}

TEST(EnergyCorrection, RenormalisationDoesNotGiveBackWhatRestitutionTakes) {
  ImpactSettings settings;
  settings.energy_correction = EnergyCorrection::velocity_renormalisation;
  settings.restitution_model = "propagated";
  const ImpactResult result = resolve_impacts(line_of_balls({1.0, 0.0}, {}, 0.5), settings);
  EXPECT_NEAR(result.velocities[1], 0.75, 4 * kRoundOff);
}

TEST(EnergyCorrection, ScalingChangesNothingWhenTheSolveIsExact) {
  ImpactSettings none;
  none.energy_correction = EnergyCorrection::none;
  const ImpactProblem rack = test::rack_break(6);
  const ImpactResult a = resolve_impacts(rack);
  const ImpactResult b = resolve_impacts(rack, none);
  for (std::size_t i = 0; i < a.velocities.size(); ++i) {
    EXPECT_NEAR(a.velocities[i], b.velocities[i], 1e-13);
  }
}

TEST(GeneralMassMatrices, AreBodiesToo) {
  // Two coupled coordinates, M = [2 1; 1 3]: reflect q' along n = (1, 0).
  ImpactProblem problem;
  problem.add_body({.velocity = {-1.0, 0.5}, .mass_matrix = {2.0, 1.0, 1.0, 3.0}});
  problem.add_row({.body_a = 0, .gradient_a = {1.0, 0.0}});
  const ImpactResult result = resolve_impacts(problem);
  // W n = (3, -1)/5, n'Wn = 3/5, l = 10/3: v+ = (-1, 1/2) + (2, -2/3).
  EXPECT_NEAR(result.velocities[0], 1.0, 4 * kRoundOff);
  EXPECT_NEAR(result.velocities[1], -1.0 / 6, 4 * kRoundOff);
  EXPECT_NEAR(result.report.energy, 0.0, 4 * kRoundOff);
}

}  // namespace
}  // namespace carom
