// How deep contact goes at each vertex and in which steps it moves, from both engines.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/layers.h"
#include "carom/asynchronous/reference/reference_engine.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"

#include "asynchronous/scene_builder.h"

namespace carom::asynchronous {
namespace {

using reference::ReferenceEngine;

// Two particles that meet head on, and one that is alone.
Problem head_on() {
  test::SceneBuilder builder;
  builder.add_vertex({-0.2, 0.0, 0.0}, 1.0, {30.0, 0.0, 0.0});
  builder.add_vertex({0.2, 0.0, 0.0}, 1.0, {-30.0, 0.0, 0.0});
  builder.add_vertex({0.0, 5.0, 0.0}, 1.0, {1.0, 0.0, 0.0});
  return builder.finish({});
}

template <class AnyEngine>
void expect_depths(AnyEngine engine) {
  const VertexActivity before = engine.activity();
  EXPECT_EQ(before.layer, (std::vector<Index>{0, 0, 0}));
  const LayerTable& layers = LayerTable::of(LayerLaw::harmon);
  const double thickness = head_on().contact[0].thickness;
  Index deepest = 0;
  for (int k = 1; k <= 100; ++k) {
    static_cast<void>(engine.advance(2e-4 * k));
    const VertexActivity now = engine.activity();
    const std::vector<Vec3> x = engine.configuration().position;
    const double distance = norm(x[1] - x[0]);
    const Index expected = distance < thickness ? layers.active_layers(distance / thickness) : 0;
    ASSERT_EQ(now.layer[0], expected);
    ASSERT_EQ(now.layer[1], expected);
    ASSERT_EQ(now.layer[2], 0U);
    ASSERT_EQ(now.step[2], before.step[2]);
    // A deeper layer has a shorter step: l^(-3/2) by itself, l^(-2) where layers act together;
    // before there was half a step of a first layer, that of forces.
    if (expected > deepest) deepest = expected;
    const double shorter = now.step[0] / before.step[0];
    if (expected > 1) {
      ASSERT_LT(shorter, 2.001 * std::pow(expected, -1.5));
      ASSERT_GT(shorter, 0.4 * std::pow(expected, -2.0));
    } else {
      ASSERT_GE(shorter, 0.5);
      ASSERT_LE(shorter, 1.0);
    }
  }
  EXPECT_GT(deepest, 20U);
}

TEST(VertexActivity, IsThatOfTheDistancesNow) {
  expect_depths(Engine(head_on()));
  expect_depths(ReferenceEngine(head_on()));
}

TEST(VertexActivity, ForcesShortenTheStepsOfTheirVertices) {
  test::SceneBuilder builder;
  builder.add_chain({{0.0, 0.0, 0.0}, {0.3, 0.0, 0.0}, {0.6, 0.0, 0.0}}, 1e-3, {});
  builder.add_vertex({0.0, 5.0, 0.0}, 1.0, {});
  const Problem problem = builder.finish({});
  for (const VertexActivity& activity :
       {Engine(problem).activity(), ReferenceEngine(problem).activity()}) {
    EXPECT_LE(activity.step[1], activity.step[0]);
    EXPECT_LE(activity.step[0], activity.step[3]);
    for (const double step : activity.step) EXPECT_GT(step, 0.0);
  }
}

// The columns of the frames are these numbers, of bodies alone.
TEST(VertexActivity, FramesHaveIt) {
  const Simulation simulation = read_scene(R"(kind = "scene"
[world]
dimension = 2
[time]
scheme = "asynchronous"
step = 0.001
duration = 0.01
[[body]]
position = [0, 0]
radius = 0.1
velocity = [50, 0]
[[body]]
position = [0.3, 0]
radius = 0.1
[[shape]]
type = "segment"
a = [-1, -1]
b = [1, -1]
)",
                                           "two.toml")
                                    .simulation;
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const std::size_t columns = scheme_info("asynchronous").body_columns.size();
  double deepest = 0.0;
  for (int k = 0; k < 10; ++k) {
    static_cast<void>(stepper->step());
    const std::vector<double> numbers = stepper->body_numbers();
    ASSERT_EQ(numbers.size(), columns * 2);
    EXPECT_EQ(numbers[0], numbers[1]);
    EXPECT_EQ(numbers[2], numbers[3]);
    deepest = std::max(deepest, numbers[0]);
  }
  EXPECT_GT(deepest, 3.0);
}

}  // namespace
}  // namespace carom::asynchronous
