// Any bytes as an instant file: the reader may only refuse with an InputError, and what it accepts
// must be written and read back, and be resolved to finite numbers within a budget.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/impact/resolve.h"
#include "carom/scene/instant.h"

namespace {

// Small ones only: the target is the reader, and a slow input would hide others.
constexpr carom::Index kMostBodies = 12;
constexpr carom::Index kMostRows = 12;

void resolve(const carom::Instant& instant) {
  for (std::size_t k = 0; k < instant.operators.size() && k < 3; ++k) {
    // lzb integrates, which for stiffness ratios of any size takes any time.
    if (instant.operators[k].starts_with("lzb")) continue;
    carom::ImpactSettings settings = instant.settings;
    settings.impact_operator = instant.operators[k];
    settings.max_applications = 50;
    settings.layer_applications = 50;
    settings.friction_passes = 1;
    try {
      const carom::ImpactResult result = carom::resolve_impacts(instant.problem, settings);
      CAROM_DEMAND(result.velocities.size() == instant.problem.velocities().size());
    } catch (const carom::InputError&) {
      // settings that do not go together
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const carom::Instant instant = carom::read_instant(text, "fuzz");
    const carom::Instant back = carom::read_instant(carom::write_instant(instant), "written");
    CAROM_DEMAND(back.problem.body_count() == instant.problem.body_count());
    CAROM_DEMAND(back.problem.row_count() == instant.problem.row_count());
    if (instant.problem.body_count() <= kMostBodies && instant.problem.row_count() <= kMostRows) {
      resolve(instant);
    }
  } catch (const carom::InputError&) {
    // what bad input is answered with
  }
  return 0;
}
