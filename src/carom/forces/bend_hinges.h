#pragma once

#include <array>
#include <optional>
#include <vector>

#include "carom/forces/bend_law.h"
#include "carom/forces/family.h"

namespace carom {

/// Two triangles with a common edge that resist bending about it.
struct BendHinge {
  std::array<Index, 4> body{};  ///< the edge's ends 0 and 1, then the vertices opposite to it
  std::array<Vec3, 4> rest{};   ///< their positions at rest
  /// rad; that of the rest positions where none is given. 0: at rest the hinge is flat, and the
  /// rest positions say its lengths alone.
  std::optional<double> rest_angle;
  double stiffness = 0.0;    ///< k of (1), J
  double damping = 0.0;      ///< as stiffness, against the rate of the angle: J s
  double yield = kInfinity;  ///< rad from the rest angle; beyond it the rest angle follows
};

/// The hinges of Discrete Shells [Grinspun2003].
///
///   V = k (theta - theta_0)^2 3 |e_0|^2 / A_0                                                 (1)
///
/// e is the edge, A the area of both triangles, the index 0 stands for "at rest". That is the
/// paper's |e| / h with h a third of the mean height of the triangles. A sheet of equilateral
/// triangles bent to a cylinder has 1/2 D curvature^2 per area, as a plate has, for k = D / 6,
/// whichever way it is bent.
///
/// The angle, with n_a = e x (x_2 - x_0) and n_b = (x_3 - x_0) x e:
///   theta = atan2((n_a x n_b).e / |e|, n_a.n_b)                                               (2)
/// 0 where the hinge is flat, positive where the normals n_a, n_b turn away from each other, as on
/// a convex body seen from outside; right for every angle between -pi and pi. Whole turns are
/// counted from kick to kick, so a hinge may fold through.
///
/// Its gradient: lifting vertex 2 by dz along n_a turns its triangle by dz over its height
/// |n_a| / |e| and lessens theta, and so does vertex 3 on the other side:
///   g_2 = -|e| n_a / |n_a|^2,   g_3 = -|e| n_b / |n_b|^2                                      (3)
/// Neither a shift nor a turn of the whole changes theta; so with s the foot of the height on the
/// edge, s_a = (x_2 - x_0).e / |e|^2,
///   g_0 = -(1 - s_a) g_2 - (1 - s_b) g_3,   g_1 = -s_a g_2 - s_b g_3                          (4)
///
/// Damping is from cached angles [Harmon2009, section 6.1]; with c the k of (1) times 3 |e_0|^2/A_0
/// and d likewise of `damping`, one kick of h gives the bodies the impulses
///   J_i = -(2 h c (theta - theta_0) + 2 d (theta - theta_last)) g_i                           (5)
/// and takes 2 d (theta - theta_last)^2 / h. Plasticity is ideal, in the rest angle (the kind that
/// [Vouga2011, section 8.7] uses after [Bergou2007]): before a kick theta_0 moves so far that
/// |theta - theta_0| <= yield, and the potential that this loses is booked.
///
/// At rest the Hessian is 2 c g g^T, a single mode:
///   omega^2 = 2 c sum |g_i|^2 / m_i,   gamma = 2 d sum |g_i|^2 / m_i                          (6)
/// with |g_0| <= |1 - s_a|/h_a + |1 - s_b|/h_b and the like for g_1: bounds for all angles, equal
/// where a hinge with feet inside its edge is flat.
class BendHinges final : public ForceFamily {
 public:
  /// Throws InputError on numbers that are negative or infinite, and on rest triangles without
  /// area.
  explicit BendHinges(const std::vector<BendHinge>& hinges);

  [[nodiscard]] std::string_view name() const override { return "bend_hinges"; }
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

  [[nodiscard]] const BendLaw& law(Index element) const { return elements_[element].law; }

 private:
  struct Element {
    std::array<Index, 4> body{};
    BendLaw law;
  };
  template <class Number>
  void kick_some(const Index* chosen, const KickTask& task, double& taken) const;
  [[nodiscard]] double kick_all(std::span<const Index> elements, const KickTask& task) const;

  std::vector<Element> elements_;
  std::vector<std::array<double, 4>> steepness_;  ///< bounds on |g_i|^2 at rest
};

/// The angle (2) of four positions.
[[nodiscard]] double hinge_angle(const std::array<Vec3, 4>& position);

}  // namespace carom
