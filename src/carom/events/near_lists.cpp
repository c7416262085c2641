// For each ball under events the others that are near, until it leaves its skin.
#include "carom/events/detail/near_lists.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "carom/core/assert.h"

namespace carom::detail {
namespace {

std::array<double, 3> three(const Vec3& v) { return {v.x, v.y, v.z}; }

// The nearest copy of a difference of two places in the first period.
double shifted(double difference, double length) {
  const double down = difference > 0.5 * length ? length : 0.0;
  const double up = difference < -0.5 * length ? length : 0.0;
  return difference - down + up;
}

}  // namespace

NearLists::NearLists(const World& world) : world_(world) {
  CAROM_ASSERT(world_.skin > 0.0);
  const auto count = static_cast<Index>(world_.radius.size());
  level_of_.assign(count, 0);
  at_edge_.assign(count, 0);
  references_.assign(count, Vec3{});
  slots_.assign(count, 0);
  mark_.assign(count, kNone);
  if (count > 0) make_levels();
}

void NearLists::make_levels() {
  const std::vector<double>& radius = world_.radius;
  const double smallest = *std::min_element(radius.begin(), radius.end());
  largest_ = *std::max_element(radius.begin(), radius.end());
  std::vector<Level> all;
  for (double limit = smallest + world_.skin;; limit *= 2.0) {
    all.emplace_back();
    if (limit >= largest_ + world_.skin) break;
  }
  std::vector<Index> number(radius.size());
  for (Index i = 0; i < radius.size(); ++i) {
    const double times = (radius[i] + world_.skin) / (smallest + world_.skin);
    number[i] = std::min(static_cast<Index>(std::ceil(std::log2(std::max(times, 1.0)))),
                         static_cast<Index>(all.size() - 1));
    all[number[i]].members.push_back(i);
    Level& level = all[number[i]];
    level.uniform = level.uniform && (level.members.size() == 1 || level.radius == radius[i]);
    level.radius = std::max(level.radius, radius[i]);
  }
  for (Level& level : all) {
    if (level.members.empty()) continue;
    for (const Index i : level.members) level_of_[i] = static_cast<std::uint8_t>(levels_.size());
    levels_.push_back(std::move(level));
  }
}

// Cells of each level about the balls as they are; later ones may be outside of that, the hash
// takes them all.
void NearLists::lay_out(std::span<const Vec3> references) {
  std::array<double, 3> low = three(references[0]);
  std::array<double, 3> high = low;
  for (const Vec3& place : references) {
    const std::array<double, 3> at = three(place);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], at[axis]);
      high[axis] = std::max(high[axis], at[axis]);
    }
  }
  const std::array<double, 3> period = three(world_.periodicity.length);
  for (Level& level : levels_) {
    const double width = 2.0 * (level.radius + world_.skin);
    std::uint64_t stride = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      level.stride[axis] = stride;
      level.width[axis] = width;
      double along = std::min(std::ceil((high[axis] - low[axis]) / width) + 2.0, 1e6);
      if (period[axis] > 0.0) {
        level.cells[axis] = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(std::min(std::floor(period[axis] / width), 1e6)));
        level.width[axis] = period[axis] / static_cast<double>(level.cells[axis]);
        along = static_cast<double>(level.cells[axis]);
      }
      stride *= static_cast<std::uint64_t>(along);
    }
    constexpr Index kRoomInCell = 4;
    const auto most = static_cast<std::uint64_t>(level.members.size());
    level.mask = std::bit_ceil(std::clamp<std::uint64_t>(stride, 1, most)) - 1;
    level.residents.reset(static_cast<Index>(level.mask + 1), kRoomInCell);
  }
}

NearLists::Cell NearLists::cell_of(const Level& level, const Vec3& place) const {
  const std::array<double, 3> at = three(place);
  const std::array<double, 3> lower = three(world_.periodicity.lower);
  Cell cell;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    constexpr double kFarthest = 1e15;
    const double where = std::floor((at[axis] - lower[axis]) / level.width[axis]);
    cell.at[axis] = static_cast<std::int64_t>(std::clamp(where, -kFarthest, kFarthest));
    if (level.cells[axis] > 0) {
      cell.at[axis] = std::clamp<std::int64_t>(cell.at[axis], 0, level.cells[axis] - 1);
    }
  }
  return cell;
}

// Different for all cells that one ball looks at.
std::uint32_t NearLists::key_of(const Cell& cell) {
  const auto part = [&](std::size_t axis, std::uint32_t mask) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(cell.at[axis])) & mask;
  };
  return part(0, 0x7ffU) | (part(1, 0x7ffU) << 11U) | (part(2, 0x3ffU) << 22U);
}

Index NearLists::slot_of(const Level& level, const Cell& cell) {
  std::uint64_t sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sum += static_cast<std::uint64_t>(cell.at[axis]) * level.stride[axis];
  }
  return static_cast<Index>(sum & level.mask);
}

