// From a surface and its elasticity to elements of the families.

#include "carom/forces/elastic_surface.h"

#include <array>
#include <cstddef>
#include <optional>

#include "carom/core/error.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

// A stencil of the surface as bodies and their rest positions.
template <std::size_t N>
struct Placed {
  std::array<Index, N> body{};
  std::array<Vec3, N> rest{};
};

template <std::size_t N>
Placed<N> placed(const Surface& surface, const std::array<Index, N>& vertices) {
  Placed<N> result;
  for (std::size_t i = 0; i < N; ++i) {
    result.body[i] = surface.first + vertices[i];
    result.rest[i] = surface.rest[vertices[i]];
  }
  return result;
}

void add_stretching(const Surface& surface, const SurfaceElasticity& elasticity,
                    ElasticElements& elements) {
  const bool has_triangles = elasticity.stretch_model == StretchModel::triangles;
  for (const auto& vertices : has_triangles ? surface.chain : surface.edges) {
    const auto [body, rest] = placed(surface, vertices);
    const double length = norm(rest[1] - rest[0]);
    const double factor = edge_factor(elasticity.edge_law, length);
    elements.edges.push_back({.body = body,
                              .length = length,
                              .stiffness = factor * elasticity.stretching,
                              .damping = factor * elasticity.stretching_damping});
  }
  if (!has_triangles) return;
  for (const TriangleMesh::Triangle& triangle : surface.triangles) {
    const auto [body, rest] = placed(surface, corners_of(triangle));
    elements.triangles.push_back({.body = body,
                                  .rest = rest,
                                  .stiffness = elasticity.stretching,
                                  .poisson = elasticity.poisson,
                                  .damping = elasticity.stretching_damping});
  }
}

void add_bending(const Surface& surface, const SurfaceElasticity& elasticity,
                 ElasticElements& elements) {
  const std::optional<double> rest_angle =
      elasticity.is_flat_at_rest ? std::optional(0.0) : std::nullopt;
  for (const auto& vertices : surface.hinges) {
    const auto [body, rest] = placed(surface, vertices);
    if (elasticity.bend_model == BendModel::quadratic) {
      elements.quadratic_hinges.push_back({.body = body,
                                           .rest = rest,
                                           .stiffness = elasticity.bending,
                                           .damping = elasticity.bending_damping});
      continue;
    }
    elements.hinges.push_back({.body = body,
                               .rest = rest,
                               .rest_angle = rest_angle,
                               .stiffness = elasticity.bending,
                               .damping = elasticity.bending_damping,
                               .yield = elasticity.yield});
  }
  for (const auto& vertices : surface.bends) {
    const auto [body, rest] = placed(surface, vertices);
    elements.bends.push_back({.body = body,
                              .rest = rest,
                              .rest_angle = rest_angle,
                              .stiffness = elasticity.bending,
                              .damping = elasticity.bending_damping,
                              .yield = elasticity.yield});
  }
}

}  // namespace

void add_elements(const Surface& surface, const SurfaceElasticity& elasticity,
                  ElasticElements& elements) {
  if (elasticity.bend_model == BendModel::quadratic && elasticity.yield != kInfinity) {
    throw InputError({"", 0, 0, "surface[" + surface.name + "].yield"},
                     "needs hinges with angles: quadratic ones are flat at rest for ever");
  }
  if (elasticity.stretching != 0.0 || elasticity.stretching_damping != 0.0) {
    add_stretching(surface, elasticity, elements);
  }
  if (elasticity.bending != 0.0 || elasticity.bending_damping != 0.0) {
    add_bending(surface, elasticity, elements);
  }
}

std::vector<std::unique_ptr<ForceFamily>> make_families(const ElasticElements& elements,
                                                        int dimension) {
  std::vector<std::unique_ptr<ForceFamily>> families;
  if (!elements.edges.empty()) families.push_back(std::make_unique<EdgeSprings>(elements.edges));
  if (!elements.triangles.empty()) {
    families.push_back(std::make_unique<StretchTriangles>(elements.triangles));
  }
  if (!elements.hinges.empty()) families.push_back(std::make_unique<BendHinges>(elements.hinges));
  if (!elements.quadratic_hinges.empty()) {
    families.push_back(std::make_unique<QuadraticHinges>(elements.quadratic_hinges));
  }
  if (!elements.bends.empty()) {
    families.push_back(std::make_unique<ChainBends>(elements.bends, dimension));
  }
  return families;
}

}  // namespace carom
