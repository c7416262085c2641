#include "collision/ball_scenes.h"

#include <cmath>

namespace carom::test {
namespace {

BallScene named(BallScene scene, std::string name) {
  scene.name = std::move(name);
  return scene;
}

BallScene periodic(BallScene scene, const Vec3& lower, const Vec3& length) {
  scene.period_lower = lower;
  scene.period_length = length;
  return scene;
}

// Every ball moved by its own whole number of periods: nothing changes in the periodic world.
BallScene unwrapped(BallScene scene, std::uint64_t seed) {
  Random random(seed);
  const auto copies = [&] { return static_cast<double>(random.below(7)) - 3.0; };
  for (Index i = 0; i < scene.size(); ++i) {
    const Vec3 shift = {copies() * scene.period_length.x, copies() * scene.period_length.y,
                        copies() * scene.period_length.z};
    scene.begin[i] += shift;
    scene.end[i] += shift;
  }
  return scene;
}

BallScene moved(BallScene scene, const Vec3& shift, double scale) {
  for (Index i = 0; i < scene.size(); ++i) {
    scene.begin[i] = scale * scene.begin[i] + shift;
    scene.end[i] = scale * scene.end[i] + shift;
    scene.radius[i] *= scale;
  }
  return scene;
}

BallScene clusters(int dimension, double distance) {
  BallScene scene;
  scene.dimension = dimension;
  Random random(17);
  for (int cluster = 0; cluster < 12; ++cluster) {
    const auto far = [&] { return random.uniform(-distance, distance); };
    const Vec3 center = {far(), far(), dimension == 3 ? far() : 0.0};
    for (int ball = 0; ball < 40; ++ball) {
      const auto near = [&] { return 2.0 * random.normal(); };
      const Vec3 place = center + Vec3{near(), near(), dimension == 3 ? near() : 0.0};
      scene.add(place, place + Vec3{0.1 * near(), 0.1 * near(), 0.0}, random.uniform(0.1, 1.0));
    }
  }
  return scene;
}

// Half the balls at rest, half crossing the whole world.
BallScene fast_movers(int dimension) {
  const GasSettings settings = {dimension, 300, 100.0, 1.0, 0.0};
  BallScene scene = random_gas(settings, 23);
  const BallScene targets = random_gas(settings, 24);
  for (Index i = 0; i < scene.size(); i += 2) scene.end[i] = targets.begin[i];
  return scene;
}

// Thin balls that fly along x among thick ones at rest: boxes of the larger level are the thinner.
BallScene thin_and_fast_among_thick() {
  BallScene scene = random_gas({2, 100, 40.0, 4.0, 0.0}, 67);
  for (Index i = 0; i < scene.size(); i += 2) {
    scene.end[i].x += 40.0;
    scene.radius[i] = 0.05;
  }
  return scene;
}

BallScene one_point(Index count) {
  BallScene scene;
  for (Index i = 0; i < count; ++i) scene.add({1.0, -2.0, 0.0}, {1.0, -2.0, 0.0}, 1.0 + i % 7);
  return scene;
}

// Balls along a straight line far from the origin, each touching the next.
BallScene far_chain(double offset, double radius) {
  BallScene scene;
  for (int i = 0; i < 200; ++i) {
    const Vec3 place = {offset + 2.0 * radius * i, -offset, 0.0};
    scene.add(place, place, radius);
  }
  return scene;
}

BallScene huge_coordinates() {
  BallScene scene = random_gas({3, 60, 10.0, 10.0, 0.1}, 29);
  for (const double far : {1e12, 1e100, 1e200, 1e300, 1.7e308}) {
    for (const double sign : {-1.0, 1.0}) {
      scene.add({sign * far, 0.0, far}, {sign * far, 0.0, far}, 1.0);
      scene.add({sign * far, 1.5, far}, {sign * far, 1.5, far}, 1.0);
      scene.add({0.0, sign * far, 0.0}, {0.0, -sign * far, 0.0}, 1e-3);
    }
    scene.add({0.0, 0.0, far}, {0.0, 0.0, far}, far);
  }
  return scene;
}

BallScene tiny_numbers() { return moved(random_gas({2, 100, 10.0, 4.0, 0.1}, 31), {}, 1e-310); }

void add_periodic_scenes(std::vector<BallScene>& scenes) {
  // Periods that are no multiple of anything, from many cells to less than one.
  for (const double length : {37.3, 7.1, 3.3, 2.2, 1.3, 0.7}) {
    const std::string size = " period " + std::to_string(length);
    const auto count = static_cast<Index>(std::min(400.0, 8.0 + 10.0 * length));
    const BallScene flat = random_gas({2, count, length, 1.0, 0.1}, 37);
    const BallScene deep = random_gas({3, count, length, 3.0, 0.1}, 41);
    const Vec3 lower = {0.1 - length, 0.2, -5.3};
    scenes.push_back(named(periodic(flat, lower, {length, 0.0, 0.0}), "x" + size));
    scenes.push_back(named(periodic(flat, lower, {0.0, length, 0.0}), "y" + size));
    scenes.push_back(
        named(unwrapped(periodic(flat, lower, {length, 1.1 * length, 0.0}), 43), "x and y" + size));
    scenes.push_back(named(unwrapped(periodic(deep, lower, {0.0, 0.0, length}), 47), "z" + size));
    scenes.push_back(named(
        unwrapped(periodic(deep, lower, {length, 1.3 * length, 0.9 * length}), 53), "all" + size));
  }
  scenes.push_back(named(unwrapped(periodic(random_gas({2, 400, 200.0, 100.0, 0.1}, 59),
                                            {-66.0, 0.0, 0.0}, {200.0, 210.0, 0.0}),
                                   61),
                         "radii 1 to 100, periodic"));
  scenes.push_back(named(periodic(fast_movers(2), {0.0, 0.0, 0.0}, {100.0, 33.3, 0.0}),
                         "fast movers, periodic"));
  for (const double length : {30.0, 3.0, 1.5, 0.5}) {
    scenes.push_back(named(periodic(thin_and_fast_among_thick(), {}, {0.0, length, 0.0}),
                           "thin and fast, period " + std::to_string(length)));
  }
  scenes.push_back(named(periodic(huge_coordinates(), {}, {11.0, 1e5, 0.0}), "huge, periodic"));
}

}  // namespace

void BallScene::add(const Vec3& from, const Vec3& to, double ball_radius) {
  begin.push_back(from);
  end.push_back(to);
  radius.push_back(ball_radius);
}

BallSweep BallScene::sweep() const {
  return {dimension, begin, end, radius, margin, period_lower, period_length};
}

BallScene touching_lattice(int dimension, Index side) {
  BallScene scene;
  scene.dimension = dimension;
  for (Index k = 0; k < (dimension == 3 ? side : 1); ++k) {
    for (Index j = 0; j < side; ++j) {
      for (Index i = 0; i < side; ++i) {
        const Vec3 place = {2.0 * i, 2.0 * j, 2.0 * k};
        scene.add(place, place, 1.0);
      }
    }
  }
  return scene;
}

BallScene random_gas(const GasSettings& settings, std::uint64_t seed) {
  BallScene scene;
  scene.dimension = settings.dimension;
  Random random(seed);
  const bool deep = settings.dimension == 3;
  const auto coordinate = [&] { return settings.world * (random.uniform() - 1.0 / 3.0); };
  const auto way = [&] { return settings.speed * random.normal(); };
  for (Index i = 0; i < settings.count; ++i) {
    const double x = coordinate();
    const double y = coordinate();
    const Vec3 place = {x, y, deep ? coordinate() : 0.0};
    const double dx = way();
    const double dy = way();
    scene.add(place, place + Vec3{dx, dy, deep ? way() : 0.0},
              0.5 * std::pow(settings.radius_ratio, random.uniform()));
  }
  return scene;
}

std::vector<BallScene> hard_scenes() {
  std::vector<BallScene> scenes = {
      named({}, "empty"),
      named(one_point(1), "one ball"),
      named(one_point(60), "all in one point"),
      named(touching_lattice(2, 15), "square lattice"),
      named(touching_lattice(3, 7), "cubic lattice"),
      named(random_gas({2, 400, 40.0, 1.0, 0.1}, 1), "gas 2D"),
      named(random_gas({3, 400, 10.0, 1.0, 0.1}, 2), "gas 3D"),
      named(random_gas({2, 300, 4000.0, 1.0, 0.1}, 3), "thin gas 2D"),
      named(random_gas({3, 300, 1000.0, 1.0, 300.0}, 4), "thin fast gas 3D"),
      named(random_gas({2, 600, 300.0, 100.0, 0.1}, 5), "radii 1 to 100, 2D"),
      named(random_gas({3, 600, 200.0, 100.0, 0.1}, 6), "radii 1 to 100, 3D"),
      named(random_gas({2, 400, 1e7, 1e7, 1e3}, 7), "radii 1 to 1e7"),
      named(clusters(2, 1e3), "clusters 2D"),
      named(clusters(3, 1e6), "clusters 3D"),
      named(clusters(2, 1e13), "clusters very far apart"),
      named(fast_movers(2), "fast movers 2D"),
      named(fast_movers(3), "fast movers 3D"),
      named(thin_and_fast_among_thick(), "thin and fast"),
      named(moved(random_gas({2, 300, 40.0, 4.0, 0.1}, 8), {-1e3, -1e4, 0.0}, 1.0), "negative"),
      named(moved(random_gas({2, 300, 40.0, 4.0, 0.1}, 9), {1e6, -1e6, 0.0}, 1e-3),
            "far and small"),
      named(far_chain(1e6, 1e-3), "far chain"),
      named(far_chain(1e15, 1.0), "chain at the end of precision"),
      named(huge_coordinates(), "huge coordinates"),
      named(tiny_numbers(), "denormal numbers"),
  };
  add_periodic_scenes(scenes);
  return scenes;
}

}  // namespace carom::test
