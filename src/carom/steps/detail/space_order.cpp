// An order of bodies that keeps neighbours together in memory.
#include "carom/steps/detail/space_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace carom::detail {
namespace {

constexpr Index kFewBodies = 4096;   // lie in a cache in any order
constexpr double kNear = 16.0;       // mean radii
constexpr double kCell = 4.0;        // mean radii
constexpr std::uint64_t kBits = 21;  // of a cell's number along an axis

// The bits of a number with two free places between each and the next.
std::uint64_t spread(std::uint64_t bits) {
  std::uint64_t result = 0;
  for (std::uint64_t k = 0; k < kBits; ++k) result |= ((bits >> k) & 1U) << (3 * k);
  return result;
}

bool is_disordered(std::span<const Vec3> position, double near) {
  std::size_t far_apart = 0;
  for (std::size_t i = 1; i < position.size(); ++i) {
    if (norm_squared(position[i] - position[i - 1]) > near * near) ++far_apart;
  }
  return 2 * far_apart > position.size();
}

template <typename T>
void rearrange(std::span<const Index> order, std::vector<T>& values) {
  if (values.empty()) return;
  std::vector<T> moved;
  moved.reserve(values.size());
  for (const Index body : order) moved.push_back(std::move(values[body]));
  values = std::move(moved);
}

}  // namespace

std::vector<Index> space_order(const Simulation& simulation) {
  const std::vector<Vec3>& position = simulation.start.position;
  if (position.size() < kFewBodies) return {};
  // Forces of the program know bodies by their numbers.
  if (!simulation.forces.functions.empty()) return {};
  const std::vector<double>& radius = simulation.world.bodies.radius;
  const double mean =
      std::accumulate(radius.begin(), radius.end(), 0.0) / static_cast<double>(radius.size());
  if (!is_disordered(position, kNear * mean)) return {};
  Vec3 lowest = position.front();
  for (const Vec3& q : position) {
    lowest = {std::min(lowest.x, q.x), std::min(lowest.y, q.y), std::min(lowest.z, q.z)};
  }
  const auto cell = [&](double along) {  // the last of them holds all that is far away
    constexpr std::uint64_t kLast = (std::uint64_t{1} << kBits) - 1;
    return static_cast<std::uint64_t>(std::min(along / (kCell * mean), static_cast<double>(kLast)));
  };
  std::vector<std::pair<std::uint64_t, Index>> keys;
  keys.reserve(position.size());
  for (Index i = 0; i < position.size(); ++i) {
    const Vec3 from = position[i] - lowest;
    keys.emplace_back(
        spread(cell(from.x)) | spread(cell(from.y)) << 1U | spread(cell(from.z)) << 2U, i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<Index> order;
  order.reserve(keys.size());
  for (const auto& [key, body] : keys) order.push_back(body);
  return order;
}

void reorder(std::span<const Index> order, State& state) {
  rearrange(order, state.position);
  rearrange(order, state.velocity);
  rearrange(order, state.orientation);
  rearrange(order, state.angular_velocity);
}

Simulation reordered(const Simulation& simulation, std::span<const Index> order) {
  Simulation result = simulation;
  rearrange(order, result.world.bodies.mass);
  rearrange(order, result.world.bodies.radius);
  rearrange(order, result.world.bodies.material);
  result.world.bodies.name.rearrange({order.begin(), order.end()});
  rearrange(order, result.world.bodies.solid);
  reorder(order, result.start);
  std::vector<Index> place(order.size());
  for (Index k = 0; k < order.size(); ++k) place[order[k]] = k;
  for (SpringForce& spring : result.forces.springs) {
    spring.body_a = place[spring.body_a];
    if (spring.body_b != kNone) spring.body_b = place[spring.body_b];
  }
  return result;
}

}  // namespace carom::detail
