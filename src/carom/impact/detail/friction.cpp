// Friction of one component after its normal impulses: slip, box, and the passes of both.
#include "carom/impact/detail/friction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "carom/impact/detail/restitution.h"
#include "carom/solvers/quadratic_program.h"

namespace carom {
namespace {

using solvers::QpStatus;
using Pair = std::array<double, 2>;  // components along a row's two tangents

// One direction of friction: row, and the combination of its tangents.
struct Direction {
  Index row = 0;
  Pair along{};
  bool both_ways = false;
};

class Friction {
 public:
  Friction(const FrictionProblem& problem, FrictionState& state)
      : problem_(problem),
        system_(*problem.system),
        settings_(*problem.settings),
        state_(state),
        after_normal_(system_.velocity.size()) {
    if (problem.unlocked != nullptr) {
      problem.unlocked->to_velocity(state.velocity, after_normal_);
    } else {
      after_normal_ = state.velocity;
    }
  }

  FrictionStatus run() {
    state_.tangential.assign(2 * system_.row_ids.size(), 0.0);
    build_tangents();
    choose_directions();
    if (directions_.empty()) return FrictionStatus::done;
    const FrictionState before = state_;
    one_pass(before);
    // Turns need the normal impulses to be the rows' own, which equalities do not leave them.
    const bool turns = settings_.friction_passes > 1 && problem_.unlocked == nullptr;
    if (turns && status_ == FrictionStatus::done) staggered(before);
    return status_;
  }

 private:
  [[nodiscard]] const ImpactProblem::Row& given(Index row) const {
    return system_.problem->row(system_.row_ids[row]);
  }

  // All tangents as rows over the same blocks: tangent t of row k is tangent_row_[2 k + t].
  void build_tangents() {
    for (const Index block : system_.all_blocks) {
      tangents_.add_block(system_.rows.block_size(block), system_.rows.inverse_mass(block));
    }
    tangent_row_.assign(2 * system_.row_ids.size(), kNone);
    for (Index row = 0; row < system_.row_ids.size(); ++row) {
      if (!rubs(row)) continue;
      for (Index t = 0; t < given(row).tangent_count; ++t) {
        const Pair along = t == 0 ? Pair{1.0, 0.0} : Pair{0.0, 1.0};
        tangent_row_[2 * row + t] = add_combination(row, along, nullptr, tangents_);
      }
    }
    tangents_.finish();
  }

  [[nodiscard]] bool rubs(Index row) const {
    return given(row).friction > 0.0 && problem_.normal[row] > 0.0;
  }

  // Adds sum_t along[t] * tangent t of `row` to a set of rows, unlocked where asked for.
  Index add_combination(Index row, const Pair& along, const UnlockedComponent* unlocked,
                        solvers::BlockRows& rows) {
    const ImpactProblem& problem = *system_.problem;
    const Index id = system_.row_ids[row];
    const ImpactProblem::Row& r = problem.row(id);
    std::array<Numbers, 2> sums;
    std::array<solvers::RowPart, 2> parts;
    std::size_t count = 0;
    for (const solvers::BlockRows::Entry& entry : system_.rows.entries(row)) {
      const bool side_a = system_.bodies[entry.block] == r.body_a;
      sums[count] = Numbers::zeros(entry.size);
      for (Index t = 0; t < r.tangent_count; ++t) {
        const std::span<const double> tangent =
            side_a ? problem.tangent_a(id, t) : problem.tangent_b(id, t);
        for (Index k = 0; k < entry.size; ++k) sums[count][k] += along[t] * tangent[k];
      }
      parts[count] = {entry.block, std::span<const double>(sums[count].begin(), entry.size)};
      ++count;
    }
    const std::span<const solvers::RowPart> used(parts.data(), count);
    return unlocked != nullptr ? unlocked->add_row(used, rows) : rows.add_row(used);
  }

  // Slip of a row at a velocity; zero where it is below the threshold.
  [[nodiscard]] Pair slip(Index row, std::span<const double> velocity) const {
    Pair s{};
    double size = 0.0;
    for (Index t = 0; t < given(row).tangent_count; ++t) {
      const Index tangent = tangent_row_[2 * row + t];
      s[t] = tangents_.dot(tangent, velocity) - system_.tangent_offset[2 * row + t];
      const double mobility = tangents_.diagonal(tangent);
      if (mobility > 0.0) size += s[t] * s[t] / mobility;
    }
    return std::sqrt(size) > problem_.rows.threshold ? s : Pair{};
  }

  void choose_directions() {
    const bool box = several_rows_friction(settings_) == "box";
    for (Index row = 0; row < system_.row_ids.size(); ++row) {
      if (!rubs(row)) continue;
      Pair s = slip(row, system_.velocity);
      if (s == Pair{}) s = slip(row, after_normal_);
      const bool slips = s != Pair{};
      if (!slips && !box) continue;
      const double length = slips ? std::hypot(s[0], s[1]) : 1.0;
      const Pair first = slips ? Pair{-s[0] / length, -s[1] / length} : Pair{1.0, 0.0};
      directions_.push_back({row, first, box});
      if (box && given(row).tangent_count == 2) {
        directions_.push_back({row, {-first[1], first[0]}, true});
      }
    }
    const solvers::BlockRows& like = *problem_.rows.rows;
    for (Index block = 0; block < like.block_count(); ++block) {
      rows_.add_block(like.block_size(block), like.inverse_mass(block));
    }
    for (const Direction& direction : directions_) {
      selection_.push_back(
          add_combination(direction.row, direction.along, problem_.unlocked, rows_));
    }
    rows_.finish();
  }

  void note(QpStatus status) {
    if (status == QpStatus::solved || status_ == FrictionStatus::infeasible) return;
    status_ =
        status == QpStatus::unbounded ? FrictionStatus::infeasible : FrictionStatus::solver_failed;
  }

