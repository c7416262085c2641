#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/impact/resolve.h"
#include "carom/stepping/simulation.h"
#include "carom/stepping/stepper.h"

namespace carom::lab {

/// One application of an operator within an impact.
struct Application {
  struct Push {
    Vec3 point;
    Vec3 impulse;  ///< on body a, N s; body b receives the opposite
    Index body_a = kNone;
    Index body_b = kNone;  ///< kNone: a shape
  };
  std::vector<Push> pushes;
  double kinetic_energy = 0.0;  ///< afterwards, of all bodies in the impact
};

/// The last impact, resolved again and watched.
struct ImpactCourse {
  Index rows = 0;
  ImpactStatus status = ImpactStatus::resolved;
  ImpactReport report;
  std::vector<Application> applications;
  bool is_cut = false;  ///< there were more applications than are kept
};

/// An impact as a step met it.
struct MetImpact {
  const ImpactProblem& problem;
  std::span<const ContactImpulse> contacts;
  std::span<const Vec3> places;  ///< of all bodies
};

/// Resolves the impact again with the simulation's settings, and keeps its first applications.
[[nodiscard]] ImpactCourse watch_impact(const MetImpact& met, const Simulation& simulation,
                                        std::size_t most_applications);

}  // namespace carom::lab
