// Cone programs by accelerated projected gradients with restart [Mazhar2015], for those that are
// too large for a factor: all contacts move at once, so that their order does not matter, and De
// Saxce's shift is that of the velocities at hand in every iteration.
//
// An iteration is two passes over the contacts and nothing else, so the numbers that they read are
// laid out for it: in the plane three numbers for each body and two directions for each contact
// instead of six and three, and one direction where nothing rubs.
#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/cone_tools.h"

namespace carom::solvers {
namespace {

constexpr std::size_t kAllNumbers = ConeContact::kNumbers;
/// The numbers of a body that moves in the plane: along x, along y, about z.
constexpr std::array<std::size_t, 3> kPlanar = {0, 1, 5};

// D directions of a contact, K numbers of a body.
template <std::size_t D, std::size_t K>
class GradientMethod {
 public:
  GradientMethod(const ConeWork& work, const ConeSettings& settings);

  /// The impulses and how many iterations they took.
  ConeResult run(std::vector<ConeVector>& impulses);

 private:
  using Vector = std::array<double, D>;
  struct Contact {
    std::size_t a = 0;  ///< where the numbers of a body begin; the last ones move nobody
    std::size_t b = 0;
    std::array<double, D * K> of_a{};
    std::array<double, D * K> of_b{};
    Vector bias{};
    double friction = 0.0;
    double weight = 1.0;
  };

  [[nodiscard]] static std::size_t number(std::size_t k) { return K == 3 ? kPlanar[k % 3] : k; }
  [[nodiscard]] static Vector project(const Vector& z, double friction);
  [[nodiscard]] static double slip_speed(const Vector& u);
  static void act(const Contact& contact, const Vector& impulse, double* x);
  [[nodiscard]] static Vector rate(const Contact& contact, const double* x);
  [[nodiscard]] Vector shifted_slip(const Contact& contact, const double* x) const;
  void find_velocity(const std::vector<Vector>& impulses);
  [[nodiscard]] double largest_eigenvalue();
  [[nodiscard]] double residual(const std::vector<Vector>& impulses);
  double improve(double bound);

