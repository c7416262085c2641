#pragma once

#include <string>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/core/random.h"

namespace carom::test {

// The data that a BallSweep looks at.
struct BallScene {
  std::string name;
  int dimension = 2;
  std::vector<Vec3> begin;
  std::vector<Vec3> end;
  std::vector<double> radius;
  double margin = 1e-6;
  Vec3 period_lower;
  Vec3 period_length;

  void add(const Vec3& from, const Vec3& to, double ball_radius);
  [[nodiscard]] BallSweep sweep() const;
  [[nodiscard]] Index size() const { return static_cast<Index>(begin.size()); }
};

// A square or cubic lattice of touching unit balls, `side` along each axis.
[[nodiscard]] BallScene touching_lattice(int dimension, Index side);

struct GasSettings {
  int dimension = 2;
  Index count = 400;
  double world = 40.0;        // side of the world, from -world / 3 on
  double radius_ratio = 1.0;  // radii from 0.5 to ratio * 0.5, uniform in the logarithm
  double speed = 0.1;         // standard deviation of the way along each axis
};

// Random places and ways. Balls may overlap.
[[nodiscard]] BallScene random_gas(const GasSettings& settings, std::uint64_t seed);

// Everything that has ever been hard for a grid.
[[nodiscard]] std::vector<BallScene> hard_scenes();

}  // namespace carom::test
