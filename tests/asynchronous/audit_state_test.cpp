// Exact tests of states: each kind of fault by name, the search for pairs against all pairs.

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/audit.h"
#include "carom/core/error.h"
#include "carom/core/random.h"

#include "asynchronous/audit_meshes.h"

namespace carom::asynchronous {
namespace {

using Kind = AuditPrimitive::Kind;

void expect_only_fault(const AuditMesh& mesh, const std::vector<Vec3>& places,
                       const std::string& text) {
  Audit audit(mesh);
  const StateReport report = audit.state(places);
  EXPECT_EQ(report.status, AuditStatus::fault);
  ASSERT_EQ(report.faults.size(), 1U) << text;
  EXPECT_EQ(report.fault_count, 1U);
  EXPECT_EQ(audit.text(report.faults[0]), text);
}

TEST(AuditState, NamesWhatMeetsAndWhere) {
  const std::vector<Vec3> face = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const auto with = [&](std::vector<Vec3> places) {
    places.insert(places.begin(), face.begin(), face.end());
    return places;
  };
  const AuditMesh particle = test::mesh_of(4, {}, {{0, 1, 2}});
  expect_only_fault(particle, with({{1, 2, 0}}),
                    "vertex 3 touches face 0 (vertices 0, 1, 2) near (1, 2, 0)");
  const AuditMesh edge = test::mesh_of(5, {{3, 4}}, {{0, 1, 2}});
  expect_only_fault(
      edge, with({{1, 1, 1}, {1, 1, -1}}),
      "edge 0 (vertices 3, 4) passes through face 0 (vertices 0, 1, 2) near (1, 1, 0)");
  const AuditMesh chains = test::mesh_of(4, {{0, 1}, {2, 3}}, {});
  expect_only_fault(chains, {{0, 0, 1}, {2, 2, 1}, {0, 2, 1}, {2, 0, 1}},
                    "edge 0 (vertices 0, 1) passes through edge 1 (vertices 2, 3) near (1, 1, 1)");
  const AuditMesh on_edge = test::mesh_of(3, {{0, 1}}, {});
  expect_only_fault(on_edge, {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}},
                    "vertex 2 touches edge 0 (vertices 0, 1) near (1, 1, 1)");
  const AuditMesh particles = test::mesh_of(2, {}, {});
  expect_only_fault(particles, {{1, 2, 3}, {1, 2, 3}}, "vertex 0 touches vertex 1 near (1, 2, 3)");
}

TEST(AuditState, NamesWhatMeetsInAPlane) {
  AuditMesh mesh = test::mesh_of(4, {{0, 1}, {2, 3}}, {});
  mesh.dimension = 2;
  expect_only_fault(mesh, {{0, 0, 0}, {2, 2, 0}, {0, 2, 0}, {2, 0, 0}},
                    "edge 0 (vertices 0, 1) passes through edge 1 (vertices 2, 3) near (1, 1)");
  EXPECT_EQ(audit_state(mesh, std::vector<Vec3>{{0, 0, 0}, {2, 2, 0}, {0, 2, 0}, {1, 1 + 1e-15, 0}})
                .status,
            AuditStatus::passed);
  // An end of a chain that lies on the next link but one.
  AuditMesh chain = test::mesh_of(4, {{0, 1}, {1, 2}, {2, 3}}, {});
  chain.dimension = 2;
  const StateReport folded =
      audit_state(chain, std::vector<Vec3>{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {2, 0, 0}});
  ASSERT_FALSE(folded.faults.empty());
  EXPECT_EQ(folded.faults[0].first, (AuditPrimitive{Kind::vertex, 3}));
  EXPECT_EQ(folded.faults[0].second, (AuditPrimitive{Kind::edge, 0}));
}

TEST(AuditState, EdgesWithoutLengthAndTrianglesWithoutAreaAreFaults) {
  const AuditMesh edge = test::mesh_of(2, {{0, 1}}, {});
  expect_only_fault(edge, {{1, 1, 1}, {1, 1, 1}}, "vertex 0 touches vertex 1 near (1, 1, 1)");
  const AuditMesh face = test::mesh_of(3, {}, {{0, 1, 2}});
  expect_only_fault(face, {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}},
                    "vertex 2 touches edge 0 (vertices 0, 1) near (1, 1, 1)");
  EXPECT_EQ(audit_state(face, std::vector<Vec3>{{0, 0, 0}, {2, 2, 2}, {1, 1, 1 + 1e-15}}).status,
            AuditStatus::passed);
}

