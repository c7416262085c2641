// Several threads: the same bits as one.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/detail/vertex_parts.h"
#include "carom/asynchronous/engine.h"

#include "asynchronous/scene_builder.h"

namespace carom::asynchronous {
namespace {

using test::SceneBuilder;

// Two rough sheets of 34 x 34 vertices lie so near that most vertices push, over a spike, one
// corner held: 2,316 vertices, in two parts.
Problem two_sheets() {
  SceneBuilder builder;
  builder.add_sheet(34, 0.66, {0.0, 0.0, 0.2}, {0.0, 0.0, -2.0});
  builder.add_sheet(34, 0.66, {0.003, 0.004, 0.2085}, {0.2, 0.0, -3.0});
  builder.add_spike({0.02, 0.03, 0.0}, 0.05, 0.185);
  builder.problem.contact[0] = {1000.0, 0.009, 0.5, 0.3};
  builder.problem.held.push_back({0, {}});
  return builder.finish({0.0, 0.0, -9.81});
}

TEST(Threads, DoNotChangeABit) {
  const Problem problem = two_sheets();
  Engine alone(problem);
  const AdvanceReport report = alone.advance(0.002);
  ASSERT_EQ(report.status, AdvanceStatus::reached);
  EXPECT_GT(report.counts.contact_ticks, 5'000U);
  EXPECT_GT(report.deepest_layer, 1U);
  const std::string bytes = alone.save();
  for (const unsigned threads : {2U, 3U}) {
    Settings settings;
    settings.threads = threads;
    Engine together(problem, settings);
    ASSERT_EQ(together.advance(0.002).status, AdvanceStatus::reached);
    EXPECT_EQ(together.configuration().position, alone.configuration().position) << threads;
    EXPECT_TRUE(together.save() == bytes) << threads;
    EXPECT_EQ(together.ledger().balance(), alone.ledger().balance()) << threads;
  }
}

TEST(Threads, MayChangeAtACheckpoint) {
  const Problem problem = two_sheets();
  Engine alone(problem);
  static_cast<void>(alone.advance(0.001));
  Settings settings;
  settings.threads = 2;
  Engine together(problem, settings);
  together.load(alone.save());
  static_cast<void>(alone.advance(0.002));
  static_cast<void>(together.advance(0.002));
  EXPECT_TRUE(together.save() == alone.save());
}

TEST(VertexParts, LieTogetherAndAreEqual) {
  std::vector<Vec3> places;
  for (int i = 0; i < 400; ++i) {
    for (int j = 0; j < 25; ++j) places.push_back({0.1 * j, 0.0, 0.1 * i});
  }
  const detail::VertexParts parts(places);
  ASSERT_EQ(parts.count, 8U);
  ASSERT_EQ(parts.members.size(), 8U);
  for (Index k = 0; k < 8; ++k) {
    EXPECT_EQ(parts.members[k].size(), 1250U);
    for (const Index i : parts.members[k]) {
      EXPECT_EQ(parts.part[i], k);
      // Eighths along z, the longest side.
      EXPECT_NEAR(places[i].z, 5.0 * k + 2.45, 2.46);
    }
  }
  EXPECT_EQ(detail::VertexParts(std::vector<Vec3>(1999)).count, 1U);
}

}  // namespace
}  // namespace carom::asynchronous
