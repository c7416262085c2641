// Lasting contact under events: what rests, and the small collisions of what does not, as programs
// with Coulomb's cone.
#include "carom/events/detail/slow_impact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "carom/solvers/cone_program.h"

namespace carom::detail {
namespace {

using solvers::ConeContact;
using solvers::ConeVector;

// Velocity numbers that are speeds along axes; the others turn.
Index linear_count(const ImpactProblem::Body& body) {
  return body.kind == BodyKind::rigid_2d ? 2 : std::min<Index>(body.size, 3);
}

double along_axis(const Vec3& v, Index k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

// The rows of a problem as a cone program in x = L^-1 v, M^-1 = L L'.
class ConeImpact {
 public:
  /// `is_still` by body, or empty.
  ConeImpact(const LastingContact& contact, std::span<const char> is_still);

  /// Whether an impulse on the row moves anybody.
  [[nodiscard]] bool acts(Index row) const { return number_[row] != kNone; }
  void accelerate(const Vec3& change);
  /// The relative velocity u less that of a target is what the program sees.
  void aim(Index row, const ConeVector& target);
  /// Relative velocity of a row now: normal, tangents.
  [[nodiscard]] ConeVector speeds(Index row) const;

  solvers::ConeResult solve(const solvers::ConeSettings& settings, double speed);
  [[nodiscard]] ConeVector impulse(Index row) const {
    return acts(row) ? impulses_[number_[row]] : ConeVector{};
  }
  /// The root of the mean square of the speeds of a body's material.
  [[nodiscard]] double mean_speed(Index body) const;
  /// All velocities, with those of who does not move in this program as they were.
  [[nodiscard]] std::vector<double> velocities() const;

 private:
  static constexpr std::size_t kNumbers = ConeContact::kNumbers;
  using Factor = std::array<double, kNumbers * kNumbers>;

  void add_body(Index body);
  void add_row(Index row);
  [[nodiscard]] std::span<const double> gradient(Index row, Index d, bool side_a) const;

  const ImpactProblem* problem_;
  bool rubs_;
  std::vector<Index> own_;      ///< by body: its number in the program; kNone: it is not moved
  std::vector<Index> number_;   ///< by row, likewise
  std::vector<Index> moved_;    ///< bodies of the program
  std::vector<Factor> factor_;  ///< L, row-major, of these
  solvers::ConeProgram program_;
  std::vector<ConeVector> impulses_;
  std::vector<double> x_;
};

ConeImpact::ConeImpact(const LastingContact& contact, std::span<const char> is_still)
    : problem_(contact.problem), rubs_(contact.rubs), own_(contact.problem->body_count(), kNone) {
  for (Index body = 0; body < problem_->body_count(); ++body) {
    const bool moves = !problem_->body(body).scripted && (is_still.empty() || is_still[body] == 0);
    if (moves) add_body(body);
  }
  for (Index row = 0; row < problem_->row_count(); ++row) add_row(row);
  impulses_.assign(program_.contacts.size(), ConeVector{});
}

void ConeImpact::add_body(Index body) {
  own_[body] = static_cast<Index>(moved_.size());
  moved_.push_back(body);
  const std::span<const double> inverse = problem_->inverse_mass(body);
  const Index size = problem_->body(body).size;
  Factor l{};
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j <= i; ++j) {
      double sum = inverse[i * size + j];
      for (Index k = 0; k < j; ++k) sum -= l[i * kNumbers + k] * l[j * kNumbers + k];
      l[i * kNumbers + j] = i == j ? std::sqrt(sum) : sum / l[j * kNumbers + j];
    }
  }
  factor_.push_back(l);
  const std::span<const double> v = problem_->velocity(body);
  std::array<double, kNumbers> x{};
  for (Index i = 0; i < size; ++i) {
    double rest = v[i];
    for (Index k = 0; k < i; ++k) rest -= l[i * kNumbers + k] * x[k];
    x[i] = rest / l[i * kNumbers + i];
  }
  program_.free_velocity.insert(program_.free_velocity.end(), x.begin(), x.end());
}

std::span<const double> ConeImpact::gradient(Index row, Index d, bool side_a) const {
  if (d == 0) return side_a ? problem_->gradient_a(row) : problem_->gradient_b(row);
  return side_a ? problem_->tangent_a(row, d - 1) : problem_->tangent_b(row, d - 1);
}

void ConeImpact::add_row(Index row) {
  const ImpactProblem::Row& r = problem_->row(row);
  const auto moves = [&](Index body) { return body != kNone && own_[body] != kNone; };
  if (!moves(r.body_a) && !moves(r.body_b)) {
    number_.push_back(kNone);
    return;
  }
  ConeContact contact;
  contact.friction = rubs_ ? r.friction : 0.0;
  const Index directions = 1 + (contact.friction > 0.0 ? r.tangent_count : 0);
  for (const bool side_a : {true, false}) {
    const Index body = side_a ? r.body_a : r.body_b;
    if (!moves(body)) continue;
    (side_a ? contact.body_a : contact.body_b) = own_[body];
    const Factor& l = factor_[own_[body]];
    ConeContact::Gradient& to = side_a ? contact.gradient_a : contact.gradient_b;
    for (Index d = 0; d < directions; ++d) {
      const std::span<const double> from = gradient(row, d, side_a);
      for (Index k = 0; k < from.size(); ++k) {
        double sum = 0.0;
        for (Index i = k; i < from.size(); ++i) sum += from[i] * l[i * kNumbers + k];
        to[d * kNumbers + k] = sum;
      }
    }
  }
  number_.push_back(static_cast<Index>(program_.contacts.size()));
  program_.contacts.push_back(contact);
  aim(row, {});
}

void ConeImpact::accelerate(const Vec3& change) {
  for (std::size_t own = 0; own < moved_.size(); ++own) {
    const ImpactProblem::Body& body = problem_->body(moved_[own]);
    const Factor& l = factor_[own];
    std::array<double, kNumbers> x{};
    for (Index i = 0; i < body.size; ++i) {
      double rest = i < linear_count(body) ? along_axis(change, i) : 0.0;
      for (Index k = 0; k < i; ++k) rest -= l[i * kNumbers + k] * x[k];
      x[i] = rest / l[i * kNumbers + i];
      program_.free_velocity[kNumbers * own + i] += x[i];
    }
  }
}

// What moving surfaces add to the relative velocity, and bodies that this program does not move:
// scripted ones their velocity, still ones nothing.
void ConeImpact::aim(Index row, const ConeVector& target) {
  const ImpactProblem::Row& r = problem_->row(row);
  ConeContact& contact = program_.contacts[number_[row]];
  const Index directions = 1 + (contact.friction > 0.0 ? r.tangent_count : 0);
  contact.bias = {};
  for (Index d = 0; d < directions; ++d) {
    double bias = -target[d] - (d == 0 ? r.offset : problem_->tangent_offset(row, d - 1));
    for (const bool side_a : {true, false}) {
      const Index body = side_a ? r.body_a : r.body_b;
      if (body == kNone || !problem_->body(body).scripted) continue;
      const std::span<const double> v = problem_->velocity(body);
      const std::span<const double> from = gradient(row, d, side_a);
      for (Index k = 0; k < from.size(); ++k) bias += from[k] * v[k];
    }
    contact.bias[d] = bias;
  }
}

ConeVector ConeImpact::speeds(Index row) const {
  const ConeContact& contact = program_.contacts[number_[row]];
  return solvers::cone_slip(contact, program_.free_velocity);
}

solvers::ConeResult ConeImpact::solve(const solvers::ConeSettings& settings, double speed) {
  program_.speed = speed;
  return solvers::solve_cone_program(program_, settings, impulses_, x_);
}

double ConeImpact::mean_speed(Index body) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < kNumbers; ++k) {
    const double x = x_[kNumbers * own_[body] + k];
    sum += x * x;
  }
  return std::sqrt(sum / problem_->body(body).mass);
}

