#include "support/hard_gas.h"

#include <cmath>
#include <numbers>
#include <string>

#include "carom/core/random.h"

namespace carom::test {
namespace {

// One place in each cell of a cube; in the plane four in each of a triangular lattice.
std::vector<Vec3> lattice(const HardGas& gas, const Vec3& edge) {
  std::vector<Vec3> places;
  const std::vector<Vec3> parts =
      gas.dimension == 3
          ? std::vector<Vec3>{{0.5, 0.5, 0.5}}
          : std::vector<Vec3>{{0.0, 0.0, 0.0}, {0.5, 0.0, 0.0}, {0.25, 0.5, 0.0}, {0.75, 0.5, 0.0}};
  const Index layers = gas.dimension == 3 ? gas.cells : 1;
  for (Index z = 0; z < layers; ++z) {
    for (Index y = 0; y < gas.cells; ++y) {
      for (Index x = 0; x < gas.cells; ++x) {
        for (const Vec3& part : parts) {
          places.push_back({(x + part.x) * edge.x, (y + part.y) * edge.y, (z + part.z) * edge.z});
        }
      }
    }
  }
  return places;
}

}  // namespace

Simulation make_hard_gas(const HardGas& gas) {
  Simulation simulation;
  simulation.world.dimension = gas.dimension;
  simulation.time.scheme = "events";
  Vec3 edge;
  if (gas.dimension == 3) {
    const double side = std::cbrt(std::numbers::pi / 6.0 / gas.packing);
    edge = {side, side, side};
  } else {
    // area of a cell: w * w sqrt(3) / 2
    const double width =
        std::sqrt(4.0 * std::numbers::pi / 4.0 / gas.packing * 2.0 / std::numbers::sqrt3);
    edge = {width, width * std::numbers::sqrt3 / 2.0, 0.0};
  }
  const double cells = gas.cells;
  simulation.world.periodicity.length = {cells * edge.x, cells * edge.y, cells * edge.z};
  simulation.start.position = lattice(gas, edge);
  Random random(gas.seed);
  Vec3 sum;
  for (std::size_t i = 0; i < simulation.start.position.size(); ++i) {
    Vec3 v = {random.normal(), random.normal(), gas.dimension == 3 ? random.normal() : 0.0};
    simulation.start.velocity.push_back(v);
    sum += v;
    simulation.world.bodies.mass.push_back(1.0);
    simulation.world.bodies.radius.push_back(0.5);
    simulation.world.bodies.material.push_back(0);
    simulation.world.bodies.name.push_back(std::to_string(i));
  }
  const auto count = static_cast<double>(simulation.start.position.size());
  double kinetic = 0.0;
  for (Vec3& v : simulation.start.velocity) {
    v -= (1.0 / count) * sum;
    kinetic += norm_squared(v);
  }
  const double scale = std::sqrt(gas.dimension * count / kinetic);
  for (Vec3& v : simulation.start.velocity) v *= scale;
  return simulation;
}

}  // namespace carom::test
