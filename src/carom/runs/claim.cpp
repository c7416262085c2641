// Claims, and how they are judged.
#include "carom/runs/claim.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace carom {

Claim claim_at_most(std::string text, double measured, double bound) {
  return {std::move(text), measured, "<=", bound, 0.0, measured <= bound, ""};
}

Claim claim_at_least(std::string text, double measured, double bound) {
  const bool passed = std::isfinite(measured) && measured >= bound;
  return {std::move(text), measured, ">=", bound, 0.0, passed, ""};
}

Claim claim_equal(std::string text, double measured, double expected, double tolerance) {
  const bool passed = std::abs(measured - expected) <= tolerance;
  return {std::move(text), measured, "=", expected, tolerance, passed, ""};
}

Claim claim_true(std::string text, bool measured) {
  return {std::move(text), measured ? 1.0 : 0.0, "is", 1.0, 0.0, measured, ""};
}

Claim claim_unjudged(std::string text, std::string reason) {
  Claim claim;
  claim.text = std::move(text);
  claim.unjudged = std::move(reason);
  return claim;
}

bool all_passed(std::span<const Claim> claims) {
  return std::all_of(claims.begin(), claims.end(),
                     [](const Claim& c) { return c.passed || !c.unjudged.empty(); });
}

std::string describe(const Claim& claim) {
  if (!claim.unjudged.empty()) return fmt::format("{}: {}", claim.text, claim.unjudged);
  if (claim.relation == "is") {
    return fmt::format("{}: {}", claim.text, claim.measured == 1.0 ? "yes" : "no");
  }
  std::string text = fmt::format("{}: {:.10g} {} {:.10g}", claim.text, claim.measured,
                                 claim.relation, claim.bound);
  if (claim.relation == "=" && claim.tolerance > 0.0) {
    text += fmt::format(" (within {:g})", claim.tolerance);
  }
  return text;
}

std::string to_csv(const DataTable& table) {
  std::string out = fmt::format("{}\n", fmt::join(table.columns, ","));
  for (const std::vector<double>& row : table.rows) out += fmt::format("{}\n", fmt::join(row, ","));
  return out;
}

}  // namespace carom
