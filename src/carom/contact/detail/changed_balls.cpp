// Compares where balls end with where they ended at the last look.
#include "carom/contact/detail/changed_balls.h"

namespace carom::detail {

void ChangedBalls::begin_step() {
  marks_.clear();
  looked_end_.clear();
  some_nameless_.store(false, std::memory_order_relaxed);
}

void ChangedBalls::remember(const StepMotion& motion) {
  looked_end_.assign(motion.end.begin(), motion.end.end());
}

// What is not a number has changed, too.
void ChangedBalls::find(const StepMotion& motion, const std::vector<Index>* moved) {
  marks_.clear();
  const bool knows = looked_end_.size() == motion.end.size();
  if (!knows || some_nameless_.load(std::memory_order_relaxed)) {
    remember(motion);
    return;
  }
  marks_.resize(motion.end.size());
  const std::size_t most = moved != nullptr ? moved->size() : motion.end.size();
  balls_.resize(most);
  std::size_t count = 0;
  for (std::size_t k = 0; k < most; ++k) {
    const Index i = moved != nullptr ? (*moved)[k] : static_cast<Index>(k);
    marks_[i] = motion.end[i] == looked_end_[i] ? 0 : 1;
    balls_[count] = i;
    count += marks_[i];
  }
  balls_.resize(count);
  for (const Index i : balls_) looked_end_[i] = motion.end[i];
}

}  // namespace carom::detail
