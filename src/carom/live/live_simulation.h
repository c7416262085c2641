#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/live/live_edit.h"
#include "carom/stepping/scheme.h"
#include "carom/stepping/simulation.h"
#include "carom/stepping/stepper.h"

namespace carom {

/// Where the energy went, since the beginning, in J.
struct LiveLedger {
  double start = 0.0;
  double now = 0.0;
  double external_work = 0.0;  ///< of prescribed motions and forces
  double dissipated = 0.0;     ///< by restitution, friction and damping
  double edited = 0.0;         ///< brought in by edits
  std::uint64_t edits = 0;     ///< how many changed something

  /// What no entry explains: round-off, or the band of a symplectic method.
  [[nodiscard]] double drift() const { return now - start - external_work + dissipated - edited; }
};

/// How LiveSimulation::run_until() ended.
enum class RunStop : std::uint8_t {
  reached,
  stopped,  ///< a callback wished so; that of watch() leaves a step undone
  failed,   ///< report() says why
};
[[nodiscard]] std::string_view to_string(RunStop stop);

class LiveSimulation;

/// Sees all that happens to a live simulation before its callbacks do: who records it.
class LiveWitness {
 public:
  LiveWitness() = default;
  LiveWitness(const LiveWitness&) = delete;
  LiveWitness& operator=(const LiveWitness&) = delete;
  virtual ~LiveWitness() = default;

  /// After every step that could be made. What it throws passes through, as from callbacks.
  virtual void on_step(const LiveSimulation& simulation) = 0;
  /// Before an edit that changes something; throws InputError where it must not be taken.
  virtual void judge(const LiveEdit& edit) const = 0;
  /// Once it is taken. What it throws passes through.
  virtual void on_edit(const LiveSimulation& simulation) = 0;
};

/// A simulation that a program drives: it steps, looks, and changes what it likes between steps,
/// under any registered scheme. Same input and same edits, same bits. Not for several threads at
/// once.
///
/// Guarantees: ids stay with their bodies; an edit that is refused leaves everything as it was, and
/// one that changes nothing leaves every later bit as it would have been. An edit that changes
/// something begins the scheme anew at the present state. What a scheme knows beside positions and
/// velocities starts afresh then: under "events" how lately balls collided, under "asynchronous"
/// the clocks of forces, the certificates, and the anchors of friction.
class LiveSimulation {
 public:
  /// Sees the simulation after a step; false stops run_until().
  using OnStep = std::function<bool(LiveSimulation&)>;
  /// Is told what contacts did at one moment of the last step, after that step; moments in their
  /// order. Schemes in which contacts push by forces have no impacts.
  using OnImpact = std::function<void(LiveSimulation&, std::span<const ContactImpulse>)>;

  /// Throws InputError on what cannot be simulated. Bodies get the ids 0, 1, 2, ...
  explicit LiveSimulation(Simulation simulation);
  /// Goes on from a state in which a run was, with whatever else was changed: bodies may overlap as
  /// that run left them. Throws InputError as the constructor does on everything else.
  [[nodiscard]] static LiveSimulation going_on(Simulation simulation);
  LiveSimulation(LiveSimulation&&) noexcept;
  LiveSimulation& operator=(LiveSimulation&&) noexcept;
  ~LiveSimulation();

  /// One step, then the callbacks, which may edit. Once a step has failed it fails again until an
  /// edit changes something. What a callback throws passes through; the step has happened. Throws
  /// InputError where a callback calls it.
  const StepReport& step();
  /// Whole steps until the time (s) is reached to within half of one; none if it is past.
  RunStop run_until(double time);

  /// A copy to be changed and handed back.
  [[nodiscard]] LiveEdit edit() const;
  /// Takes an edit that was made since the last step. Throws InputError, and leaves everything as
  /// it is, on what cannot be simulated: numbers that are not finite, bodies that were moved or
  /// added and now overlap others by more than a start may, an edit of another moment. Bodies that
  /// the edit did not move may overlap as the run left them.
  void apply(LiveEdit edit);

  [[nodiscard]] const Simulation& simulation() const;  ///< `start`: at the last edit
  [[nodiscard]] const State& state() const;
  [[nodiscard]] const SchemeInfo& scheme() const;
  [[nodiscard]] const std::vector<BodyId>& ids() const {
    return moment_.ids;
  }  ///< by number, rising
  /// Throws InputError where no body has this id.
  [[nodiscard]] Index number_of(BodyId id) const;

  [[nodiscard]] const StepReport& report() const { return report_; }  ///< of the last step
  /// The last step could not be made, and nothing has been changed since.
  [[nodiscard]] bool has_failed() const { return phase_ == Phase::failed; }
  /// What contacts did in the last step, by numbers of bodies; none after an edit that changed
  /// something, and where they are not noted.
  [[nodiscard]] std::vector<ContactImpulse> contacts() const;
  /// The impact problem that the last step resolved; see Stepper::resolved_problem().
  [[nodiscard]] ImpactProblem resolved_problem() const;
  [[nodiscard]] const LiveLedger& ledger() const { return ledger_; }
  [[nodiscard]] const Stepper& stepper() const { return *stepper_; }  ///< until the next edit
  /// Whether contacts() and on_impact() will be asked for (at first: yes). Steps in which much
  /// happens are a little shorter without.
  void note_contacts(bool note);
  /// Whether reports are to have the penetration (at first: yes).
  void note_penetration(bool note);

  /// Asked ten times a second while a step takes long, from any of its threads; false leaves that
  /// step undone (status `cancelled`, or a report with a message), and the next one does it again,
  /// to the same bits. Empty: nobody. Not to be changed while a step goes on.
  void watch(std::function<bool()> keep_going);

  /// One at a time; null: nobody.
  void attach(std::shared_ptr<LiveWitness> witness) { witness_ = std::move(witness); }
  [[nodiscard]] const std::shared_ptr<LiveWitness>& witness() const { return witness_; }

  /// Called until another takes its place; empty: nobody.
  void on_step(OnStep callback) { on_step_ = std::move(callback); }
  void on_impact(OnImpact callback) { on_impact_ = std::move(callback); }

 private:
  enum class StartCheck : std::uint8_t { with_overlaps, without_overlaps };
  LiveSimulation(Simulation simulation, StartCheck check);
  enum class Phase : std::uint8_t { between_steps, in_callbacks, failed };
  [[nodiscard]] RunStop take_step();
  [[nodiscard]] bool tell();
  [[nodiscard]] std::unique_ptr<const Simulation> watched(Simulation simulation) const;
  void begin(std::unique_ptr<const Simulation> simulation, std::unique_ptr<Stepper> stepper);
  [[nodiscard]] std::vector<Index> placed_by(const LiveEdit& edit) const;

  class Watching;
  std::unique_ptr<Watching> watching_;  ///< of long steps; simulation_ and stepper_ ask it
  std::unique_ptr<const Simulation> simulation_;
  std::unique_ptr<Stepper> stepper_;
  LiveEdit::Moment moment_;
  StepReport report_;
  LiveLedger ledger_;
  std::shared_ptr<LiveWitness> witness_;
  OnStep on_step_;
  OnImpact on_impact_;
  Phase phase_ = Phase::between_steps;
  bool notes_contacts_ = true;
  bool notes_penetration_ = true;
};

}  // namespace carom
