// Contact with Coulomb's friction as a cone program: what its methods share, and which one is
// taken.
#include "carom/solvers/cone_program.h"

#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/cone_tools.h"

namespace carom::solvers {
namespace {

constexpr std::size_t kNumbers = ConeContact::kNumbers;

void add_rows(const ConeContact::Gradient& gradient, const ConeVector& r, double* x) {
  for (std::size_t k = 0; k < kNumbers; ++k) {
    x[k] += gradient[k] * r[0] + gradient[kNumbers + k] * r[1] + gradient[2 * kNumbers + k] * r[2];
  }
}

void add_products(const ConeContact::Gradient& gradient, const double* x, ConeVector& u) {
  for (std::size_t d = 0; d < 3; ++d) {
    double sum = 0.0;
    for (std::size_t k = 0; k < kNumbers; ++k) sum += gradient[d * kNumbers + k] * x[k];
    u[d] += sum;
  }
}

double square_sum(const ConeContact::Gradient& gradient) {
  double sum = 0.0;
  for (const double entry : gradient) sum += entry * entry;
  return sum;
}

// Bodies up to which a factor is cheaper than many gradients.
constexpr std::size_t kMostBodiesOfNewton = 400;

}  // namespace

ConeVector project_on_cone(const ConeVector& z, double friction) {
  const double tangential = slip_speed(z);
  if (friction * tangential <= -z[0]) return {};
  if (tangential <= friction * z[0]) return z;
  if (friction == 0.0) return {z[0], 0.0, 0.0};
  const double normal = (z[0] + friction * tangential) / (1.0 + friction * friction);
  const double factor = friction * normal / tangential;
  return {normal, factor * z[1], factor * z[2]};
}

double cone_weight(const ConeContact& contact) {
  const double trace = square_sum(contact.gradient_a) + square_sum(contact.gradient_b);
  return trace > 0.0 ? trace / 3.0 : 1.0;
}

void add_impulse(const ConeContact& contact, const ConeVector& impulse,
                 std::span<double> velocity) {
  if (contact.body_a != kNone) {
    add_rows(contact.gradient_a, impulse, velocity.data() + kNumbers * contact.body_a);
  }
  if (contact.body_b != kNone) {
    add_rows(contact.gradient_b, impulse, velocity.data() + kNumbers * contact.body_b);
  }
}

ConeVector cone_slip(const ConeContact& contact, std::span<const double> velocity) {
  ConeVector u = contact.bias;
  if (contact.body_a != kNone) {
    add_products(contact.gradient_a, velocity.data() + kNumbers * contact.body_a, u);
  }
  if (contact.body_b != kNone) {
    add_products(contact.gradient_b, velocity.data() + kNumbers * contact.body_b, u);
  }
  return u;
}

void cone_velocity(const ConeProgram& program, std::span<const ConeVector> impulses,
                   std::vector<double>& velocity) {
  velocity = program.free_velocity;  // (1)
  for (std::size_t c = 0; c < program.contacts.size(); ++c) {
    if (impulses[c] != ConeVector{}) add_impulse(program.contacts[c], impulses[c], velocity);
  }
}

double cone_error(const ConeVector& impulse, const ConeVector& u, double weight, double friction) {
  ConeVector moved;
  for (std::size_t d = 0; d < 3; ++d) moved[d] = impulse[d] - u[d] / weight;
  const ConeVector there = project_on_cone(moved, friction);
  double largest = 0.0;
  for (std::size_t d = 0; d < 3; ++d) {
    largest = std::max(largest, weight * std::abs(impulse[d] - there[d]));
  }
  return largest;
}

double cone_residual(const ConeProgram& program, std::span<const ConeVector> impulses,
                     std::span<const double> velocity) {
  double largest = 0.0;
  for (std::size_t c = 0; c < program.contacts.size(); ++c) {
    const ConeContact& contact = program.contacts[c];
    ConeVector u = cone_slip(contact, velocity);
    u[0] += contact.friction * slip_speed(u);  // (2)
    const double error = cone_error(impulses[c], u, cone_weight(contact), contact.friction);
    if (!(error <= largest)) largest = error;
  }
  return largest / program.speed;
}

ConeWork::ConeWork(const ConeProgram& given) : program(&given) {
  double largest = 0.0;
  weight.reserve(given.contacts.size());
  for (const ConeContact& contact : given.contacts) {
    weight.push_back(cone_weight(contact));
    double speed = 0.0;
    ConeContact still = contact;
    still.bias = {};
    for (const double part : cone_slip(still, given.free_velocity)) {
      speed = std::max(speed, std::abs(part));
    }
    largest = std::max({largest, speed, std::abs(contact.bias[0]), std::abs(contact.bias[1]),
                        std::abs(contact.bias[2])});
  }
  constexpr double kUnits = 64.0;
  rounding = kUnits * kRoundOff * largest / given.speed;
}

ConeResult solve_cone_program(const ConeProgram& program, const ConeSettings& settings,
                              std::vector<ConeVector>& impulses, std::vector<double>& velocity) {
  for (std::size_t c = 0; c < program.contacts.size(); ++c) {
    impulses[c] = project_on_cone(impulses[c], program.contacts[c].friction);
  }
  cone_velocity(program, impulses, velocity);
  const ConeWork work(program);
  ConeResult result;
  result.residual = cone_residual(program, impulses, velocity);
  if (result.residual <= std::max(settings.tolerance, work.rounding)) return result;
  const std::size_t bodies = program.free_velocity.size() / kNumbers;
  const bool by_newton =
      settings.method == ConeMethod::newton ||
      (settings.method == ConeMethod::automatic && bodies <= kMostBodiesOfNewton);
  return by_newton ? solve_by_newton(work, settings, impulses, velocity)
                   : solve_by_gradients(work, settings, impulses, velocity);
}

}  // namespace carom::solvers
