// Pairs and faults in the names of a scene.
#include <span>
#include <string>
#include <variant>

#include "carom/asynchronous/problem_of.h"
#include "carom/core/names.h"

namespace carom::asynchronous {
namespace {

// "'cloth-1', 'cloth-2'"
std::string vertex_names(std::span<const Index> vertices, const Simulation& simulation) {
  const BodySet& bodies = simulation.world.bodies;
  std::string text;
  for (const Index vertex : vertices) {
    text += text.empty() ? "" : ", ";
    text += vertex < bodies.size() ? "'" + bodies.name[vertex] + "'" : "one of an obstacle";
  }
  return text;
}

std::string text_of(const AuditPrimitive& primitive, const Audit& audit, const Problem& problem,
                    const Simulation& simulation) {
  switch (primitive.kind) {
    case AuditPrimitive::Kind::vertex:
      return "vertex " + vertex_names({&primitive.number, 1}, simulation);
    case AuditPrimitive::Kind::edge:
      return "the edge " + vertex_names(audit.edges()[primitive.number], simulation);
    case AuditPrimitive::Kind::face:
      break;
  }
  return "the face " + vertex_names(problem.faces[primitive.number], simulation);
}

std::string verb_of(AuditFault::Kind kind) {
  switch (kind) {
    case AuditFault::Kind::touch:
      return " meets ";
    case AuditFault::Kind::crossing:
      return " passes through ";
    case AuditFault::Kind::undecided:
      break;
  }
  return " comes too near to tell whether it meets ";
}

}  // namespace

// A box has a wall for each side.
std::string wall_name(Index wall, const Simulation& simulation) {
  Index first = 0;
  for (const PlacedShape& placed : simulation.world.shapes) {
    Index count = 0;
    if (std::holds_alternative<HalfPlane>(placed.shape)) count = 1;
    if (std::holds_alternative<BoxInside>(placed.shape)) {
      count = feature_count(placed.shape, simulation.world.dimension);
    }
    if (wall < first + count) return "shape '" + placed.name + "'";
    first += count;
  }
  return "a wall";
}

std::string text_of(const PairName& pair, const Simulation& simulation) {
  const std::span<const Index> v(pair.vertex);
  switch (pair.kind) {
    case PairKind::vertex_wall:
      return "vertex " + vertex_names(v.first(1), simulation) + " and " +
             wall_name(pair.wall, simulation);
    case PairKind::vertex_vertex:
      return "vertices " + vertex_names(v.first(2), simulation);
    case PairKind::vertex_edge:
      return "vertex " + vertex_names(v.first(1), simulation) + " and the edge " +
             vertex_names(v.subspan(1, 2), simulation);
    case PairKind::vertex_face:
      return "vertex " + vertex_names(v.first(1), simulation) + " and the face " +
             vertex_names(v.subspan(1, 3), simulation);
    case PairKind::longest_length:
    case PairKind::shortest_length:
      return "the ends of the edge " + vertex_names(v.first(2), simulation);
    case PairKind::edge_edge:
      break;
  }
  return "the edges " + vertex_names(v.first(2), simulation) + " and " +
         vertex_names(v.subspan(2, 2), simulation);
}

std::string text_of(const AuditFault& fault, const Audit& audit, const Simulation& simulation) {
  const Problem problem = problem_of(simulation);
  return text_of(fault.first, audit, problem, simulation) + verb_of(fault.kind) +
         text_of(fault.second, audit, problem, simulation) + " near (" +
         number_text(fault.place.x) + ", " + number_text(fault.place.y) + ", " +
         number_text(fault.place.z) + ")" +
         (fault.time ? " at time " + number_text(simulation.start.time + *fault.time) : "");
}

}  // namespace carom::asynchronous