std::vector<double> ConeImpact::velocities() const {
  const std::span<const double> given = problem_->velocities();
  std::vector<double> all(given.begin(), given.end());
  for (std::size_t own = 0; own < moved_.size(); ++own) {
    const ImpactProblem::Body& body = problem_->body(moved_[own]);
    for (Index i = 0; i < body.size; ++i) {
      double sum = 0.0;
      for (Index k = 0; k <= i; ++k) {
        sum += factor_[own][i * kNumbers + k] * x_[kNumbers * own + k];
      }
      all[body.dof + i] = sum;
    }
  }
  return all;
}

// The part of a vector along a gradient of body a, whose first numbers are a unit direction.
double along(const ImpactProblem& problem, Index row, std::span<const double> direction,
             const Vec3& v) {
  const Index count = linear_count(problem.body(problem.row(row).body_a));
  double sum = 0.0;
  for (Index k = 0; k < count; ++k) sum += direction[k] * along_axis(v, k);
  return sum;
}

}  // namespace

Rest find_rest(const LastingContact& contact, const RestQuestion& question) {
  const ImpactProblem& problem = *contact.problem;
  Rest rest;
  rest.is_still.assign(problem.body_count(), 0);
  const double speed = norm(question.gravity) * question.duration;
  if (!(speed > 0.0)) return rest;
  ConeImpact impact(contact, {});
  impact.accelerate(question.duration * question.gravity);
  solvers::ConeSettings settings;
  settings.max_iterations = 300;
  const solvers::ConeResult found = impact.solve(settings, speed);
  rest.residual = found.residual;
  if (found.status != solvers::ConeStatus::solved) return rest;
  for (Index row = 0; row < problem.row_count(); ++row) {
    const ConeVector r = impact.impulse(row);
    rest.impulses.push_back(r[0]);
    rest.tangent_impulses.insert(rest.tangent_impulses.end(), {r[1], r[2]});
  }
  // Above what the tolerance leaves, far below any motion.
  constexpr double kStill = 1e-7;
  rest.all = true;
  for (Index body = 0; body < problem.body_count(); ++body) {
    if (problem.body(body).scripted) continue;
    rest.is_still[body] = impact.mean_speed(body) <= kStill * speed ? 1 : 0;
    rest.all = rest.all && rest.is_still[body] != 0;
  }
  return rest;
}

