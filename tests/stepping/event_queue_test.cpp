#include "carom/stepping/event_queue.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"

namespace carom {
namespace {

// What a simulation does: take the earliest, give it and some others new times.
void churn(EventQueue& queue, EventQueue& reference, Random& random, Index owners, double spread) {
  for (int k = 0; k < 20000; ++k) {
    const DueEvent due = queue.top();
    const DueEvent expected = reference.top();
    ASSERT_EQ(due.owner, expected.owner) << "event " << k;
    ASSERT_EQ(due.time, expected.time) << "event " << k;
    if (due.owner == kNone) break;
    const auto give = [&](Index owner, double time) {
      queue.set(owner, time);
      reference.set(owner, time);
      ASSERT_EQ(queue.time(owner), time);
    };
    const double draw = random.uniform();
    // Most come soon, some much later, some at the same time, some never.
    const double wait = draw < 0.9    ? spread * random.uniform()
                        : draw < 0.95 ? 1e4 * spread * random.uniform()
                        : draw < 0.99 ? 0.0
                                      : kInfinity;
    give(due.owner, due.time + wait);
    give(random.below(owners), due.time + spread * random.uniform());
  }
}

class EventQueueContract : public testing::TestWithParam<std::string> {};

TEST_P(EventQueueContract, GivesWhatOneHeapGives) {
  for (const Index owners : {1U, 2U, 17U, 1000U}) {
    Random random(owners);
    auto queue = make_event_queue(GetParam());
    auto reference = make_event_queue("heap");
    std::vector<double> times(owners);
    for (double& time : times) time = random.uniform();
    queue->assign(times);
    reference->assign(times);
    churn(*queue, *reference, random, owners, 1.0);
    if (HasFatalFailure()) return;
    churn(*queue, *reference, random, owners, 1e-9);
    if (HasFatalFailure()) return;
  }
}

TEST_P(EventQueueContract, OfEventsAtOneTimeTheSmallerOwnerComesFirst) {
  auto queue = make_event_queue(GetParam());
  queue->assign(std::vector<double>(50, 3.0));
  for (Index owner = 0; owner < 50; ++owner) {
    EXPECT_EQ(queue->top().owner, owner);
    EXPECT_EQ(queue->top().time, 3.0);
    queue->set(owner, kInfinity);
  }
  EXPECT_EQ(queue->top().owner, kNone);
}

TEST_P(EventQueueContract, TakesEventsEarlierThanThoseAlreadyGiven) {
  auto queue = make_event_queue(GetParam());
  queue->assign({5.0, 6.0, 7.0});
  EXPECT_EQ(queue->top().owner, 0U);
  queue->set(2, 1.0);
  EXPECT_EQ(queue->top().owner, 2U);
  queue->set(1, -4.0);
  EXPECT_EQ(queue->top().owner, 1U);
}

INSTANTIATE_TEST_SUITE_P(All, EventQueueContract, testing::ValuesIn(event_queue_names()));

TEST(EventQueueRegistry, RefusesUnknownNames) {
  EXPECT_THROW(static_cast<void>(make_event_queue("calender")), InputError);
}

}  // namespace
}  // namespace carom
