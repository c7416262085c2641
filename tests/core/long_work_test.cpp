// Work that takes long: when its observer is asked, and what its answer does.

#include "carom/core/long_work.h"

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace carom {
namespace {

class Counter final : public WorkObserver {
 public:
  bool on_work(const Work& work) override {
    seconds.push_back(work.seconds);
    return goes_on;
  }
  std::vector<double> seconds;
  bool goes_on = true;
};

void work_for(LongWork& work, std::chrono::milliseconds length) {
  const auto end = std::chrono::steady_clock::now() + length;
  std::uint64_t done = 0;
  while (std::chrono::steady_clock::now() < end) static_cast<void>(work.go_on("turns", ++done));
}

TEST(LongWork, AsksTenTimesASecondAndNotBefore) {
  Counter counter;
  LongWork work(counter);
  EXPECT_TRUE(work.go_on("turns", 1));
  EXPECT_TRUE(counter.seconds.empty());
  work_for(work, std::chrono::milliseconds(350));
  ASSERT_GE(counter.seconds.size(), 1U);
  EXPECT_LE(counter.seconds.size(), 3U);
  double before = 0.0;
  for (const double at : counter.seconds) {
    EXPECT_GE(at, before + 0.099);
    before = at;
  }
}

TEST(LongWork, StaysStoppedUntilItBeginsAnew) {
  Counter counter;
  counter.goes_on = false;
  LongWork work(counter);
  work_for(work, std::chrono::milliseconds(250));
  EXPECT_EQ(counter.seconds.size(), 1U);
  EXPECT_TRUE(work.stopped());
  EXPECT_FALSE(work.go_on("turns", 1));
  work.begin();
  EXPECT_FALSE(work.stopped());
  EXPECT_TRUE(work.go_on("turns", 1));
}

TEST(LongWork, OfManyThreadsOneAsks) {
  Counter counter;
  LongWork work(counter);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] { work_for(work, std::chrono::milliseconds(250)); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(counter.seconds.size(), 1U);
  EXPECT_LE(counter.seconds.size(), 3U);
}

}  // namespace
}  // namespace carom
