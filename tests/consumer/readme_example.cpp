#include <iostream>

#include "carom/impact/resolve.h"

// Newton's cradle at the instant of impact: three touching balls, the first arrives with speed 1.
int main() {
  carom::ImpactProblem problem;
  for (const double speed : {1.0, 0.0, 0.0}) {
    problem.add_body({.mass = 1.0, .velocity = {speed}});
  }
  problem.add_contact({.body_a = 1, .body_b = 0, .normal = {1.0}});
  problem.add_contact({.body_a = 2, .body_b = 1, .normal = {1.0}});

  const carom::ImpactResult result = carom::resolve_impacts(problem, {.impact_operator = "gr"});

  std::cout << to_string(result.status) << " in " << result.report.applications
            << " applications, energy residual " << result.report.energy << '\n';
  for (carom::Index ball = 0; ball < problem.body_count(); ++ball) {
    std::cout << "ball " << ball << ": " << result.velocity(problem, ball)[0] << '\n';
  }
  return result.status == carom::ImpactStatus::resolved ? 0 : 1;
}
