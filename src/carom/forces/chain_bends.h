#pragma once

#include <array>
#include <optional>
#include <vector>

#include "carom/forces/bend_law.h"
#include "carom/forces/family.h"

namespace carom {

/// Three bodies of a chain, the middle one second, that resist bending.
struct ChainBend {
  std::array<Index, 3> body{};
  std::array<Vec3, 3> rest{};        ///< positions at rest
  std::optional<double> rest_angle;  ///< rad; that of the rest positions where none is given
  double stiffness = 0.0;            ///< B of (1), N m^2: of a wire Young's modulus times second
                                     ///< moment of area
  double damping = 0.0;              ///< as stiffness, against the rate of the angle: N m^2 s
  double yield = kInfinity;          ///< rad from the rest angle; beyond it the rest angle follows
};

/// Bending of chains at their inner vertices: the discrete elastic curve [Bergou2008, section 4.2]
/// with the turning angle itself as its measure of curvature.
///
///   V = B (phi - phi_0)^2 / (2 l),   l = (|a_0| + |b_0|) / 2                                  (1)
/// with a = x_1 - x_0 and b = x_2 - x_1, the index 0 at lengths for "at rest", and phi the angle by
/// which b turns from a:
///   two dimensions:    phi = atan2((a x b)_z, a.b)       signed, whole turns counted          (2)
///   three dimensions:  phi = atan2(|a x b|, a.b) >= 0                                         (3)
/// A bend of a circle of radius R has phi = l / R, so a chain has 1/2 B / R^2 per length.
///
/// Gradients, with n the unit vector along a x b (two dimensions: z): a turns about n by
/// (n x a).da / |a|^2, so
///   g_0 = n x a / |a|^2,   g_2 = n x b / |b|^2,   g_1 = -g_0 - g_2                            (4)
/// A straight chain in space has no n and feels no force; where phi_0 > 0 it stands on a ridge of
/// its potential. Damping, plasticity and impulses are those of BendHinges, with c = B / (2 l).
///   omega^2 = 2 c sum |g_i|^2 / m_i,   |g_0| = 1/|a|, |g_2| = 1/|b|, |g_1| <= 1/|a| + 1/|b|   (5)
/// and gamma likewise with d.
///
/// Departs from the paper: there the measure is 2 tan(phi / 2), whose energy has no upper bound,
/// and whose stiffness has none either.
class ChainBends final : public ForceFamily {
 public:
  /// `dimension` is 2 or 3. Throws InputError on numbers that are negative or infinite, and on
  /// edges without length.
  ChainBends(const std::vector<ChainBend>& bends, int dimension);

  [[nodiscard]] std::string_view name() const override { return "chain_bends"; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(elements_.size()); }
  [[nodiscard]] std::span<const Index> stencil(Index element) const override {
    return elements_[element].body;
  }
  [[nodiscard]] double potential(Index element, std::span<const Vec3> position,
                                 std::span<const double> memory) const override;
  void kick(std::span<const Index> elements, const KickTask& task) const override;
  [[nodiscard]] double stable_step(Index element,
                                   std::span<const double> inverse_mass) const override;
  [[nodiscard]] Index memory_size() const override { return kBendMemory; }
  void start(std::span<const Vec3> position, std::span<double> memory) const override;

 private:
  struct Element {
    std::array<Index, 3> body{};
    BendLaw law;
    double steep_0 = 0.0;  ///< |g_0| at rest, 1/m
    double steep_2 = 0.0;
  };
  struct Turn;  ///< a, b, n and phi
  [[nodiscard]] Turn turn_of(const std::array<Index, 3>& body,
                             std::span<const Vec3> position) const;

  std::vector<Element> elements_;
  bool is_flat_;  ///< two dimensions
};

}  // namespace carom
