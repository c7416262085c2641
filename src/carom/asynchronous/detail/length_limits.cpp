// Bounds on the lengths of edges: gaps, clocks, and proofs that a length stays below its bound.
#include "carom/asynchronous/detail/length_limits.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::asynchronous::detail {
namespace {

std::vector<double> counts_of(const Problem& problem) {
  std::vector<double> counts(problem.mass.size(), 0.0);
  for (const LengthLimit& limit : problem.limits) {
    for (const Index i : limit.vertex) counts[i] += 1.0;
  }
  return counts;
}

}  // namespace

std::vector<ContactLaw> all_laws(const Problem& problem) {
  std::vector<ContactLaw> laws = problem.contact;
  for (const LengthLimit& limit : problem.limits) {
    laws.push_back({limit.stiffness, limit.thickness, limit.restitution, 0.0});
  }
  return laws;
}

Stencil gap_of(const LengthLimit& limit, const Vec3& x_a, const Vec3& x_b) {
  if (limit.side == LengthLimit::Side::shortest) {
    Stencil gap = vertex_vertex(x_a, x_b);
    gap.distance -= limit.length;
    return gap;
  }
  // The normal points from a to b: moving a that way shortens the length and widens the gap.
  Stencil gap = vertex_vertex(x_b, x_a);
  gap.distance = limit.length - gap.distance;
  return gap;
}

std::vector<double> first_steps_of_limits(const Problem& problem, const Settings& settings) {
  const std::vector<double> counts = counts_of(problem);
  std::vector<double> share(problem.mass.size());
  for (std::size_t i = 0; i < share.size(); ++i) share[i] = counts[i] / problem.mass[i];
  for (const HeldVertex& held : problem.held) share[held.vertex] = 0.0;
  std::vector<double> steps;
  steps.reserve(problem.limits.size());
  for (const LengthLimit& limit : problem.limits) {
    const double sum = share[limit.vertex[0]] + share[limit.vertex[1]];
    steps.push_back(settings.contact_step / std::sqrt(sum * limit.stiffness));
  }
  return steps;
}

std::vector<double> pressed_stiffness(const Problem& problem) {
  double of_contact = 0.0;
  for (const ContactLaw& law : problem.contact) of_contact = std::max(of_contact, law.stiffness);
  std::vector<double> of_limits(problem.mass.size(), 0.0);
  for (const LengthLimit& limit : problem.limits) {
    for (const Index i : limit.vertex) of_limits[i] += limit.stiffness;
  }
  for (double& stiffness : of_limits) stiffness = std::max(stiffness, of_contact);
  return of_limits;
}

double time_within(const Vec3& apart, const Vec3& motion, double vague, double bound) {
  const double length = norm(apart);
  const double spare = bound - length;
  if (!(spare >= 0.0)) return 0.0;
  // |apart + t motion| = bound - t vague, squared: a t^2 + 2 b t - c = 0.
  const double a = norm_squared(motion) - vague * vague;
  const double b = dot(apart, motion) + bound * vague;
  const double c = spare * (bound + length);
  const double root = std::sqrt(std::max(b * b + a * c, 0.0));
  double time = kInfinity;
  if (b > 0.0) {
    time = c / (b + root);
  } else if (a > 0.0) {
    time = (root - b) / a;
  }
  // Whatever round-off did: the end itself is looked at.
  for (int halvings = 0; halvings < 64 && time < kInfinity; ++halvings) {
    if (norm(apart + time * motion) + time * vague <= bound + 16.0 * kRoundOff * bound) return time;
    time *= 0.5;
  }
  return time < kInfinity ? 0.0 : time;
}

}  // namespace carom::asynchronous::detail
