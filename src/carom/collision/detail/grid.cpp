// The broad phase on grids of several cell sizes, one for each level of box sizes.
#include "carom/collision/detail/grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/collision/detail/cell_grid.h"
#include "carom/collision/detail/sorted_pairs.h"
#include "carom/collision/detail/swept_box.h"

namespace carom::detail {
namespace {

// Larger boxes share the last level: correct, if not fast.
constexpr std::size_t kLevelCount = 64;
constexpr std::size_t kUnknown = kLevelCount;  // where boxes go that are not known

/// The size that chooses the level. A box far from the origin counts as large, so that it does not
/// stretch the range of cell numbers of small boxes beyond what integers and round-off can tell
/// apart.
double level_size(const SweptBox& box) {
  constexpr double kFar = 0x1.0p-36;
  constexpr double kSmallest = 0x1.0p-1000;
  const double extent = std::max({box.extent.x, box.extent.y, box.extent.z, kSmallest});
  const double distance =
      std::max({std::abs(box.lower.x), std::abs(box.lower.y), std::abs(box.lower.z)});
  return std::max(extent, kFar * distance);
}

class Grid final : public BroadPhase {
 public:
  void find_pairs(const BallSweep& sweep, std::vector<BallPair>& pairs) override {
    compute_swept_boxes(sweep, boxes_);
    period_ = period_of(sweep);
    found_.reset(static_cast<Index>(boxes_.size()));
    sort_into_levels();
    for (std::size_t level = 0; level < kLevelCount; ++level) {
      if (!members(level).empty()) grids_[level].build(boxes_, members(level), period_);
    }
    for (std::size_t level = 0; level < kLevelCount; ++level) {
      if (!members(level).empty()) meet_level(level);
    }
    meet_unknown();
    found_.write(pairs);
  }

 private:
  void sort_into_levels();
  void meet_level(std::size_t level);
  void meet_unknown();

  [[nodiscard]] std::span<const Index> members(std::size_t level) const {
    return {members_.data() + start_[level], members_.data() + start_[level + 1]};
  }

  Vec3 period_;
  std::vector<SweptBox> boxes_;
  std::vector<double> size_;  // of each box; infinite if it is not known
  std::vector<std::uint8_t> level_;
  std::vector<Index> members_;                        // balls by level
  std::array<std::size_t, kLevelCount + 2> start_{};  // of each level's members
  std::array<CellGrid, kLevelCount> grids_;
  SortedPairs found_;
};

// The smallest box sets the sizes of the levels: balls of one radius are smallest at rest, and
// those that move slowly share their level.
void Grid::sort_into_levels() {
  level_.resize(boxes_.size());
  size_.resize(boxes_.size());
  double smallest = kInfinity;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    size_[i] = is_known(boxes_[i]) ? level_size(boxes_[i]) : kInfinity;
    smallest = std::min(smallest, size_[i]);
  }
  start_.fill(0);
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const std::size_t level =
        size_[i] < kInfinity
            ? std::min(static_cast<std::size_t>(std::ilogb(size_[i] / smallest)), kLevelCount - 1)
            : kUnknown;
    level_[i] = static_cast<std::uint8_t>(level);
    ++start_[level];
  }
  std::size_t sum = 0;
  for (std::size_t& entry : start_) entry = sum += entry;  // now the end of each level
  members_.resize(boxes_.size());
  for (std::size_t i = boxes_.size(); i-- > 0;)
    members_[--start_[level_[i]]] = static_cast<Index>(i);
}

void Grid::meet_level(std::size_t level) {
  const CellGrid& grid = grids_[level];
  const auto meet = [this](const SweptBox& a, const SweptBox& b) {
    if (known_boxes_overlap(a, b, period_)) found_.add(a.ball, b.ball);
  };
  grid.visit_neighbours(meet);
  for (std::size_t larger = level + 1; larger < kLevelCount; ++larger) {
    if (members(larger).empty()) continue;
    for (const SweptBox& box : grid.boxes()) {
      grids_[larger].visit_near(box, [&](const SweptBox& other) { meet(box, other); });
    }
  }
}

void Grid::meet_unknown() {
  for (const Index ball : members(kUnknown)) {
    for (Index other = 0; other < boxes_.size(); ++other) {
      const bool met_before = level_[other] == kUnknown && other <= ball;
      if (!met_before) found_.add(ball, other);
    }
  }
}

}  // namespace

std::unique_ptr<BroadPhase> make_grid() { return std::make_unique<Grid>(); }

}  // namespace carom::detail
