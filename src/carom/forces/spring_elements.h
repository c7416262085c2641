#pragma once

#include <array>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/forces/family.h"
#include "carom/forces/force.h"

namespace carom {

/// The springs of a ForceSet as a family: between two bodies, or a body and a point, across the
/// border of a periodic world where that is shorter.
///   V = 1/2 k (l - L)^2,   omega^2 = k (1/m_a + 1/m_b)                                        (1)
/// with l the distance; a point has no 1/m. Forces on one body and a point add up to something.
class SpringElements final : public ForceFamily {
 public:
  /// Throws InputError on negative or infinite numbers and on springs from a body to itself.
  explicit SpringElements(const std::vector<SpringForce>& springs,
                          const Periodicity& periodicity = {});

  [[nodiscard]] std::string_view name() const override { return "springs"; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(springs_.size()); }
  [[nodiscard]] std::span<const Index> stencil(Index element) const override;
  [[nodiscard]] double potential(Index element, std::span<const Vec3> position,
                                 std::span<const double> memory) const override;
  void kick(std::span<const Index> elements, const KickTask& task) const override;
  [[nodiscard]] double stable_step(Index element,
                                   std::span<const double> inverse_mass) const override;

 private:
  std::vector<SpringForce> springs_;
  std::vector<std::array<Index, 2>> bodies_;  ///< the ends again, side by side
  Periodicity periodicity_;
};

}  // namespace carom
