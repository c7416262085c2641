#pragma once

#include <memory>
#include <vector>

#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/detail/ledger_sums.h"
#include "carom/asynchronous/detail/team.h"
#include "carom/asynchronous/detail/vertex_parts.h"
#include "carom/asynchronous/problem.h"

namespace carom::asynchronous::detail {

/// The force families' elements, each on a clock of its own, and the prescribed forces. An element
/// with step h fires at multiples of h = 2^k units of the lattice, the largest such h below the one
/// that it asks for with its share of its vertices' masses, from time 0 for ever.
///
/// The elements whose vertices lie in one part of the vertices act part by part, which a team
/// shares out; those that join parts follow. Sums are taken in this order by any number of threads.
class ForceClocks {
 public:
  /// Also sets the certain level of the flights' vertices.
  ForceClocks(const Problem& problem, const Settings& settings, Flights& flights,
              const VertexParts& parts, Team& team);

  /// Bit k: something fires at level k.
  [[nodiscard]] std::uint64_t busy() const { return busy_; }

  /// Everything that fires at this moment, for `share` of its step (a half at the start). Vertices
  /// that were kicked are added to `moved`, by part, some more than once.
  void fire(Flights& flights, LedgerSums& sums, Tick now, double share);
  std::vector<std::vector<Index>> moved;

  /// Adds what forces change in velocity between the moments that velocities stand for, the middles
  /// of their steps, and `time` (in units, may lie between two moments); positions at that time.
  void synchronise(const Flights& flights, double time, const std::vector<Vec3>& position,
                   std::vector<Vec3>& velocity) const;
  /// J, per family.
  [[nodiscard]] std::vector<double> potentials(const std::vector<Vec3>& position) const;
  std::uint64_t kicks = 0;  ///< so far. State, as is what families remember
  std::vector<std::vector<double>> memory;

 private:
  /// Those of a group's elements whose vertices are all in one part, or those that join parts.
  struct Share {
    std::vector<Index> elements;
    std::vector<Index> watched;  ///< vertices whose impulses are booked
  };
  struct Group {
    std::size_t family = 0;
    int level = 0;
    std::size_t size = 0;                      ///< number of elements
    std::vector<Share> shares;                 ///< of each part, and behind them what joins parts
    std::vector<std::vector<Index>> vertices;  ///< of their stencils, each once, by part
    bool external = false;  ///< of single vertices: their impulses come from outside
    bool holds = false;     ///< some of the vertices are held
  };
  /// Room for those who work on one part.
  struct alignas(kApart) Desk {
    LedgerSums sums;
    std::vector<Vec3> before;  ///< velocities of watched vertices before a kick
  };
  struct Push {
    PrescribedForce force;
    Tick begin = 0;
    Tick end = kNever;
  };

  [[nodiscard]] Group group_of(std::size_t family, int level, const std::vector<Index>& elements,
                               const Flights& flights) const;
  void fire_part(std::size_t part, std::size_t groups, Flights& flights, Tick now, double share);
  void kick(const Group& group, const Share& chosen, Flights& flights, LedgerSums& sums,
            std::vector<Vec3>& before, double step);
  void push(Flights& flights, LedgerSums& sums, Tick now, double step);

  const VertexParts& parts_;
  Team& team_;
  std::vector<std::shared_ptr<const ForceFamily>> families_;
  std::vector<Group> groups_;  ///< by level, then by family
  std::vector<Push> pushes_;
  int push_level_ = kBaseLevel;
  std::uint64_t busy_ = 0;
  std::vector<double> kick_inverse_mass_;  ///< held vertices have one, so that their impulse shows
  std::vector<Desk> desks_;                ///< by part, and one for what joins them
};

}  // namespace carom::asynchronous::detail
