// Threads that wait for numbered jobs and share them out.
#include "carom/core/worker_pool.h"

#include <algorithm>

namespace carom {

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

void WorkerPool::work(unsigned worker) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return ending_ || round_ != seen; });
      if (ending_) return;
      seen = round_;
    }
    take_jobs(worker);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void WorkerPool::run(std::size_t jobs, const std::function<void(std::size_t, unsigned)>& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    jobs_ = jobs;
    next_ = 0;
    failure_ = nullptr;
    busy_ = static_cast<unsigned>(workers_.size());
    ++round_;
  }
  start_.notify_all();
  take_jobs(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace carom
