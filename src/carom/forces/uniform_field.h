#pragma once

#include <span>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/forces/family.h"

namespace carom {

/// The same acceleration g for each of some bodies:
///   V = -m g.x,   J = h m g.                                                                  (1)
/// Any step is stable. Along a periodic axis g acts, but has no potential.
class UniformField final : public ForceFamily {
 public:
  /// `mass` has one entry per body of the world. Throws InputError on a field or a mass that is not
  /// finite and on a body that is not in the world.
  UniformField(const Vec3& field, std::vector<Index> bodies, std::span<const double> mass,
               const Periodicity& periodicity = {});

  [[nodiscard]] std::string_view name() const override { return "uniform_field"; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(bodies_.size()); }
  [[nodiscard]] std::span<const Index> stencil(Index element) const override {
    return {&bodies_[element], 1};
  }
  [[nodiscard]] double potential(Index element, std::span<const Vec3> position,
                                 std::span<const double> memory) const override;
  void kick(std::span<const Index> elements, const KickTask& task) const override;

 private:
  Vec3 field_;
  Vec3 potential_field_;  ///< without the periodic axes
  std::vector<Index> bodies_;
  std::vector<double> mass_;  ///< of bodies_
};

}  // namespace carom