bool NearLists::is_at_edge(Index ball) const {
  if (!world_.periodicity.any()) return false;
  const std::array<double, 3> period = three(world_.periodicity.length);
  const std::array<double, 3> lower = three(world_.periodicity.lower);
  const std::array<double, 3> at = three(references_[ball]);
  const double reach = world_.radius[ball] + largest_ + 2.0 * world_.skin;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(period[axis] > 0.0)) continue;
    const double from_lower = at[axis] - lower[axis];
    if (from_lower <= reach || period[axis] - from_lower <= reach) return true;
  }
  return false;
}

inline bool NearLists::in_reach(Index a, Index b) const {
  const double reach = world_.radius[a] + world_.radius[b] + 2.0 * world_.skin;
  Vec3 between = references_[a] - references_[b];
  if (at_edge_[a] != 0) {
    const Vec3& length = world_.periodicity.length;
    between = {shifted(between.x, length.x), shifted(between.y, length.y),
               shifted(between.z, length.z)};
  }
  return norm_squared(between) < reach * reach;
}

void NearLists::put_in_cell(Index ball) {
  Level& level = levels_[level_of_[ball]];
  const Cell cell = cell_of(level, references_[ball]);
  slots_[ball] = slot_of(level, cell);
  level.residents.add(slots_[ball], {references_[ball], ball, key_of(cell)});
}

void NearLists::take_from_cell(Index ball) {
  Level& level = levels_[level_of_[ball]];
  level.residents.remove(slots_[ball], [ball](const Resident& r) { return r.ball == ball; });
}

// All whose references are nearer than `reach`, in the cells of parts_.
template <bool kShifts>
void NearLists::look_in_cells(Index ball, const Level& level, double reach,
                              std::vector<Index>& found) const {
  // Corners of the block of cells are out of reach, more often than not; round-off is not.
  constexpr double kSlack = 1.0 + 1e-9;
  const double far_squared = kSlack * reach * reach;
  const Vec3 reference = references_[ball];
  const Vec3& length = world_.periodicity.length;
  std::size_t size = found.size();
  for (const CellPart& z : parts_[2]) {
    for (const CellPart& y : parts_[1]) {
      for (const CellPart& x : parts_[0]) {
        if (x.apart_squared + y.apart_squared + z.apart_squared > far_squared) continue;
        const auto slot = static_cast<Index>((x.slot + y.slot + z.slot) & level.mask);
        const std::uint32_t key = x.key | y.key | z.key;
        const std::span<const Resident> residents = level.residents.of(slot);
        if (size + residents.size() > found.size()) found.resize(2 * (size + residents.size()));
        // Who is near cannot be guessed: everybody is written down, and only those stay.
        for (const Resident& resident : residents) {
          Vec3 between = reference - resident.reference;
          if constexpr (kShifts) {
            between = {shifted(between.x, length.x), shifted(between.y, length.y),
                       shifted(between.z, length.z)};
          }
          found[size] = resident.ball;
          size += static_cast<std::size_t>(
              static_cast<unsigned>(norm_squared(between) < reach * reach) &
              static_cast<unsigned>(resident.key == key) &
              static_cast<unsigned>(resident.ball != ball));
        }
      }
    }
  }
  found.resize(size);
}

void NearLists::find_in_level(Index ball, const Level& level, std::vector<Index>& found) {
  const double half = world_.radius[ball] + level.radius + 2.0 * world_.skin;
  const std::array<double, 3> at = three(references_[ball]);
  const std::array<double, 3> lower = three(world_.periodicity.lower);
  std::array<std::int64_t, 3> first{};
  std::array<std::int64_t, 3> count{1, 1, 1};
  double cells = 1.0;
  const std::size_t axes = world_.dimension == 3 ? 3 : 2;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const double begin = std::floor((at[axis] - half - lower[axis]) / level.width[axis]);
    const double end = std::floor((at[axis] + half - lower[axis]) / level.width[axis]);
    if (!(std::abs(begin) < 1e15) || !(std::abs(end) < 1e15)) cells = kInfinity;
    if (cells == kInfinity) break;
    first[axis] = static_cast<std::int64_t>(begin);
    count[axis] = static_cast<std::int64_t>(end) - first[axis] + 1;
    if (level.cells[axis] > 0) count[axis] = std::min(count[axis], level.cells[axis]);
    cells *= static_cast<double>(count[axis]);
  }
  // A large ball among few small ones, or among so many that keys would repeat.
  constexpr double kMostCells = 1e8;
  if (cells > 2.0 * static_cast<double>(level.members.size()) + 27.0 || cells > kMostCells ||
      std::max({count[0], count[1], count[2]}) > 1000) {
    for (const Index other : level.members) {
      if (other != ball && in_reach(ball, other)) found.push_back(other);
    }
    return;
  }
  // Along each axis the cells' parts of slot and key.
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t period = level.cells[axis];
    std::int64_t where = first[axis];
    if (axis >= axes) where = cell_of(level, references_[ball]).at[axis];
    // Where the cells go all the way round a period, copies may be nearer.
    const bool is_known = axis < axes && (period == 0 || count[axis] < period);
    if (period > 0) where = ((where % period) + period) % period;
    parts_[axis].clear();
    for (std::int64_t k = 0; k < count[axis]; ++k) {
      Cell cell;
      cell.at[axis] = where;
      const double low =
          static_cast<double>(first[axis] + k) * level.width[axis] + lower[axis] - at[axis];
      const double apart = is_known ? std::max({low, -low - level.width[axis], 0.0}) : 0.0;
      parts_[axis].push_back(
          {static_cast<std::uint64_t>(where) * level.stride[axis], key_of(cell), apart * apart});
      if (++where == period) where = 0;
    }
  }
  prefetch_cells(level);
  const std::size_t known = found.size();
  if (at_edge_[ball] != 0) {
    look_in_cells<true>(ball, level, half, found);
  } else {
    look_in_cells<false>(ball, level, half, found);
  }
  if (level.uniform) return;
  const auto out = std::remove_if(found.begin() + static_cast<std::ptrdiff_t>(known), found.end(),
                                  [&](Index other) { return !in_reach(ball, other); });
  found.erase(out, found.end());
}

