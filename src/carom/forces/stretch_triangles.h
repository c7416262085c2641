#pragma once

#include <array>
#include <vector>

#include "carom/forces/family.h"

namespace carom {

/// A triangle of a thin sheet that resists stretching and shearing.
struct StretchTriangle {
  std::array<Index, 3> body{};
  std::array<Vec3, 3> rest{};  ///< its corners at rest; of flat cloth, with z = 0
  double stiffness = 0.0;      ///< Young's modulus times thickness, N/m
  double poisson = 0.3;        ///< Poisson's ratio, -1 .. 1
  double damping = 0.0;        ///< as stiffness, against the rate of strain: N s/m
};

/// Constant-strain triangles [Lew2003] of a St. Venant-Kirchhoff membrane in plane stress: linear
/// elasticity in Green's strain, which no rotation changes.
///
/// r_i is the gradient, in the plane of the rest triangle, of the function that is 1 at corner i
/// and 0 at the others. With the first axis along the side from corner 0 to 1,
///   r_1 = (a, b),  r_2 = (0, c),  r_0 = -r_1 - r_2;
///   F = (x_1 - x_0) r_1^T + (x_2 - x_0) r_2^T        its columns F_1 and F_2 are in space      (1)
///   E_11 = (F_1.F_1 - 1)/2,  E_22 = (F_2.F_2 - 1)/2,  E_12 = F_1.F_2 / 2                      (2)
///   V = 1/2 A c_0 (E_11^2 + E_22^2 + 2 nu E_11 E_22 + 2 (1 - nu) E_12^2)                      (3)
///   c_0 = stiffness / (1 - nu^2),  A the area at rest
///   S_11 = c_0 (E_11 + nu E_22),  S_22 = c_0 (E_22 + nu E_11),  S_12 = c_0 (1 - nu) E_12      (4)
///   dV/dx_i = A F S r_i                                                                       (5)
/// (5) from dV = A S : dE, dE = sym(F^T dF) and dF = sum dx_i r_i^T. As S is symmetric the forces
/// have no moment.
///
/// Damping is Kelvin and Voigt's, from strains cached at the element's own kicks (as
/// [Harmon2009, section 6.1] does with lengths): to S comes the stress (4) of (E - E_last) / h with
/// `damping` in place of `stiffness`. It takes the energy
///   h A S_damping : (E - E_last) / h >= 0.                                                    (6)
///
/// At rest the stiffness Hessian is A B^T C B with B the gradients of (E_11, E_22, 2 E_12) and C
/// the moduli of (4). The squares of the frequencies are eigenvalues of X = A C G, G = B M^-1 B^T,
/// a matrix of 3 by 3 with real eigenvalues; the greatest is at most [Wolkowicz1980]
///   m + sqrt(2 (tr X^2 / 3 - m^2)),   m = tr X / 3.                                           (7)
///
/// As every St. Venant-Kirchhoff material it softens when pressed flat: its force falls from a
/// compression to 0.58 of its length on.
class StretchTriangles final : public ForceFamily {
 public:
  /// Throws InputError on numbers that are negative, infinite or out of range, and on rest
  /// triangles without area.
  explicit StretchTriangles(const std::vector<StretchTriangle>& triangles);

  [[nodiscard]] std::string_view name() const override { return "stretch_triangles"; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(elements_.size()); }
  [[nodiscard]] std::span<const Index> stencil(Index element) const override {
    return elements_[element].body;
  }
  [[nodiscard]] double potential(Index element, std::span<const Vec3> position,
                                 std::span<const double> memory) const override;
  void kick(std::span<const Index> elements, const KickTask& task) const override;
  [[nodiscard]] double stable_step(Index element,
                                   std::span<const double> inverse_mass) const override;
  /// E_11, E_22 and E_12 at the last kick, where any triangle is damped.
  [[nodiscard]] Index memory_size() const override { return is_damped_ ? 3 : 0; }
  void start(std::span<const Vec3> position, std::span<double> memory) const override;

 private:
  struct Element {
    std::array<Index, 3> body{};
    double a = 0.0, b = 0.0, c = 0.0;  ///< r_1 = (a, b), r_2 = (0, c), 1/m
    double stiffness = 0.0;            ///< A c of (3), J
    double damping = 0.0;              ///< the same with damping, J s
    double poisson = 0.0;
  };
  template <class Number>
  struct Strain;  ///< F and E
  template <class Number, class Triangle>
  static void set_strain(const Triangle& triangle, const Vec3* position, Strain<Number>& strain);
  template <class Number>
  void kick_some(const Index* chosen, const KickTask& task, double& taken) const;
  [[nodiscard]] double kick_all(std::span<const Index> elements, const KickTask& task) const;

  std::vector<Element> elements_;
  bool is_damped_ = false;
};

}  // namespace carom
