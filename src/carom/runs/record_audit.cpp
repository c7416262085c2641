// Recorded frames against the exact audit of asynchronous contact mechanics.
#include "carom/runs/record_audit.h"

#include <vector>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/length_audit.h"
#include "carom/asynchronous/problem_of.h"
#include "carom/asynchronous/wall_audit.h"
#include "carom/core/error.h"
#include "carom/runs/scene_run.h"
#include "carom/schemes/registry.h"

namespace carom {
namespace {

void demand_scheme(const RunRecord& record) {
  const std::string scheme = recorded_scheme(record.header());
  if (recorded_scheme_info(record.header()).exact_audit) return;
  throw InputError({}, "is a run " +
                           (scheme.empty() ? "that does not say its scheme"
                                           : "with time.scheme \"" + scheme + "\"") +
                           "; only runs with " +
                           schemes_where([](const SchemeInfo& i) { return i.exact_audit; }) +
                           " promise that nothing ever touches, so only they are audited");
}

void take_positions(const RecordedFrame& frame, Index bodies, std::vector<Vec3>& places) {
  if (frame.positions.size() != std::size_t{3} * bodies) {
    throw InputError({}, "step " + std::to_string(frame.step) + ": a frame with " +
                             std::to_string(frame.positions.size() / 3) + " bodies of a scene of " +
                             std::to_string(bodies));
  }
  for (std::size_t i = 0; i < bodies; ++i) {
    const double* x = &frame.positions[3 * i];
    places[i] = {x[0], x[1], x[2]};
  }
}

}  // namespace

RecordAudit audit_record(const RunRecord& record) {
  demand_scheme(record);
  if (!record.header().presence.empty()) {
    throw InputError({},
                     "bodies come and go in this recording: only those whose bodies stay can be "
                     "audited frame by frame");
  }
  const Simulation simulation = scene_of(record.header()).scene.simulation;
  const asynchronous::Problem problem = asynchronous::problem_of(simulation);
  asynchronous::Audit audit(asynchronous::audit_mesh_of(problem));
  const Index bodies = simulation.world.bodies.size();
  std::vector<Vec3> places = problem.position;
  RecordAudit outcome;
  for (std::size_t k = 0; k < record.frame_times().size(); ++k) {
    const RecordedFrame frame = record.frame(k);
    take_positions(frame, bodies, places);
    asynchronous::place_obstacles(problem, frame.time, places, bodies);
    const asynchronous::StateReport report = audit.state(places);
    ++outcome.frames;
    outcome.pairs += report.pairs;
    if (const auto fault = asynchronous::audit_walls(problem, places)) {
      outcome.fault = RecordAudit::Fault{k, frame.time, asynchronous::text_of(*fault, simulation)};
      return outcome;
    }
    if (const auto fault = asynchronous::audit_lengths(problem, places)) {
      outcome.fault =
          RecordAudit::Fault{k, frame.time, asynchronous::text_of(*fault, problem, simulation)};
      return outcome;
    }
    if (report.status == asynchronous::AuditStatus::passed) continue;
    const std::string what = report.faults.empty()
                                 ? "a position is not a finite number, or not in the plane"
                                 : asynchronous::text_of(report.faults.front(), audit, simulation);
    outcome.fault = RecordAudit::Fault{k, frame.time, what};
    return outcome;
  }
  return outcome;
}

}  // namespace carom
