// The one loop through events: the order of what comes at one time, calls and ends of reports,
// epochs that change no event, and a clock that does not stop unnoticed.

#include "carom/stepping/scheduler.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"

namespace carom {
namespace {

// Owners whose events come again and again, each with a period of its own.
class Metronomes final : public EventSource {
 public:
  Metronomes(EventScheduler& scheduler, std::vector<double> periods)
      : periods_(std::move(periods)), clocks_(periods_.size(), 0.0), scheduler_(&scheduler) {
    scheduler.reset(static_cast<Index>(periods_.size()));
    for (Index owner = 0; owner < periods_.size(); ++owner) {
      scheduler.queue().set(owner, periods_[owner]);
    }
  }

  bool handle(const DueEvent& event) override {
    EXPECT_EQ(event.time, scheduler_->now());
    clocks_[event.owner] = event.time;
    story += std::to_string(event.owner);
    times.push_back(scheduler_->time());
    scheduler_->queue().set(event.owner, event.time + periods_[event.owner]);
    return story.size() < most;
  }
  [[nodiscard]] EventOutcome outcome() const override {
    return {EventOutcome::Status::refused, 0.0, {3, 1, 3}, {}};
  }
  void set_back(double passed) override {
    EXPECT_EQ(passed, scheduler_->now());
    for (double& clock : clocks_) clock -= passed;
    ++epochs;
  }
  [[nodiscard]] double runaway_window(const DueEvent& /*event*/) const override { return 1e-6; }
  void add_involved(Index owner, EventOutcome& outcome) const override {
    outcome.bodies.push_back(10 + owner);
    outcome.shapes.push_back(0);
  }

  std::string story;
  std::vector<double> times;
  std::size_t most = 1'000'000'000;
  int epochs = 0;

