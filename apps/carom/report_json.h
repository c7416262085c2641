#pragma once

#include <nlohmann/json.hpp>

#include "carom/impact/resolve.h"
#include "carom/runs/claim.h"
#include "carom/runs/instant_run.h"
#include "carom/scene/instant.h"

namespace carom::cli {

using Json = nlohmann::ordered_json;

/// What goes in: bodies, rows and settings. Numbers that are not finite become null.
[[nodiscard]] Json describe_input(const Instant& instant);
/// What came out of one operator.
[[nodiscard]] Json describe_run(const Instant& instant, const InstantRun& run);
[[nodiscard]] Json describe_claims(const std::vector<Claim>& claims);
[[nodiscard]] Json describe_event(const Instant& instant, const ImpactObserver::Event& event);

}  // namespace carom::cli
