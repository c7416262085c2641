#include "carom/core/worker_pool.h"

#include <algorithm>

namespace carom {
namespace {

// Asks for a while, without giving up the core. True: it holds.
template <typename Condition>
bool holds_soon(const Condition& condition) {
  constexpr int kAttempts = 20000;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (condition()) return true;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // each attempt asks anew
  }
  return false;
}

}  // namespace

WorkerPool::WorkerPool(unsigned threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  for (unsigned worker = 1; worker < threads; ++worker) {
    workers_.emplace_back([this, worker] { work(worker); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::take_jobs(unsigned worker) {
  for (std::size_t number = next_++; number < jobs_; number = next_++) {
    try {
      (*job_)(number, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = jobs_;
    }
  }
}

bool WorkerPool::has_news(std::uint64_t seen) const {
  return ending_.load(std::memory_order_acquire) || round_.load(std::memory_order_acquire) != seen;
}

void WorkerPool::work(unsigned worker) {
  std::uint64_t seen = 0;
  for (;;) {
    if (!holds_soon([&] { return has_news(seen); })) {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return has_news(seen); });
    }
    if (ending_.load(std::memory_order_acquire)) return;
    seen = round_.load(std::memory_order_acquire);
    take_jobs(worker);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) > 1) continue;
    const std::lock_guard lock(mutex_);  // or the caller could miss it while it goes to sleep
    done_.notify_one();
  }
}

void WorkerPool::run(std::size_t jobs, const std::function<void(std::size_t, unsigned)>& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    jobs_ = jobs;
    next_ = 0;
    failure_ = nullptr;
    busy_.store(static_cast<unsigned>(workers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
  }
  start_.notify_all();
  take_jobs(0);
  const auto is_done = [&] { return busy_.load(std::memory_order_acquire) == 0; };
  if (!holds_soon(is_done)) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, is_done);
  }
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace carom
