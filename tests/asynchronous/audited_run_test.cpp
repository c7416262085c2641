// Continuous audits of runs: from the corners of the engine's paths, and as a setting of the
// scheme.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/detail/window_path.h"
#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/problem_of.h"
#include "carom/asynchronous/scheme_settings.h"
#include "carom/asynchronous/stepper.h"
#include "carom/core/error.h"
#include "carom/scene/scene.h"

#include "asynchronous/scene_builder.h"

namespace carom::asynchronous {
namespace {

using detail::WindowPath;
using test::SceneBuilder;

// A sheet that falls on a spike which follows a path.
Problem sheet_on_spike() {
  SceneBuilder builder;
  builder.add_sheet(6, 0.5, {0.0, 0.0, 0.3}, {0.0, 0.0, -3.0});
  builder.add_spike({0.02, 0.03, 0.0}, 0.05, 0.2);
  builder.problem.contact[0] = {1000.0, 0.03, 0.5, 0.3};
  for (HeldVertex& held : builder.problem.held) {
    const Vec3 start = builder.problem.position[held.vertex];
    held.path = {{0.02, start}, {0.05, start + Vec3{0.0, 0.0, 0.1}}};
  }
  return builder.finish({0.0, 0.0, -9.81});
}

Vec3 place_on(const AuditPath& path, Index vertex, double time) {
  const auto knots = path.knots.subspan(path.first_knot[vertex],
                                        path.first_knot[vertex + 1] - path.first_knot[vertex]);
  std::size_t k = 1;
  while (k + 1 < knots.size() && knots[k].t < time) ++k;
  const double share = (time - knots[k - 1].t) / (knots[k].t - knots[k - 1].t);
  return knots[k - 1].x + share * (knots[k].x - knots[k - 1].x);
}

TEST(AuditedRun, CornersMakeTheEnginesPaths) {
  const Problem problem = sheet_on_spike();
  Engine recorded(problem);
  Engine looked_at(problem);
  recorded.record_corners(true);
  WindowPath window;
  window.begin_at(recorded.configuration());
  ASSERT_EQ(recorded.advance(0.1).status, AdvanceStatus::reached);
  const AuditPath path = window.to(recorded.configuration(), recorded.corners());
  EXPECT_GT(path.knots.size(), 100 * problem.mass.size());
  for (int k = 1; k <= 237; ++k) {
    const double time = 0.1 * k / 238.0;
    static_cast<void>(looked_at.advance(time));
    const std::vector<Vec3> places = looked_at.configuration().position;
    for (Index i = 0; i < places.size(); ++i) {
      ASSERT_LT(norm(place_on(path, i, time) - places[i]), 1e-13) << i << " at " << time;
    }
  }
}

TEST(AuditedRun, NothingIsKeptUnlessItIsAskedFor) {
  Engine engine(sheet_on_spike());
  static_cast<void>(engine.advance(0.01));
  EXPECT_TRUE(engine.corners().empty());
  engine.record_corners(true);
  static_cast<void>(engine.advance(0.02));
  EXPECT_FALSE(engine.corners().empty());
  engine.forget_corners();
  EXPECT_TRUE(engine.corners().empty());
  static_cast<void>(engine.advance(0.03));
  EXPECT_FALSE(engine.corners().empty());
  engine.record_corners(false);
  EXPECT_TRUE(engine.corners().empty());
}

// Windows that end wherever the observer wanted no more, as where memory is short.
TEST(AuditedRun, ASheetOnASpikePassesInWindowsOfAnyLength) {
  const Problem problem = sheet_on_spike();
  Engine engine(problem);
  Engine plain(problem);
  Audit audit(audit_mesh_of(problem));
  engine.record_corners(true);
  WindowPath window;
  window.begin_at(engine.configuration());
  int windows = 0;
  AdvanceReport report;
  do {
    report = engine.advance(0.12, [](const AdvanceReport&) { return false; });
    const Configuration end = engine.configuration();
    if (end.time > window.begin()) {
      const MotionReport found = audit.motion(window.to(end, engine.corners()));
      ASSERT_EQ(found.status, AuditStatus::passed) << end.time;
      EXPECT_GT(found.smallest_gap, 0.0);
    }
    window.begin_at(end);
    engine.forget_corners();
    ++windows;
  } while (report.status == AdvanceStatus::interrupted);
  EXPECT_EQ(report.status, AdvanceStatus::reached);
  EXPECT_GT(windows, 3);
  EXPECT_EQ(plain.advance(0.12).status, AdvanceStatus::reached);
  EXPECT_EQ(plain.save(), engine.save());
}

// A face of three vertices of the sheet's first row and the tip of the spike's way, which the
// engine does not know: vertices pass.
TEST(AuditedRun, AFaceThatTheEngineDoesNotKnowIsSeen) {
  Problem problem = sheet_on_spike();
  const auto first = static_cast<Index>(problem.mass.size());
  for (const Vec3& corner : {Vec3{-9.0, -8.0, 0.26}, {9.0, -8.5, 0.26}, {0.3, 9.0, 0.26}}) {
    problem.mass.push_back(1.0);
    problem.position.push_back(corner);
    problem.velocity.push_back({});
    problem.held.push_back({static_cast<Index>(problem.mass.size() - 1), {}});
  }
  AuditMesh mesh = audit_mesh_of(problem);
  mesh.triangles.push_back({first, first + 1, first + 2});
  Engine engine(problem);
  engine.record_corners(true);
  WindowPath window;
  window.begin_at(engine.configuration());
  ASSERT_EQ(engine.advance(0.03).status, AdvanceStatus::reached);
  const AuditPath path = window.to(engine.configuration(), engine.corners());
  const MotionReport found = Audit(mesh).motion(path);
  EXPECT_EQ(found.status, AuditStatus::fault);
  ASSERT_TRUE(found.fault.has_value());
  EXPECT_EQ(found.fault->kind, AuditFault::Kind::crossing);
  // 3 m/s and gravity over 4 cm.
  ASSERT_TRUE(found.fault->time.has_value());
  EXPECT_NEAR(*found.fault->time, 0.0131, 0.002);
  EXPECT_EQ(audit_motion(audit_mesh_of(problem), path).status, AuditStatus::passed);
}

TEST(AuditedRun, AnEditedCornerIsSeen) {
  const Problem problem = sheet_on_spike();
  Engine engine(problem);
  engine.record_corners(true);
  WindowPath window;
  window.begin_at(engine.configuration());
  ASSERT_EQ(engine.advance(0.02).status, AdvanceStatus::reached);
  std::vector<PathCorner> corners(engine.corners().begin(), engine.corners().end());
  // A vertex in the middle of the sheet is thrown through its neighbours and comes back.
  const Index middle = 14;
  const auto edited =
      std::find_if(corners.begin() + static_cast<std::ptrdiff_t>(corners.size() / 2), corners.end(),
                   [&](const PathCorner& c) { return c.vertex == middle; });
  ASSERT_NE(edited, corners.end());
  edited->place += Vec3{0.25, 0.15, 0.0};
  const AuditPath path = window.to(engine.configuration(), corners);
  const MotionReport found = audit_motion(audit_mesh_of(problem), path);
  EXPECT_NE(found.status, AuditStatus::passed);
}

TEST(AuditedRun, ObstaclesArePlacedWhereTheEngineHasThem) {
  Problem problem = sheet_on_spike();
  const auto first = static_cast<Index>(problem.mass.size() - 4);
  problem.held.back().path.clear();
  problem.velocity.back() = {0.1, 0.2, 0.0};
  Engine engine(problem);
  std::vector<Vec3> places = problem.position;
  for (const double time : {0.0, 0.011, 0.02, 0.03, 0.05, 0.07}) {
    static_cast<void>(engine.advance(time));
    place_obstacles(problem, time, places, first);
    const std::vector<Vec3> there = engine.configuration().position;
    for (Index i = 0; i < first; ++i) EXPECT_EQ(places[i], problem.position[i]);
    for (Index i = first; i < places.size(); ++i) {
      EXPECT_LT(norm(places[i] - there[i]), 1e-9) << i << " at " << time;
    }
  }
}

// An engine that goes back to an earlier state has forgotten what came after, were it one kick
// only.
TEST(AuditedRun, AnEngineThatGoesBackRepeatsItself) {
  Engine engine(sheet_on_spike());
  engine.record_corners(true);
  static_cast<void>(engine.advance(0.05));
  const std::string bytes = engine.save();
  engine.forget_corners();
  static_cast<void>(engine.advance(0.06));
  ASSERT_FALSE(engine.corners().empty());
  for (const double until : {engine.corners().front().time, 0.0501, 0.053, 0.08}) {
    engine.load(bytes);
    EXPECT_TRUE(engine.corners().empty());
    static_cast<void>(engine.advance(until));
    const std::string end = engine.save();
    const std::vector<PathCorner> corners(engine.corners().begin(), engine.corners().end());
    EXPECT_FALSE(corners.empty());
    engine.load(bytes);
    static_cast<void>(engine.advance(until));
    EXPECT_EQ(engine.save(), end);
    ASSERT_EQ(engine.corners().size(), corners.size()) << until;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      ASSERT_EQ(engine.corners()[k].place, corners[k].place) << k;
    }
  }
}

constexpr const char* kCloth = R"toml(
kind = "scene"
title = "A cloth falls on a ball that rises"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[time]
scheme = "asynchronous"
step = 0.01
duration = 0.2
[[material]]
name = "default"
restitution = 0.5
friction = 0.3
[[surface]]
name = "cloth"
type = "rectangle"
size = [1, 1]
counts = [5, 5]
thickness = 0.02
area_density = 0.2
stretching = 50
stretching_damping = 0.1
bending = 1e-5
[[body]]
name = "ball"
position = [0.03, 0.02, -0.05]
radius = 0.02
[[lead]]
body = "ball"
motion = { type = "constant", velocity = [0, 0, 1] }
)toml";