  double goal_;
  std::uint64_t most_;
  double speed_;
  std::vector<Contact> contacts_;
  std::vector<double> free_;      ///< x_0
  std::vector<double> velocity_;  ///< x
  std::vector<Vector> impulse_;
  std::vector<Vector> last_;   ///< of the iteration before
  std::vector<Vector> ahead_;  ///< where the gradient is taken
};

template <std::size_t D, std::size_t K>
GradientMethod<D, K>::GradientMethod(const ConeWork& work, const ConeSettings& settings)
    : goal_(std::max(settings.tolerance, work.rounding)),
      most_(settings.max_iterations),
      speed_(work.program->speed) {
  const ConeProgram& program = *work.program;
  const std::size_t bodies = program.free_velocity.size() / kAllNumbers;
  free_.assign((bodies + 1) * K, 0.0);
  for (std::size_t body = 0; body < bodies; ++body) {
    for (std::size_t k = 0; k < K; ++k) {
      free_[K * body + k] = program.free_velocity[kAllNumbers * body + number(k)];
    }
  }
  const auto copy = [](const ConeContact::Gradient& from, std::array<double, D * K>& to) {
    for (std::size_t d = 0; d < D; ++d) {
      for (std::size_t k = 0; k < K; ++k) to[d * K + k] = from[d * kAllNumbers + number(k)];
    }
  };
  contacts_.resize(program.contacts.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const ConeContact& from = program.contacts[c];
    Contact& to = contacts_[c];
    to.a = K * (from.body_a != kNone ? std::size_t{from.body_a} : bodies);
    to.b = K * (from.body_b != kNone ? std::size_t{from.body_b} : bodies);
    if (from.body_a != kNone) copy(from.gradient_a, to.of_a);
    if (from.body_b != kNone) copy(from.gradient_b, to.of_b);
    std::copy_n(from.bias.begin(), D, to.bias.begin());
    to.friction = from.friction;
    to.weight = work.weight[c];
  }
}

template <std::size_t D, std::size_t K>
double GradientMethod<D, K>::slip_speed(const Vector& u) {
  if constexpr (D == 1) return 0.0;
  if constexpr (D == 2) return std::abs(u[1]);
  if constexpr (D == 3) return std::sqrt(u[1] * u[1] + u[2] * u[2]);
}

// As project_on_cone().
template <std::size_t D, std::size_t K>
auto GradientMethod<D, K>::project(const Vector& z, double friction) -> Vector {
  const double tangential = slip_speed(z);
  if (friction * tangential <= -z[0]) return {};
  if (tangential <= friction * z[0]) return z;
  const double normal = (z[0] + friction * tangential) / (1.0 + friction * friction);
  Vector there{};
  there[0] = normal;
  for (std::size_t d = 1; d < D; ++d) there[d] = friction * normal / tangential * z[d];
  return there;
}

template <std::size_t D, std::size_t K>
void GradientMethod<D, K>::act(const Contact& contact, const Vector& impulse, double* x) {
  for (std::size_t d = 0; d < D; ++d) {
    for (std::size_t k = 0; k < K; ++k) x[contact.a + k] += contact.of_a[d * K + k] * impulse[d];
    for (std::size_t k = 0; k < K; ++k) x[contact.b + k] += contact.of_b[d * K + k] * impulse[d];
  }
}

template <std::size_t D, std::size_t K>
auto GradientMethod<D, K>::rate(const Contact& contact, const double* x) -> Vector {
  Vector u{};
  for (std::size_t d = 0; d < D; ++d) {
    for (std::size_t k = 0; k < K; ++k) {
      u[d] += contact.of_a[d * K + k] * x[contact.a + k];
      u[d] += contact.of_b[d * K + k] * x[contact.b + k];
    }
  }
  return u;
}

// u~ of (2).
template <std::size_t D, std::size_t K>
auto GradientMethod<D, K>::shifted_slip(const Contact& contact, const double* x) const -> Vector {
  Vector u = rate(contact, x);
  for (std::size_t d = 0; d < D; ++d) u[d] += contact.bias[d];
  u[0] += contact.friction * slip_speed(u);
  return u;
}

template <std::size_t D, std::size_t K>
void GradientMethod<D, K>::find_velocity(const std::vector<Vector>& impulses) {
  velocity_ = free_;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    act(contacts_[c], impulses[c], velocity_.data());
  }
}

// Of D^-1/2 J J' D^-1/2, D the weights, by the power method from a fixed start, with room to spare.
template <std::size_t D, std::size_t K>
double GradientMethod<D, K>::largest_eigenvalue() {
  Vector ones;
  ones.fill(1.0);
  std::vector<Vector> q(contacts_.size(), ones);
  double value = 1.0;
  constexpr unsigned kRounds = 20;
  for (unsigned round = 0; round < kRounds; ++round) {
    double square = 0.0;
    for (const Vector& v : q) {
      for (const double part : v) square += part * part;
    }
    if (!(square > 0.0)) return 1.0;
    const double scale = 1.0 / std::sqrt(square);
    velocity_.assign(free_.size(), 0.0);
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const double factor = scale / std::sqrt(contacts_[c].weight);
      for (double& part : q[c]) part *= factor;
      act(contacts_[c], q[c], velocity_.data());
    }
    value = 0.0;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      q[c] = rate(contacts_[c], velocity_.data());
      const double factor = 1.0 / std::sqrt(contacts_[c].weight);
      for (double& part : q[c]) {
        part *= factor;
        value += part * part;
      }
    }
  }
  constexpr double kRoom = 1.1;
  return kRoom * std::sqrt(value);
}

// (3), from scratch.
template <std::size_t D, std::size_t K>
double GradientMethod<D, K>::residual(const std::vector<Vector>& impulses) {
  find_velocity(impulses);
  double largest = 0.0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const Vector u = shifted_slip(contact, velocity_.data());
    Vector z = impulses[c];
    for (std::size_t d = 0; d < D; ++d) z[d] -= u[d] / contact.weight;
    const Vector there = project(z, contact.friction);
    for (std::size_t d = 0; d < D; ++d) {
      const double error = contact.weight * std::abs(impulses[c][d] - there[d]);
      if (!(error <= largest)) largest = error;
    }
  }
  return largest / speed_;
}

