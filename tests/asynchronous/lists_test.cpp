// The lists of pairs where a mesh is finer than its layers are thick: neighbours of one mesh are
// proven apart by ranges alone, and nobody looks at them again and again.

#include <string>

#include <gtest/gtest.h>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/reference/reference_engine.h"

#include "asynchronous/scene_builder.h"

namespace carom::asynchronous {
namespace {

using test::SceneBuilder;

// 400 vertices 1 cm apart, whose layers are 5 cm thick, fly and swing.
Problem fine_sheet() {
  SceneBuilder builder;
  builder.add_sheet(20, 0.2, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
  builder.problem.contact[0] = {1000.0, 0.05, 1.0, 0.0};
  for (Index i = 0; i < 20; ++i) builder.problem.velocity[i] += Vec3{0.0, 0.0, 0.1};
  return builder.finish({});
}

TEST(Lists, NeighboursOfAFineMeshCostLittle) {
  const Problem problem = fine_sheet();
  Engine engine(problem);
  const AdvanceReport start = engine.advance(0.05);
  const AdvanceReport end = engine.advance(0.1);
  EXPECT_EQ(end.status, AdvanceStatus::reached);
  EXPECT_EQ(end.deepest_layer, 0U);
  const auto vertices = static_cast<double>(problem.mass.size());
  const double certificates =
      static_cast<double>(end.counts.certificates) - static_cast<double>(start.counts.certificates);
  const double lists = static_cast<double>(end.counts.lists - start.counts.lists);
  RecordProperty("certificates_per_vertex", std::to_string(certificates / vertices));
  EXPECT_LT(certificates / vertices, 20.0) << end.counts.lists;
  EXPECT_LT(lists, 100.0);
}

// Two links in space that move in one plane: the end of the first flies at the middle of the
// second. Edges that share a vertex have no layers, and every other vertex is guarded by an edge of
// its own.
//
//     0 |
//     : v
//   1 ----------- 2
template <class AnyEngine>
void expect_end_stays_on_its_side(AnyEngine engine, const Problem& problem) {
  AuditMesh mesh;
  mesh.vertex_count = problem.mass.size();
  mesh.edges = problem.edges;
  for (int k = 1; k <= 40; ++k) {
    ASSERT_EQ(engine.advance(0.01 * k).status, AdvanceStatus::reached);
    const std::vector<Vec3> x = engine.configuration().position;
    ASSERT_GT(cross(x[2] - x[1], x[0] - x[1]).z, 0.0) << k;
    ASSERT_EQ(audit_state(mesh, x).status, AuditStatus::passed);
  }
  EXPECT_GT(engine.advance(0.41).deepest_layer, 0U);
}

TEST(Lists, TheEndOfAChainMeetsTheLinkBehindItsFirst) {
  Problem problem;
  problem.mass = {1.0, 1.0, 1.0};
  problem.position = {{0.5, 0.5, 0.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  problem.velocity = {{0.0, -5.0, 0.0}, {}, {}};
  problem.edges = {{0, 1}, {1, 2}};
  expect_end_stays_on_its_side(Engine(problem), problem);
  expect_end_stays_on_its_side(reference::ReferenceEngine(problem), problem);
}

}  // namespace
}  // namespace carom::asynchronous
