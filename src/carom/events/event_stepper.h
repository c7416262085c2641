#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/worker_pool.h"
#include "carom/events/body_moment.h"
#include "carom/stepping/scheduler.h"
#include "carom/stepping/stepper.h"

namespace carom {

/// What a listener sees and may do while it is called. Looking changes nothing, not one bit of the
/// run. A change holds from this moment on; what it adds to the kinetic energy counts as external
/// work.
class EventMoment {
 public:
  EventMoment() = default;
  EventMoment(const EventMoment&) = delete;
  EventMoment& operator=(const EventMoment&) = delete;
  virtual ~EventMoment() = default;

  [[nodiscard]] virtual double time() const = 0;  ///< s
  /// By its number in the simulation's bodies.
  [[nodiscard]] virtual BodyMoment body(Index body) const = 0;
  /// Both throw InputError where the velocity is not finite or not one of the plane in 2D, the
  /// second also where the body does not turn.
  virtual void set_velocity(Index body, const Vec3& velocity) = 0;
  virtual void set_angular_velocity(Index body, const Vec3& angular_velocity) = 0;
};

/// A program that is called by the events it is interested in.
class EventListener {
 public:
  EventListener() = default;
  EventListener(const EventListener&) = delete;
  EventListener& operator=(const EventListener&) = delete;
  virtual ~EventListener() = default;

  /// The first moment (s) after `time` at which on_moment() is to be called; infinity: never. It is
  /// asked for again after each call, and when a checkpoint is loaded.
  [[nodiscard]] virtual double next_moment(double time);
  /// At such a moment, after all events up to it.
  virtual void on_moment(EventMoment& moment);
  /// After an impact, with those of its contacts that got an impulse. Velocities are those after
  /// it. Contacts that last are trains of impacts and call every time.
  virtual void on_impact(std::span<const ContactImpulse> contacts, EventMoment& moment);
};

/// A stepper of the scheme "events" ([Mirtich1995]; docs/events.md): every collision at its own
/// moment. A step is only a look: it lets the scheduler run all events up to the next multiple of
/// `time.step` and says what they were. Nothing depends on it; two runs with different steps have
/// the same collisions, to the bit.
///
/// All that has nothing to do with how bodies are kept and how they meet is here: steps and their
/// reports, listeners, noted impulses, checkpoints, and what is said when a run cannot go on.
class EventStepper : public Stepper {
 public:
  ~EventStepper() override;
  EventStepper(const EventStepper&) = delete;
  EventStepper& operator=(const EventStepper&) = delete;

  StepReport step() final;
  [[nodiscard]] const State& state() const final { return state_; }
  [[nodiscard]] std::string save() const final;
  void load(std::string_view bytes) final;
  void note_impulses(bool note) final;
  [[nodiscard]] std::vector<ContactImpulse> impulses() const final { return noted_; }
  /// The last impact of the last step, empty if there was none. Impacts that are answered in closed
  /// form (one contact of balls without friction) are only known if impulses are noted.
  [[nodiscard]] ImpactProblem resolved_problem() const final;

  /// `listener` is called during step() until another takes its place; null: nobody. It must
  /// outlive that. What it throws goes through step(), and the stepper is of no use afterwards.
  /// Throws InputError when its next moment is not after the present one.
  void listen(EventListener* listener);

  /// The contact duration in use, s.
  [[nodiscard]] virtual double contact_duration() const = 0;

 protected:
  explicit EventStepper(const Simulation& simulation);

  /// An impact as it was before it was answered.
  struct ImpactRecord {
    double time = 0.0;
    std::vector<Contact> contacts;
    std::vector<Vec3> places;         ///< where contacts act; empty: of balls that do not turn
    std::vector<double> restitution;  ///< by contact; empty: the materials'
    std::vector<Index> bodies;
    std::vector<BodyMoment> moments;  ///< of these bodies
  };

  // How bodies are kept, and how they meet.
  [[nodiscard]] virtual EventSource& source() = 0;
  /// Between the last event and the next.
  [[nodiscard]] virtual BodyMoment moment_of(Index body, double time) const = 0;
  /// Other velocities for a body from such a moment on. What they add is external work.
  virtual void change(Index body, double time, const BodyMoment& moment) = 0;
  /// Whether tell() is waited for.
  virtual void watch_impacts(bool watch) = 0;
  virtual void evaluate(double time, State& state) const = 0;
  /// Adds to sums() what is only known at the end of a step.
  virtual void sum_up(double time) = 0;
  /// Of the present state.
  [[nodiscard]] virtual Penetration measure_penetration() = 0;
  /// The first bytes of its checkpoints, and those of its bodies and their events.
  [[nodiscard]] virtual std::string_view mark() const = 0;
  virtual void save_bodies(std::string& bytes) const = 0;
  [[nodiscard]] virtual bool load_bodies(std::string_view& bytes) = 0;

  /// After an impact, with those of its contacts that got an impulse.
  void tell(std::span<const ContactImpulse> contacts, double time);
  [[nodiscard]] bool notes_impulses() const { return notes_; }
  [[nodiscard]] const Simulation& simulation() const { return *simulation_; }
  [[nodiscard]] WorkerPool& pool() { return pool_; }
  [[nodiscard]] EventScheduler& scheduler() { return scheduler_; }
  [[nodiscard]] const EventScheduler& scheduler() const { return scheduler_; }
  /// The report of the step that is under way. Of an impact without an answer, who is in it is its
  /// message.
  [[nodiscard]] StepReport& sums() { return sums_; }
  /// The impact that is being resolved, and after a step the last of all.
  [[nodiscard]] ImpactRecord& last_impact() { return last_; }
  [[nodiscard]] const ImpactRecord& last_impact() const { return last_; }

 private:
  class Moment;
  void ask_listener(double time);
  void call_listener(double time);
  [[nodiscard]] std::string failure_text(const EventOutcome& outcome) const;

  const Simulation* simulation_;
  WorkerPool pool_;
  EventScheduler scheduler_;
  EventListener* listener_ = nullptr;
  State state_;
  bool ahead_ = false;  ///< a step failed: the events are further than the state
  bool notes_ = false;
  std::vector<ContactImpulse> noted_;
  StepReport sums_;
  ImpactRecord last_;
};

/// For who wants to listen: the stepper of "events" for a simulation, whatever scheme it chooses,
/// which must outlive it. Throws InputError on what cannot be simulated so.
[[nodiscard]] std::unique_ptr<EventStepper> make_event_stepper(const Simulation& simulation);

}  // namespace carom