  // (1) from velocity v_n with bounds from lambda; impulses per direction.
  std::vector<double> rub(std::span<const double> v_n, std::span<const double> lambda) {
    std::vector<double> right_side;
    std::vector<double> lower;
    std::vector<double> upper;
    const double most = 1e3 * (std::sqrt(2.0 * system_.kinetic_energy(system_.velocity)) +
                               system_.speed_scale + fastest_surface());
    for (std::size_t k = 0; k < directions_.size(); ++k) {
      const Direction& d = directions_[k];
      const double offset = d.along[0] * system_.tangent_offset[2 * d.row] +
                            d.along[1] * system_.tangent_offset[2 * d.row + 1];
      right_side.push_back(rows_.dot(selection_[k], v_n) - offset);
      const double bound =
          std::min(given(d.row).friction * std::max(0.0, lambda[d.row]) * system_.scale[d.row],
                   most / std::sqrt(std::max(rows_.diagonal(selection_[k]), kRoundOff)));
      upper.push_back(bound);
      lower.push_back(d.both_ways ? -bound : 0.0);
    }
    const solvers::QpResult result =
        solvers::solve_qp({&rows_, selection_, right_side, lower, upper, {}},
                          {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = true});
    note(result.status);
    return result.x;
  }

  // Largest tangential speed of a scripted surface, scaled like a velocity.
  [[nodiscard]] double fastest_surface() const {
    double largest = 0.0;
    for (std::size_t k = 0; k < tangent_row_.size(); ++k) {
      if (tangent_row_[k] == kNone) continue;
      const double mobility = tangents_.diagonal(tangent_row_[k]);
      if (mobility > 0.0) {
        largest = std::max(largest, std::abs(system_.tangent_offset[k]) / std::sqrt(mobility));
      }
    }
    return largest;
  }

  void write(const std::vector<double>& z) {
    state_.tangential.assign(2 * system_.row_ids.size(), 0.0);
    for (std::size_t k = 0; k < directions_.size(); ++k) {
      state_.tangential[2 * directions_[k].row] += z[k] * directions_[k].along[0];
      state_.tangential[2 * directions_[k].row + 1] += z[k] * directions_[k].along[1];
    }
  }

  void one_pass(const FrictionState& before) {
    state_.velocity = before.velocity;
    state_.lambda = before.lambda;
    const std::vector<double> z = rub(before.velocity, problem_.normal);
    for (std::size_t k = 0; k < z.size(); ++k) rows_.apply(selection_[k], z[k], state_.velocity);
    write(z);
    note(apply_inelastic(problem_.rows, state_.velocity, state_.lambda));  // the closing pass
  }

  // Normal and friction impulses in turns; kept only if the energy balance is no higher.
  void staggered(const FrictionState& before) {
    const FrictionState single = state_;
    std::vector<double> target;
    for (const Index row : system_.all_rows) {
      target.push_back(system_.rows.dot(row, before.velocity));
    }
    std::vector<double> lambda = before.lambda;
    std::vector<double> z;
    for (unsigned pass = 0; pass < settings_.friction_passes; ++pass) {
      std::vector<double> v_n = system_.velocity;
      for (const Index row : system_.all_rows) system_.rows.apply(row, lambda[row], v_n);
      z = rub(v_n, lambda);
      if (pass + 1 == settings_.friction_passes) break;
      std::vector<double> v_t = system_.velocity;
      for (std::size_t k = 0; k < z.size(); ++k) rows_.apply(selection_[k], z[k], v_t);
      std::vector<double> right_side;
      for (const Index row : system_.all_rows) {
        right_side.push_back(system_.rows.dot(row, v_t) - target[row]);
      }
      const solvers::QpResult result =
          solvers::solve_qp({&system_.rows, system_.all_rows, right_side, {}, {}, {}},
                            {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = true});
      note(result.status);
      if (status_ != FrictionStatus::done) break;
      lambda = result.x;
    }
    if (status_ == FrictionStatus::done) {
      state_.velocity = system_.velocity;
      for (const Index row : system_.all_rows) {
        system_.rows.apply(row, lambda[row], state_.velocity);
      }
      for (std::size_t k = 0; k < z.size(); ++k) rows_.apply(selection_[k], z[k], state_.velocity);
      state_.lambda = lambda;
      write(z);
      note(apply_inelastic(problem_.rows, state_.velocity, state_.lambda));  // the closing pass
    }
    if (status_ != FrictionStatus::done || balance(state_) > balance(before)) {
      state_ = single;
      state_.fell_back = true;
      status_ = FrictionStatus::done;
    }
  }

  // Kinetic energy less the work of the surfaces since the start.
  [[nodiscard]] double balance(const FrictionState& state) const {
    double sum = system_.kinetic_energy(state.velocity);
    for (const Index row : system_.all_rows) {
      sum -= system_.offset[row] * state.lambda[row];
      for (std::size_t t = 0; t < 2; ++t) {
        sum -= system_.tangent_offset[2 * row + t] * state.tangential[2 * row + t];
      }
    }
    return sum;
  }

  const FrictionProblem& problem_;
  const ComponentSystem& system_;
  const ImpactSettings& settings_;
  FrictionState& state_;
  std::vector<double> after_normal_;  // in the component's own coordinates
  solvers::BlockRows tangents_;
  std::vector<Index> tangent_row_;
  std::vector<Direction> directions_;
  solvers::BlockRows rows_;
  std::vector<Index> selection_;
  FrictionStatus status_ = FrictionStatus::done;
};

}  // namespace

FrictionStatus apply_friction(const FrictionProblem& problem, FrictionState& state) {
  return Friction(problem, state).run();
}

}  // namespace carom
