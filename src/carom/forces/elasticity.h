#pragma once

#include <cstdint>

#include "carom/core/types.h"

namespace carom {

/// How the springs of a surface's edges follow from one number for all of them.
enum class EdgeLaw : std::uint8_t {
  per_length,       ///< k = stiffness (N/m), whatever the edge: the "common edge spring models" of
                    ///< [Harmon2009, section 9]
  per_strain,       ///< k = stiffness / L: the force at unit strain (N), the same along a wire
  discrete_shells,  ///< V = stiffness (1 - l/L)^2 L [Grinspun2003], that is k = 2 stiffness / L
};

enum class StretchModel : std::uint8_t {
  edges,      ///< EdgeSprings along all edges
  triangles,  ///< StretchTriangles, and EdgeSprings along chain edges
};
enum class BendModel : std::uint8_t {
  angles,     ///< BendHinges
  quadratic,  ///< QuadraticHinges: flat at rest, and no yield
};

/// How a surface resists. A stiffness and its damping that are both 0 make no elements.
struct SurfaceElasticity {
  StretchModel stretch_model = StretchModel::triangles;
  EdgeLaw edge_law = EdgeLaw::per_length;
  /// N/m for triangles and springs per length, N for springs of the other laws.
  double stretching = 0.0;
  double stretching_damping = 0.0;  ///< the same times s
  double poisson = 0.3;             ///< of triangles

  BendModel bend_model = BendModel::angles;
  double bending = 0.0;          ///< J of hinges, N m^2 of chains
  double bending_damping = 0.0;  ///< the same times s
  double yield = kInfinity;      ///< rad
  /// Hinges and chains rest flat and straight, whatever angles the rest positions have.
  bool is_flat_at_rest = false;

  // Bounds on the lengths of all its edges, kept by nested penalty layers (scheme "asynchronous").
  double stretch_limit = 0.0;      ///< s: no edge gets longer than 1 + s times its rest; 0: none
  double compression_limit = 0.0;  ///< s: nor shorter than 1 - s times; < 1; 0: none
  double limit_stiffness = 0.0;    ///< N/m, r_1 of the layers; 0: that of contact with itself
  double limit_restitution = 1.0;  ///< of an edge that has been pulled taut; a ratio of speeds
};

}  // namespace carom
