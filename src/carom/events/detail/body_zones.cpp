// Zones of bodies of any sizes, in cells of several levels, and who overlaps whom.
#include "carom/events/detail/body_zones.h"

#include <algorithm>
#include <cmath>

namespace carom::detail {
namespace {

// Places farther out than this many cells are in the outermost ones.
constexpr double kFarthest = 1e15;

std::int64_t cell_along(double x, double size) {
  return static_cast<std::int64_t>(std::clamp(std::floor(x / size), -kFarthest, kFarthest));
}

}  // namespace

std::size_t BodyZones::CellHash::operator()(const Cell& cell) const {
  std::uint64_t code = 0;
  for (const std::int64_t number : cell) {
    code = (code ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15U;
    code ^= code >> 29U;
  }
  return code;
}

BodyZones::BodyZones(std::vector<double> reach, const Periodicity& periodicity, bool hashed)
    : hashed_(hashed),
      periodicity_(periodicity),
      reach_(std::move(reach)),
      center_(reach_.size()),
      is_placed_(reach_.size(), 0),
      level_of_(reach_.size(), kNone) {
  std::vector<int> exponents;
  for (const double r : reach_) exponents.push_back(std::ilogb(2.0 * r) + 1);
  std::vector<int> distinct = exponents;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const int exponent : distinct) {
    Level level;
    level.size = std::ldexp(1.0, exponent);
    for (Index body = 0; body < reach_.size(); ++body) {
      if (exponents[body] != exponent) continue;
      level.members.push_back(body);
      level_of_[body] = static_cast<Index>(levels_.size());
    }
    levels_.push_back(std::move(level));
  }
}

BodyZones::Cell BodyZones::cell_of(const Level& level, const Vec3& place) {
  return {cell_along(place.x, level.size), cell_along(place.y, level.size),
          cell_along(place.z, level.size)};
}

void BodyZones::move(Index body, const Vec3& center) {
  Level& level = levels_[level_of_[body]];
  const Cell to = cell_of(level, center);
  if (is_placed_[body] != 0) {
    const Cell from = cell_of(level, center_[body]);
    center_[body] = center;
    if (from == to) return;
    const auto cell = level.cells.find(from);
    std::erase(cell->second, body);
    if (cell->second.empty()) level.cells.erase(cell);
  }
  center_[body] = center;
  is_placed_[body] = 1;
  level.cells[to].push_back(body);
}

bool BodyZones::overlap(Index a, Index b) const {
  const double reach = reach_[a] + reach_[b];
  const Vec3 difference = nearest_image(periodicity_, center_[a] - center_[b]);
  return norm_squared(difference) <= reach * reach;
}

// The copies of a place from which something in the first period may be as near as `far`.
void BodyZones::find_copies(const Vec3& center, double far) const {
  copies_.assign(1, center);
  const auto add_along = [&](double Vec3::*axis) {
    const double length = periodicity_.length.*axis;
    if (!(length > 0.0)) return;
    const double lower = periodicity_.lower.*axis;
    const std::size_t known = copies_.size();
    for (std::size_t k = 0; k < known; ++k) {
      for (const double shift : {-length, length}) {
        Vec3 copy = copies_[k];
        copy.*axis += shift;
        const bool reaches = copy.*axis + far >= lower && copy.*axis - far <= lower + length;
        if (reaches) copies_.push_back(copy);
      }
    }
  };
  add_along(&Vec3::x);
  add_along(&Vec3::y);
  add_along(&Vec3::z);
}

void BodyZones::look_in(const Level& level, Index body, std::vector<Index>& found) const {
  const auto consider = [&](Index other) {
    if (other != body && overlap(body, other)) found.push_back(other);
  };
  // No zone of this level reaches farther than half a cell; a little more for round-off.
  constexpr double kSlack = 1.0 + 1e-6;
  const double far = kSlack * (reach_[body] + 0.5 * level.size);
  find_copies(center_[body], far);
  const auto corner = [&](const Vec3& copy, double by) {
    return cell_of(level, copy + Vec3{by, by, by});
  };
  double cells = 0.0;
  for (const Vec3& copy : copies_) {
    const Cell low = corner(copy, -far);
    const Cell high = corner(copy, far);
    double of_copy = 1.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      of_copy *= static_cast<double>(high[axis] - low[axis] + 1);
    }
    cells += of_copy;
  }
  if (!hashed_ || cells > static_cast<double>(level.members.size())) {
    for (const Index other : level.members) consider(other);
    return;
  }
  for (const Vec3& copy : copies_) {
    const Cell low = corner(copy, -far);
    const Cell high = corner(copy, far);
    for (std::int64_t x = low[0]; x <= high[0]; ++x) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
          const auto cell = level.cells.find({x, y, z});
          if (cell == level.cells.end()) continue;
          for (const Index other : cell->second) consider(other);
        }
      }
    }
  }
}

void BodyZones::find_near(Index body, std::vector<Index>& found) const {
  found.clear();
  for (const Level& level : levels_) look_in(level, body, found);
  std::sort(found.begin(), found.end());
  // Seen from two copies.
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace carom::detail
