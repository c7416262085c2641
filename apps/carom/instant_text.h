#pragma once

#include <string>
#include <vector>

#include "carom/runs/instant_run.h"
#include "carom/scene/instant.h"

namespace carom::cli {

/// Bodies down, operators across. `before`: with a first column of the velocities before the
/// impact.
[[nodiscard]] std::string velocities_text(const Instant& instant,
                                          const std::vector<InstantRun>& runs);
[[nodiscard]] std::string impulses_text(const Instant& instant,
                                        const std::vector<InstantRun>& runs);
/// Laws down, operators across, with residuals.
[[nodiscard]] std::string laws_text(const Instant& instant, const std::vector<InstantRun>& runs);
/// Margin and bound of each component, where they were computed.
[[nodiscard]] std::string certificates_text(const Instant& instant, const InstantRun& run);
[[nodiscard]] std::string expectations_text(const std::vector<InstantRun>& runs);
/// One application.
[[nodiscard]] std::string event_text(const Instant& instant, const ImpactObserver::Event& event);
/// "cue-upper", or "upper, cue" where the contact has no name.
[[nodiscard]] std::string row_label(const ImpactProblem& problem, Index row);

}  // namespace carom::cli
