#pragma once

#include <limits>
#include <span>
#include <string_view>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// What some elements of a force act on at one moment: arrays with one entry per body of the world.
struct KickTask {
  /// For how long the forces act, s, > 0. Energy that damping takes is booked as if the elements'
  /// last kick had been that long ago.
  double step = 0.0;
  std::span<const Vec3> position;
  std::span<const double> inverse_mass;  ///< 1/kg; 0: a body that is held or led
  std::span<Vec3> velocity;              ///< changed by the impulses, step * force / mass
  /// What elements remember from one kick to the next: ForceFamily::memory_size() numbers for each
  /// element of the family. Empty where that is 0.
  std::span<double> memory = {};
  /// To which the energy that damping and plasticity take is added, J; may be null. Threads that
  /// kick at the same time need one each.
  double* dissipated = nullptr;
};

/// A kind of force as a family of elements, each of which joins a few bodies (its stencil): a
/// spring, a triangle that stretches, a hinge that bends. Elements act one by one: an integrator
/// with one step for all sums them, an asynchronous one gives each a clock of its own.
///
/// Guarantees: the forces of an element without damping are minus the gradient of its potential;
/// those of elements of two and more bodies add up to nothing, and so do their moments. A kick
/// depends on positions and memory, never on velocities, so kicks at one moment may come in any
/// order; damping sees the positions at the element's own kicks [Harmon2009, section 6]. Nothing is
/// allocated.
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
  /// A step (s) up to which a symplectic integrator of this element alone is stable near its rest
  /// shape, from its stiffness, its damping and the inverse masses of its bodies (one entry per
  /// body of the world): 2 / omega of its stiffest mode or a little less, and less where it is
  /// damped; infinity where any step is.
  [[nodiscard]] virtual double stable_step(Index /*element*/,
                                           std::span<const double> /*inverse_mass*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Numbers that each element remembers from kick to kick.
  [[nodiscard]] virtual Index memory_size() const { return 0; }
  /// Writes what the elements remember at the start: memory_size() * size() numbers.
  virtual void start(std::span<const Vec3> /*position*/, std::span<double> /*memory*/) const {}
};

}  // namespace carom
