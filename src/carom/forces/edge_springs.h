#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/forces/elasticity.h"
#include "carom/forces/family.h"

namespace carom {

/// A spring between two bodies, along an edge of a surface or a chain.
struct EdgeSpring {
  std::array<Index, 2> body{};
  double length = 0.0;     ///< at rest, m
  double stiffness = 0.0;  ///< N/m
  double damping = 0.0;    ///< N s/m
};

/// What to multiply a stiffness or a damping with for an edge of this length.
[[nodiscard]] double edge_factor(EdgeLaw law, double length);

/// Springs along edges, with damping from cached lengths [Harmon2009, section 6.1].
///
///   V = 1/2 k (l - L)^2,   e = x_b - x_a,  l = |e|                                           (1)
///   impulse on b:  J = -(h k (l - L) + d (l - l')) e / l,  on a: -J                          (2)
///   taken by damping:  d (l - l')^2 / h                                                      (3)
///   omega^2 = k (1/m_a + 1/m_b),  gamma = d (1/m_a + 1/m_b)                                  (4)
///
/// h is the step of the kick, l' the length at the element's last kick (or start()). (2) needs no
/// velocity, so kicks at one moment may come in any order. (3) is the damping's power with the mean
/// rate (l - l') / h since the last kick; it agrees with what the velocities lose to the second
/// order of h omega. At rest a spring's only mode is (4); one that is compressed has a negative
/// stiffness across itself, one that is stretched less than k.
///
/// Departs from the paper: there d (l - l') is a force. Here it is an impulse, so that d is a
/// viscosity whose effect does not depend on the step.
class EdgeSprings final : public ForceFamily {
 public:
  /// Throws InputError on negative or infinite numbers and on springs from a body to itself.
  explicit EdgeSprings(const std::vector<EdgeSpring>& springs);

  [[nodiscard]] std::string_view name() const override { return "edge_springs"; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(springs_.size()); }
  [[nodiscard]] std::span<const Index> stencil(Index element) const override {
    return springs_[element].body;
  }
  [[nodiscard]] double potential(Index element, std::span<const Vec3> position,
                                 std::span<const double> memory) const override;
  void kick(std::span<const Index> elements, const KickTask& task) const override;
  [[nodiscard]] double stable_step(Index element,
                                   std::span<const double> inverse_mass) const override;
  /// The last length, where any spring is damped.
  [[nodiscard]] Index memory_size() const override { return is_damped_ ? 1 : 0; }
  void start(std::span<const Vec3> position, std::span<double> memory) const override;

  [[nodiscard]] const std::vector<EdgeSpring>& springs() const { return springs_; }

 private:
  std::vector<EdgeSpring> springs_;
  bool is_damped_ = false;
};

}  // namespace carom