 private:
  std::vector<double> periods_;
  std::vector<double> clocks_;
  EventScheduler* scheduler_;
};

class EventSchedulerContract : public testing::TestWithParam<std::string> {};

TEST_P(EventSchedulerContract, AtOneTimeEventsComeByRankThenACallThenTheEndOfTheReport) {
  EventScheduler scheduler(GetParam());
  Metronomes source(scheduler, {1.0, 0.5, 1.0});
  scheduler.on_call([&](double time) {
    source.story += "c";
    scheduler.call_at(time + 1.0);
  });
  scheduler.call_at(1.0);
  EXPECT_EQ(scheduler.run(1.0, source).status, EventOutcome::Status::reached);
  EXPECT_EQ(source.story, "1012c");
  // Ranks other than the numbers.
  for (Index owner = 0; owner < 3; ++owner) scheduler.queue().set(owner, kInfinity);
  for (Index owner = 0; owner < 3; ++owner) {
    const EventKind kind = owner == 2 ? EventKind::boundary : EventKind::pair;
    scheduler.queue().set_rank(owner, event_rank(kind, 7 - owner));
  }
  for (Index owner = 0; owner < 3; ++owner) scheduler.queue().set(owner, 2.0);
  source.story.clear();
  EXPECT_EQ(scheduler.run(2.25, source).status, EventOutcome::Status::reached);
  EXPECT_EQ(source.story, "210c") << "boundaries first, then pairs by what they were given";
}

TEST_P(EventSchedulerContract, NothingDependsOnWhereRunsEnd) {
  EventScheduler once(GetParam());
  Metronomes whole(once, {0.3, 0.7, 0.11});
  EXPECT_EQ(once.run(20.0, whole).status, EventOutcome::Status::reached);
  EventScheduler often(GetParam());
  Metronomes pieces(often, {0.3, 0.7, 0.11});
  for (int k = 1; k <= 160; ++k) static_cast<void>(often.run(0.125 * k, pieces));
  EXPECT_EQ(whole.story, pieces.story);
  EXPECT_EQ(whole.times, pieces.times);
}

TEST_P(EventSchedulerContract, EpochsSetTimesBackAndLoseNothing) {
  EventScheduler scheduler(GetParam());
  scheduler.set_epoch_length(4.0);
  // Sums of these are exact.
  Metronomes source(scheduler, {0.25, 1.5, 0.375});
  EventScheduler plain(GetParam());
  Metronomes reference(plain, {0.25, 1.5, 0.375});
  static_cast<void>(scheduler.run(1000.0, source));
  static_cast<void>(plain.run(1000.0, reference));
  EXPECT_EQ(source.story, reference.story);
  EXPECT_EQ(source.times, reference.times);
  EXPECT_EQ(source.epochs, 250);
  EXPECT_EQ(reference.epochs, 0);
  EXPECT_LE(scheduler.now(), 4.0);
  scheduler.come_to(1003.0, source);
  EXPECT_EQ(scheduler.time(), 1003.0);
}

TEST_P(EventSchedulerContract, OwnersMayJoinLater) {
  EventScheduler scheduler(GetParam());
  Metronomes source(scheduler, std::vector<double>(300, 1.0));
  scheduler.reset(1);
  scheduler.queue().set(0, 1.0);
  static_cast<void>(scheduler.run(5.0, source));
  for (Index owner = 1; owner < 300; ++owner) {
    scheduler.grow(owner + 1);
    EXPECT_EQ(scheduler.queue().time(owner), kInfinity);
    scheduler.queue().set(owner, 5.0 + 1.0 / owner);
  }
  source.times.clear();
  static_cast<void>(scheduler.run(7.5, source));
  ASSERT_EQ(source.times.size(), 2U + 2U + 3U * 298U);
  EXPECT_TRUE(std::is_sorted(source.times.begin(), source.times.end()));
}

TEST_P(EventSchedulerContract, AClockThatStopsIsNoticedAndThoseInvolvedAreNamed) {
  EventScheduler scheduler(GetParam());
  scheduler.set_most_events(5000);
  Metronomes source(scheduler, {1.0, 1e-3, 1e-12});
  const EventOutcome outcome = scheduler.run(10.0, source);
  EXPECT_EQ(outcome.status, EventOutcome::Status::runaway);
  EXPECT_EQ(outcome.bodies, std::vector<Index>{12});
  EXPECT_EQ(outcome.shapes, std::vector<Index>{0});
  EXPECT_LT(outcome.time, 1e-6);
  // Many events in much time are none.
  EventScheduler busy(GetParam());
  busy.set_most_events(5000);
  Metronomes fast(busy, {1e-5});
  EXPECT_EQ(busy.run(1.0, fast).status, EventOutcome::Status::reached);
}

TEST_P(EventSchedulerContract, WhatEndsARunIsSaidByItsSource) {
  EventScheduler scheduler(GetParam());
  Metronomes source(scheduler, {0.5});
  source.most = 3;
  const EventOutcome outcome = scheduler.run(10.0, source);
  EXPECT_EQ(outcome.status, EventOutcome::Status::refused);
  EXPECT_EQ(outcome.time, 1.5);
  EXPECT_EQ(outcome.bodies, (std::vector<Index>{1, 3})) << "each once, rising";
}

TEST_P(EventSchedulerContract, ItsClockIsLoadedAsItWasSaved) {
  EventScheduler scheduler(GetParam());
  scheduler.set_epoch_length(2.0);
  Metronomes source(scheduler, {0.3});
  static_cast<void>(scheduler.run(9.0, source));
  std::string bytes;
  scheduler.save(bytes);
  EventScheduler loaded(GetParam());
  std::string_view rest = bytes;
  ASSERT_TRUE(loaded.load(rest));
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(loaded.time(), scheduler.time());
  EXPECT_EQ(loaded.epoch_time(), scheduler.epoch_time());
  std::string_view half = std::string_view(bytes).substr(0, 24);
  EXPECT_FALSE(loaded.load(half));
}

INSTANTIATE_TEST_SUITE_P(All, EventSchedulerContract, testing::ValuesIn(event_queue_names()));

}  // namespace
}  // namespace carom
