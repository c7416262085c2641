#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

namespace carom {

/// Is told about work that takes long, some ten times a second.
class WorkObserver {
 public:
  WorkObserver() = default;
  WorkObserver(const WorkObserver&) = delete;
  WorkObserver& operator=(const WorkObserver&) = delete;
  virtual ~WorkObserver() = default;

  struct Work {
    std::string_view doing;  ///< what is counted, e.g. "applications"
    std::uint64_t done = 0;  ///< how many so far
    double seconds = 0.0;    ///< since the work began
  };
  /// False asks for a stop. Called from any of the threads that work, one at a time.
  virtual bool on_work(const Work& work) = 0;
};

/// What loops inside long work ask. It only reads a clock until a tenth of a second has passed; no
/// result depends on it but that of work that was stopped.
class LongWork {
 public:
  /// Not owned.
  explicit LongWork(WorkObserver& observer);

  /// A new piece of work begins; what was stopped may go on.
  void begin();
  /// False once the observer has asked for a stop.
  [[nodiscard]] bool go_on(std::string_view doing, std::uint64_t done);
  [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  WorkObserver* observer_;
  Clock::time_point start_;
  std::atomic<Clock::rep> next_;  ///< when to ask again, since start_
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;  ///< of the observer
};

}  // namespace carom
