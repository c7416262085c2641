#include "carom/stepping/detail/slow_impact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "carom/solvers/quadratic_program.h"

namespace carom::detail {
namespace {

// Speeds that may be left unreversed, and friction beyond its cone, relative.
constexpr double kTolerance = 1e-7;

// Normals and tangents of all rows over the moving bodies.
class ContactSystem {
 public:
  explicit ContactSystem(const ImpactProblem& problem) : problem_(&problem) {
    block_of_.assign(problem.body_count(), kNone);
    for (Index body = 0; body < problem.body_count(); ++body) {
      if (problem.body(body).scripted) continue;
      block_of_[body] = rows_.add_block(problem.body(body).size, problem.inverse_mass(body));
      const std::span<const double> v = problem.velocity(body);
      velocity_.insert(velocity_.end(), v.begin(), v.end());
    }
    for (Index row = 0; row < problem.row_count(); ++row) {
      add(row, problem.gradient_a(row), problem.gradient_b(row), problem.row(row).offset);
      const bool rubs = problem.row(row).friction > 0.0 && speed_.back() < 0.0;
      const Index tangents = rubs ? problem.row(row).tangent_count : 0;
      for (Index t = 0; t < tangents; ++t) {
        add(row, problem.tangent_a(row, t), problem.tangent_b(row, t),
            problem.tangent_offset(row, t));
      }
    }
    rows_.finish();
  }

  std::optional<ImpactResult> reverse() {
    std::vector<Index> selection;
    std::vector<double> c;
    std::vector<double> lower;
    std::vector<double> upper;
    double largest = 0.0;
    for (Index k = 0; k < speed_.size(); ++k) largest = std::max(largest, std::abs(speed_[k]));
    double most = 0.0;  // no sensible impulse is larger
    for (Index k = 0; k < speed_.size(); ++k) {
      most = std::max(most, 1e4 * largest / std::max(rows_.diagonal(k), 1e-300));
    }
    for (Index k = 0; k < speed_.size(); ++k) {
      selection.push_back(k);
      c.push_back(2.0 * speed_[k]);
      lower.push_back(is_normal_[k] ? 0.0 : -most);
      upper.push_back(most);
    }
    const solvers::QpResult found =
        solvers::solve_qp({&rows_, selection, c, lower, upper, {}}, {1e-12, 0, true});
    if (found.status != solvers::QpStatus::solved) return std::nullopt;
    std::vector<double> after = velocity_;
    for (Index k = 0; k < speed_.size(); ++k) rows_.apply(k, found.x[k], after);
    for (Index k = 0; k < speed_.size(); ++k) {
      const double left = rows_.dot(k, after) - surface_[k] + speed_[k];
      // Normals may open faster than they closed; all else must be reversed.
      if (left < -kTolerance * largest || (left > kTolerance * largest && !is_normal_[k])) {
        return std::nullopt;
      }
    }
    return answer(found.x, after);
  }

 private:
  void add(Index row, std::span<const double> side_a, std::span<const double> side_b,
           double offset) {
    const ImpactProblem::Row& r = problem_->row(row);
    std::array<solvers::RowPart, 2> parts;
    std::size_t count = 0;
    double surface = offset;
    const auto take = [&](Index body, std::span<const double> gradient) {
      if (body == kNone) return;
      if (block_of_[body] != kNone) {
        parts[count++] = {block_of_[body], gradient};
        return;
      }
      for (std::size_t k = 0; k < gradient.size(); ++k) {
        surface -= gradient[k] * problem_->velocity(body)[k];
      }
    };
    take(r.body_a, side_a);
    take(r.body_b, side_b);
    const Index number = rows_.add_row({parts.data(), count});
    surface_.push_back(surface);
    speed_.push_back(rows_.dot(number, velocity_) - surface);
    is_normal_.push_back(row_of_.empty() || row_of_.back() != row);
    row_of_.push_back(row);
  }

  // None where friction leaves its cone.
  [[nodiscard]] std::optional<ImpactResult> answer(const std::vector<double>& x,
                                                   const std::vector<double>& after) const {
    ImpactResult impact;
    impact.impulses.assign(problem_->row_count(), 0.0);
    impact.friction_impulses.assign(2 * static_cast<std::size_t>(problem_->row_count()), 0.0);
    std::vector<Index> tangents(problem_->row_count(), 0);
    double largest = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Index row = row_of_[k];
      if (is_normal_[k]) {
        impact.impulses[row] = x[k];
        largest = std::max(largest, x[k]);
      } else {
        impact.friction_impulses[2 * row + tangents[row]++] = x[k];
      }
    }
    for (Index row = 0; row < problem_->row_count(); ++row) {
      const double across =
          std::hypot(impact.friction_impulses[2 * row], impact.friction_impulses[2 * row + 1]);
      if (across > problem_->row(row).friction * impact.impulses[row] + kTolerance * largest) {
        return std::nullopt;
      }
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
  std::vector<Index> block_of_;   // by body; kNone: scripted
  std::vector<double> velocity_;  // of the blocks
  std::vector<double> surface_;   // by row here: speed of scripted sides
  std::vector<double> speed_;     // relative, before
  std::vector<Index> row_of_;
  std::vector<bool> is_normal_;
};

}  // namespace

std::optional<ImpactResult> reverse_contacts(const ImpactProblem& problem) {
  return ContactSystem(problem).reverse();
}

}  // namespace carom::detail
