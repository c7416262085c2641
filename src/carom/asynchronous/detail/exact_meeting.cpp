// From the audit's pairs to the exact tests of geometry.

#include "carom/asynchronous/detail/exact_meeting.h"

namespace carom::asynchronous::detail {
namespace {

AuditPrimitive primitive(std::size_t corner_count, Index number) {
  using Kind = AuditPrimitive::Kind;
  return {corner_count == 1 ? Kind::vertex : corner_count == 2 ? Kind::edge : Kind::face, number};
}

}  // namespace

Intersection exact_meeting(const PrimitivePair& pair, std::span<const Vec3> places) {
  switch (pair.kind) {
    case PrimitivePair::Kind::vertex_vertex:
      return point_point(places[0], places[1]);
    case PrimitivePair::Kind::vertex_edge:
      return point_segment(places[0], {places[1], places[2]});
    case PrimitivePair::Kind::vertex_face:
      return point_triangle(places[0], {places[1], places[2], places[3]});
    case PrimitivePair::Kind::edge_edge:
      return segment_segment({places[0], places[1]}, {places[2], places[3]});
    case PrimitivePair::Kind::edge_face:
      return segment_triangle({places[0], places[1]}, {places[2], places[3], places[4]});
  }
  return {};
}

std::array<AuditPrimitive, 2> primitives_of(const PrimitivePair& pair) {
  return {primitive(pair.first_count, pair.first),
          primitive(std::size_t{pair.count} - pair.first_count, pair.second)};
}

}  // namespace carom::asynchronous::detail
