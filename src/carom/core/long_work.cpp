// Work that takes long tells an observer about itself and can be stopped by it.

#include "carom/core/long_work.h"

namespace carom {
namespace {

constexpr std::chrono::steady_clock::duration kInterval = std::chrono::milliseconds(100);

}  // namespace

LongWork::LongWork(WorkObserver& observer)
    : observer_(&observer), start_(Clock::now()), next_(kInterval.count()) {}

void LongWork::begin() {
  start_ = Clock::now();
  next_ = kInterval.count();
  stopped_ = false;
}

bool LongWork::go_on(std::string_view doing, std::uint64_t done) {
  if (stopped()) return false;
  const Clock::duration passed = Clock::now() - start_;
  if (passed.count() < next_.load(std::memory_order_relaxed)) return true;
  // Another thread is asking: nobody has to wait for its answer.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || passed.count() < next_.load(std::memory_order_relaxed)) return true;
  next_ = (passed + kInterval).count();
  if (!observer_->on_work({doing, done, std::chrono::duration<double>(passed).count()})) {
    stopped_ = true;
  }
  return !stopped();
}

}  // namespace carom
