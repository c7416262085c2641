#include "carom/asynchronous/engine.h"

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"

#include "asynchronous/test_forces.h"

namespace carom::asynchronous {
namespace {

using test::TestGravity;
using test::TestSprings;

Problem two_particles(double speed) {
  Problem problem;
  problem.mass = {1.0, 1.0};
  problem.position = {{-0.2, 0.0, 0.0}, {0.2, 0.0, 0.0}};
  problem.velocity = {{speed, 0.0, 0.0}, {-speed, 0.0, 0.0}};
  return problem;
}

// Two unit masses at speed v each: E = v^2 / 2 + v^2 / 2 = v^2 is all stored at the turning point,
// and V of n layers is about r_1 eta_1^2 n^3.5 / 840.
TEST(Engine, HeadOnParticlesTurnAtTheDepthThatTheirEnergyAsksFor) {
  for (double speed = 1e-2; speed < 2e4; speed *= 10.0) {
    Engine engine(two_particles(speed));
    const AdvanceReport report = engine.advance(0.8 / speed);
    ASSERT_EQ(report.status, AdvanceStatus::reached);
    const Configuration end = engine.configuration();
    std::printf("v %.0e: layers %u gap %.4g speed %.6g ticks %llu certs %llu plans %llu lists %llu\n", speed,
                report.deepest_layer, report.smallest_gap, end.velocity[1].x / speed,
                (unsigned long long)report.counts.contact_ticks,
                (unsigned long long)report.counts.certificates,
                (unsigned long long)report.counts.plans, (unsigned long long)report.counts.lists);
    EXPECT_LT(end.velocity[0].x, 0.0);
    EXPECT_LT(end.position[0].x, end.position[1].x);
    EXPECT_NEAR(end.velocity[1].x / speed, 1.0, 0.05);
    EXPECT_EQ(end.velocity[0].x, -end.velocity[1].x);
    if (speed >= 10.0) {
      const double law = std::pow(840.0 * speed * speed / (1000.0 * 0.01), 2.0 / 7.0);
      EXPECT_NEAR(report.deepest_layer / law, 1.0, 0.06) << speed;
    }
  }
}

}  // namespace
}  // namespace carom::asynchronous
