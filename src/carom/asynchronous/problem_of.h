#pragma once

#include <span>
#include <string>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/problem.h"
#include "carom/stepping/simulation.h"

namespace carom::asynchronous {

/// A simulation as the engine sees it. Vertex i is body i; behind the bodies come the vertices of
/// obstacles. Bodies are points, each with half of a thickness, its radius: contact of two begins
/// at the sum of their radii, with an obstacle at the radius. The engine's time is 0 at the start.
///
/// Throws InputError on what the engine cannot run: bodies that turn, a periodic world, shapes that
/// are neither flat nor meshes, motions that are not piecewise straight, restitution that depends
/// on the speed.
[[nodiscard]] Problem problem_of(const Simulation& simulation);
[[nodiscard]] Settings settings_of(const Simulation& simulation);

/// Places of obstacles at a time: of all vertices from `first` on, which are held.
void place_obstacles(const Problem& problem, double time, std::span<Vec3> places, Index first);

/// What the audit looks at: the engine's vertices, edges and faces.
[[nodiscard]] AuditMesh audit_mesh_of(const Problem& problem);

/// Which shape a wall belongs to, in the scene's names: "shape 'floor'".
[[nodiscard]] std::string wall_name(Index wall, const Simulation& simulation);
/// A pair in the scene's names: "vertex 'cloth-3' and the edge 'cloth-7', 'cloth-8'".
[[nodiscard]] std::string text_of(const PairName& pair, const Simulation& simulation);
/// What an audit of audit_mesh_of(problem_of(simulation)) found, in the scene's names.
[[nodiscard]] std::string text_of(const AuditFault& fault, const Audit& audit,
                                  const Simulation& simulation);

}  // namespace carom::asynchronous
