// Engines that are wrong on purpose: the audit finds what certificates and layers do wrong, the
// energy what clocks do.

#include <memory>
#include <optional>

#include <gtest/gtest.h>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/detail/window_path.h"
#include "carom/asynchronous/reference/detail/reference_parts.h"
#include "carom/asynchronous/reference/reference_engine.h"

#include "asynchronous/scene_builder.h"
#include "asynchronous/test_forces.h"

namespace carom::asynchronous {
namespace {

using reference::Clocks;
using reference::Mechanisms;
using reference::PlantedFaults;
using reference::ReferenceEngine;
using test::SceneBuilder;

// A particle that flies one metre towards the middle of a thin sheet.
Problem shot(double thickness) {
  SceneBuilder builder;
  builder.add_sheet(4, 0.4, {0.0, 0.0, 0.0}, {});
  builder.add_vertex({0.03, 0.02, 1.0}, 0.01, {0.0, 0.0, -10.0});
  Problem problem = builder.finish({});
  problem.contact[0].thickness = thickness;
  return problem;
}

// What an audit of the run's paths finds.
AuditStatus audited(const Problem& problem, const PlantedFaults& faults,
                    const Mechanisms& mechanisms) {
  ReferenceEngine engine(
      std::make_unique<ReferenceEngine::Parts>(problem, Settings{}, mechanisms, faults));
  engine.record_corners(true);
  detail::WindowPath window;
  window.begin_at(engine.configuration());
  EXPECT_EQ(engine.advance(0.15).status, AdvanceStatus::reached);
  AuditMesh mesh;
  mesh.vertex_count = problem.mass.size();
  mesh.triangles = problem.faces;
  return audit_motion(mesh, window.to(engine.configuration(), engine.corners())).status;
}

// After 1 m a certificate that lasts 1% too long ends 1 cm too late, ten thicknesses behind the
// sheet; of volumes, and without these of slabs.
TEST(PlantedFaults, ACertificateThatLiesByOnePercentIsFoundByTheAudit) {
  const Problem problem = shot(1e-3);
  PlantedFaults lies;
  lies.certificate_length = 1.01;
  Mechanisms slabs_alone;
  slabs_alone.hierarchy = false;
  slabs_alone.vague_trajectories = false;
  Mechanisms sharp;
  sharp.vague_trajectories = false;
  for (const Mechanisms& mechanisms : {sharp, slabs_alone}) {
    EXPECT_EQ(audited(problem, {}, mechanisms), AuditStatus::passed);
    EXPECT_EQ(audited(problem, lies, mechanisms), AuditStatus::fault);
  }
}

TEST(PlantedFaults, LayersLeftOutAreFoundByTheAudit) {
  const Problem problem = shot(1e-3);
  PlantedFaults shallow;
  shallow.last_layer = 3;
  EXPECT_EQ(audited(problem, {}, {}), AuditStatus::passed);
  EXPECT_EQ(audited(problem, shallow, {}), AuditStatus::fault);
}

// The spring on a plane of [Vouga2011, 8.1].
double energy_gained(Clocks clocks) {
  Problem problem;
  problem.dimension = 2;
  problem.mass = {1.0, 1.0};
  problem.position = {{0, 1, 0}, {0, 2, 0}};
  problem.velocity.resize(2);
  problem.walls = {{{0, 1, 0}, 0.0, 0}};
  problem.contact[0] = {2000.0, 0.2, 1.0, 0.0};
  problem.forces = {std::make_shared<test::TestSprings>(
                        std::vector<test::TestSprings::Spring>{{{0, 1}, 1.0, 1.0}}),
                    std::make_shared<test::TestGravity>(Vec3{0, -1, 0}, problem.mass)};
  Settings settings;
  settings.layers = LayerLaw::vouga;
  settings.force_step = 0.1;
  Mechanisms mechanisms;
  mechanisms.clocks = clocks;
  ReferenceEngine engine(problem, settings, mechanisms);
  const double start = engine.ledger().balance();
  EXPECT_EQ(engine.advance(600.0).status, AdvanceStatus::reached);
  return engine.ledger().balance() / start - 1.0;
}

TEST(PlantedFaults, RestartedClocksAreFoundByTheEnergy) {
  EXPECT_LT(std::abs(energy_gained(Clocks::own)), 0.05);
  EXPECT_LT(std::abs(energy_gained(Clocks::nested)), 0.05);
  EXPECT_GT(energy_gained(Clocks::restarted), 0.2);
}

}  // namespace
}  // namespace carom::asynchronous
