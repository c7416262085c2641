#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "carom/asynchronous/detail/audit_elements.h"
#include "carom/asynchronous/detail/box_tree.h"

namespace carom::asynchronous::detail {

/// Two primitives and their vertices, those of the first before those of the second.
struct PrimitivePair {
  enum class Kind : std::uint8_t { vertex_vertex, vertex_edge, vertex_face, edge_edge, edge_face };
  Kind kind = Kind::vertex_vertex;
  Index first = 0;
  Index second = 0;
  std::uint8_t first_count = 1;
  std::uint8_t count = 2;
  std::array<Index, 5> vertices{};
};

/// Emits the pairs of primitives between two elements whose boxes overlap: those of audit.h for a
/// motion, with `with_edge_faces` also those that only a state needs (edges against faces in space,
/// edges against edges in a plane).
template <typename Emit>
class NearPairs {
 public:
  NearPairs(const AuditElements& elements, std::span<const AxisBox> vertex_boxes,
            bool with_edge_faces, Emit& emit)
      : elements_(elements), boxes_(vertex_boxes), of_state_(with_edge_faces), emit_(emit) {}

  void visit(const AuditElement& a, const AuditElement& b) const {
    if (a.is_fixed && b.is_fixed) return;
    visit_one_way(a, b);
    visit_one_way(b, a);
    if (a.corner_count == 1 && b.corner_count == 1) {
      offer({PrimitivePair::Kind::vertex_vertex, a.number, b.number, 1, 2, {a.number, b.number}});
    }
    if (elements_.in_space() || of_state_) visit_edges(a, b);
  }

 private:
  // The vertices and edges of a against b as a whole.
  void visit_one_way(const AuditElement& a, const AuditElement& b) const {
    const auto& t = b.corners;
    for (std::size_t k = 0; k < a.own_vertex_count; ++k) {
      const Index v = a.own_vertices[k];
      if (b.corner_count == 3) {
        offer({PrimitivePair::Kind::vertex_face, v, b.number, 1, 4, {v, t[0], t[1], t[2]}});
      } else if (b.corner_count == 2) {
        offer({PrimitivePair::Kind::vertex_edge, v, b.number, 1, 3, {v, t[0], t[1]}});
      }
    }
    if (b.corner_count != 3 || !of_state_) return;
    for (std::size_t k = 0; k < a.own_edge_count; ++k) {
      const auto& e = elements_.edges()[a.own_edges[k]];
      offer({PrimitivePair::Kind::edge_face,
             a.own_edges[k],
             b.number,
             2,
             5,
             {e[0], e[1], t[0], t[1], t[2]}});
    }
  }

  void visit_edges(const AuditElement& a, const AuditElement& b) const {
    for (std::size_t i = 0; i < a.own_edge_count; ++i) {
      const auto& e = elements_.edges()[a.own_edges[i]];
      for (std::size_t j = 0; j < b.own_edge_count; ++j) {
        const auto& f = elements_.edges()[b.own_edges[j]];
        offer({PrimitivePair::Kind::edge_edge,
               a.own_edges[i],
               b.own_edges[j],
               2,
               4,
               {e[0], e[1], f[0], f[1]}});
      }
    }
  }

  void offer(const PrimitivePair& pair) const {
    bool all_fixed = true;
    AxisBox first;
    AxisBox second;
    for (std::size_t i = 0; i < pair.first_count; ++i) {
      const Index v = pair.vertices[i];
      for (std::size_t j = pair.first_count; j < pair.count; ++j) {
        if (v == pair.vertices[j]) return;
      }
      first.include(boxes_[v]);
      all_fixed = all_fixed && elements_.is_fixed(v);
    }
    for (std::size_t j = pair.first_count; j < pair.count; ++j) {
      second.include(boxes_[pair.vertices[j]]);
      all_fixed = all_fixed && elements_.is_fixed(pair.vertices[j]);
    }
    if (!all_fixed && overlap(first, second)) emit_(pair);
  }

  const AuditElements& elements_;
  std::span<const AxisBox> boxes_;
  bool of_state_;
  Emit& emit_;
};

}  // namespace carom::asynchronous::detail
