#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/large_memory.h"
#include "carom/events/ball_impact.h"
#include "carom/events/body_moment.h"
#include "carom/events/detail/near_lists.h"
#include "carom/events/detail/pair_search.h"
#include "carom/events/settings.h"
#include "carom/events/shape_touch.h"
#include "carom/stepping/scheduler.h"

namespace carom::detail {

/// Balls that fly freely between collisions, each of which happens at its own moment.
///
/// Every ball has a clock of its own and one pending event: the earliest collision that it has with
/// any ball or shape near it, or the end of its list of those. An event moves only the balls that
/// take part. A ball whose partner has collided otherwise meanwhile looks again when its time comes
/// (which cannot be too late: the partner looked at this pair after its own collision).
///
/// Two balls that touch nothing else and have no friction are answered in closed form, on the spot;
/// everything else that touches at one moment is one impact for the handler.
///
/// Balls are numbered by slots, in an order in which neighbours in space are neighbours in memory;
/// the scene's numbers appear only in what goes out. A slot owns one event of the scheduler. The
/// scheduler sets its clocks back after an epoch: 64 times the time in which the fastest ball
/// crosses the smallest radius.
class BallEngine final : public EventSource {
 public:
  /// All must outlive it but `start`.
  BallEngine(const Simulation& simulation, const State& start, EventScheduler& scheduler,
             BallImpactHandler& handler);

  bool handle(const DueEvent& event) override;
  [[nodiscard]] EventOutcome outcome() const override { return outcome_; }
  void set_back(double passed) override;
  [[nodiscard]] double runaway_window(const DueEvent& event) const override;
  void add_involved(Index owner, EventOutcome& outcome) const override;

  /// Places and velocities at a time between the last event and the next.
  void evaluate(double time, State& state) const;
  [[nodiscard]] Penetration deepest_overlap(double time) const;
  [[nodiscard]] EventCounts take_counts(double time);
  /// The contact duration in use, s.
  [[nodiscard]] double contact_duration() const { return contact_duration_; }
  /// Whether the handler is told of every impact.
  void watch_impacts(bool watch) { watching_ = watch; }
  [[nodiscard]] BodyMoment moment_of(Index body, double time) const;
  /// Gives a ball another velocity from then on. What it gains counts as work.
  void set_velocity(Index body, double time, const Vec3& velocity);
  /// Everything that the next events depend on, but for what the scheduler saves.
  void save(std::string& bytes) const;
  /// Reads what save() wrote and takes it off; false if it is not that.
  [[nodiscard]] bool load(std::string_view& bytes);

 private:
  using Ball = FlyingBall;
  /// What an owner's pending event is.
  struct Plan {
    EventKind kind = EventKind::none;
    Index partner = kNone;      ///< slot, or packed shape and feature
    std::uint32_t version = 0;  ///< of the partner, when this was planned
  };
  struct Record {
    double inverse_mass = 1.0;
    double last_collision = -kInfinity;
    std::uint32_t version = 0;  ///< how often its flight has changed
    Index material = 0;
    Plan plan;
  };
  struct Coefficients {
    double restitution = 1.0;
    bool friction = false;
    double restitution_speed = 0.0;  ///< restitution depends on the closing speed

    [[nodiscard]] double restitution_at(double speed) const {
      if (restitution_speed == 0.0) return restitution;
      return carom::restitution_at({restitution, 0.0, 1.0, restitution_speed}, speed);
    }
  };
  /// What a ball has just collided with; its touching it says nothing.
  struct Partner {
    Index ball = kNone;
    Index shape = kNone;  ///< packed
  };
  struct Earliest {
    double time = kInfinity;
    Plan plan;
  };

  // ball_engine.cpp: the way through events
  void handle_plan(Index slot);
  void tell_impact();
  void look_ahead();
  void bring_to_now(Index slot);
  void collide_balls(Index a, Index b);
  void collide_shape(Index slot, Index packed);
  void renew_list(Index slot);
  [[nodiscard]] Coefficients coefficients(Index material_a, Index material_b) const {
    return coefficients_[material_a * world_->materials.size() + material_b];
  }
  [[nodiscard]] bool collided_lately(Index slot) const {
    return now() - records_[slot].last_collision < contact_duration_;
  }

