#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/asynchronous/audit.h"
#include "carom/core/types.h"

namespace carom::asynchronous::detail {

/// What the search for near pairs puts into boxes: a face, an edge or a particle. Every vertex and
/// every edge of the mesh belongs to one element, so that a pair of them is met once, through the
/// elements that they belong to.
struct AuditElement {
  std::array<Index, 3> corners{};
  std::array<Index, 3> own_vertices{};
  std::array<Index, 3> own_edges{};
  std::uint8_t corner_count = 0;  ///< 3: face, 2: edge, 1: particle
  std::uint8_t own_vertex_count = 0;
  std::uint8_t own_edge_count = 0;
  bool is_fixed = false;  ///< all corners are
  Index number = 0;       ///< of the triangle, edge or vertex
};

/// A mesh as elements: in space its triangles, the edges without triangles and particles, in a
/// plane its edges and particles.
class AuditElements {
 public:
  explicit AuditElements(const AuditMesh& mesh);

  [[nodiscard]] bool in_space() const { return in_space_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  [[nodiscard]] bool is_fixed(Index vertex) const { return fixed_[vertex] != 0; }
  [[nodiscard]] std::span<const AuditElement> all() const { return elements_; }
  [[nodiscard]] std::span<const std::array<Index, 2>> edges() const { return edges_; }
  [[nodiscard]] std::span<const std::array<Index, 3>> triangles() const { return triangles_; }
  /// The edges of a triangle; side k runs from corner k to corner k + 1.
  [[nodiscard]] const std::array<Index, 3>& sides(std::size_t triangle) const {
    return sides_[triangle];
  }

 private:
  void number_edges();
  void add_elements(const std::vector<std::uint8_t>& ignored);

  bool in_space_ = true;
  std::size_t vertex_count_ = 0;
  std::vector<std::array<Index, 2>> edges_;
  std::vector<std::array<Index, 3>> triangles_;
  std::vector<std::array<Index, 3>> sides_;
  std::vector<std::uint8_t> fixed_;
  std::vector<AuditElement> elements_;
};

}  // namespace carom::asynchronous::detail
