#pragma once

#include <vector>

#include "carom/runs/claim.h"
#include "carom/runs/run_record.h"
#include "carom/scene/scene.h"

namespace carom {

/// One claim per thing that the expectation says of a run, from what was recorded. A time at which
/// there is no frame is judged at the nearest one before it where the claim is about a symmetry,
/// and is an InputError where it is about places. A time after the end of the run leaves its claim
/// unjudged ("not reached"), unless the run stopped by itself: then the claim has failed.
[[nodiscard]] std::vector<Claim> judge_run(const SceneExpectation& expectation,
                                           const RunRecord& record);

/// What the scene expects of an operator; null when its list does not have it.
[[nodiscard]] const SceneExpectation* expectation_for(const Scene& scene,
                                                      const std::string& impact_operator);

/// Largest distance between the image of a ball and its partner (scene/scene.h), in one frame.
[[nodiscard]] double symmetry_error(const SymmetryExpectation& symmetry, const RecordedFrame& start,
                                    const RecordedFrame& frame);
/// The same for every frame of a run.
[[nodiscard]] std::vector<double> symmetry_errors(const SymmetryExpectation& symmetry,
                                                  const RunRecord& record);

/// The symmetries that the scene expects of any of its operators to be kept or lost, each once.
[[nodiscard]] std::vector<SymmetryExpectation> symmetries_of(const Scene& scene);

}  // namespace carom
