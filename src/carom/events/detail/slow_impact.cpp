// Contacts that last: opening speeds and an end of slip, as one program over their impulses.
#include "carom/events/detail/slow_impact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "carom/solvers/quadratic_program.h"

namespace carom::detail {
namespace {

// Bounds of friction that change by less, relative to the largest impulse, agree.
constexpr double kAgreement = 1e-9;
constexpr int kMostRounds = 60;
// Of larger clusters, which collide again and again anyway, the bounds need not agree so well, nor
// equal contacts share alike.
constexpr Index kSmall = 12;
constexpr int kRoundsOfLarge = 3;

using Pair = std::array<double, 2>;

class ContactSystem {
 public:
  ContactSystem(const ImpactProblem& problem, std::span<const SlowContact> contacts)
      : problem_(&problem), block_of_(problem.body_count(), kNone) {
    for (Index body = 0; body < problem.body_count(); ++body) {
      if (problem.body(body).scripted) continue;
      block_of_[body] = rows_.add_block(problem.body(body).size, problem.inverse_mass(body));
      const std::span<const double> v = problem.velocity(body);
      velocity_.insert(velocity_.end(), v.begin(), v.end());
    }
    for (Index row = 0; row < problem.row_count(); ++row) {
      add({row, false, {}}, contacts[row].opening);
      if (problem.row(row).friction > 0.0) add_friction(row, contacts[row]);
    }
    rows_.finish();
  }

  std::optional<ImpactResult> hold() {
    if (directions_.empty()) return std::nullopt;
    std::vector<Index> selection(directions_.size());
    for (Index k = 0; k < selection.size(); ++k) selection[k] = k;
    std::vector<double> lower(directions_.size(), 0.0);
    std::vector<double> upper(directions_.size(), most());
    for (std::size_t k = 0; k < upper.size(); ++k) {
      if (directions_[k].is_tangent) lower[k] = -upper[k];
    }
    std::vector<double> x;
    const bool is_small = problem_->row_count() <= kSmall;
    for (int round = 0; round < (is_small ? kMostRounds : kRoundsOfLarge); ++round) {
      const solvers::QpResult found = solvers::solve_qp(
          {&rows_, selection, missing_, lower, upper, x}, {is_small ? 1e-12 : 1e-9, 0, is_small});
      if (found.status != solvers::QpStatus::solved) return std::nullopt;
      x = found.x;
      if (!tighten(x, lower, upper)) break;
    }
    return answer(x);
  }

 private:
  // What a row of the program is: the normal of a contact, or a combination of its tangents.
  struct Direction {
    Index row = 0;
    bool is_tangent = false;
    Pair along{};
  };

  [[nodiscard]] Numbers gradient(const Direction& d, bool side_a) const {
    const ImpactProblem& p = *problem_;
    if (!d.is_tangent) {
      const std::span<const double> n = side_a ? p.gradient_a(d.row) : p.gradient_b(d.row);
      Numbers copy = Numbers::zeros(static_cast<Index>(n.size()));
      std::copy(n.begin(), n.end(), copy.begin());
      return copy;
    }
    const Index body = side_a ? p.row(d.row).body_a : p.row(d.row).body_b;
    Numbers sum = Numbers::zeros(p.body(body).size);
    for (Index t = 0; t < p.row(d.row).tangent_count; ++t) {
      const std::span<const double> tangent =
          side_a ? p.tangent_a(d.row, t) : p.tangent_b(d.row, t);
      for (Index k = 0; k < sum.size(); ++k) sum[k] += d.along[t] * tangent[k];
    }
    return sum;
  }

  // Relative, before the impact.
  [[nodiscard]] double speed_of(const Direction& d) const {
    const ImpactProblem& p = *problem_;
    const ImpactProblem::Row& row = p.row(d.row);
    double speed = 0.0;
    if (!d.is_tangent) speed -= row.offset;
    for (Index t = 0; d.is_tangent && t < row.tangent_count; ++t) {
      speed -= d.along[t] * p.tangent_offset(d.row, t);
    }
    for (const bool side_a : {true, false}) {
      const Index body = side_a ? row.body_a : row.body_b;
      if (body == kNone) continue;
      const Numbers g = gradient(d, side_a);
      for (Index k = 0; k < g.size(); ++k) speed += g[k] * p.velocity(body)[k];
    }
    return speed;
  }

  // A row that is to have the relative speed `target`.
  void add(const Direction& d, double target) {
    const ImpactProblem::Row& row = problem_->row(d.row);
    std::array<Numbers, 2> gradients;
    std::array<solvers::RowPart, 2> parts;
    std::size_t count = 0;
    for (const bool side_a : {true, false}) {
      const Index body = side_a ? row.body_a : row.body_b;
      if (body == kNone || block_of_[body] == kNone) continue;
      gradients[count] = gradient(d, side_a);
      parts[count] = {block_of_[body],
                      std::span<const double>(gradients[count].begin(), gradients[count].end())};
      ++count;
    }
    rows_.add_row({parts.data(), count});
    directions_.push_back(d);
    missing_.push_back(speed_of(d) - target);
  }

