#include "peers/scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/collision/broad_phase.h"
#include "carom/collision/narrow_phase.h"

namespace carom::bench {
std::vector<std::string> peer_scene_names() { return {"grid", "staggered grid"}; }

PeerScene make_peer_scene(const std::string& name, Index n) {
  PeerScene scene;
  scene.name = name;
  const bool is_staggered = name != "grid";
  const double spacing = 2.01 * scene.radius;
  const double height_of_row = is_staggered ? 0.5 * std::numbers::sqrt3 * spacing : spacing;
  const double lowest = 3.0 * scene.radius;
  const auto balls_in = [&](Index rows) { return rows * rows - (is_staggered ? rows / 2 : 0); };
  Index rows = 1;
  while (balls_in(rows) < n) ++rows;
  for (Index row = 0; row < rows; ++row) {
    const Index columns = is_staggered ? rows - row % 2 : rows;
    const double middle = 0.5 * static_cast<double>(columns - 1);
    for (Index column = 0; column < columns; ++column) {
      scene.start.push_back({spacing * (static_cast<double>(column) - middle),
                             lowest + height_of_row * static_cast<double>(row), 0.0});
    }
  }
  const double side = spacing * static_cast<double>(rows);
  scene.lower = {-0.75 * side, 0.0, 0.0};
  scene.upper = {0.75 * side, 2.0 * side + lowest, 0.0};
  return scene;
}

double energy(const PeerScene& scene, const State& state) {
  double sum = 0.0;
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    sum += 0.5 * norm_squared(state.velocity[i]) + scene.gravity * state.position[i].y;
  }
  return scene.mass * sum;
}

double deepest_overlap(const PeerScene& scene, const State& state) {
  const std::vector<double> radius(state.position.size(), scene.radius);
  std::vector<BallPair> pairs;
  make_broad_phase("grid")->find_pairs({2, state.position, state.position, radius, 0.0, {}, {}},
                                       pairs);
  double smallest_gap = 0.0;
  for (const BallPair& pair : pairs) {
    const Vec3 line = state.position[pair.a] - state.position[pair.b];
    smallest_gap = std::min(smallest_gap, ball_pair_contact(line, scene.radius, scene.radius).gap);
  }
  for (const Vec3& q : state.position) {
    const double room = std::min(
        {q.x - scene.lower.x, scene.upper.x - q.x, q.y - scene.lower.y, scene.upper.y - q.y});
    smallest_gap = std::min(smallest_gap, room - scene.radius);
  }
  return -smallest_gap / scene.radius;
}

}  // namespace carom::bench