Simulation cloth(const std::string& audit) {
  Simulation simulation = read_scene(kCloth, "cloth.toml").simulation;
  simulation.settings.of<AsynchronousSettings>().audit = audit;
  return simulation;
}

TEST(AuditedRun, AClothPassesWithTheSameBitsAsUnaudited) {
  const Simulation proven = cloth("motion");
  const Simulation looked_at = cloth("states");
  const Simulation trusted = cloth("none");
  AsynchronousStepper a(proven);
  AsynchronousStepper b(looked_at);
  AsynchronousStepper c(trusted);
  double smallest = kInfinity;
  for (int k = 0; k < 20; ++k) {
    StepReport report = a.step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    double& gap = report.own[OwnNumber::kAuditedGap];
    if (gap > 0.0) smallest = std::min(smallest, gap);
    gap = 0.0;
    const StepReport plain = b.step();
    ASSERT_EQ(report.own, plain.own);
    static_cast<void>(c.step());
    ASSERT_EQ(state_hash(a.state()), state_hash(b.state()));
    ASSERT_EQ(state_hash(a.state()), state_hash(c.state()));
  }
  // They came nearer than the thickness, and were seen to.
  EXPECT_LT(smallest, 0.03);
  EXPECT_EQ(a.save(), b.save());
}

