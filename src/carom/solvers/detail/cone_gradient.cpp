// Cone programs by accelerated projected gradients with restart [Mazhar2015], for those that are
// too large for a factor: all contacts move at once, so that their order does not matter, and De
// Saxce's shift is that of the velocities at hand in every iteration.
#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/cone_tools.h"

namespace carom::solvers {
namespace {

class GradientMethod {
 public:
  GradientMethod(const ConeWork& work, const ConeSettings& settings)
      : work_(work),
        program_(*work.program),
        goal_(std::max(settings.tolerance, work.rounding)),
        most_(settings.max_iterations),
        count_(program_.contacts.size()) {}

  ConeResult run(std::vector<ConeVector>& impulses, std::vector<double>& velocity);

 private:
  [[nodiscard]] double largest_eigenvalue() const;

  const ConeWork& work_;
  const ConeProgram& program_;
  double goal_;
  std::uint64_t most_;
  std::size_t count_;
};

// Of D^-1/2 J J' D^-1/2, D the weights, by the power method from a fixed start, with room to spare.
double GradientMethod::largest_eigenvalue() const {
  std::vector<ConeVector> q(count_, ConeVector{1.0, 1.0, 1.0});
  std::vector<double> z;
  double value = 1.0;
  constexpr unsigned kRounds = 20;
  for (unsigned round = 0; round < kRounds; ++round) {
    double square = 0.0;
    for (const ConeVector& v : q) square += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (!(square > 0.0)) return 1.0;
    const double scale = 1.0 / std::sqrt(square);
    z.assign(program_.free_velocity.size(), 0.0);
    for (std::size_t c = 0; c < count_; ++c) {
      const double factor = scale / std::sqrt(work_.weight[c]);
      add_impulse(program_.contacts[c], {factor * q[c][0], factor * q[c][1], factor * q[c][2]}, z);
    }
    value = 0.0;
    for (std::size_t c = 0; c < count_; ++c) {
      ConeContact still = program_.contacts[c];
      still.bias = {};
      q[c] = cone_slip(still, z);
      const double factor = 1.0 / std::sqrt(work_.weight[c]);
      for (double& part : q[c]) {
        part *= factor;
        value += part * part;
      }
    }
  }
  constexpr double kRoom = 1.1;
  return kRoom * std::sqrt(value);
}

ConeResult GradientMethod::run(std::vector<ConeVector>& impulses, std::vector<double>& velocity) {
  const double bound = largest_eigenvalue();
  std::vector<ConeVector> ahead = impulses;  // where the gradient is taken
  std::vector<ConeVector> best = impulses;
  ConeResult result;
  result.residual = cone_residual(program_, impulses, velocity);
  double theta = 1.0;
  constexpr std::uint64_t kLookEvery = 10;
  for (std::uint64_t iteration = 1; iteration <= most_ && result.residual > goal_; ++iteration) {
    cone_velocity(program_, ahead, velocity);
    double uphill = 0.0;
    std::vector<ConeVector> last = impulses;
    for (std::size_t c = 0; c < count_; ++c) {
      const ConeContact& contact = program_.contacts[c];
      ConeVector u = cone_slip(contact, velocity);
      u[0] += contact.friction * slip_speed(u);
      const double step = 1.0 / (bound * work_.weight[c]);
      ConeVector z;
      for (std::size_t d = 0; d < 3; ++d) z[d] = ahead[c][d] - step * u[d];
      impulses[c] = project_on_cone(z, contact.friction);
      for (std::size_t d = 0; d < 3; ++d) {
        uphill += work_.weight[c] * (ahead[c][d] - impulses[c][d]) * (impulses[c][d] - last[c][d]);
      }
    }
    double beta = 0.0;
    if (uphill > 0.0) {
      theta = 1.0;
    } else {
      const double next = 0.5 * theta * (std::sqrt(theta * theta + 4.0) - theta);
      beta = theta * (1.0 - theta) / (theta * theta + next);
      theta = next;
    }
    for (std::size_t c = 0; c < count_; ++c) {
      for (std::size_t d = 0; d < 3; ++d) {
        ahead[c][d] = impulses[c][d] + beta * (impulses[c][d] - last[c][d]);
      }
    }
    result.iterations = iteration;
    if (iteration % kLookEvery != 0 && iteration != most_) continue;
    cone_velocity(program_, impulses, velocity);
    const double residual = cone_residual(program_, impulses, velocity);
    if (residual < result.residual) {
      result.residual = residual;
      best = impulses;
    }
  }
  impulses = best;
  cone_velocity(program_, impulses, velocity);
  result.status = result.residual <= goal_ ? ConeStatus::solved : ConeStatus::budget_exhausted;
  return result;
}

}  // namespace

ConeResult solve_by_gradients(const ConeWork& work, const ConeSettings& settings,
                              std::vector<ConeVector>& impulses, std::vector<double>& velocity) {
  return GradientMethod(work, settings).run(impulses, velocity);
}

}  // namespace carom::solvers
