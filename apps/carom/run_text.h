#pragma once

#include <string>
#include <vector>

#include "carom/runs/claim.h"
#include "carom/runs/scene_run.h"

namespace carom::cli {

/// What a run amounted to, on the standard output.
void print_summary(const RunSummary& summary);
/// One line per claim; true when none failed.
bool print_claims(const std::vector<Claim>& claims);

}  // namespace carom::cli
