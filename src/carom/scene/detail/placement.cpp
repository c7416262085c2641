// Places of generated balls, and what space they leave.
#include "carom/scene/detail/placement.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace carom::detail {

Vec3 turn_direction(std::uint64_t numerator, std::uint64_t denominator) {
  // quarters * denominator + rest = 4 numerator
  const std::uint64_t quadrupled = 4 * (numerator % denominator);
  const std::uint64_t quarters = quadrupled / denominator;
  const std::uint64_t rest = quadrupled % denominator;
  const bool beyond_middle = 2 * rest > denominator;
  const std::uint64_t reduced = beyond_middle ? denominator - rest : rest;
  const double angle =
      0.5 * std::numbers::pi * (static_cast<double>(reduced) / static_cast<double>(denominator));
  double cosine = 2 * reduced == denominator ? std::sqrt(0.5) : std::cos(angle);
  double sine = 2 * reduced == denominator ? std::sqrt(0.5) : std::sin(angle);
  if (beyond_middle) std::swap(cosine, sine);
  switch (quarters) {
    case 0:
      return {cosine, sine, 0.0};
    case 1:
      return {0.0 - sine, cosine, 0.0};  // 0 - 0 is 0, not -0
    case 2:
      return {0.0 - cosine, 0.0 - sine, 0.0};
    default:
      return {sine, 0.0 - cosine, 0.0};
  }
}

Vec3 ring_direction(std::uint64_t k, std::uint64_t count, double phase) {
  constexpr double kMostQuarters = 1e12;
  const double quarters = phase / (2.0 * std::numbers::pi) * 4.0 * static_cast<double>(count);
  const double whole = std::nearbyint(quarters);
  const bool is_whole = std::abs(quarters) < kMostQuarters &&
                        std::abs(quarters - whole) <= 8.0 * kRoundOff * (1.0 + std::abs(quarters));
  const std::uint64_t turn = 4 * count;
  if (is_whole) {
    const auto steps = static_cast<std::int64_t>(whole) % static_cast<std::int64_t>(turn);
    const std::uint64_t start =
        steps < 0 ? static_cast<std::uint64_t>(steps) + turn : static_cast<std::uint64_t>(steps);
    return turn_direction(4 * k + start, turn);
  }
  const Vec3 place = turn_direction(k, count);
  const double cosine = std::cos(phase);
  const double sine = std::sin(phase);
  return {place.x * cosine - place.y * sine, place.x * sine + place.y * cosine, 0.0};
}

Vec3 random_in_ball(Random& random, int dimension, double radius) {
  for (;;) {  // a try succeeds with probability pi/4 or pi/6
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    const double z = dimension == 3 ? random.uniform(-1.0, 1.0) : 0.0;
    const Vec3 place = {x, y, z};
    if (norm_squared(place) <= 1.0) return radius * place;
  }
}

Quaternion random_rotation(Random& random, int dimension) {
  if (dimension == 2) {
    return rotation_about({0.0, 0.0, 1.0}, random.uniform(-std::numbers::pi, std::numbers::pi));
  }
  for (;;) {  // a point of the ball in four dimensions, not too near to its middle
    const Quaternion q = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                          random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
    const double square = norm_squared(q);
    if (square <= 1.0 && square > 0.01) return normalized(q);
  }
}

OccupiedSpace::OccupiedSpace(int dimension, const Periodicity& periodicity, double gap)
    : dimension_(dimension), periodicity_(periodicity), gap_(gap) {}

std::size_t OccupiedSpace::CellHash::operator()(const Cell& cell) const {
  std::uint64_t hash = static_cast<std::uint64_t>(cell.x) * 0x9e3779b97f4a7c15ULL;
  hash = (hash ^ static_cast<std::uint64_t>(cell.y)) * 0xbf58476d1ce4e5b9ULL;
  hash = (hash ^ static_cast<std::uint64_t>(cell.z)) * 0x94d049bb133111ebULL;
  return static_cast<std::size_t>(hash ^ (hash >> 31U));
}

OccupiedSpace::Cell OccupiedSpace::cell_of(const Level& level, const Vec3& place) const {
  // Far away from everything all cells are one: slower, still right.
  const auto index = [&level](double x) {
    constexpr double kFar = 1e15;
    return static_cast<std::int64_t>(std::clamp(std::floor(x / level.cell_size), -kFar, kFar));
  };
  return {index(place.x), index(place.y), dimension_ == 3 ? index(place.z) : 0};
}

void OccupiedSpace::add(const Vec3& center, double radius) {
  const int exponent = std::ilogb(radius) + 2;
  Level& level = levels_[exponent];
  level.cell_size = std::ldexp(1.0, exponent);
  const Vec3 place = wrapped(periodicity_, center);
  level.balls.push_back({place, radius});
  level.cells[cell_of(level, place)].push_back({place, radius});
}

bool OccupiedSpace::clear_of(const Ball& ball, const Vec3& center, double radius) const {
  const double distance = norm(nearest_image(periodicity_, center - ball.center));
  return distance >= ball.radius + radius + gap_;
}

bool OccupiedSpace::is_free_near(const Level& level, const Vec3& copy, const Ball& wanted,
                                 std::int64_t reach) const {
  const Cell middle = cell_of(level, copy);
  const std::int64_t depth = dimension_ == 3 ? reach : 0;
  for (std::int64_t dz = -depth; dz <= depth; ++dz) {
    for (std::int64_t dy = -reach; dy <= reach; ++dy) {
      for (std::int64_t dx = -reach; dx <= reach; ++dx) {
        const auto cell = level.cells.find({middle.x + dx, middle.y + dy, middle.z + dz});
        if (cell == level.cells.end()) continue;
        for (const Ball& ball : cell->second) {
          if (!clear_of(ball, wanted.center, wanted.radius)) return false;
        }
      }
    }
  }
  return true;
}

bool OccupiedSpace::is_free_among(const Level& level, const Vec3& center, double radius) const {
  // Centres further away than this are clear of the wanted ball.
  const double reach = std::ceil((radius + gap_) / level.cell_size + 0.5);
  const double cells = std::pow(2.0 * reach + 1.0, dimension_);
  if (!(cells < static_cast<double>(level.balls.size()))) {
    return std::all_of(level.balls.begin(), level.balls.end(),
                       [&](const Ball& ball) { return clear_of(ball, center, radius); });
  }
  // In a periodic world also around the neighbouring copies.
  const Vec3 place = wrapped(periodicity_, center);
  const auto copies = [](double length) { return length > 0.0 ? 1 : 0; };
  const Vec3& length = periodicity_.length;
  for (int z = -copies(length.z); z <= copies(length.z); ++z) {
    for (int y = -copies(length.y); y <= copies(length.y); ++y) {
      for (int x = -copies(length.x); x <= copies(length.x); ++x) {
        const Vec3 shift = {x * length.x, y * length.y, z * length.z};
        const Ball wanted = {center, radius};
        if (!is_free_near(level, place + shift, wanted, static_cast<std::int64_t>(reach))) {
          return false;
        }
      }
    }
  }
  return true;
}

bool OccupiedSpace::is_free(const Vec3& center, double radius) const {
  return std::all_of(levels_.begin(), levels_.end(), [&](const auto& level) {
    return is_free_among(level.second, center, radius);
  });
}

}  // namespace carom::detail
