#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "carom/asynchronous/engine.h"

#include "asynchronous/test_forces.h"

namespace carom::asynchronous {
namespace {

// The spring on a plane of [Vouga2011, 8.1]: unit masses, unit spring, gravity 1, let fall from a
// height of 1.
//
//     o  2
//     z
//     o  1
//   =====  0
Engine pogo(LayerLaw law, double step) {
  Problem problem;
  problem.dimension = 2;
  problem.mass = {1.0, 1.0};
  problem.position = {{0, 1, 0}, {0, 2, 0}};
  problem.velocity.resize(2);
  problem.walls = {{{0, 1, 0}, 0.0, 0}};
  // k = 1000 and eta = 0.1 of the paper, in each law's terms.
  problem.contact[0] = law == LayerLaw::vouga ? ContactLaw{2000.0, 0.2, 1.0, 0.0}
                                              : ContactLaw{1000.0, 0.1, 1.0, 0.0};
  problem.forces = {std::make_shared<test::TestSprings>(
                        std::vector<test::TestSprings::Spring>{{{0, 1}, 1.0, 1.0}}),
                    std::make_shared<test::TestGravity>(Vec3{0, -1, 0}, problem.mass)};
  Settings settings;
  settings.layers = law;
  settings.contact_step = step;
  settings.force_step = 0.1;
  return Engine(problem, settings);
}

struct Band {
  double low = 0.0;
  double high = 0.0;
};

Band band_until(Engine& engine, double start, double until) {
  Band band;
  const double begin = engine.time();
  for (int k = 1; k <= 1000; ++k) {
    static_cast<void>(engine.advance(begin + (until - begin) * k / 1000.0));
    const double change = engine.ledger().balance() / start - 1.0;
    band.low = std::min(band.low, change);
    band.high = std::max(band.high, change);
  }
  return band;
}

TEST(PogoStick, EnergyStaysInABandThatShrinksWithTheStep) {
  for (const LayerLaw law : {LayerLaw::harmon, LayerLaw::vouga}) {
    Engine coarse = pogo(law, 0.1);
    const Band wide = band_until(coarse, coarse.ledger().balance(), 400.0);
    EXPECT_GT(wide.low, -0.05) << to_string(law);
    EXPECT_LT(wide.high, 0.05) << to_string(law);
    Engine fine = pogo(law, 0.02);
    const Band narrow = band_until(fine, fine.ledger().balance(), 100.0);
    EXPECT_GT(narrow.low, -0.001) << to_string(law);
    EXPECT_LT(narrow.high, 0.001) << to_string(law);
  }
}

TEST(SlowPogoStick, EnergyHasNoSlopeOverSevenThousandBounces) {
  Engine engine = pogo(LayerLaw::vouga, 0.1);
  const double start = engine.ledger().balance();
  for (int part = 1; part <= 5; ++part) {
    const double until = 4000.0 * part;
    const Band band = band_until(engine, start, until);
    EXPECT_GT(band.low, -0.05) << until;
    EXPECT_LT(band.high, 0.05) << until;
  }
}

}  // namespace
}  // namespace carom::asynchronous
