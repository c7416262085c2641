#pragma once

#include <span>

#include "carom/geometry/vec3.h"

namespace carom {

/// A force that a program brings along: positions in, forces out. Asked once at the end of every
/// step, and of every part of one. Must not throw: a force that cannot be computed says so by
/// numbers that are not finite, and the step is left undone.
class PositionForce {
 public:
  PositionForce() = default;
  PositionForce(const PositionForce&) = delete;
  PositionForce& operator=(const PositionForce&) = delete;
  virtual ~PositionForce() = default;

  /// Adds the force on every body, N: one entry for each, in the order of their numbers. In the
  /// plane z stays 0.
  virtual void add(std::span<const Vec3> position, std::span<Vec3> force) const = 0;
  /// Whether potential() says its energy. What a force without one does is work from outside.
  [[nodiscard]] virtual bool has_potential() const { return false; }
  /// J, of all bodies; the forces must be minus its gradient.
  [[nodiscard]] virtual double potential(std::span<const Vec3> /*position*/) const { return 0.0; }
};

}  // namespace carom