// Cells that one ball looks at are far apart in memory.
void NearLists::prefetch_cells(const Level& level) const {
  constexpr std::size_t kFitInCache = 8000;
  if (references_.size() < kFitInCache) return;
  for (const bool items : {false, true}) {
    for (const CellPart& z : parts_[2]) {
      for (const CellPart& y : parts_[1]) {
        for (const CellPart& x : parts_[0]) {
          const auto slot = static_cast<Index>((x.slot + y.slot + z.slot) & level.mask);
          if (items) {
            level.residents.prefetch_items(slot);
          } else {
            level.residents.prefetch(slot);
          }
        }
      }
    }
  }
}

void NearLists::find_near(Index ball, std::vector<Index>& found) {
  found.clear();
  for (const Level& level : levels_) find_in_level(ball, level, found);
}

void NearLists::build(std::span<const Vec3> references) {
  constexpr Index kRoom = 28;
  const auto count = static_cast<Index>(world_.radius.size());
  CAROM_ASSERT(references.size() == count);
  lists_.reset(count, kRoom);
  if (count == 0) return;
  references_.assign(references.begin(), references.end());
  lay_out(references);
  for (Index ball = 0; ball < count; ++ball) {
    at_edge_[ball] = is_at_edge(ball) ? 1 : 0;
    put_in_cell(ball);
  }
  for (Index ball = 0; ball < count; ++ball) {
    find_near(ball, found_);
    for (const Index other : found_) lists_.add(ball, other);
  }
}

void NearLists::renew(Index ball, const Vec3& reference) {
  take_from_cell(ball);
  references_[ball] = reference;
  at_edge_[ball] = is_at_edge(ball) ? 1 : 0;
  put_in_cell(ball);
  find_near(ball, found_);
  // Most stay; their lists are left alone.
  for (Index k = 0; k < found_.size(); ++k) mark_[found_[k]] = k;
  for (const Index other : lists_.of(ball)) {
    if (mark_[other] != kNone) {
      mark_[other] = kNone;
    } else {
      lists_.remove(other, [ball](Index entry) { return entry == ball; });
    }
  }
  lists_.clear(ball);
  for (const Index other : found_) {
    lists_.add(ball, other);
    if (mark_[other] == kNone) continue;
    mark_[other] = kNone;
    lists_.add(other, ball);
  }
}

double choose_skin(const NearLists::World& world, std::span<const Vec3> places) {
  if (places.empty()) return 1.0;
  // Neighbours in a list, on average: fewer make lists that end soon, more make them long.
  constexpr double kNeighbours2 = 9.0;
  constexpr double kNeighbours3 = 18.0;
  double mean = 0.0;
  double largest = 0.0;
  for (const double radius : world.radius) {
    mean += radius / static_cast<double>(places.size());
    largest = std::max(largest, radius);
  }
  Vec3 low = places[0];
  Vec3 high = places[0];
  for (const Vec3& q : places) {
    low = {std::min(low.x, q.x), std::min(low.y, q.y), std::min(low.z, q.z)};
    high = {std::max(high.x, q.x), std::max(high.y, q.y), std::max(high.z, q.z)};
  }
  const Vec3& period = world.periodicity.length;
  const auto extent = [&](double length, double from, double to) {
    return length > 0.0 ? length : to - from + 2.0 * mean;
  };
  const double area = extent(period.x, low.x, high.x) * extent(period.y, low.y, high.y);
  const auto count = static_cast<double>(places.size());
  const double reach = world.dimension == 2
                           ? std::sqrt(kNeighbours2 * area / (std::numbers::pi * count))
                           : std::cbrt(kNeighbours3 * area * extent(period.z, low.z, high.z) *
                                       0.75 / (std::numbers::pi * count));
  double skin = std::clamp(0.5 * reach - mean, 0.2 * mean, 8.0 * mean);
  // Of two balls in one list only one copy may count, wherever they go meanwhile.
  for (const double length : {period.x, period.y, period.z}) {
    if (length > 0.0) skin = std::min(skin, 0.24 * (0.5 * length - 2.0 * largest));
  }
  return skin;
}

}  // namespace carom::detail
