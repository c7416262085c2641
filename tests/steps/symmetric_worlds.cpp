#include "steps/symmetric_worlds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom::test {
namespace {

struct Ball {
  Vec3 place;
  double radius = 0.5;
  double mass = 1.0;
  Vec3 velocity = {};
};

// A square lattice of balls of radius 1/2: with spacing 1 neighbours touch and rows are redundant.
std::vector<Ball> lattice_balls(int half_width, double spacing) {
  std::vector<Ball> balls;
  for (int x = -half_width; x <= half_width; ++x) {
    for (int y = -half_width; y <= half_width; ++y) {
      balls.push_back({{spacing * x, spacing * y, 0.0}});
    }
  }
  return balls;
}

// A heavy ball in the centre, eight around it that touch it and their neighbours: unlike those of
// the lattice, rows that lie on mirror lines and rows that do not act on each other.
std::vector<Ball> flower_balls() {
  const double distance = 0.5 / std::sin(std::numbers::pi / 8.0);
  const double along = distance * std::sqrt(0.5);
  std::vector<Ball> balls = {{{}, distance - 0.5, 3.0}};
  for (const double sign : {-1.0, 1.0}) {
    balls.push_back({{sign * distance, 0.0, 0.0}, 0.5, 0.75});
    balls.push_back({{0.0, sign * distance, 0.0}, 0.5, 0.75});
    balls.push_back({{sign * along, along, 0.0}});
    balls.push_back({{sign * along, -along, 0.0}});
  }
  return balls;
}

// Which ball a ball becomes, by the start.
std::vector<std::size_t> partners(const State& start, SquareOperation operation,
                                  const Vec3& center) {
  std::vector<std::size_t> partner;
  for (const Vec3& q : start.position) {
    const Vec3 target = center + image(operation, q - center);
    std::size_t nearest = 0;
    for (std::size_t j = 0; j < start.position.size(); ++j) {
      if (norm(start.position[j] - target) < norm(start.position[nearest] - target)) nearest = j;
    }
    partner.push_back(nearest);
  }
  return partner;
}

}  // namespace

std::vector<NamedGroup> groups() {
  using enum SquareOperation;
  return {
      {"mirror_x", {identity, mirror_x}},
      {"mirror_y", {identity, mirror_y}},
      {"mirror_diagonal", {identity, mirror_diagonal}},
      {"mirror_antidiagonal", {identity, mirror_antidiagonal}},
      {"half_turn", {identity, half_turn}},
      {"quarter_turn", {identity, quarter_turn, half_turn, three_quarter_turn}},
      {"rectangle", {identity, half_turn, mirror_x, mirror_y}},
      {"square", Operations(kSquareOperations.begin(), kSquareOperations.end())},
  };
}

TestScene symmetric_world(const Operations& group, const WorldSettings& settings) {
  Random random(20260);
  std::vector<Ball> balls = settings.flower ? flower_balls() : lattice_balls(2, settings.spacing);
  for (const Ball& ball : balls) {
    // Every image gets the image of what this ball gets: sums of few dyadic numbers are exact.
    const Vec3 chosen = {std::floor(random.uniform(-64, 64)) / 64,
                         std::floor(random.uniform(-64, 64)) / 64, 0.0};
    for (const SquareOperation operation : group) {
      for (Ball& other : balls) {
        if (other.place == image(operation, ball.place)) other.velocity += image(operation, chosen);
      }
    }
  }
  for (std::size_t i = balls.size() - 1; i > 0; --i) {
    std::swap(balls[i], balls[random.below(static_cast<Index>(i + 1))]);
  }
  TestScene world;
  for (const Ball& ball : balls) {
    world.ball(settings.center + ball.place, ball.velocity, ball.radius, ball.mass);
  }
  const double wall = 2.0 * settings.spacing + 1.0;
  const Vec3 corner = {wall, wall, 0.0};
  if (settings.box) {
    world.wall(BoxInside{settings.center - corner, settings.center + corner}, {}, "box");
  }
  world.restitution(settings.restitution, settings.friction);
  world.simulation.impact.impact_operator = settings.impact_operator;
  world.simulation.impact.friction_model = settings.friction_model;
  world.simulation.impact.certificate = settings.general;  // which only the general way gives
  world.simulation.symmetry = "exact";
  world.step(1e-2);
  return world;
}

double symmetry_error(const State& start, const State& state, const Operations& group,
                      const Vec3& center) {
  double error = 0.0;
  for (const SquareOperation operation : group) {
    const std::vector<std::size_t> partner = partners(start, operation, center);
    const Vec3 t = start.position[partner[0]] - image(operation, start.position[0]);
    EXPECT_TRUE(center != Vec3{} || t == Vec3{});
    for (std::size_t i = 0; i < partner.size(); ++i) {
      const Vec3 q = (state.position[partner[i]] - image(operation, state.position[i])) - t;
      const Vec3 v = state.velocity[partner[i]] - image(operation, state.velocity[i]);
      for (const double x : {q.x, q.y, v.x, v.y}) error = std::max(error, std::abs(x));
    }
  }
  return error;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
  return largest;
}

}  // namespace carom::test
