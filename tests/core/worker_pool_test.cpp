#include "carom/core/worker_pool.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace carom {
namespace {

TEST(WorkerPool, DoesEveryJobOnce) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (const std::size_t jobs : {0U, 1U, 3U, 1000U}) {
      std::vector<int> done(jobs, 0);
      pool.run(jobs, [&](std::size_t job, unsigned worker) {
        EXPECT_LT(worker, threads);
        ++done[job];
      });
      EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), static_cast<int>(jobs));
      EXPECT_TRUE(std::all_of(done.begin(), done.end(), [](int n) { return n == 1; }));
    }
  }
}

TEST(WorkerPool, ZeroMeansOnePerCore) { EXPECT_GE(WorkerPool(0).size(), 1U); }

TEST(WorkerPool, HandsOnAnExceptionAndCanBeUsedAgain) {
  WorkerPool pool(3);
  const auto failing = [](std::size_t job, unsigned) {
    if (job == 17) throw std::runtime_error("seventeen");
  };
  EXPECT_THROW(pool.run(100, failing), std::runtime_error);
  int count = 0;
  pool.run(1, [&](std::size_t, unsigned) { ++count; });
  EXPECT_EQ(count, 1);
}

TEST(WorkerPool, ManySmallRoundsDoNotHang) {
  WorkerPool pool(4);
  std::vector<long> sum(8, 0);
  for (long round = 0; round < 2000; ++round) {
    pool.run(8, [&](std::size_t job, unsigned) { sum[job] += round; });
  }
  for (const long s : sum) EXPECT_EQ(s, 1999L * 2000L / 2L);
}

}  // namespace
}  // namespace carom
