// Cone programs by proximal multipliers: with the shift s = mu |u_t| of each contact held,
//
//   (1)  minimise  1/2 |x - x_0|^2 + sum_c 1 / (2 rho_c) |P(r_c - rho_c (u_c + s_c n))|^2
//   (2)  r := P(r - rho (u + s n)),   s := mu |u_t|
//
// (1) is convex; a semismooth Newton method with a line search along its derivative finds its
// minimum. rho_c = alpha / w_c. The sequence of (2) is extrapolated [Walker2011] where that does
// not double the residual.
#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/cone_mixing.h"
#include "carom/solvers/detail/cone_system.h"
#include "carom/solvers/detail/cone_tools.h"

namespace carom::solvers {
namespace {

// The derivative of the projection on the cone, times rho. False: it is zero.
bool projection_derivative(const ConeVector& z, double friction, double rho, ConeBlock& g) {
  g = {};
  const double t = slip_speed(z);
  if (friction * t <= -z[0]) return false;
  if (t <= friction * z[0]) {
    g[0] = g[4] = g[8] = rho;
    return true;
  }
  if (friction == 0.0) {
    g[0] = rho;
    return true;
  }
  const double share = rho / (1.0 + friction * friction);
  const double along = friction * (z[0] + friction * t) / t * share;
  const double ex = z[1] / t;
  const double ey = z[2] / t;
  const double radial = friction * friction * share - along;
  g = {share,
       share * friction * ex,
       share * friction * ey,
       share * friction * ex,
       radial * ex * ex + along,
       radial * ex * ey,
       share * friction * ey,
       radial * ex * ey,
       radial * ey * ey + along};
  return true;
}

double inner_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

class NewtonMethod {
 public:
  NewtonMethod(const ConeWork& work, const ConeSettings& settings)
      : work_(work),
        program_(*work.program),
        goal_(std::max(settings.tolerance, work.rounding)),
        most_(settings.max_iterations),
        system_(program_),
        mixing_(work),
        count_(program_.contacts.size()),
        shift_(count_),
        next_(count_),
        slip_(count_),
        change_(count_),
        blocks_(count_) {}

  ConeResult run(std::vector<ConeVector>& impulses, std::vector<double>& velocity);

 private:
  void move_shift(std::span<const double> velocity);
  [[nodiscard]] bool minimise(std::span<const ConeVector> impulses, std::vector<double>& velocity,
                              double goal);
  void look(std::span<const ConeVector> impulses, std::span<const double> velocity);
  [[nodiscard]] double step_length(std::span<const ConeVector> impulses,
                                   std::span<const double> velocity);
  [[nodiscard]] ConeVector moved(const ConeVector& r, const ConeVector& u, std::size_t c) const {
    const double rho = penalty_ / work_.weight[c];
    return {r[0] - rho * (u[0] + shift_[c]), r[1] - rho * u[1], r[2] - rho * u[2]};
  }

  static constexpr double kFirstPenalty = 100.0;
  /// Beyond it the sets of sticking and sliding contacts change without end.
  static constexpr double kLargestPenalty = 1e3;
  static constexpr double kSlow = 0.3;  ///< of two residuals, where a larger penalty is tried
  static constexpr unsigned kMostOuter = 300;
  static constexpr unsigned kMostInner = 60;

