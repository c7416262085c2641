#pragma once

#include <cstdint>
#include <string_view>

namespace carom::asynchronous::reference {

/// When a layer or an element acts.
enum class Clocks : std::uint8_t {
  own,        ///< at multiples of a step of its own: r_l^(-1/2) of a layer, as in the papers
  nested,     ///< at multiples of the fast engine's steps, powers of two on its lattice
  restarted,  ///< as own, but a layer's from the moment it wakes: wrong, to see what that does
};
[[nodiscard]] std::string_view to_string(Clocks clocks);

/// What the papers' engine may do without. Nothing of it but `clocks` changes a bit of the outcome:
/// certificates only decide what is computed.
struct Mechanisms {
  Clocks clocks = Clocks::own;
  /// An event looks only at certificates that rest on vertices which it moved [Harmon2009, 5.2];
  /// else at all.
  bool supports = true;
  /// Certificates allow for velocities within a bound [Harmon2009, 5.3].
  bool vague_trajectories = true;
  /// Bounding volumes and their separation list [Harmon2009, 5.5]; else a slab for every two
  /// primitives.
  bool hierarchy = true;
  /// Extents of bounding volumes are bounded by lines [Harmon2009, 5.6]; else they are followed
  /// from kink to kink.
  bool envelopes = true;
  /// Only the axes that help are looked at [Harmon2009, 5.6]; else all.
  bool adaptive_axes = true;
};

}  // namespace carom::asynchronous::reference
