#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "carom/collision/time_of_impact.h"
#include "carom/contact/assemble.h"
#include "carom/events/event_stepper.h"

namespace carom {

namespace detail {
class BodyZones;
class FreeFlight;
class PairEvents;
class RoundPairs;
}  // namespace detail

/// Every collision at its own moment, for bodies that turn [Mirtich1995]
/// (docs/events-of-solids.md).
///
/// Each pair that is near (detail/body_zones.h) has one pending event: the earliest moment at which
/// it may come nearer than the envelope, by bound_time_of_impact(). When that comes the bound is
/// found again. A pair that is in the envelope and closing collides, together with all that is in
/// touch with it, as one impact for the scene's operator. Round bodies meet each other and shapes
/// at the moment of their contact, which has a closed form (detail/round_pairs.h). Each body has a
/// clock of its own.
///
/// Lasting contact is what closes more slowly than gravity makes it over the envelope. Bodies that
/// forces within Coulomb's cone can carry come to rest (detail/slow_impact.h): they do not move,
/// and have no events with each other, until something collides with their group. The others bounce
/// in place, a train of micro-collisions, as far as friction can hold them. Pairs in touch of which
/// one moves are looked at every contact duration, so no cluster stops the clock.
///
/// Departs from the paper: everything in touch is one impact; spheres and cylinders are exact;
/// micro-collisions take all contacts at once; what rests does not collide.
class SolidEventStepper final : public EventStepper, private EventSource {
 public:
  explicit SolidEventStepper(const Simulation& simulation);
  ~SolidEventStepper() override;
  SolidEventStepper(const SolidEventStepper&) = delete;
  SolidEventStepper& operator=(const SolidEventStepper&) = delete;

  /// What has happened since the start.
  struct Counts {
    std::uint64_t looks = 0;  ///< at pairs
    std::uint64_t impacts = 0;
    std::uint64_t slow = 0;      ///< impacts of lasting contact
    std::uint64_t renewals = 0;  ///< zones that were left
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] double contact_duration() const override { return contact_duration_; }

 protected:
  [[nodiscard]] EventSource& source() override { return *this; }
  [[nodiscard]] BodyMoment moment_of(Index body, double time) const override;
  void change(Index body, double time, const BodyMoment& moment) override;
  void watch_impacts(bool watch) override { watched_ = watch; }
  void evaluate(double time, State& state) const override;
  void sum_up(double time) override;
  [[nodiscard]] Penetration measure_penetration() override;
  [[nodiscard]] std::string_view mark() const override { return "carom-solid-events-4\n"; }
  void save_bodies(std::string& bytes) const override;
  [[nodiscard]] bool load_bodies(std::string_view& bytes) override;

 private:
  /// Below this part of the envelope a slow contact is pushed out.
  static constexpr double kDeep = 0.25;
  /// A contact of the impact at hand.
  struct Row {
    Contact contact;
    Vec3 place;
    double speed = 0.0;     ///< relative, along the normal; negative: closing
    bool is_round = false;  ///< of a pair that touches in closed form (detail/round_pairs.h)
    bool touches = false;   ///< round, and the gap is round-off
  };

  bool handle(const DueEvent& event) override;
  [[nodiscard]] EventOutcome outcome() const override;
  void set_back(double passed) override;
  [[nodiscard]] double runaway_window(const DueEvent& event) const override;
  void add_involved(Index owner, EventOutcome& outcome) const override;

  // solid_events.cpp: the way through events
  [[nodiscard]] double envelope_of(Index pair) const;
  [[nodiscard]] bool is_round(Index pair) const;
  [[nodiscard]] Vec3 surface_velocity(Index shape, const Vec3& place, double time) const;
  void choose_durations();
  void schedule(Index pair, double time);
  void schedule_all(Index body, double time);
  void schedule_motion(Index shape, double time);
  void renew_bounds_with(Index shape, double time);
  void look(Index pair, double time);
  void find_rows(Index pair, double time, std::vector<Row>& rows);
  [[nodiscard]] double speed_of(const Row& row, double time);
  [[nodiscard]] bool may_touch(Index pair, double time);

  // solid_zones.cpp: who is near, and which copy of it
  void make_zones();
  void schedule_zone(Index body, double time);
  void leave_zone(Index body, double time);
  void wrap(Index body, double time);
  [[nodiscard]] FlyingSolid flying_near(Index b, Index a, double time) const;
  [[nodiscard]] Vec3 periods_to(Index b, Index a, double time) const;
  [[nodiscard]] Vec3 arm(const Vec3& place, const Vec3& center) const;
  [[nodiscard]] double work_along_periods(double time) const;

  // solid_impacts.cpp: all that is in touch with what collides, as one impact
  void collide(Index pair, double time);
  void gather(Index pair, double time);
  void drop_what_flies(std::size_t first);
  [[nodiscard]] ImpactMoment moment_before() const;
  [[nodiscard]] bool is_slow() const;
  [[nodiscard]] double kinetic_energy() const;
  [[nodiscard]] PairCoefficients coefficients_of(const Contact& contact) const;
  [[nodiscard]] bool is_lone_and_round() const;
  [[nodiscard]] double impact_time() const { return last_impact().time; }
  void resolve();
  void resolve_alone();
  double take(const ImpactResult& result);
  void count(double gained);

  // solid_rest.cpp: lasting contact
  [[nodiscard]] bool stands_still(Index shape) const;
  [[nodiscard]] std::optional<double> rest_of(Index pair) const;
  void set_going(Index body, double time);
  [[nodiscard]] bool falls(Index body) const;
  [[nodiscard]] bool may_rest() const;
  [[nodiscard]] bool is_deep(const Row& row) const;
  [[nodiscard]] double opening_speed(const Row& row) const;
  void resolve_slow();

  const Simulation* simulation_;
  bool wraps_;  ///< the world is periodic
  ContactAssembler assembler_;
  ContactDetector detector_;  ///< measures the penetration
  std::unique_ptr<detail::FreeFlight> flight_;
  std::unique_ptr<detail::PairEvents> events_;
  std::unique_ptr<detail::BodyZones> zones_;
  std::unique_ptr<detail::RoundPairs> round_;
  std::vector<double> skin_;        ///< how far a body may go from the centre of its zone, m
  std::vector<double> rest_until_;  ///< of a body at rest: when that is to be looked at again
  Counts counts_;
  double contact_duration_ = 0.0;
  double slow_ = 0.0;  ///< closing speeds below this are lasting contact
  bool watched_ = false;
  double period_work_ = 0.0;       ///< of shifts by whole periods, against gravity along them
  double period_work_seen_ = 0.0;  ///< at the last report

  // The impact at hand; by scene body where not said otherwise.
  std::vector<Index> members_;
  std::vector<char> is_member_;
  std::vector<char> is_gathered_;  ///< by number of the pair
  std::vector<Row> rows_;
  std::vector<Vec3> position_;
  std::vector<Vec3> velocity_;
  std::vector<Quaternion> orientation_;
  std::vector<Vec3> angular_velocity_;
  std::vector<Vec3> velocity_before_;
  std::vector<Vec3> angular_before_;
  std::vector<char> comes_to_rest_;
  std::vector<double> impulses_;          ///< by row
  std::vector<Vec3> friction_;            ///< by row
  double work_ = 0.0;                     ///< of shapes
  std::vector<ContactImpulse> answered_;  ///< if it is watched
};

}  // namespace carom
