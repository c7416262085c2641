// A mesh as the audit sees it: checked, its edges numbered, every vertex and edge with an owner.

#include "carom/asynchronous/detail/audit_elements.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "carom/core/error.h"

namespace carom::asynchronous::detail {
namespace {

template <std::size_t kCount>
void check_numbers(const std::vector<std::array<Index, kCount>>& primitives,
                   std::size_t vertex_count, const std::string& name) {
  for (std::size_t k = 0; k < primitives.size(); ++k) {
    const std::array<Index, kCount>& corners = primitives[k];
    for (std::size_t i = 0; i < kCount; ++i) {
      const InputPlace place = {{}, 0, 0, name + "[" + std::to_string(k) + "]"};
      if (corners[i] >= vertex_count) {
        throw InputError(
            place, "vertex " + std::to_string(corners[i]) + " of " + std::to_string(vertex_count));
      }
      if (corners[i] == corners[(i + 1) % kCount]) {
        throw InputError(place, "vertex " + std::to_string(corners[i]) + " twice");
      }
    }
  }
}

}  // namespace

AuditElements::AuditElements(const AuditMesh& mesh)
    : in_space_(mesh.dimension == 3),
      vertex_count_(mesh.vertex_count),
      edges_(mesh.edges),
      triangles_(mesh.triangles),
      fixed_(mesh.fixed) {
  if (mesh.dimension != 2 && mesh.dimension != 3) {
    throw InputError({{}, 0, 0, "dimension"}, "2 or 3 is possible");
  }
  check_numbers(edges_, vertex_count_, "edges");
  check_numbers(triangles_, vertex_count_, "triangles");
  if (fixed_.empty()) fixed_.assign(vertex_count_, 0);
  if (fixed_.size() != vertex_count_) {
    throw InputError({{}, 0, 0, "fixed"}, "one number for each vertex, or none");
  }
  if (!mesh.ignored.empty() && mesh.ignored.size() != vertex_count_) {
    throw InputError({{}, 0, 0, "ignored"}, "one number for each vertex, or none");
  }
  number_edges();
  add_elements(mesh.ignored);
}

void AuditElements::number_edges() {
  std::map<std::pair<Index, Index>, Index> number_of;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    number_of.emplace(std::minmax(edges_[e][0], edges_[e][1]), static_cast<Index>(e));
  }
  sides_.resize(triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = triangles_[t][k];
      const Index b = triangles_[t][(k + 1) % 3];
      const auto [at, is_new] =
          number_of.emplace(std::minmax(a, b), static_cast<Index>(edges_.size()));
      if (is_new) edges_.push_back({a, b});
      sides_[t][k] = at->second;
    }
  }
}

void AuditElements::add_elements(const std::vector<std::uint8_t>& ignored) {
  std::vector<bool> has_owner(vertex_count_);
  std::vector<bool> edge_has_owner(edges_.size());
  const auto add = [&](std::span<const Index> corners, Index number) -> AuditElement& {
    AuditElement element;
    element.number = number;
    element.is_fixed = true;
    for (const Index v : corners) {
      element.corners[element.corner_count++] = v;
      element.is_fixed = element.is_fixed && is_fixed(v);
      if (has_owner[v]) continue;
      has_owner[v] = true;
      element.own_vertices[element.own_vertex_count++] = v;
    }
    elements_.push_back(element);
    return elements_.back();
  };
  const auto give_edge = [&](AuditElement& element, Index edge) {
    if (edge_has_owner[edge]) return;
    edge_has_owner[edge] = true;
    element.own_edges[element.own_edge_count++] = edge;
  };
  if (in_space_) {
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      AuditElement& element = add(triangles_[t], static_cast<Index>(t));
      for (const Index edge : sides_[t]) give_edge(element, edge);
    }
  }
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (!edge_has_owner[e]) give_edge(add(edges_[e], static_cast<Index>(e)), static_cast<Index>(e));
  }
  for (std::size_t v = 0; v < vertex_count_; ++v) {
    const std::array corner = {static_cast<Index>(v)};
    if (!has_owner[v] && (ignored.empty() || ignored[v] == 0)) add(corner, corner[0]);
  }
}

}  // namespace carom::asynchronous::detail