TEST(AuditState, FixedThingsMayOverlapEachOtherButNothingElse) {
  AuditMesh mesh = test::mesh_of(5, {{3, 4}}, {{0, 1, 2}});
  const std::vector<Vec3> places = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}, {1, 1, -1}};
  mesh.fixed = {1, 1, 1, 1, 1};
  EXPECT_EQ(audit_state(mesh, places).status, AuditStatus::passed);
  mesh.fixed = {1, 1, 1, 1, 0};
  EXPECT_EQ(audit_state(mesh, places).status, AuditStatus::fault);
  // Fixed primitives of things that are not fixed as a whole: vertex 3 lies on edge 0.
  AuditMesh chains = test::mesh_of(5, {{0, 1}, {1, 2}, {3, 4}}, {});
  const std::vector<Vec3> ends = {{0, 0, 0}, {2, 0, 0}, {3, 3, 0}, {1, 0, 0}, {1, 0, 5}};
  chains.fixed = {1, 1, 0, 1, 0};
  EXPECT_EQ(audit_state(chains, ends).fault_count, 1U);  // edge 2, which can move, on edge 0
  chains.fixed = {1, 0, 0, 1, 0};
  EXPECT_EQ(audit_state(chains, ends).fault_count, 2U);  // and vertex 3
}

TEST(AuditState, NeighboursThatShareAVertexAreNoFaultUnlessTheyFoldOntoEachOther) {
  // Two triangles that share an edge, opened, and folded flat.
  const AuditMesh hinge = test::mesh_of(4, {}, {{0, 1, 2}, {1, 0, 3}});
  const auto folded = [&](double z) {
    return audit_state(hinge, std::vector<Vec3>{{0, 0, 0}, {4, 0, 0}, {2, 3, 0}, {2, 2, z}}).status;
  };
  EXPECT_EQ(folded(1e-15), AuditStatus::passed);
  EXPECT_EQ(folded(0.0), AuditStatus::fault);
}

TEST(AuditState, SearchFindsTheSameFaultsAsAllPairs) {
  Random random(310);
  std::size_t faulty = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const test::AuditCase c = test::random_soup(random, trial % 4 == 0 ? 2 : 3);
    Audit audit(c.mesh);
    AuditSettings settings;
    settings.most_faults = 1000;
    const StateReport near = audit.state(c.places, settings);
    settings.all_pairs = true;
    const StateReport all = audit.state(c.places, settings);
    ASSERT_EQ(near.fault_count, all.fault_count) << "trial " << trial;
    ASSERT_EQ(near.pairs, all.pairs);
    for (std::size_t k = 0; k < all.faults.size(); ++k) {
      ASSERT_EQ(near.faults[k].first, all.faults[k].first);
      ASSERT_EQ(near.faults[k].second, all.faults[k].second);
    }
    faulty += all.fault_count > 0 ? 1 : 0;
  }
  EXPECT_GT(faulty, 50U);
  EXPECT_LT(faulty, 290U);
}

TEST(AuditState, KeepsTheFirstFaultsAndCountsAll) {
  const AuditMesh mesh = test::mesh_of(10, {}, {});
  AuditSettings settings;
  settings.most_faults = 3;
  const StateReport report = audit_state(mesh, std::vector<Vec3>(10, Vec3{1, 1, 1}), settings);
  EXPECT_EQ(report.fault_count, 45U);
  ASSERT_EQ(report.faults.size(), 3U);
  EXPECT_EQ(report.faults[2].second.number, 3U);
}

TEST(AuditState, RefusesWhatItCannotUse) {
  EXPECT_THROW(Audit(test::mesh_of(2, {{0, 2}}, {})), InputError);
  EXPECT_THROW(Audit(test::mesh_of(2, {{1, 1}}, {})), InputError);
  EXPECT_THROW(Audit(test::mesh_of(3, {}, {{0, 1, 0}})), InputError);
  AuditMesh mesh = test::mesh_of(2, {{0, 1}}, {});
  mesh.dimension = 4;
  EXPECT_THROW(Audit{mesh}, InputError);
  mesh = test::mesh_of(2, {{0, 1}}, {});
  EXPECT_THROW((void)audit_state(mesh, std::vector<Vec3>(3)), InputError);
  EXPECT_EQ(audit_state(mesh, std::vector<Vec3>{{0, 0, 0}, {std::nan(""), 0, 0}}).status,
            AuditStatus::refused);
  AuditMesh flat = mesh;
  flat.dimension = 2;
  EXPECT_EQ(audit_state(flat, std::vector<Vec3>{{0, 0, 0}, {1, 0, 1}}).status,
            AuditStatus::refused);
  AuditSettings settings;
  settings.cancel = [] { return true; };
  mesh = test::mesh_of(3, {{0, 1}}, {});
  EXPECT_EQ(
      audit_state(mesh, std::vector<Vec3>{{0, 0, 0}, {1, 1, 0}, {0.5, 0.2, 0}}, settings).status,
      AuditStatus::cancelled);
}

}  // namespace
}  // namespace carom::asynchronous
