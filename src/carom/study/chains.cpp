// Chains of touching balls as problems, and how springs would send a pulse through them.
#include "carom/study/chains.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

struct ChainState {
  std::vector<double> depth;  // of each spring
  std::vector<double> v;      // of each ball
};

double spring_force(double depth, double exponent) {
  if (depth <= 0.0) return 0.0;
  return exponent == 1.0 ? depth : std::pow(depth, exponent);
}

ChainState slope(const ChainState& state, std::span<const double> masses, double exponent) {
  ChainState result{std::vector<double>(state.depth.size()),
                    std::vector<double>(state.v.size(), 0.0)};
  for (std::size_t i = 0; i < state.depth.size(); ++i) {
    const double force = spring_force(state.depth[i], exponent);
    result.depth[i] = state.v[i] - state.v[i + 1];
    result.v[i] -= force / masses[i];
    result.v[i + 1] += force / masses[i + 1];
  }
  return result;
}

ChainState moved(ChainState state, const ChainState& direction, double step) {
  for (std::size_t i = 0; i < state.depth.size(); ++i) state.depth[i] += step * direction.depth[i];
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] += step * direction.v[i];
  return state;
}

// Bodies do not move at an instant: an opened spring touches again at once.
bool close_gaps(ChainState& state) {
  bool rest = true;
  for (std::size_t i = 0; i < state.depth.size(); ++i) {
    state.depth[i] = std::max(state.depth[i], 0.0);
    rest = rest && state.depth[i] == 0.0 && state.v[i] <= state.v[i + 1];
  }
  return rest;
}

}  // namespace

ImpactProblem make_chain(std::span<const double> velocities, std::span<const double> masses,
                         double restitution) {
  ImpactProblem problem;
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    BodyDefinition ball;
    ball.mass = masses.empty() ? 1.0 : masses[i];
    ball.velocity = {velocities[i]};
    ball.position = Numbers{static_cast<double>(i)};
    problem.add_body(ball);
  }
  for (std::size_t i = 0; i + 1 < velocities.size(); ++i) {
    ContactDefinition contact;
    contact.body_a = static_cast<Index>(i + 1);
    contact.body_b = static_cast<Index>(i);
    contact.normal = {1.0};
    contact.restitution = restitution;
    problem.add_contact(contact);
  }
  return problem;
}

std::vector<double> cradle_velocities(std::size_t count) {
  std::vector<double> velocities(count, 0.0);
  if (!velocities.empty()) velocities.front() = 1.0;
  return velocities;
}

double max_difference(std::span<const double> a, std::span<const double> b) {
  double largest = a.size() == b.size() ? 0.0 : kInfinity;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    // A NaN must not look small.
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = a.size() == b.size() ? 0.0 : kInfinity;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return std::sqrt(sum);
}

std::vector<double> spring_chain(std::span<const double> velocities, std::span<const double> masses,
                                 double exponent, double step) {
  ChainState state{std::vector<double>(velocities.size() - 1, 0.0),
                   {velocities.begin(), velocities.end()}};
  constexpr int kMostSteps = 10'000'000;
  for (int n = 0; n < kMostSteps && !close_gaps(state); ++n) {
    const ChainState k1 = slope(state, masses, exponent);
    const ChainState k2 = slope(moved(state, k1, 0.5 * step), masses, exponent);
    const ChainState k3 = slope(moved(state, k2, 0.5 * step), masses, exponent);
    const ChainState k4 = slope(moved(state, k3, step), masses, exponent);
    state = moved(state, k1, step / 6.0);
    state = moved(state, k2, step / 3.0);
    state = moved(state, k3, step / 3.0);
    state = moved(state, k4, step / 6.0);
  }
  return state.v;
}

ImpactSettings with_operator(const std::string& name) {
  ImpactSettings settings;
  settings.impact_operator = name;
  return settings;
}

}  // namespace carom
