#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/core/worker_pool.h"
#include "carom/stepping/event_stepper.h"

namespace carom {

namespace detail {
class BodyZones;
class FreeFlight;
class ListenerClock;
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
/// clock of its own; nothing depends on where a step ends.
///
/// Lasting contact is a train of micro-collisions: what closes more slowly than gravity makes it
/// over the envelope bounces in place, as far as friction can hold it (detail/slow_impact.h). Pairs
/// in touch are looked at every contact duration, so no cluster stops the clock.
///
/// Departs from the paper: everything in touch is one impact; spheres and cylinders are exact;
/// micro- collisions take all contacts at once.
class SolidEventStepper final : public EventStepper {
 public:
  explicit SolidEventStepper(const Simulation& simulation);
  ~SolidEventStepper() override;
  SolidEventStepper(const SolidEventStepper&) = delete;
  SolidEventStepper& operator=(const SolidEventStepper&) = delete;

  StepReport step() override;
  [[nodiscard]] const State& state() const override { return state_; }
  [[nodiscard]] std::string save() const override;
  void load(std::string_view bytes) override;
  void note_impulses(bool note) override { notes_ = note; }
  [[nodiscard]] std::vector<ContactImpulse> impulses() const override { return noted_; }
  [[nodiscard]] ImpactProblem resolved_problem() const override;
  void listen(EventListener* listener) override;

  /// What has happened since the start.
  struct Counts {
    std::uint64_t looks = 0;  ///< at pairs
    std::uint64_t impacts = 0;
    std::uint64_t slow = 0;      ///< impacts of lasting contact
    std::uint64_t renewals = 0;  ///< zones that were left
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }
  /// s
  [[nodiscard]] double contact_duration() const { return contact_duration_; }

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

  class Moment;

  // solid_events.cpp: the way through events
  [[nodiscard]] double envelope_of(Index pair) const;
  [[nodiscard]] bool is_round(Index pair) const;
  [[nodiscard]] Vec3 surface_velocity(Index shape, const Vec3& place, double time) const;
  void choose_durations();
  void make_zones();
  void schedule(Index pair, double time);
  void schedule_all(Index body, double time);
  void schedule_zone(Index body, double time);
  void leave_zone(Index body, double time);
  void look(Index pair, double time);
  void find_rows(Index pair, double time, std::vector<Row>& rows);
  [[nodiscard]] double speed_of(const Row& row, double time);
  [[nodiscard]] bool may_touch(Index pair, double time);
  void run_events(double end);
  void add_names(Index pair, std::vector<std::string>& names) const;
  void evaluate(double time);

  // solid_impacts.cpp: all that is in touch with what collides, as one impact
  void collide(Index pair, double time);
  void gather(Index pair, double time);
  void drop_what_flies(std::size_t first);
  [[nodiscard]] ImpactMoment moment_before() const;
  [[nodiscard]] bool is_slow() const;
  [[nodiscard]] bool is_deep(const Row& row) const;
  [[nodiscard]] double opening_speed(const Row& row) const;
  [[nodiscard]] double kinetic_energy() const;
  void resolve();
  void resolve_slow();
  double take(const ImpactResult& result);
  void sum_up(double gained);

  // solid_listener.cpp: what a listener sees and changes
  void call_listener();
  void tell_impact(std::size_t known);
  void set_moment(Index body, double time, const BodyMoment& moment);

  const Simulation* simulation_;
  WorkerPool pool_;
  ContactWorld world_;
  ContactAssembler assembler_;
  ContactDetector detector_;  ///< measures the penetration
  std::unique_ptr<detail::FreeFlight> flight_;
  std::unique_ptr<detail::PairEvents> events_;
  std::unique_ptr<detail::BodyZones> zones_;
  std::unique_ptr<detail::RoundPairs> round_;
  std::vector<double> skin_;  ///< how far a body may go from the centre of its zone, m
  std::unique_ptr<detail::ListenerClock> listener_;
  State state_;
  Counts counts_;
  double contact_duration_ = 0.0;
  double slow_ = 0.0;  ///< closing speeds below this are lasting contact
  bool notes_ = false;
  std::vector<ContactImpulse> noted_;
  StepReport sums_;

  // The impact at hand, or the last one; by scene body where not said otherwise.
  double impact_time_ = 0.0;
  std::vector<Index> members_;
  std::vector<char> is_member_;
  std::vector<char> is_gathered_;  ///< by number of the pair
  std::vector<Row> rows_;
  std::vector<Contact> contacts_;
  std::vector<Vec3> places_;
  std::vector<Vec3> position_;
  std::vector<Vec3> velocity_;
  std::vector<Quaternion> orientation_;
  std::vector<Vec3> angular_velocity_;
  std::vector<Vec3> velocity_before_;
  std::vector<Vec3> angular_before_;
  std::vector<double> impulses_;  ///< by row
  std::vector<Vec3> friction_;    ///< by row
  double work_ = 0.0;             ///< of shapes
};

}  // namespace carom
