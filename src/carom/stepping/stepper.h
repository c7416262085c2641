#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/contact/detection.h"
#include "carom/core/stopwatch.h"
#include "carom/core/worker_pool.h"
#include "carom/impact/points.h"
#include "carom/impact/problem.h"
#include "carom/impact/resolve.h"
#include "carom/stepping/simulation.h"

namespace carom {

/// Energies and momenta of a state, of bodies that are not led.
struct Totals {
  double kinetic = 0.0;
  double potential = 0.0;
  Vec3 momentum;
  Vec3 angular_momentum;  ///< about the origin; in 2D only z

  [[nodiscard]] double energy() const { return kinetic + potential; }
  Totals& operator+=(const Totals& more);
};
/// With a pool its threads share the bodies, to the same bits.
[[nodiscard]] Totals totals(const Simulation& simulation, const State& state,
                            WorkerPool* pool = nullptr);

/// What is to be added to the velocities of a body to have those with which it moves.
struct VelocityChange {
  Index body = 0;
  Vec3 linear;
  Vec3 angular;
};

/// What one contact did in a step.
struct ContactImpulse {
  Contact contact;
  double normal = 0.0;  ///< impulse along the contact's normal, >= 0
  Vec3 tangential;      ///< friction's impulse on body a
  Vec3 point;           ///< where it acts
  double time = 0.0;    ///< of the collision; in steps of one size, of the end of the step
};

/// What happened in one step. Every number follows from the input alone, but for the times.
struct StepReport {
  std::uint64_t step = 0;  ///< the step that ended, from 1
  double time = 0.0;       ///< at its end
  ImpactStatus status = ImpactStatus::resolved;
  std::string message;       ///< why the run cannot go on; empty otherwise
  std::string_view failure;  ///< a word for that where the status has none
  Totals totals;             ///< at its end
  Index rows = 0;            ///< active rows
  Index components = 0;
  Index impulses = 0;  ///< rows that got an impulse
  /// The most of any component; of rounds that went on from each other, those of all together.
  std::uint64_t applications = 0;
  std::uint64_t applications_total = 0;
  Index largest_part = 0;           ///< rows of the largest part that was solved at once
  Index substeps = 1;               ///< parts in which it was taken, see DetectionSettings::halve
  Index redetections = 0;           ///< rounds that found further rows
  bool redetect_exhausted = false;  ///< the budget of rounds ended before there were no more
  Index held_rows = 0;              ///< rows kept from sinking
  Index left_out = 0;               ///< open rows left out because they would lock others
  Penetration penetration;          ///< at its end; not a number where it was not measured
  /// Done in this step by scripted shapes, and by gravity along the axes of a periodic world.
  double external_work = 0.0;
  double dissipated = 0.0;        ///< kinetic energy lost in the impact (restitution, friction)
  double lineality_energy = 0.0;  ///< largest relative energy taken by anti-locking
  /// Numbers that only one scheme knows; its columns say what they are.
  static constexpr std::size_t kOwnNumbers = 24;
  std::array<double, kOwnNumbers> own{};
  PhaseTime integration;
  PhaseTime detection;
  PhaseTime impact;
  SolverSeconds solvers;  ///< of the impact, all rounds of re-detection together
  PhaseTime measurement;  ///< of the penetration, where nothing else has to look for it

  /// False when the run cannot go on: an infeasible squeeze, or numbers that ran away.
  [[nodiscard]] bool can_go_on() const { return message.empty(); }
};

/// One way through time. Same simulation, same bits; save() and load() lose nothing.
class Stepper {
 public:
  Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  virtual ~Stepper() = default;

  /// Advances by one step. After a report that cannot go on the state is the one before the step.
  virtual StepReport step() = 0;
  [[nodiscard]] virtual const State& state() const = 0;
  /// Everything that the next steps depend on.
  [[nodiscard]] virtual std::string save() const = 0;
  /// Throws InputError when the bytes are not a state of this simulation.
  virtual void load(std::string_view bytes) = 0;
  /// Where velocities of state() are not those with which bodies move: in steps what rests has the
  /// velocity that the next impact will stop. By rising bodies; none right after load().
  [[nodiscard]] virtual std::span<const VelocityChange> shown_changes() const { return {}; }
  /// Energies and momenta of state() where this scheme knows more of them than totals() does: what
  /// contacts and surfaces store.
  [[nodiscard]] virtual std::optional<Totals> own_totals() const { return std::nullopt; }
  /// Whether impulses() will be asked for. Steppers in whose steps much happens keep them only
  /// then.
  virtual void note_impulses(bool /*note*/) {}
  /// Whether the penetration will be asked for (at first: yes). Steps without re-detection, and
  /// events, have to look for it; elsewhere it is known anyway.
  void note_penetration(bool note) { notes_penetration_ = note; }
  /// Of state(), the scheme's own numbers of each body (SchemeInfo::body_columns): one column after
  /// the other.
  [[nodiscard]] virtual std::vector<double> body_numbers() const { return {}; }
  /// What the contacts of the last step did. None of schemes in which contacts push by forces.
  [[nodiscard]] virtual std::vector<ContactImpulse> impulses() const { return {}; }
  /// The impact problem that the last step resolved (of several, the last), with names, all rows
  /// that joined and the velocities before. Where rounds of re-detection went on from each other
  /// the step answered its rows one after the other, and an operator may answer all of them
  /// otherwise. Empty of schemes that resolve none (SchemeAbilities::impact_problems).
  [[nodiscard]] virtual ImpactProblem resolved_problem() const { return {}; }

 protected:
  [[nodiscard]] bool notes_penetration() const { return notes_penetration_; }

 private:
  bool notes_penetration_ = true;
};

/// Of the state that a stepper is in, as its reports say it.
[[nodiscard]] Totals totals(const Simulation& simulation, const Stepper& stepper);

/// state() with the velocities that are recorded and shown: those with which bodies move.
[[nodiscard]] State shown_state(const Stepper& stepper);

/// 64 bits of positions and velocities: equal states have equal hashes.
[[nodiscard]] std::uint64_t state_hash(const State& state);

}  // namespace carom
