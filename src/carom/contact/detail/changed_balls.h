#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/detection.h"

namespace carom::detail {

/// Which balls end elsewhere than at the last look at their step: only they need be looked at
/// again, and their partners; what two others do is known.
class ChangedBalls {
 public:
  void begin_step();
  /// All were looked at in this motion.
  void remember(const StepMotion& motion);
  /// `moved`: who may end elsewhere, rising (null: everybody).
  void find(const StepMotion& motion, const std::vector<Index>* moved);
  /// A pair touches that cannot be a row: in this step everybody must be looked at each time.
  void note_nameless() { some_nameless_.store(true, std::memory_order_relaxed); }

  /// By ball; empty: everybody is to be looked at.
  [[nodiscard]] std::span<const std::uint8_t> marks() const { return marks_; }
  [[nodiscard]] bool are_all() const { return marks_.empty(); }
  [[nodiscard]] bool has(Index ball) const { return marks_[ball] != 0; }
  /// Where they are not all.
  [[nodiscard]] const std::vector<Index>& balls() const { return balls_; }

 private:
  std::vector<Vec3> looked_end_;  ///< where balls ended at the last look
  std::vector<std::uint8_t> marks_;
  std::vector<Index> balls_;
  std::atomic<bool> some_nameless_ = false;
};

}  // namespace carom::detail