  void add_friction(Index row, const SlowContact& contact) {
    const ImpactProblem::Row& r = problem_->row(row);
    const double pressing = -along(row, problem_->gradient_a(row), contact.acceleration);
    Pair target{};
    Pair off{};
    for (Index t = 0; t < r.tangent_count; ++t) {
      const double across = along(row, problem_->tangent_a(row, t), contact.acceleration);
      target[t] = pressing > 0.0 ? -across * contact.opening / pressing : 0.0;  // (1)
      const Pair one = t == 0 ? Pair{1.0, 0.0} : Pair{0.0, 1.0};
      off[t] = speed_of({row, true, one}) - target[t];
    }
    const double size = std::hypot(off[0], off[1]);
    const Pair first = size > 0.0 ? Pair{off[0] / size, off[1] / size} : Pair{1.0, 0.0};
    add({row, true, first}, first[0] * target[0] + first[1] * target[1]);
    if (r.tangent_count < 2) return;
    const Pair second = {-first[1], first[0]};
    add({row, true, second}, second[0] * target[0] + second[1] * target[1]);
  }

  // The part of a vector along a gradient of body a, whose first numbers are a unit direction.
  [[nodiscard]] double along(Index row, std::span<const double> direction, const Vec3& v) const {
    const bool is_plane = direction.size() < 3 ||
                          problem_->body(problem_->row(row).body_a).kind == BodyKind::rigid_2d;
    return direction[0] * v.x + direction[1] * v.y + (is_plane ? 0.0 : direction[2] * v.z);
  }

  // No sensible impulse is larger.
  [[nodiscard]] double most() const {
    constexpr double kMany = 1e4;
    double largest = 0.0;
    double lightest = kInfinity;
    for (Index k = 0; k < missing_.size(); ++k) {
      largest = std::max(largest, std::abs(missing_[k]));
      if (rows_.diagonal(k) > 0.0) lightest = std::min(lightest, rows_.diagonal(k));
    }
    return kMany * std::max(largest, 1e-300) / lightest;
  }

  // Friction's bounds from the normal impulses; false if they were that already.
  bool tighten(const std::vector<double>& x, std::vector<double>& lower,
               std::vector<double>& upper) const {
    double largest = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!directions_[k].is_tangent) largest = std::max(largest, x[k]);
    }
    bool changed = false;
    double normal = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!directions_[k].is_tangent) {
        normal = x[k];
        continue;
      }
      const double bound = problem_->row(directions_[k].row).friction * normal;
      const bool binds = std::abs(x[k]) > bound + kAgreement * largest ||
                         (std::abs(x[k]) >= upper[k] && bound > upper[k] + kAgreement * largest);
      changed = changed || binds;
      upper[k] = bound;
      lower[k] = -bound;
    }
    return changed;
  }

  [[nodiscard]] ImpactResult answer(const std::vector<double>& x) const {
    ImpactResult impact;
    impact.impulses.assign(problem_->row_count(), 0.0);
    impact.friction_impulses.assign(2 * static_cast<std::size_t>(problem_->row_count()), 0.0);
    std::vector<double> after = velocity_;
    for (Index k = 0; k < x.size(); ++k) {
      rows_.apply(k, x[k], after);
      const Direction& d = directions_[k];
      if (!d.is_tangent) {
        impact.impulses[d.row] = x[k];
        continue;
      }
      impact.friction_impulses[2 * d.row] += x[k] * d.along[0];
      impact.friction_impulses[2 * d.row + 1] += x[k] * d.along[1];
    }
    impact.velocities.assign(problem_->velocities().begin(), problem_->velocities().end());
    for (Index body = 0; body < problem_->body_count(); ++body) {
      if (block_of_[body] == kNone) continue;
      std::copy_n(after.begin() + rows_.block_dof(block_of_[body]), problem_->body(body).size,
                  impact.velocities.begin() + problem_->body(body).dof);
    }
    return impact;
  }

  const ImpactProblem* problem_;
  solvers::BlockRows rows_;
  std::vector<Index> block_of_;        // by body; kNone: scripted
  std::vector<double> velocity_;       // of the blocks
  std::vector<Direction> directions_;  // by row of the program: each normal before its tangents
  std::vector<double> missing_;        // relative speed less its target
};

}  // namespace

std::optional<ImpactResult> hold_contacts(const ImpactProblem& problem,
                                          std::span<const SlowContact> contacts) {
  return ContactSystem(problem, contacts).hold();
}

}  // namespace carom::detail