TEST(AuditedRun, ResumesInTheMiddle) {
  const Simulation simulation = cloth("motion");
  AsynchronousStepper whole(simulation);
  for (int k = 0; k < 12; ++k) ASSERT_TRUE(whole.step().can_go_on());
  AsynchronousStepper resumed(simulation);
  resumed.load(whole.save());
  for (int k = 0; k < 8; ++k) {
    const StepReport a = whole.step();
    const StepReport b = resumed.step();
    ASSERT_TRUE(b.can_go_on()) << b.message;
    EXPECT_EQ(a.own, b.own);
    EXPECT_EQ(state_hash(whole.state()), state_hash(resumed.state()));
  }
}

// Two held points and one that flies between them, where the audit believes in an edge.
constexpr const char* kGate = R"toml(
kind = "scene"
title = "A gate"
[world]
dimension = 2
[time]
scheme = "asynchronous"
step = 0.3
duration = 3
[[body]]
name = "left"
position = [-1, 0]
radius = 0.1
[[body]]
name = "right"
position = [1, 0]
radius = 0.1
[[body]]
name = "ball"
position = [0, 1]
velocity = [0, -1]
radius = 0.1
[[lead]]
bodies = ["left", "right"]
)toml";

TEST(AuditedRun, AFaultEndsTheRunWithNamesAndTime) {
  Simulation simulation = read_scene(kGate, "gate.toml").simulation;
  AuditMesh mesh = audit_mesh_of(problem_of(simulation));
  mesh.edges.push_back({0, 1});
  const auto last_report = [&](const std::string& audit) {
    simulation.settings.of<AsynchronousSettings>().audit = audit;
    AsynchronousStepper stepper(simulation, mesh);
    StepReport report;
    for (int k = 0; k < 10 && report.can_go_on(); ++k) report = stepper.step();
    EXPECT_EQ(stepper.state().step, report.can_go_on() ? report.step : report.step - 1);
    return report;
  };
  const StepReport found = last_report("motion");
  EXPECT_EQ(found.step, 4U);
  EXPECT_EQ(found.failure, "audit");
  EXPECT_NE(found.message.find("vertex 'ball' passes through the edge 'left', 'right'"),
            std::string::npos)
      << found.message;
  EXPECT_NE(found.message.find("at time 1"), std::string::npos) << found.message;
  // No state of a step shows it.
  EXPECT_TRUE(last_report("states").can_go_on());
}

}  // namespace
}  // namespace carom::asynchronous