  // ball_plans.cpp: what comes next for a ball
  bool plan(Index slot, const Partner& partner);
  [[nodiscard]] double list_end(Index slot) const;
  [[nodiscard]] bool stays_near(Index slot, double time) const;
  bool look_at_balls(Index slot, Index partner, Earliest& earliest) const;
  bool look_at_shapes(Index slot, Index partner, Earliest& earliest) const;
  [[nodiscard]] BallFlight flight_of(Index slot) const;
  [[nodiscard]] Vec3 between(Index from, Index to, const Vec3& difference) const;
  void list_shapes(Index slot);

  // ball_clusters.cpp: impacts of several contacts
  bool resolve_cluster(Index first, Index second);
  void gather(Index first, Index second);
  void gather_balls(Index slot);
  void gather_shapes(Index slot);
  void add_to_cluster(Index slot);
  [[nodiscard]] Vec3 surface_velocity(Index shape) const;
  [[nodiscard]] double closing_speed(const BallRow& row) const;
  [[nodiscard]] double speeds_of(const BallRow& row) const;
  [[nodiscard]] double restitution_of(const BallRow& row) const;
  void push(const BallRow& row, double impulse);
  bool stop_what_still_closes();
  /// A sweep over all rows until none changes; false: a thousand did not end it.
  bool sweep_until_none_closes();
  /// The same for all rows at once.
  void stop_all_at_once();
  void keep_bouncing();
  void finish_cluster(Index first, Index second);
  [[nodiscard]] double bounce_speed(Index slot, const Vec3& velocity, const BallRow& row) const;
  void note(const BallRow& row, Index slot_a);

  // ball_state.cpp: beginning, reports, checkpoints
  void choose_times(const EventSettings& settings, const State& start);
  void sort_slots(const State& start);
  void plan_all();
  [[nodiscard]] double now() const { return scheduler_->now(); }
  [[nodiscard]] Vec3 place_at(const Ball& ball, double time) const;
  [[nodiscard]] double work_along_periods(double time) const;

  const World* world_;
  Vec3 gravity_;
  bool friction_;  ///< whether the materials' friction counts
  double touch_;   ///< pairs with a gap below this fraction of the smaller radius touch
  EventScheduler* scheduler_;
  BallImpactHandler* handler_;
  bool has_gravity_;
  bool wraps_;
  bool lossy_ = false;  ///< some pair loses energy
  double contact_duration_ = 0.0;
  double crossing_time_ = 1.0;  ///< in which a ball moves by its radius, roughly
  std::vector<Coefficients> coefficients_;

  LargeVector<Ball> balls_;  ///< by slot, like all that follows
  LargeVector<Record> records_;
  std::vector<Index> body_of_;
  std::vector<Index> slot_of_;  ///< by body
  std::unique_ptr<NearLists> near_;
  PooledLists<Index> shapes_near_;  ///< packed shape and feature

  Index looked_ahead_ = 0;  ///< the queue's group up to which memory was asked for

  // The cluster being resolved.
  BallImpact cluster_;
  std::vector<Index> cluster_slots_;
  std::vector<Index> cluster_place_;  ///< by slot; kNone: not in it
  std::vector<Vec3> velocity_before_;

  // Since the last report.
  EventCounts counts_;
  bool watching_ = false;
  std::vector<BallRow> collisions_;  ///< of this impact, if it is watched
  double period_work_ = 0.0;         ///< of shifts by whole periods, against gravity along them
  double period_work_seen_ = 0.0;    ///< at the last report

  EventOutcome outcome_;
};

// Of the speed that keeps a ball away for a contact duration: below the first it is at rest, and
// then it gets the second.
inline constexpr double kAtRest = 1e-3;
inline constexpr double kLeastBounce = 0.125;

/// A shape and one of its features as one number.
inline constexpr Index kFeatures = 8;
[[nodiscard]] constexpr Index pack(Index shape, Index feature) {
  return shape * kFeatures + feature;
}

}  // namespace carom::detail
