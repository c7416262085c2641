// Impacts of several balls whose answer leaves something closing.

#include <numeric>

#include <gtest/gtest.h>

#include "carom/events/detail/ball_engine.h"

namespace carom {
namespace {

// Answers nothing, or lets all go on together.
class Answers final : public BallImpactHandler {
 public:
  explicit Answers(bool together) : together_(together) {}
  bool resolve(BallImpact& impact) override {
    ++asked;
    if (!together_) return true;
    const Vec3 sum = std::accumulate(impact.velocity.begin(), impact.velocity.end(), Vec3{});
    impact.velocity.assign(impact.velocity.size(),
                           (1.0 / static_cast<double>(impact.velocity.size())) * sum);
    return true;
  }

  int asked = 0;

 private:
  bool together_;
};

// A row of balls in touch; the first moves towards the others.
struct Chain {
  explicit Chain(Index balls) {
    BodySet& bodies = simulation.world.bodies;
    State& start = simulation.start;
    for (Index i = 0; i < balls; ++i) {
      bodies.mass.push_back(1.0);
      bodies.radius.push_back(0.5);
      bodies.material.push_back(0);
      bodies.name.push_back("ball-" + std::to_string(i));
      start.position.push_back({static_cast<double>(i), 0, 0});
      start.velocity.push_back({i == 0 ? 1.0 : 0.0, 0, 0});
    }
  }

  EventOutcome run(BallImpactHandler& handler) const {
    EventScheduler scheduler("calendar");
    detail::BallEngine events(simulation, simulation.start, scheduler, handler);
    return scheduler.run(1.0, events);
  }

  Simulation simulation;
};

// A thousand sweeps take the push through a long chain no more than part of the way.
TEST(BallClusters, WhatSweepsCannotStopInTimeIsStoppedAtOnce) {
  const Chain chain(300);
  Answers nothing(false);
  const EventOutcome outcome = chain.run(nothing);
  EXPECT_EQ(outcome.status, EventOutcome::Status::reached);
  EXPECT_TRUE(outcome.bodies.empty());
  EXPECT_GE(nothing.asked, 1);
}

TEST(BallClusters, AShortChainIsStoppedAndAnAnsweredOneGoesOn) {
  const Chain chain(5);
  Answers nothing(false);
  EXPECT_EQ(chain.run(nothing).status, EventOutcome::Status::reached);
  const Chain row(300);
  Answers together(true);
  EXPECT_EQ(row.run(together).status, EventOutcome::Status::reached);
  EXPECT_GE(together.asked, 1);
}

}  // namespace
}  // namespace carom
