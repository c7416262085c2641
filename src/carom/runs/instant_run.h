#pragma once

#include <string>
#include <vector>

#include "carom/impact/operator.h"
#include "carom/impact/resolve.h"
#include "carom/runs/claim.h"
#include "carom/scene/instant.h"

namespace carom {

/// How one law fared in one resolution.
struct LawVerdict {
  Law law = Law::one;
  Promise promise = Promise::no;  ///< of the operator
  bool judged = true;             ///< false: nothing to judge (momentum of what touches a wall)
  bool held = false;
  double residual = 0.0;  ///< as in ImpactReport; for FIN the number of applications
  double bound = 0.0;
};

/// ONE, MOM, KIN, FEAS, FIN and IMP, judged from the report to multiples of round-off that grow
/// with the number of applications. SYM, BRK and WAV compare several problems:
/// study/operator_chart.h.
[[nodiscard]] std::vector<LawVerdict> judge_laws(const ImpactProblem& problem,
                                                 const ImpactSettings& settings,
                                                 const ImpactResult& result);

/// One claim per thing that the expectation says.
[[nodiscard]] std::vector<Claim> judge_expectation(const Expectation& expectation,
                                                   const ImpactProblem& problem,
                                                   const ImpactSettings& settings,
                                                   const ImpactResult& result);

/// An instant resolved by one operator.
struct InstantRun {
  std::string impact_operator;  ///< as specified, e.g. "gauss_seidel:order=worst"
  ImpactResult result;
  std::vector<LawVerdict> laws;
  std::vector<Claim> claims;  ///< from the file's [expect]
};

/// `settings.impact_operator` is the operator. Expectations are judged where the file lists that
/// operator.
[[nodiscard]] InstantRun run_instant(const Instant& instant, const ImpactSettings& settings);

}  // namespace carom
