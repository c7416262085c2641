#include <algorithm>
#include <cmath>
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
// `lifted`: m by which both start higher.
Engine pogo(LayerLaw law, double step, double lifted = 0.0) {
  Problem problem;
  problem.dimension = 2;
  problem.mass = {1.0, 1.0};
  problem.position = {{0, 1 + lifted, 0}, {0, 2 + lifted, 0}};
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

// Deviations of the mean energy over the last fifth of a run, for starts that differ by
// micrometres.
struct Wandering {
  double mean = 0.0;
  double rms = 0.0;
};

Wandering wandering(LayerLaw law, double step, double seconds, int runs) {
  Wandering result;
  for (int run = 0; run < runs; ++run) {
    Engine engine = pogo(law, step, 1e-6 * run);
    const double start = engine.ledger().balance();
    static_cast<void>(engine.advance(0.8 * seconds));
    double change = 0.0;
    for (int k = 1; k <= 20; ++k) {
      static_cast<void>(engine.advance((0.8 + 0.01 * k) * seconds));
      change += (engine.ledger().balance() / start - 1.0) / 20.0;
    }
    result.mean += change / runs;
    result.rms += change * change / runs;
  }
  result.rms = std::sqrt(result.rms);
  return result;
}

// Where a layer begins, force has a kink. A passage through it at a share s of a step h leaves an
// impulse too large by r v h^2 B(s) / 2, B(s) = s^2 - s + 1/6, whose mean over s is zero: the
// energy wanders by about c^2 m v^2 / 13 at each passage, to no side, as the root of their number
// and as the square of the step.
TEST(PogoStick, EnergyWandersToNoSideAsTheSquareOfTheStep) {
  constexpr int kRuns = 8;
  for (const LayerLaw law : {LayerLaw::harmon, LayerLaw::vouga}) {
    const Wandering coarse = wandering(law, 0.1, 200.0, kRuns);
    const Wandering fine = wandering(law, 0.05, 200.0, kRuns);
    EXPECT_LT(coarse.rms, 0.02) << to_string(law);
    EXPECT_LT(std::abs(coarse.mean), 4.0 * coarse.rms / std::sqrt(kRuns)) << to_string(law);
    EXPECT_LT(fine.rms, 0.5 * coarse.rms) << to_string(law);
  }
}

TEST(SlowPogoStick, EnergyWandersAsTheRootOfTime) {
  constexpr int kRuns = 12;
  const Wandering early = wandering(LayerLaw::harmon, 0.1, 1000.0, kRuns);
  const Wandering late = wandering(LayerLaw::harmon, 0.1, 9000.0, kRuns);
  EXPECT_GT(late.rms, 1.5 * early.rms);
  EXPECT_LT(late.rms, 6.0 * early.rms);
  EXPECT_LT(std::abs(late.mean), 4.0 * late.rms / std::sqrt(kRuns));
}

}  // namespace
}  // namespace carom::asynchronous
