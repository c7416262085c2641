#pragma once

#include <span>
#include <vector>

#include "carom/forces/family.h"
#include "carom/forces/force.h"

namespace carom {

/// The attraction of some bodies to a point as a family of elements of one body each. With r the
/// distance from the centre, s the strength and n the exponent of CentralForce:
///   V = m s r^(n+1) / (n+1),   n = -1: m s log r                                              (1)
///   J = -h m s r^(n-1) (x - center)                                                           (2)
/// Its stiffness, m s n r^(n-1) along the line to the centre and m s r^(n-1) across it, has no
/// bound unless n = 1; the stable step is that at a distance which the caller names:
///   omega^2 = s max(1, |n|) distance^(n-1)                                                    (3)
class CentralField final : public ForceFamily {
 public:
  /// Of these bodies; `mass` has one entry per body of the world. Throws InputError on numbers that
  /// are not finite, a negative strength and bodies that are not there.
  CentralField(const CentralForce& force, std::vector<Index> bodies, std::span<const double> mass,
               double distance);

  [[nodiscard]] std::string_view name() const override { return "central_field"; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(bodies_.size()); }
  [[nodiscard]] std::span<const Index> stencil(Index element) const override {
    return {&bodies_[element], 1};
  }
  [[nodiscard]] double potential(Index element, std::span<const Vec3> position,
                                 std::span<const double> memory) const override;
  void kick(std::span<const Index> elements, const KickTask& task) const override;
  [[nodiscard]] double stable_step(Index element,
                                   std::span<const double> inverse_mass) const override;

 private:
  CentralForce force_;
  double omega_squared_;  ///< (3)
  std::vector<Index> bodies_;
  std::vector<double> mass_;  ///< of bodies_
};

}  // namespace carom
