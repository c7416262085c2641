// The lists of pairs where a mesh is finer than its layers are thick: neighbours of one mesh are
// proven apart by ranges alone, and nobody looks at them again and again.

#include <string>

#include <gtest/gtest.h>

#include "carom/asynchronous/engine.h"

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

}  // namespace
}  // namespace carom::asynchronous
