#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "carom/asynchronous/detail/lattice.h"
#include "carom/core/types.h"

namespace carom::asynchronous::detail {

/// Pairs to look at no later than a moment each: one bin per level, emptied whenever a clock of
/// that level fires. A pair due at D is put, at the moment T, into the bin of the highest bit in
/// which T and D differ, which is emptied next at a moment in (T, D]; if that is before D it is put
/// again. Each pair is at most once in a bin, and a look more than asked for does no harm, so
/// nothing is ever removed.
class Wheel {
 public:
  static constexpr int kLevels = 63;

  void reset(Index pairs) {
    for (std::vector<Index>& bin : bins_) bin.clear();
    member_.assign(pairs, 0);
    busy_ = 0;
  }

  /// due > now.
  void put(Index pair, Tick now, Tick due) {
    const auto differ = static_cast<std::uint64_t>(now ^ due);
    const std::uint64_t bit = std::bit_floor(differ);
    const int level = std::countr_zero(bit);
    // In this bin or a lower one already: it will be looked at no later.
    if ((member_[pair] & (bit | (bit - 1))) != 0) return;
    member_[pair] |= bit;
    busy_ |= bit;
    bins_[static_cast<std::size_t>(level)].push_back(pair);
  }

  /// Moves the pairs of all bins that are emptied at this moment to the end of `pairs`.
  void take(Tick now, std::vector<Index>& pairs) {
    const std::uint64_t firing =
        (static_cast<std::uint64_t>(now) ^ (static_cast<std::uint64_t>(now) - 1));
    std::uint64_t due = busy_ & firing;
    busy_ &= ~firing;
    while (due != 0) {
      const int level = std::countr_zero(due);
      due &= due - 1;
      std::vector<Index>& bin = bins_[static_cast<std::size_t>(level)];
      for (const Index pair : bin) member_[pair] &= ~(std::uint64_t{1} << level);
      pairs.insert(pairs.end(), bin.begin(), bin.end());
      bin.clear();
    }
  }

  /// Bit k: the bin of level k has pairs.
  [[nodiscard]] std::uint64_t busy() const { return busy_; }

  template <class Archive>
  void transfer_state(Archive& archive) {
    transfer_all(archive, bins_, member_, busy_);
  }

 private:
  std::array<std::vector<Index>, kLevels> bins_;
  std::vector<std::uint64_t> member_;  ///< bit k: the pair is in the bin of level k
  std::uint64_t busy_ = 0;
};

}  // namespace carom::asynchronous::detail
