#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/core/assert.h"
#include "carom/core/types.h"

namespace carom {

/// A set of numbers below a fixed capacity: insert, erase and "smallest" in constant time (a tree
/// of 64-bit words), members in an arbitrary but reproducible order without any search.
class IndexSet {
 public:
  IndexSet() = default;
  explicit IndexSet(Index capacity) { reset(capacity); }

  void reset(Index capacity) {
    members_.clear();
    position_.assign(capacity, kNone);
    std::size_t words = capacity;
    height_ = 0;
    do {
      words = (words + 63) / 64;
      room_[height_++].assign(words, 0U);
    } while (words > 1);
  }

  [[nodiscard]] bool empty() const { return members_.empty(); }
  [[nodiscard]] Index size() const { return static_cast<Index>(members_.size()); }
  [[nodiscard]] bool contains(Index i) const { return position_[i] != kNone; }

  void insert(Index i) {
    if (contains(i)) return;
    position_[i] = size();
    members_.push_back(i);
    std::size_t at = i;
    for (std::vector<std::uint64_t>& level : std::span(room_).first(height_)) {
      level[at / 64] |= std::uint64_t{1} << (at % 64);
      at /= 64;
    }
  }

  void erase(Index i) {
    if (!contains(i)) return;
    const Index hole = position_[i];
    const Index last = members_.back();
    members_[hole] = last;
    position_[last] = hole;
    members_.pop_back();
    position_[i] = kNone;
    std::size_t at = i;
    for (std::vector<std::uint64_t>& level : std::span(room_).first(height_)) {
      level[at / 64] &= ~(std::uint64_t{1} << (at % 64));
      if (level[at / 64] != 0) break;
      at /= 64;
    }
  }

  void clear() {
    while (!members_.empty()) erase(members_.back());
  }

  /// The smallest member. The set must not be empty.
  [[nodiscard]] Index smallest() const {
    CAROM_ASSERT(!empty());
    std::size_t at = 0;
    for (std::size_t level = height_; level-- > 0;) {
      at = at * 64 + static_cast<std::size_t>(std::countr_zero(room_[level][at]));
    }
    return static_cast<Index>(at);
  }

  /// In the order that insertions and erasures have left.
  [[nodiscard]] std::span<const Index> members() const { return members_; }

 private:
  std::vector<Index> members_;
  std::vector<Index> position_;
  std::size_t height_ = 0;                          ///< levels in use
  std::array<std::vector<std::uint64_t>, 6> room_;  ///< for these: 64^6 > 2^32
};

}  // namespace carom