// One gradient from `ahead_`. Returns how far the last step went against it.
template <std::size_t D, std::size_t K>
double GradientMethod<D, K>::improve(double bound) {
  find_velocity(ahead_);
  double uphill = 0.0;
  last_.swap(impulse_);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const Vector u = shifted_slip(contact, velocity_.data());
    const double step = 1.0 / (bound * contact.weight);
    Vector z = ahead_[c];
    for (std::size_t d = 0; d < D; ++d) z[d] -= step * u[d];
    const Vector there = project(z, contact.friction);
    for (std::size_t d = 0; d < D; ++d) {
      uphill += contact.weight * (ahead_[c][d] - there[d]) * (there[d] - last_[c][d]);
    }
    impulse_[c] = there;
  }
  return uphill;
}

template <std::size_t D, std::size_t K>
ConeResult GradientMethod<D, K>::run(std::vector<ConeVector>& impulses) {
  impulse_.resize(contacts_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    std::copy_n(impulses[c].begin(), D, impulse_[c].begin());
  }
  const double bound = largest_eigenvalue();
  last_ = impulse_;
  ahead_ = impulse_;
  std::vector<Vector> best = impulse_;
  ConeResult result;
  result.residual = residual(impulse_);
  double theta = 1.0;
  constexpr std::uint64_t kLookEvery = 10;
  for (std::uint64_t iteration = 1; iteration <= most_ && result.residual > goal_; ++iteration) {
    double beta = 0.0;
    if (improve(bound) > 0.0) {
      theta = 1.0;
    } else {
      const double next = 0.5 * theta * (std::sqrt(theta * theta + 4.0) - theta);
      beta = theta * (1.0 - theta) / (theta * theta + next);
      theta = next;
    }
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      for (std::size_t d = 0; d < D; ++d) {
        ahead_[c][d] = impulse_[c][d] + beta * (impulse_[c][d] - last_[c][d]);
      }
    }
    result.iterations = iteration;
    if (iteration % kLookEvery != 0 && iteration != most_) continue;
    const double now = residual(impulse_);
    if (now < result.residual) {
      result.residual = now;
      best = impulse_;
    }
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    impulses[c] = {};
    std::copy_n(best[c].begin(), D, impulses[c].begin());
  }
  return result;
}

// Whether nothing but the planar numbers and the first tangent is ever moved.
bool is_planar(const ConeProgram& program) {
  const auto holds = [](const ConeContact::Gradient& gradient) {
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      const bool inside = k < 2 * kAllNumbers && std::find(kPlanar.begin(), kPlanar.end(),
                                                           k % kAllNumbers) != kPlanar.end();
      if (!inside && gradient[k] != 0.0) return false;
    }
    return true;
  };
  return std::all_of(program.contacts.begin(), program.contacts.end(), [&](const ConeContact& c) {
    return c.bias[2] == 0.0 && holds(c.gradient_a) && holds(c.gradient_b);
  });
}

bool is_smooth(const ConeProgram& program) {
  return std::all_of(program.contacts.begin(), program.contacts.end(),
                     [](const ConeContact& c) { return c.friction == 0.0; });
}

}  // namespace

ConeResult solve_by_gradients(const ConeWork& work, const ConeSettings& settings,
                              std::vector<ConeVector>& impulses, std::vector<double>& velocity) {
  const auto solve = [&](auto method) { return method.run(impulses); };
  const bool smooth = is_smooth(*work.program);
  ConeResult result;
  if (is_planar(*work.program)) {
    result = smooth ? solve(GradientMethod<1, 3>(work, settings))
                    : solve(GradientMethod<2, 3>(work, settings));
  } else {
    result = smooth ? solve(GradientMethod<1, 6>(work, settings))
                    : solve(GradientMethod<3, 6>(work, settings));
  }
  cone_velocity(*work.program, impulses, velocity);
  result.residual = cone_residual(*work.program, impulses, velocity);
  const double goal = std::max(settings.tolerance, work.rounding);
  result.status = result.residual <= goal ? ConeStatus::solved : ConeStatus::budget_exhausted;
  return result;
}

}  // namespace carom::solvers
