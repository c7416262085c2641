#pragma once

#include <string>
#include <vector>

#include "carom/bodies/surface.h"
#include "carom/forces/elasticity.h"

// What reading and writing a [[surface]] agree on.
namespace carom::detail {

/// In the order of the enumerations.
[[nodiscard]] inline const std::vector<std::string>& stretch_model_names() {
  static const std::vector<std::string> names = {"edges", "triangles"};
  return names;
}
[[nodiscard]] inline const std::vector<std::string>& bend_model_names() {
  static const std::vector<std::string> names = {"angles", "quadratic"};
  return names;
}
[[nodiscard]] inline const std::vector<std::string>& edge_law_names() {
  static const std::vector<std::string> names = {"per_length", "per_strain", "discrete_shells"};
  return names;
}

/// Whether `edge_law` has a meaning.
[[nodiscard]] inline bool has_edge_springs(const Surface& surface, const SurfaceElasticity& e) {
  return e.stretch_model == StretchModel::edges || !surface.chain.empty();
}
/// Whether edges have bounds on their length, to which `limit_stiffness` belongs.
[[nodiscard]] inline bool has_length_limits(const SurfaceElasticity& e) {
  return e.stretch_limit > 0.0 || e.compression_limit > 0.0;
}
/// Whether `poisson` has one.
[[nodiscard]] inline bool has_stretch_triangles(const Surface& surface,
                                                const SurfaceElasticity& e) {
  return e.stretch_model == StretchModel::triangles && !surface.triangles.empty();
}

}  // namespace carom::detail
