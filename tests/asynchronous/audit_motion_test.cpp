// Motions that pass through, touch, slide and turn back: planted faults and planted near misses.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/audit.h"
#include "carom/core/error.h"
#include "carom/core/random.h"

#include "asynchronous/audit_meshes.h"

namespace carom::asynchronous {
namespace {

using test::mesh_of;
using test::square_mesh;
using test::square_places;
using Kind = AuditPrimitive::Kind;

// So that the smallest gap is that of all pairs.
AuditSettings everything() {
  AuditSettings settings;
  settings.reach = 10.0;
  return settings;
}

// Straight from one state to another in the time from 0 to 1; both must be free of faults.
MotionReport straight(const AuditMesh& mesh, const std::vector<Vec3>& from,
                      const std::vector<Vec3>& to) {
  Audit audit(mesh);
  EXPECT_EQ(audit.state(from).status, AuditStatus::passed);
  EXPECT_EQ(audit.state(to).status, AuditStatus::passed);
  AuditPath path;
  path.begin = 0.0;
  path.end = 1.0;
  path.from = from;
  path.to = to;
  return audit.motion(path, everything());
}

// A window from 0 to 1 in which each vertex has its own knots.
struct Knots {
  std::vector<PathKnot> all;
  std::vector<std::size_t> first = {0};

  void add(const std::vector<PathKnot>& knots) {
    all.insert(all.end(), knots.begin(), knots.end());
    first.push_back(all.size());
  }
  [[nodiscard]] AuditPath path() const {
    AuditPath result;
    result.end = 1.0;
    result.knots = all;
    result.first_knot = first;
    return result;
  }
};

Knots over_square(const std::vector<PathKnot>& particle) {
  Knots knots;
  for (const Vec3& x : square_places({})) knots.add({{0.0, x}});
  knots.add(particle);
  return knots;
}

void expect_crossing(const MotionReport& report, const AuditPrimitive& first,
                     const AuditPrimitive& second, double time) {
  EXPECT_EQ(report.status, AuditStatus::fault);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, AuditFault::Kind::crossing);
  EXPECT_EQ(report.fault->first, first);
  EXPECT_EQ(report.fault->second, second);
  EXPECT_NEAR(*report.fault->time, time, 1e-12);
}

TEST(AuditMotion, AParticleThroughATriangleBetweenTwoGoodStatesIsCaught) {
  const MotionReport report =
      straight(square_mesh(1), square_places({{0.6, 0.3, 1}}), square_places({{0.7, 0.2, -2}}));
  expect_crossing(report, {Kind::vertex, 4}, {Kind::face, 0}, 1.0 / 3.0);
  EXPECT_NEAR(report.fault->place.x, 0.6 + 0.1 / 3.0, 1e-12);
  EXPECT_NEAR(report.fault->place.z, 0.0, 1e-12);
}

TEST(AuditMotion, AParticleThatDipsBelowASurfaceAndComesBackIsCaught) {
  const Knots knots = over_square({{0.0, {0.1, 0.6, 1.0}},
                                   {0.3, {0.2, 0.6, 0.5}},
                                   {0.5, {0.2, 0.6, -1e-9}},
                                   {1.0, {0.3, 0.6, 1}}});
  const MotionReport report = audit_motion(square_mesh(1), knots.path(), everything());
  expect_crossing(report, {Kind::vertex, 4}, {Kind::face, 1}, 0.5 - 0.2 * 2e-9);
}

TEST(AuditMotion, AParticleThatComesWithinANanometreAndTurnsBackIsProvenSafe) {
  for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const Knots knots = over_square({{0.0, {0.1, 0.6, 1.0}},
                                     {0.3, {0.2, 0.6, 0.5}},
                                     {0.5, {0.2, 0.6, gap}},
                                     {1.0, {0.3, 0.6, 1}}});
    const MotionReport report = audit_motion(square_mesh(1), knots.path(), everything());
    EXPECT_EQ(report.status, AuditStatus::passed);
    EXPECT_LE(report.smallest_gap, gap);
    EXPECT_GE(report.smallest_gap, gap - 2e-14);
    EXPECT_EQ(report.smallest_first, (AuditPrimitive{Kind::vertex, 4}));
    EXPECT_LE(report.deepest, 3);
  }
}

