#pragma once

#include <array>
#include <vector>

#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/detail/impulses.h"
#include "carom/asynchronous/detail/lattice.h"
#include "carom/asynchronous/detail/ledger_sums.h"
#include "carom/asynchronous/detail/pairs.h"
#include "carom/asynchronous/problem.h"

namespace carom::asynchronous::detail {

/// Where a pair sticks: weights of material points on both primitives, a_i as c_i of a stencil, or
/// a place on a wall, from its carrier if it has one.
struct Anchor {
  std::array<double, 4> weight{};
  Vec3 place;            ///< on a wall, from its carrier if it has one
  double stretch = 0.0;  ///< left after the last tick, m
  double force = 0.0;    ///< of the last tick, N
  Tick seen = -kNever;   ///< the last tick
};

/// Places of a pair's vertices at each octave's last tick.
struct Trail {
  std::array<std::array<Vec3, 4>, kOctaves> place{};
  std::array<Tick, kOctaves> seen{};
};

/// Friction of pairs, from positions at their own ticks only, so that simultaneous events may come
/// in any order.
///
/// Anchored. On the clock of octave 0, where all octaves tick, with the whole normal force F_n of
/// that tick:
///   slip vector  s = sum_i (a_i - c_i) x_i,                                                (1)
///   potential    k (|xi|^2 - d^2) / 2,  xi = sum_i a_i x_i,  k = r_1,                      (2)
///   force on i   -kappa (a_i xi - c_i d n),  kappa |s| = f,                                (3)
///   f = k |s| + z (|s| - |s|_before) / h  within 0 .. mu F_n,  z = sqrt(k m).           (4)
/// Where k |s| exceeds the bound the anchor follows: a_i <- c_i + (mu F_n / k |s|) (a_i - c_i), and
/// the energy that this takes is booked. (3) is the gradient of (2) up to a factor: linear and
/// angular momentum are kept. A pair out of contact at a tick loses its anchor.
///
/// Printed [Harmon2009, 6.3]. With each octave's normal impulse J_j an impulse mu J_j against the
/// slip of the closest material points since that octave's last tick, without a cap: kinetic
/// friction that creeps at rest.
class Friction {
 public:
  Friction(const Problem& problem, const Settings& settings);

  /// What a tick of a pair is about.
  struct Contact {
    ContactPair* pair = nullptr;
    const Stencil* stencil = nullptr;
    Tick now = 0;
    double share = 1.0;         ///< of the step
    double normal_force = 0.0;  ///< N, of all octaves, as it acts: with restitution
  };

  /// At a tick of octave 0.
  void fire_anchor(const Contact& contact, const Flights& flights);
  /// At a tick of one octave, with its normal impulse.
  void fire_printed(const Contact& contact, int octave, double impulse, const Flights& flights);

  /// Adds the forces of an anchor times `since` seconds to velocities; returns its energy.
  double synchronise(const Contact& contact, double since, const Flights& flights,
                     std::vector<Vec3>& velocity, const std::vector<Vec3>& position) const;

  /// A memory is given to a pair: it has seen nothing.
  void begin(Index memory);

  LedgerSums* sums = nullptr;
  Impulses* impulses = nullptr;  ///< to which friction adds its own
  std::vector<Anchor> anchors;   ///< by memory. State
  std::vector<Trail> trails;     ///< by memory, if printed. State

 private:
  struct Slip {
    Vec3 along;  ///< (1)
    double length = 0.0;
    double inverse_mass = 0.0;
  };
  [[nodiscard]] Slip slip_of(const ContactPair& pair, const Stencil& stencil,
                             const std::vector<Vec3>& position, const Flights& flights) const;
  void fasten(const Contact& contact, const Flights& flights);

  const Problem& problem_;
  bool is_printed_;
};

}  // namespace carom::asynchronous::detail
