#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "carom/core/types.h"

namespace carom::asynchronous {

/// How stiffness and thickness go on from layer to layer.
enum class LayerLaw : std::uint8_t {
  harmon,  ///< r_l = r_1 l^3, eta_l = eta_1 l^(-1/4) [Harmon2009]
  vouga,   ///< k l^3 (d - 2 eta / l)^2 [Vouga2011]: r_1 = 2 k, eta_1 = 2 eta, eta_l = eta_1 / l
};
[[nodiscard]] std::string_view to_string(LayerLaw law);

/// Octaves of layers that have a clock: as many as a lattice of times has levels, and one.
inline constexpr int kOctaves = 25;

/// The nested penalty layers of a pair of primitives at distance d [Harmon2009, 4],
///   V_l(d) = r_l (d - eta_l)^2 / 2 where d < eta_l, else 0,  l = 1, 2, ...,               (1)
/// in units in which r_1 = 1 and eta_1 = 1; both laws differ only in eta_l. The sum of V_l diverges
/// as d -> 0, whatever r_1 and eta_1 are: nothing passes.
///
/// Layers that act together have the stiffness of their sum, so the step follows
///   R(l) = r_1 + ... + r_l = (l (l + 1) / 2)^2,   h(l) = c sqrt(m / R(l)),                 (2)
/// rounded down to h(1) / 2^j: layer l belongs to octave
///   j(l) = ceil(log2(l (l + 1) / 2)).                                                      (3)
/// Octave 0 is layer 1; octave j ends with layer L_j, about 1.4 * 2^(j / 2).
/// Departs from the papers, whose layers have steps from their own stiffness, l^(-3/2): aligned
/// clocks act together.
///
/// Forces and energies come from prefix sums over the layers: with n active layers, those of octave
/// j are the layers L_(j-1) + 1 .. min(n, L_j), and
///   F_j = sum r_l eta_l - d sum r_l,                                                       (4)
///   V_j = (sum r_l eta_l^2 - 2 d sum r_l eta_l + d^2 sum r_l) / 2.                         (5)
class LayerTable {
 public:
  explicit LayerTable(LayerLaw law);

  /// The table of a law, made once.
  [[nodiscard]] static const LayerTable& of(LayerLaw law);

  [[nodiscard]] LayerLaw law() const { return law_; }
  /// Number of layers with eta_l > d, at most those of all octaves; d > 0 in units of eta_1.
  [[nodiscard]] Index active_layers(double d) const;
  /// eta_l; l from 1 to one more than the last layer of the last octave.
  [[nodiscard]] double thickness(Index layer) const { return thickness_[layer]; }
  /// L_j. -1: no layer, 0.
  [[nodiscard]] Index last_layer(int octave) const {
    return last_layer_[static_cast<std::size_t>(octave) + 1];
  }
  /// The octave of a layer; -1 of layer 0; kOctaves if it is deeper than all.
  [[nodiscard]] int octave_of(Index layer) const;
  /// The distance at and above which all layers behind octave j are inactive; j = -1: eta_1.
  [[nodiscard]] double reach_behind(int octave) const { return thickness_[last_layer(octave) + 1]; }
  /// (4), of one octave with n active layers in all.
  [[nodiscard]] double force(int octave, Index n, double d) const;
  /// (5), likewise.
  [[nodiscard]] double energy(int octave, Index n, double d) const;
  /// (4) and (5) summed over all octaves.
  [[nodiscard]] double total_force(double d) const;
  [[nodiscard]] double total_energy(double d) const;

 private:
  struct Sums {
    double r = 0.0;
    double r_eta = 0.0;
    double r_eta_eta = 0.0;
  };

  [[nodiscard]] double law_thickness(Index layer) const;
  [[nodiscard]] Sums between(Index first, Index last) const;

  LayerLaw law_;
  std::array<Index, kOctaves + 1> last_layer_{};
  std::vector<double> thickness_;  ///< by layer, from 0 (infinite)
  std::vector<Sums> sums_;         ///< over the layers from the beginning of an octave to this one
};

}  // namespace carom::asynchronous
