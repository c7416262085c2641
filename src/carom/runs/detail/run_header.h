#pragma once

#include <cstdint>
#include <string>

#include "carom/recording/recording.h"
#include "carom/runs/diagnostics.h"
#include "carom/scene/scene.h"

namespace carom::detail {

/// The columns of a scene's runs.
[[nodiscard]] DiagnosticTable table_of(const Scene& scene);

/// What `RecordingHeader::settings_json` says of a run of so many steps.
[[nodiscard]] std::string settings_json(const Scene& scene, std::uint64_t steps);

/// What a recording says of the run that it holds, of so many steps.
[[nodiscard]] RecordingHeader make_header(const Scene& scene, std::uint64_t steps);

}  // namespace carom::detail
