#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/bodies/surface.h"
#include "carom/forces/bend_hinges.h"
#include "carom/forces/chain_bends.h"
#include "carom/forces/edge_springs.h"
#include "carom/forces/elasticity.h"
#include "carom/forces/quadratic_hinges.h"
#include "carom/forces/stretch_triangles.h"

namespace carom {

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
