#pragma once

#include <array>
#include <vector>

#include "carom/forces/family.h"

namespace carom {

/// Two triangles with a common edge, flat at rest, that resist bending about it.
struct QuadraticHinge {
  std::array<Index, 4> body{};  ///< the edge's ends 0 and 1, then the vertices opposite to it
  std::array<Vec3, 4> rest{};   ///< their lengths count, not the angle between the triangles
  double stiffness = 0.0;       ///< k of (1), J
  double damping = 0.0;         ///< as stiffness, against the rate of bending: J s
};

/// The quadratic model of bending for sheets that hardly stretch [Bergou2006]: no angle, no root,
/// and a stiffness that is the same for every shape.
///
///   V = k (3 / A_0) |c|^2,   c = sum kappa_i x_i                                              (1)
///   kappa_2 = -|e|/h_a,  kappa_3 = -|e|/h_b,
///   kappa_0 = (1 - s_a)|e|/h_a + (1 - s_b)|e|/h_b,   kappa_1 = s_a |e|/h_a + s_b |e|/h_b      (2)
/// from the lengths at rest: e the edge, A the area of both triangles, h the heights above the edge
/// and s their feet along it (0 to 1); these are the sums of cotangents of the paper. Flat in its
/// rest shape, wherever it lies, a hinge has c = 0; bent by a small angle theta, |c| = |e| theta.
///
/// Departs from the paper: k is twice its stiffness, so that (1) agrees with BendHinges of the same
/// k to the second order of the angle. Bent more than a little it is softer: theta^2 becomes
/// 4 sin^2(theta / 2) for isometric bending.
///
///   impulses: J_i = -6/A_0 kappa_i (h k c + d (|c| - |c_last|') c / |c|)                      (3)
/// |c_last|' is the length at the last kick, with a minus where c has passed through zero since:
/// where c . c_last < 0. Damping so neither sees nor makes rotation. It takes
///   6/A_0 d (|c| - |c_last|')^2 / h.                                                          (4)
///   omega^2 = 6 k / A_0 sum kappa_i^2 / m_i,   gamma likewise with d                          (5)
class QuadraticHinges final : public ForceFamily {
 public:
  /// Throws InputError on numbers that are negative or infinite, and on rest triangles without
  /// area.
  explicit QuadraticHinges(const std::vector<QuadraticHinge>& hinges);

  [[nodiscard]] std::string_view name() const override { return "quadratic_hinges"; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(elements_.size()); }
  [[nodiscard]] std::span<const Index> stencil(Index element) const override {
    return elements_[element].body;
  }
  [[nodiscard]] double potential(Index element, std::span<const Vec3> position,
                                 std::span<const double> memory) const override;
  void kick(std::span<const Index> elements, const KickTask& task) const override;
  [[nodiscard]] double stable_step(Index element,
                                   std::span<const double> inverse_mass) const override;
  /// c at the last kick, where any hinge is damped.
  [[nodiscard]] Index memory_size() const override { return is_damped_ ? 3 : 0; }
  void start(std::span<const Vec3> position, std::span<double> memory) const override;

 private:
  struct Element {
    std::array<Index, 4> body{};
    std::array<double, 4> kappa{};
    double stiffness = 0.0;  ///< 6 k / A_0
    double damping = 0.0;    ///< 6 d / A_0
  };
  [[nodiscard]] static Vec3 bend_of(const Element& element, std::span<const Vec3> position);

  std::vector<Element> elements_;
  bool is_damped_ = false;
};

}  // namespace carom