// The same in the middle of nowhere, where a coordinate has no digits for a nanometre's picometres:
// the slack of rounding is taken off, and what is left is still proven.
TEST(AuditMotion, FarFromTheOriginRoundingIsPaidFor) {
  const Vec3 far = {1e6, -1e6, 1e6};
  Knots knots =
      over_square({{0.0, {0.2, 0.6, 1.0}}, {0.5, {0.2, 0.6, 1e-9}}, {1.0, {0.3, 0.6, 1}}});
  for (PathKnot& knot : knots.all) knot.x += far;
  const MotionReport report = audit_motion(square_mesh(1), knots.path(), everything());
  EXPECT_EQ(report.status, AuditStatus::passed);
  const double height = (1e6 + 1e-9) - 1e6;  // as far as the coordinates can tell
  EXPECT_LE(report.smallest_gap, height);
  EXPECT_GE(report.smallest_gap, 0.9 * height);
}

TEST(AuditMotion, SlidingAlongAFaceIsProvenAtOnceHoweverNear) {
  for (const double gap : {1e-2, 1e-6, 1e-10, 1e-14}) {
    const MotionReport report = straight(square_mesh(1), square_places({{0.01, 0.3, gap}}),
                                         square_places({{0.99, 0.7, gap}}));
    EXPECT_EQ(report.status, AuditStatus::passed);
    EXPECT_LE(report.smallest_gap, gap);
    EXPECT_GE(report.smallest_gap, 0.5 * gap);
    EXPECT_LE(report.intervals, 8U);
  }
  // On the face itself, however short the way.
  Audit audit(square_mesh(1));
  const std::vector<Vec3> from = square_places({{0.25, 0.5, 0}});
  const std::vector<Vec3> to = square_places({{0.5, 0.75, 0}});
  AuditPath path;
  path.end = 1.0;
  path.from = from;
  path.to = to;
  const MotionReport touching = audit.motion(path);
  EXPECT_EQ(touching.status, AuditStatus::fault);
  EXPECT_EQ(touching.fault->kind, AuditFault::Kind::touch);
  EXPECT_EQ(touching.fault->time, 0.0);
}

TEST(AuditMotion, AMoveTogetherCostsNothing) {
  std::vector<Vec3> from = square_places({{0.3, 0.4, 1e-6}, {0.9, 0.4, 1e-6}});
  std::vector<Vec3> to = from;
  for (Vec3& x : to) x += Vec3{0.25, 3.0, -8.0};
  const MotionReport report = straight(square_mesh(2, {{4, 5}}), from, to);
  EXPECT_EQ(report.status, AuditStatus::passed);
  EXPECT_EQ(report.bisected, 0U);
  EXPECT_NEAR(report.smallest_gap, 1e-6, 1e-12);
}

TEST(AuditMotion, EdgesThatPassThroughEachOtherAreCaught) {
  const AuditMesh chains = mesh_of(4, {{0, 1}, {2, 3}}, {});
  const MotionReport report = straight(chains, {{-1, 0, 0}, {1, 0, 0}, {0.2, -1, 1}, {0.1, 1, 1}},
                                       {{-1, 0, 0}, {1, 0, 0}, {0.2, -1, -3}, {0.1, 1, -3}});
  expect_crossing(report, {Kind::edge, 0}, {Kind::edge, 1}, 0.25);
  EXPECT_NEAR(report.fault->place.x, 0.15, 1e-12);
}

// In one plane an end comes first to the other edge: the motion's first touch, at t = 0.5.
TEST(AuditMotion, CoplanarEdgesThatSlideAcrossEachOtherAreCaught) {
  const AuditMesh chains = mesh_of(4, {{0, 1}, {2, 3}}, {});
  const std::vector<Vec3> from = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 2, 0}};
  const std::vector<Vec3> to = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 0, 0}};
  AuditPath path;
  path.end = 1.0;
  path.from = from;
  path.to = to;
  const MotionReport in_space = audit_motion(chains, path);
  EXPECT_EQ(in_space.status, AuditStatus::fault);
  EXPECT_EQ(*in_space.fault->time, 0.5);
  AuditMesh flat = chains;
  flat.dimension = 2;
  expect_crossing(audit_motion(flat, path), {Kind::vertex, 2}, {Kind::edge, 0}, 0.5);
  // Once more with a place where no moment is exact: never passed.
  const std::vector<Vec3> aside = {{-1, 0, 0}, {1, 0, 0}, {0.1, -1.7, 0}, {0.2, -0.4, 0}};
  path.to = aside;
  EXPECT_NE(audit_motion(chains, path).status, AuditStatus::passed);
  expect_crossing(audit_motion(flat, path), {Kind::vertex, 2}, {Kind::edge, 0}, 1.0 / 2.7);
}

