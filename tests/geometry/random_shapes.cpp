#include "geometry/random_shapes.h"

#include <cmath>

#include "carom/geometry/direction.h"

namespace carom::test {

Vec3 random_place(Random& random, int dimension, double size) {
  // The sine fills all digits: sums of plain uniform numbers, multiples of 2^-53, would be exact.
  const auto coordinate = [&] { return size * std::sin(random.uniform(-1.5, 1.5)); };
  const double x = coordinate();
  const double y = coordinate();
  return {x, y, dimension == 3 ? coordinate() : 0.0};
}

std::vector<Shape> random_shapes(Random& random, int dimension) {
  const auto place = [&] { return random_place(random, dimension, 1.0); };
  const Vec3 corner = place();
  const Vec3 diagonal = place();
  const Vec3 extent = {std::abs(diagonal.x), std::abs(diagonal.y), std::abs(diagonal.z)};
  return {HalfPlane{place(), direction_of(place()).unit}, Segment{place(), place()},
          SphereInside{place(), random.uniform(0.5, 2.0)},
          SphereOutside{place(), random.uniform(0.1, 1.0)}, BoxInside{corner, corner + extent}};
}

}  // namespace carom::test