  const ConeWork& work_;
  const ConeProgram& program_;
  double goal_;
  std::uint64_t most_;
  double penalty_ = kFirstPenalty;  ///< alpha
  ConeSystem system_;
  ConeMixing mixing_;
  std::size_t count_;
  std::vector<double> shift_;
  std::vector<ConeVector> next_;  ///< (2)
  std::vector<ConeVector> slip_;
  std::vector<ConeVector> change_;
  std::vector<ConeBlock> blocks_;
  std::vector<ConeBlock> factored_;  ///< of the factor
  std::vector<double> gradient_;
  std::vector<double> direction_;
  ConeResult result_;
};

void NewtonMethod::move_shift(std::span<const double> velocity) {
  for (std::size_t c = 0; c < count_; ++c) {
    const ConeContact& contact = program_.contacts[c];
    shift_[c] = contact.friction * slip_speed(cone_slip(contact, velocity));
  }
}

// Slips, the next impulses and the gradient of (1).
void NewtonMethod::look(std::span<const ConeVector> impulses, std::span<const double> velocity) {
  gradient_.assign(velocity.begin(), velocity.end());
  for (std::size_t k = 0; k < gradient_.size(); ++k) gradient_[k] -= program_.free_velocity[k];
  for (std::size_t c = 0; c < count_; ++c) {
    const ConeContact& contact = program_.contacts[c];
    slip_[c] = cone_slip(contact, velocity);
    const ConeVector z = moved(impulses[c], slip_[c], c);
    next_[c] = project_on_cone(z, contact.friction);
    static_cast<void>(
        projection_derivative(z, contact.friction, penalty_ / work_.weight[c], blocks_[c]));
    if (next_[c] == ConeVector{}) continue;
    add_impulse(contact, {-next_[c][0], -next_[c][1], -next_[c][2]}, gradient_);
  }
}

// Along the direction: where the derivative has lost nine tenths of itself, at most 1.
double NewtonMethod::step_length(std::span<const ConeVector> impulses,
                                 std::span<const double> velocity) {
  double begin = inner_product(gradient_, direction_);
  double constant = 0.0;
  for (std::size_t k = 0; k < velocity.size(); ++k) {
    constant += (velocity[k] - program_.free_velocity[k]) * direction_[k];
  }
  const double slope = inner_product(direction_, direction_);
  for (std::size_t c = 0; c < count_; ++c) {
    ConeContact still = program_.contacts[c];
    still.bias = {};
    change_[c] = cone_slip(still, direction_);
  }
  const auto derivative = [&](double t) {
    double sum = constant + t * slope;
    for (std::size_t c = 0; c < count_; ++c) {
      ConeVector u;
      for (std::size_t d = 0; d < 3; ++d) u[d] = slip_[c][d] + t * change_[c][d];
      const ConeVector r = project_on_cone(moved(impulses[c], u, c), program_.contacts[c].friction);
      sum -= r[0] * change_[c][0] + r[1] * change_[c][1] + r[2] * change_[c][2];
    }
    return sum;
  };
  constexpr double kEnough = 0.1;
  const double enough = kEnough * std::abs(begin);
  double end = derivative(1.0);
  if (!(end > enough)) return 1.0;
  double low = 0.0;
  double high = 1.0;
  double t = 1.0;
  constexpr unsigned kMostTrials = 30;
  for (unsigned trial = 0; trial < kMostTrials; ++trial) {
    constexpr double kInside = 0.1;
    t = low + (high - low) * std::clamp(begin / (begin - end), kInside, 1.0 - kInside);
    const double here = derivative(t);
    if (std::abs(here) < enough) break;
    if (here > 0.0) {
      high = t;
      end = here;
    } else {
      low = t;
      begin = here;
    }
  }
  return t;
}

// (1) by Newton's method. False where a factor fails.
bool NewtonMethod::minimise(std::span<const ConeVector> impulses, std::vector<double>& velocity,
                            double goal) {
  double last = kInfinity;
  for (unsigned inner = 0;; ++inner) {
    look(impulses, velocity);
    // What the gradient does to slips, in the residual's measure.
    double error = 0.0;
    for (std::size_t c = 0; c < count_; ++c) {
      ConeContact still = program_.contacts[c];
      still.bias = {};
      for (const double part : cone_slip(still, gradient_)) error = std::max(error, std::abs(part));
    }
    error /= program_.speed;
    if (error <= goal || inner == kMostInner) return true;
    // The gradient's own rounding is that of the slips, times the penalty.
    if (inner > 3 && !(error < 0.9 * last) && error <= penalty_ * work_.rounding) return true;
    last = error;
    ++result_.iterations;
    if (factored_ != blocks_) {
      ++result_.factorizations;
      if (!system_.factor(blocks_)) return false;
      factored_ = blocks_;
    }
    direction_ = gradient_;
    for (double& number : direction_) number = -number;
    system_.solve(direction_);
    const double t = step_length(impulses, velocity);
    for (std::size_t k = 0; k < velocity.size(); ++k) velocity[k] += t * direction_[k];
  }
}

ConeResult NewtonMethod::run(std::vector<ConeVector>& impulses, std::vector<double>& velocity) {
  std::vector<ConeVector> best = impulses;
  double best_residual = kInfinity;
  double residual = cone_residual(program_, impulses, velocity);
  double last_residual = kInfinity;
  for (unsigned outer = 0;; ++outer) {
    if (residual < best_residual) {
      best_residual = residual;
      best = impulses;
    }
    if (residual <= goal_ || outer == kMostOuter || result_.iterations >= most_) break;
    if (residual > kSlow * last_residual) penalty_ = std::min(kLargestPenalty, 2.0 * penalty_);
    last_residual = residual;
    move_shift(velocity);
    constexpr double kShare = 0.05;
    const double inner_goal = kShare * std::max(residual, goal_);
    if (!minimise(impulses, velocity, std::max(inner_goal, 0.25 * work_.rounding))) break;
    const std::vector<ConeVector> plain = next_;  // (2)
    mixing_.mix(impulses, plain);
    cone_velocity(program_, impulses, velocity);
    residual = cone_residual(program_, impulses, velocity);
    if (residual < 2.0 * last_residual) continue;
    mixing_.forget();
    impulses = plain;
    cone_velocity(program_, impulses, velocity);
    residual = cone_residual(program_, impulses, velocity);
  }
  impulses = best;
  cone_velocity(program_, impulses, velocity);
  result_.residual = best_residual;
  result_.status = best_residual <= goal_ ? ConeStatus::solved : ConeStatus::budget_exhausted;
  return result_;
}

}  // namespace

ConeResult solve_by_newton(const ConeWork& work, const ConeSettings& settings,
                           std::vector<ConeVector>& impulses, std::vector<double>& velocity) {
  return NewtonMethod(work, settings).run(impulses, velocity);
}

}  // namespace carom::solvers
