#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace carom {

/// Threads that share out numbered jobs. Which thread does which job is left to chance, so a job
/// may write only where no other does; results then do not depend on the number of threads.
class WorkerPool {
 public:
  /// `threads` in all, the caller among them; 0: one for each core. At least 1.
  explicit WorkerPool(unsigned threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// job(number, worker) for every number below `jobs`, `worker` below size(). Returns when all are
  /// done; the first exception of a job is thrown here, and the jobs after it may be left undone.
  /// Not from inside a job, nor from two threads at once.
  void run(std::size_t jobs, const std::function<void(std::size_t, unsigned)>& job);

 private:
  void work(unsigned worker);
  void take_jobs(unsigned worker);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable done_;
  const std::function<void(std::size_t, unsigned)>* job_ = nullptr;
  std::size_t jobs_ = 0;
  std::atomic<std::size_t> next_{0};
  std::uint64_t round_ = 0;  ///< counts the calls of run()
  unsigned busy_ = 0;        ///< workers that have not finished this round
  bool ending_ = false;
  std::exception_ptr failure_;
};

}  // namespace carom
