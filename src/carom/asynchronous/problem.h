#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "carom/asynchronous/layers.h"
#include "carom/core/types.h"
#include "carom/forces/family.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous {

/// Contact between two materials.
struct ContactLaw {
  double stiffness = 1000.0;  ///< r_1 of the first layer, N/m; > 0
  double thickness = 0.1;     ///< eta_1 of the first layer, m; > 0
  double restitution = 1.0;   ///< 0 .. 1, a ratio of speeds; the papers' e is its square
  double friction = 0.0;      ///< >= 0
};

/// A half-plane or half-space that nothing enters: normal . (x - c) >= offset, without its first
/// layers. c is the place of its carrier, 0 without one.
struct Wall {
  Vec3 normal;          ///< of length 1, towards the free side
  double offset = 0.0;  ///< m
  Index material = 0;
  /// A held vertex that the wall moves with and that does nothing else: of no edge and no face, and
  /// no particle.
  Index carrier = kNone;
};

/// A place on the way of a held vertex.
struct PathPoint {
  double time = 0.0;  ///< s, >= 0, rising; rounded to the lattice of times
  Vec3 position;
};

/// A vertex whose motion is prescribed. With no points it keeps its starting velocity for ever (0:
/// it stands still); else it passes the points on straight lines and rests before the first and
/// after the last one. Its place at time 0 must be its place in the problem.
struct HeldVertex {
  Index vertex = 0;
  std::vector<PathPoint> path;
};

/// A force on a free vertex from one time to another.
struct PrescribedForce {
  Index vertex = 0;
  Vec3 force;          ///< N
  double begin = 0.0;  ///< s
  double end = kInfinity;
};

/// A bound on the distance of two vertices, usually the ends of an edge, by layers as those of
/// contact [Harmon2009, 7]. Their gap g is what is left to the bound: length - |x_a - x_b| of a
/// largest length, |x_a - x_b| - length of a smallest. The sum of the layers diverges as g -> 0: it
/// is never passed, whatever pulls or pushes.
struct LengthLimit {
  enum class Side : std::uint8_t { longest, shortest };
  std::array<Index, 2> vertex = {0, 0};
  Side side = Side::longest;
  double length = 1.0;        ///< m, the bound; > 0
  double thickness = 0.1;     ///< m, eta_1: the first layer acts where less is left; > 0
  double stiffness = 1000.0;  ///< N/m, r_1; > 0
  double restitution = 1.0;   ///< 0 .. 1, as of contact
};

/// Everything that asynchronous contact mechanics needs to know, as plain arrays.
///
/// Vertices of no edge and no face are particles. Edges of faces are found; `edges` are those of
/// chains. In two dimensions (z = 0 everywhere) there are no faces, and vertices meet edges. Pairs
/// of primitives that share a vertex have no layers; all other pairs have, with
///   eta_p = min(eta_1, half their distance in the rest shape)
/// where edges and faces link them. Held vertices do not feel walls or each other.
struct Problem {
  int dimension = 3;
  std::vector<double> mass;  ///< kg, > 0, of held vertices too
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
  std::vector<Vec3> rest_position;  ///< empty: as position
  std::vector<Index> material;  ///< of each vertex; empty: 0. A primitive has its first vertex's
  std::vector<std::array<Index, 2>> edges;
  std::vector<std::array<Index, 3>> faces;
  std::vector<Wall> walls;
  std::vector<HeldVertex> held;
  std::vector<LengthLimit> limits;  ///< not of two held vertices
  std::vector<PrescribedForce> prescribed_forces;
  std::vector<std::shared_ptr<const ForceFamily>> forces;
  /// Row a, column b: contact of materials a and b; symmetric. Number of materials squared.
  std::vector<ContactLaw> contact = {ContactLaw{}};
};

/// 1: a vertex that carries walls and is nothing in itself.
[[nodiscard]] std::vector<char> carriers_of(const Problem& problem);

enum class FrictionModel : std::uint8_t {
  anchored,  ///< static and kinetic, from an anchor per pair
  printed,   ///< kinetic, per layer and without a cap, as in the papers
};

struct Settings {
  LayerLaw layers = LayerLaw::harmon;
  FrictionModel friction = FrictionModel::anchored;
  /// c of h(1) = c sqrt(m / r_1), m the smallest effective mass of a pair. 0 < c < 1.
  double contact_step = 0.1;
  /// h omega of the elements of force families, omega the highest frequency of an element with its
  /// share of its vertices' masses (forces/shared_masses.h), and so of all together. 0 < .. < 1.
  double force_step = 0.4;
  /// The longest step of any force, as a share of the step of a first layer between two vertices of
  /// the mass that it acts on. 0 < .. <= 1. Forces that press on a contact resonate with it unless
  /// their step is short against its period, and contact under load gets stiffer than its first
  /// layer: n layers (n (n + 1) / 2)^2 times. Lower it where loads press many layers together.
  double pressing_step = 0.5;
  /// How much of a pair's distance its next certificate may use up: deeper layers tick early, and
  /// certificates last longer.
  double activation_margin = 0.04;
  /// s of simulated time for a million events (kicks, ticks, certificates, moments): slower, and
  /// the run ends with too_slow. Events and not seconds of a clock, so that runs repeat. 0: never.
  double least_progress = 0.0;
  /// Of the fast engine; 0: one for each core. The bits are the same for any number.
  unsigned threads = 1;
};

/// Throws InputError with the key of the first fault: sizes that differ, numbers that are not
/// finite, masses and thicknesses that are not positive, indices out of range, coefficients out of
/// range.
void check_problem(const Problem& problem);
void check_settings(const Settings& settings);

}  // namespace carom::asynchronous