TEST(AuditMotion, ATriangleThatSwallowsASmallOneBetweenTwoGoodStatesIsCaught) {
  const AuditMesh mesh = mesh_of(6, {}, {{0, 1, 2}, {3, 4, 5}});
  const auto places = [](double z) {
    return std::vector<Vec3>{{-2, -2, 0},           {2, -2, 0},           {0, 3, 0},
                             {-0.1, -0.1, z + 0.1}, {0.1, -0.1, z + 0.3}, {0, 0.1, z + 0.2}};
  };
  const MotionReport report = straight(mesh, places(0.2), places(-0.8));
  expect_crossing(report, {Kind::vertex, 3}, {Kind::face, 0}, 0.3);
}

TEST(AuditMotion, InAPlaneAVertexPassesBesideAnEdgeButNotThroughIt) {
  AuditMesh mesh = mesh_of(3, {{0, 1}}, {});
  mesh.dimension = 2;
  const auto places = [](double x, double y) {
    return std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {x, y, 0}};
  };
  expect_crossing(straight(mesh, places(0.5, 1), places(0.6, -1)), {Kind::vertex, 2},
                  {Kind::edge, 0}, 0.5);
  const MotionReport past = straight(mesh, places(1 + 1e-9, 1), places(1 + 1e-9, -1));
  EXPECT_EQ(past.status, AuditStatus::passed);
  EXPECT_NEAR(past.smallest_gap, 1e-9, 1e-12);
  // A link that folds through the next one: its end passes through that, the shorter of the two.
  AuditMesh chain = mesh_of(3, {{0, 1}, {1, 2}}, {});
  chain.dimension = 2;
  const MotionReport fold =
      straight(chain, {{1, 1, 0}, {0, 0, 0}, {3, 0, 0}}, {{1, -1, 0}, {0, 0, 0}, {3, 0, 0}});
  expect_crossing(fold, {Kind::vertex, 0}, {Kind::edge, 1}, 0.5);
}

// A needle of length 1 turns by 60 degrees about its middle at a small distance from the face: the
// way of its ends is much longer than the distance, and straight ways shorten it on the way.
TEST(AuditMotion, WhatTurnsNearAFaceIsBisectedAndProven) {
  const AuditMesh mesh = square_mesh(2, {{4, 5}});
  const auto needle = [](double angle) {
    const Vec3 arm = {0.3 * std::cos(angle), 0.3 * std::sin(angle), 0.0};
    return square_places({Vec3{0.5, 0.5, 1e-4} + arm, Vec3{0.5, 0.5, 1e-4} - arm});
  };
  const MotionReport report = straight(mesh, needle(0.1), needle(1.2));
  EXPECT_EQ(report.status, AuditStatus::passed);
  EXPECT_LE(report.smallest_gap, 1e-4);
  EXPECT_GE(report.smallest_gap, 0.5e-4);
}

TEST(AuditMotion, OfSeveralFaultsTheEarliestIsNamed) {
  const std::vector<double> heights = {0.9, 0.5, 0.1, 0.3, 0.7};
  std::vector<Vec3> above;
  std::vector<Vec3> below;
  for (std::size_t k = 0; k < heights.size(); ++k) {
    const double x = 0.15 + 0.15 * static_cast<double>(k);
    above.push_back({x, 0.05, heights[k]});
    below.push_back({x, 0.05, heights[k] - 1.0});
  }
  const MotionReport report =
      straight(square_mesh(heights.size()), square_places(above), square_places(below));
  expect_crossing(report, {Kind::vertex, 6}, {Kind::face, 0}, 0.1);
}

// Down, up and down again, so near that the whole window is seen to be a crossing: of the three
// crossings the first.
TEST(AuditMotion, OfSeveralCrossingsOfOnePairTheEarliestIsNamed) {
  for (const double first : {0.01, 0.1, 0.2}) {
    for (const double second : {0.41, 0.45, 0.5}) {
      const Knots knots = over_square({{0.0, {0.2, 0.6, 0.001}},
                                       {2.0 * first, {0.2, 0.6, -0.001}},
                                       {2.0 * (second - first), {0.2, 0.6, 0.001}},
                                       {1.0, {0.2, 0.6, -0.001}}});
      const MotionReport report = audit_motion(square_mesh(1), knots.path());
      expect_crossing(report, {Kind::vertex, 4}, {Kind::face, 1}, first);
    }
  }
}

