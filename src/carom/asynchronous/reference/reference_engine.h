#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/problem.h"
#include "carom/asynchronous/reference/mechanisms.h"
#include "carom/core/types.h"

namespace carom::asynchronous::reference {

/// How often what happened, since time 0.
struct WorkCounts {
  std::uint64_t events = 0;       ///< taken from the queue
  std::uint64_t force_kicks = 0;  ///< of elements and prescribed forces
  std::uint64_t layer_ticks = 0;  ///< of single layers
  std::uint64_t slabs = 0;        ///< found anew, when one had failed
  std::uint64_t slab_reschedules = 0;
  std::uint64_t box_certificates = 0;  ///< of two bounding volumes: new, or looked at in their turn
  std::uint64_t box_reschedules = 0;
  std::uint64_t axis_looks = 0;    ///< axes along which two volumes were compared
  std::uint64_t corner_looks = 0;  ///< vertices that were looked at for an extent along an axis
  std::uint64_t plans = 0;         ///< changes of the velocity that certificates count with
};

/// Throws InputError, with the key of the fault, on what the reference engine cannot run: friction
/// that is anchored.
void check_reference(const Problem& problem, const Settings& settings);

/// Asynchronous contact mechanics as the papers write it down: Algorithm 1 of [Harmon2009], 2 to 5
/// of [Vouga2011]. One heap of events. Every force element and every layer of every pair has an
/// event of its own at j h, j = 1, 2, ..., h its own step from its own stiffness (of layer l:
/// h_1 l^(-3/2)) and never another; half a kick at time 0. A pair has one certificate that the
/// layer behind its deepest active one is inactive, a slab:
///   n . (x_a(t) - x_b(t)) - (e_a + e_b)(t - t_0) >= eta_(l+1)  for all vertices a of A, b of B,
///   (1)
/// with x_i(t) = x_i(t_0) + (t - t_0) u_i and |v_i - u_i| <= e_i until something is said to the
/// contrary: u_i is what certificates count with, e_i the vagueness. When it fails, at the root of
/// (1), a new slab is sought along the present normal, else the next layer is woken. A layer whose
/// kick was nothing and whose pair separates sleeps again if there is a slab for it.
///
/// Pairs come from a tree of k-DOPs and its separation list [Harmon2009, 5.5]: of two volumes
/// either it is certified that they are apart along some of the axes, or their parts are looked at,
/// down to faces, edges of chains and particles, whose primitives then have slabs.
///
/// The oracle of Engine (engine.h), with the same problem, settings, outcomes and ledger. What
/// certificates do is not seen in the outcome: not a bit of it depends on `mechanisms`, except for
/// the clocks.
///
/// Departs from the papers: half a kick at time 0 (their first is a whole one, and velocities lag);
/// e_i adapts (breaks widen it, failures narrow it); the normal velocity of a slab is not fixed, as
/// (1) holds as long as any slab of constant normal velocity does; lines that bound an extent stay
/// while they do, and grow with a vertex that leaves them; whether two volumes that met are
/// apart again is looked at now and then instead of at a certified time. Anchored friction is not
/// theirs and is refused.
class ReferenceEngine {
 public:
  /// Throws InputError as Engine does, and on friction that is anchored.
  explicit ReferenceEngine(const Problem& problem, const Settings& settings = {},
                           const Mechanisms& mechanisms = {});
  ReferenceEngine(ReferenceEngine&&) noexcept;
  ReferenceEngine& operator=(ReferenceEngine&&) noexcept;
  ~ReferenceEngine();

  /// As of Engine. no_progress: a pair needs more layers than the fast engine's lattice has.
  /// too_slow: the pair that is named is one of those with most layers awake.
  AdvanceReport advance(double time, const Observer& observer = {});

  [[nodiscard]] double time() const;
  [[nodiscard]] Configuration configuration() const;
  [[nodiscard]] Ledger ledger() const;
  [[nodiscard]] VertexActivity activity() const;
  [[nodiscard]] const WorkCounts& work() const;

  void record_corners(bool on);
  [[nodiscard]] std::span<const PathCorner> corners() const;
  void forget_corners();

  [[nodiscard]] std::string save() const;
  void load(std::string_view bytes);

  struct Parts;
  /// Of parts that were made otherwise, as tests do (detail/planted_faults.h).
  explicit ReferenceEngine(std::unique_ptr<Parts> parts);

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom::asynchronous::reference
