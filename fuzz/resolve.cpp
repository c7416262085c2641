// Whatever instant can be read is resolved within a small budget, with any settings and any
// operator: the outcome is a status, and numbers of ordinary size never become infinite.

#include "carom/impact/resolve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/scene/instant.h"

namespace {

// Small problems only: a slow input would hide others.
constexpr carom::Index kMostBodies = 12;
constexpr carom::Index kMostRows = 12;

// Zero, or far from where squares overflow and vanish.
bool ordinary(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) {
    return x == 0.0 || (std::abs(x) > 1e-30 && std::abs(x) < 1e30);
  });
}

bool ordinary(const carom::ImpactProblem& problem) {
  bool result = ordinary(problem.velocities());
  for (carom::Index i = 0; i < problem.body_count(); ++i) {
    result = result && ordinary(problem.mass_matrix(i)) && ordinary(problem.inverse_mass(i)) &&
             ordinary(problem.body(i).position);
  }
  for (carom::Index i = 0; i < problem.row_count(); ++i) {
    const double offset = problem.row(i).offset;
    result = result && ordinary(problem.gradient_a(i)) && ordinary(problem.gradient_b(i)) &&
             ordinary(std::span(&offset, 1));
    for (carom::Index t = 0; t < problem.row(i).tangent_count; ++t) {
      const double speed = problem.tangent_offset(i, t);
      result = result && ordinary(problem.tangent_a(i, t)) && ordinary(problem.tangent_b(i, t)) &&
               ordinary(std::span(&speed, 1));
    }
  }
  return result;
}

bool finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

void resolve(const carom::Instant& instant, const std::string& name) {
  // lzb integrates, which for stiffness ratios of any size takes any time.
  if (name.starts_with("lzb")) return;
  carom::ImpactSettings settings = instant.settings;
  settings.impact_operator = name;
  settings.max_applications = 50;
  settings.layer_applications = 50;
  settings.friction_passes = std::min(settings.friction_passes, 5U);
  try {
    const carom::ImpactResult result = carom::resolve_impacts(instant.problem, settings);
    CAROM_DEMAND(result.velocities.size() == instant.problem.velocities().size());
    if (!ordinary(instant.problem)) return;
    CAROM_DEMAND(finite(result.velocities));
    CAROM_DEMAND(finite(result.impulses));
    CAROM_DEMAND(finite(result.friction_impulses));
  } catch (const carom::InputError&) {
    // settings that do not go together
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are text here.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const carom::Instant instant = carom::read_instant(text, "fuzz.toml");
    if (instant.problem.body_count() > kMostBodies || instant.problem.row_count() > kMostRows) {
      return 0;
    }
    const std::size_t count = std::min<std::size_t>(instant.operators.size(), 3);
    for (std::size_t k = 0; k < count; ++k) resolve(instant, instant.operators[k]);
  } catch (const carom::InputError&) {
    // what bad input is answered with
  }
  return 0;
}
