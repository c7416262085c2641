#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/bodies/surface.h"
#include "carom/forces/bend_hinges.h"
#include "carom/forces/chain_bends.h"
#include "carom/forces/edge_springs.h"
#include "carom/forces/quadratic_hinges.h"
#include "carom/forces/stretch_triangles.h"

namespace carom {

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
};

/// Elements of any number of surfaces, ready to become families.
struct ElasticElements {
  std::vector<EdgeSpring> edges;
  std::vector<StretchTriangle> triangles;
  std::vector<BendHinge> hinges;
  std::vector<QuadraticHinge> quadratic_hinges;
  std::vector<ChainBend> bends;
};

/// Adds those of a surface. Throws InputError on a yield of quadratic hinges.
void add_elements(const Surface& surface, const SurfaceElasticity& elasticity,
                  ElasticElements& elements);

/// One family for each kind that has elements. `dimension` is that of the chains' bends.
[[nodiscard]] std::vector<std::unique_ptr<ForceFamily>> make_families(
    const ElasticElements& elements, int dimension);

}  // namespace carom
