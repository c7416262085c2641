#pragma once

#include <limits>
#include <span>
#include <string_view>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// What some elements of a force act on at one moment: arrays with one entry per body of the world.
struct KickTask {
  double step = 0.0;  ///< for how long the forces act, s
  std::span<const Vec3> position;
  std::span<const double> inverse_mass;  ///< 1/kg; 0: a body that is held or led
  std::span<Vec3> velocity;              ///< changed by the impulses, step * force / mass
  /// What elements remember from one kick to the next: ForceFamily::memory_size() numbers for each
  /// element of the family. Empty where that is 0.
  std::span<double> memory = {};
  double* dissipated = nullptr;  ///< energy taken by damping and plasticity is added; may be null
};

/// A kind of force as a family of elements, each of which joins a few bodies (its stencil): a
/// spring, a triangle that stretches, a hinge that bends. Elements act one by one: an integrator
/// with one step for all sums them, an asynchronous one gives each a clock of its own.
///
/// Guarantees: the forces of an element without damping are minus the gradient of its potential;
/// those of elements of two and more bodies add up to nothing, and so do their moments.
class ForceFamily {
 public:
  ForceFamily() = default;
  ForceFamily(const ForceFamily&) = delete;
  ForceFamily& operator=(const ForceFamily&) = delete;
  virtual ~ForceFamily() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Number of elements.
  [[nodiscard]] virtual Index size() const = 0;
  /// The bodies that an element joins, four at most.
  [[nodiscard]] virtual std::span<const Index> stencil(Index element) const = 0;
  /// J. Without damping, and with the memory's present rest shape where there is one.
  [[nodiscard]] virtual double potential(Index element, std::span<const Vec3> position,
                                         std::span<const double> memory) const = 0;
  /// Lets some elements act on the bodies of their stencils for task.step.
  virtual void kick(std::span<const Index> elements, const KickTask& task) const = 0;
  /// The longest step (s) at which a symplectic integrator of this element alone is stable, from
  /// its stiffness and the inverse masses of its bodies (one entry per body of the world):
  /// 2 / omega of its stiffest mode; infinity where any step is.
  [[nodiscard]] virtual double stable_step(Index /*element*/,
                                           std::span<const double> /*inverse_mass*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Numbers that each element remembers from kick to kick.
  [[nodiscard]] virtual Index memory_size() const { return 0; }
  /// Writes what the elements remember at the start.
  virtual void start(std::span<const Vec3> /*position*/, std::span<double> /*memory*/) const {}
};

}  // namespace carom
