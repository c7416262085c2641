#pragma once

#include <span>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/forces/family.h"
#include "carom/forces/force.h"

namespace carom {

/// Linear drag on some bodies as a family of elements of one body each, from cached positions
/// [Harmon2009, section 6] and across the border of a periodic world:
///   J = -c (x - x_last),   taken: c |x - x_last|^2 / h                                        (1)
///   gamma = c / m                                                                             (2)
class DragElements final : public ForceFamily {
 public:
  /// Throws InputError on a coefficient that is negative or infinite.
  DragElements(const LinearDrag& drag, std::vector<Index> bodies,
               const Periodicity& periodicity = {});

  [[nodiscard]] std::string_view name() const override { return "drag"; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(bodies_.size()); }
  [[nodiscard]] std::span<const Index> stencil(Index element) const override {
    return {&bodies_[element], 1};
  }
  /// None.
  [[nodiscard]] double potential(Index /*element*/, std::span<const Vec3> /*position*/,
                                 std::span<const double> /*memory*/) const override {
    return 0.0;
  }
  void kick(std::span<const Index> elements, const KickTask& task) const override;
  [[nodiscard]] double stable_step(Index element,
                                   std::span<const double> inverse_mass) const override;
  /// The last position.
  [[nodiscard]] Index memory_size() const override { return 3; }
  void start(std::span<const Vec3> position, std::span<double> memory) const override;

 private:
  double coefficient_;
  std::vector<Index> bodies_;
  Periodicity periodicity_;
};

}  // namespace carom
