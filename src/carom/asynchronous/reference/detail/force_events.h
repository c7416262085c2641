#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/asynchronous/detail/ledger_sums.h"
#include "carom/asynchronous/problem.h"
#include "carom/asynchronous/reference/detail/agenda.h"
#include "carom/asynchronous/reference/detail/trajectories.h"

namespace carom::asynchronous::reference {

/// One unit of the fast engine's lattice of times for a problem, s.
[[nodiscard]] double lattice_unit(const Problem& problem, const Settings& settings);
/// A step as it is, or rounded down to the lattice.
[[nodiscard]] double clock_step(double step, double unit, Clocks clocks);

/// The events of elements, prescribed forces and the turns of held vertices. Elements of several
/// vertices have an event each; those of single vertices (gravity) that have the same step share
/// one, whose stencil is all of them.
class ForceEvents {
 public:
  ForceEvents(const Problem& problem, const Settings& settings, const Mechanisms& mechanisms,
              Trajectories& trajectories);

  /// Puts everything into the agenda, behind the half kicks of time 0.
  void start(Agenda& agenda, detail::LedgerSums& sums);
  /// What an event of the kinds force, push and turn does at its time. Vertices whose velocity
  /// changed are added to `moved`, held ones that turned to `turned`.
  void fire(Happening kind, Index subject, Agenda& agenda, detail::LedgerSums& sums);
  std::vector<Index> moved;
  std::vector<Index> turned;

  /// Adds what forces change between the middles of their steps and `time`.
  void synchronise(double time, const std::vector<Vec3>& position,
                   std::vector<Vec3>& velocity) const;
  [[nodiscard]] std::vector<double> potentials(const std::vector<Vec3>& position) const;
  /// Of each vertex the shortest of the steps that are given and those of the forces on it, s.
  void shorten(std::vector<double>& steps) const;

  std::uint64_t kicks = 0;

  template <class Archive>
  void transfer_state(Archive& archive) {
    detail::transfer_all(archive, kicks, memory_, turn_);
    for (Clocked& event : events_) detail::transfer_all(archive, event.tick, event.event);
    for (Push& push : pushes_) detail::transfer_all(archive, push.tick, push.event);
    detail::transfer_all(archive, turn_event_);
  }

 private:
  struct Clocked {
    std::size_t family = 0;
    std::vector<Index> elements;
    std::vector<Index> vertices;
    double step = 0.0;
    std::int64_t tick = 1;  ///< the next is at tick * step
    Index event = kNone;
    bool external = false;  ///< of single vertices: impulses come from outside
    bool holds = false;     ///< some of the vertices are held
  };
  struct Push {
    PrescribedForce force;
    double step = 0.0;
    std::int64_t tick = 1;
    Index event = kNone;
  };
  struct Turn {
    double at = 0.0;
    Index vertex = 0;
    double until = 0.0;  ///< 0: it rests from now on
    Vec3 target;
  };

  void add_elements(std::size_t family, const std::vector<double>& shares, const Settings& settings,
                    Clocks clocks);
  void add_turns(const Problem& problem);
  void kick(const Clocked& event, double time, double share, detail::LedgerSums& sums);
  void push(const Push& push, double time, double share, detail::LedgerSums& sums);
  void turn(double time);

  Trajectories& trajectories_;
  std::vector<std::shared_ptr<const ForceFamily>> families_;
  std::vector<double> longest_;            ///< the longest step of a force on each vertex
  std::vector<double> kick_inverse_mass_;  ///< held vertices have one, so that their impulse shows
  double unit_;
  std::vector<Clocked> events_;
  std::vector<Push> pushes_;
  std::vector<Turn> turns_;
  Index turn_ = 0;  ///< the next
  Index turn_event_ = kNone;
  std::vector<std::vector<double>> memory_;  ///< of families
  std::vector<Vec3> before_;
};

}  // namespace carom::asynchronous::reference
