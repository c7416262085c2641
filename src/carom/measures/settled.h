#pragma once

#include <optional>
#include <string>

#include "carom/runs/run_record.h"
#include "carom/scene/scene.h"

namespace carom {

/// Whether a run came to rest: it has settled when no place of any body was faster than a bound
/// from some frame on to the last, and that for a time.
struct Settled {
  SettledMeasure bound;
  bool is_settled = false;
  double since = 0.0;    ///< s, of the first frame of the quiet end of the run, where it has one
  double fastest = 0.0;  ///< m/s, of any place of any body in the last frame
};

/// The bound that the scene's [measure] gives, or, in a scene with gravity g, the speed
/// 1e-3 sqrt(g r) for the time 10 sqrt(r / g), r the radius of the smallest body (about it): a
/// thousandth of the speed, and ten times the time, of a fall by its own size. Without gravity
/// there is none but what the scene gives.
[[nodiscard]] std::optional<SettledMeasure> settled_bound(const Scene& scene);

/// From the frames, the last first: those before the quiet end are not read. A body's places are
/// no faster than |v| + |w| R, R the distance of its farthest place from its centre of mass.
/// Nothing where there is no bound or no frame.
[[nodiscard]] std::optional<Settled> settled_state(const RunRecord& record, const Scene& scene);

/// "settled since 2.1 s: no place of any body faster than 0.001 m/s", or how far from it.
[[nodiscard]] std::string describe(const Settled& settled);

}  // namespace carom