std::optional<ImpactResult> hold_contacts(const LastingContact& contact,
                                          std::span<const SlowContact> contacts,
                                          std::span<const char> is_still) {
  const ImpactProblem& problem = *contact.problem;
  if (problem.row_count() == 0) return std::nullopt;
  ConeImpact impact(contact, is_still);
  double speed = 0.0;
  for (Index row = 0; row < problem.row_count(); ++row) {
    if (!impact.acts(row)) continue;
    const ImpactProblem::Row& r = problem.row(row);
    const SlowContact& slow = contacts[row];
    const double pressing = -along(problem, row, problem.gradient_a(row), slow.acceleration);
    ConeVector target{slow.opening, 0.0, 0.0};
    for (Index t = 0; t < r.tangent_count && pressing > 0.0; ++t) {
      const double across = along(problem, row, problem.tangent_a(row, t), slow.acceleration);
      target[1 + t] = -across * slow.opening / pressing;  // (2)
    }
    impact.aim(row, target);
    for (const double part : impact.speeds(row)) speed = std::max(speed, std::abs(part));
  }
  if (!(speed > 0.0)) return std::nullopt;
  solvers::ConeSettings settings;
  settings.tolerance = 1e-12;
  settings.max_iterations = 200;
  const solvers::ConeResult found = impact.solve(settings, speed);
  constexpr double kGoodEnough = 1e-3;
  if (!(found.residual <= kGoodEnough)) return std::nullopt;
  ImpactResult result;
  result.velocities = impact.velocities();
  for (Index row = 0; row < problem.row_count(); ++row) {
    const ConeVector r = impact.impulse(row);
    result.impulses.push_back(r[0]);
    result.friction_impulses.insert(result.friction_impulses.end(), {r[1], r[2]});
  }
  return result;
}

}  // namespace carom::detail