// Through the diagonal that two triangles share no single face sees a particle pass in its inside.
TEST(AuditMotion, ThroughTheSeamOfTwoTrianglesIsNeverPassed) {
  const MotionReport exact =
      straight(square_mesh(1), square_places({{0.5, 0.5, 1}}), square_places({{0.5, 0.5, -1}}));
  EXPECT_EQ(exact.status, AuditStatus::fault);
  EXPECT_EQ(*exact.fault->time, 0.5);
  const MotionReport rounded =
      straight(square_mesh(1), square_places({{0.3, 0.3, 1}}), square_places({{0.3, 0.3, -1.7}}));
  EXPECT_TRUE(rounded.status == AuditStatus::fault || rounded.status == AuditStatus::undecided);
}

TEST(AuditMotion, AKnottedPathIsJudgedLikeTheStraightOneItFollows) {
  Random random(320);
  for (int trial = 0; trial < 200; ++trial) {
    const auto draw = [&] { return random.uniform(-0.2, 1.2); };
    const Vec3 from = {draw(), draw(), random.uniform(0.05, 1.0)};
    const Vec3 to = {draw(), draw(), random.uniform(-1.0, 0.9)};
    std::vector<PathKnot> knots;
    for (const double t : {0.0, 0.125, 0.25, 0.625, 1.0})
      knots.push_back({t, from + t * (to - from)});
    knots.front().x = from;
    knots.back().x = to;
    const MotionReport bent = audit_motion(square_mesh(1), over_square(knots).path());
    const MotionReport report =
        straight(square_mesh(1), square_places({from}), square_places({to}));
    ASSERT_EQ(bent.status, report.status) << "trial " << trial;
    if (report.fault) {
      ASSERT_NEAR(*bent.fault->time, *report.fault->time, 1e-9);
    }
  }
}

TEST(AuditMotion, RefusesWhatItCannotUse) {
  const std::vector<Vec3> x = square_places({{0.5, 0.5, 1}});
  Audit audit(square_mesh(1));
  AuditPath path;
  path.from = x;
  path.to = x;
  EXPECT_THROW((void)audit.motion(path), InputError);  // no time
  path.end = 1.0;
  EXPECT_EQ(audit.motion(path).status, AuditStatus::passed);
  std::vector<Vec3> short_by_one(x.begin(), x.end() - 1);
  path.to = short_by_one;
  EXPECT_THROW((void)audit.motion(path), InputError);
  std::vector<Vec3> bad = x;
  bad[2].y = std::nan("");
  path.to = bad;
  EXPECT_EQ(audit.motion(path).status, AuditStatus::refused);
  bad[2].y = 1e91;
  EXPECT_EQ(audit.motion(path).status, AuditStatus::refused);
  const auto with = [&](const std::vector<PathKnot>& particle) {
    return audit_motion(square_mesh(1), over_square(particle).path()).status;
  };
  EXPECT_EQ(with({{7.0, {0.5, 0.5, 1}}}), AuditStatus::passed);  // it stands
  EXPECT_THROW(with({}), InputError);
  EXPECT_THROW(with({{0.0, {0.5, 0.5, 1}}, {0.9, {0.5, 0.5, 1}}}), InputError);
  EXPECT_THROW(with({{0.1, {0.5, 0.5, 1}}, {1.0, {0.5, 0.5, 1}}}), InputError);
  EXPECT_THROW(with({{0.0, {0.5, 0.5, 1}}, {0.0, {0, 0.5, 1}}, {1.0, {0, 0, 1}}}), InputError);
}

TEST(AuditMotion, CanBeCancelledAndKeepsWhatItFound) {
  AuditSettings settings;
  int questions = 0;
  settings.cancel = [&] { return ++questions > 0; };
  const std::vector<Vec3> from = square_places({{0.5, 0.2, 1}});
  const std::vector<Vec3> to = square_places({{0.5, 0.2, -1}});
  AuditPath path;
  path.end = 1.0;
  path.from = from;
  path.to = to;
  EXPECT_EQ(audit_motion(square_mesh(1), path, settings).status, AuditStatus::cancelled);
  EXPECT_EQ(questions, 1);
}

}  // namespace
}  // namespace carom::asynchronous
