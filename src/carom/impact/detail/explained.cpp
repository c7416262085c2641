// Whether impulses explain velocities, and impulses of locked rows that do.

#include "carom/impact/detail/explained.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>

#include "carom/solvers/quadratic_program.h"

namespace carom {
namespace {

// Relative to the speeds: what is smaller is round-off of the programs.
constexpr double kExplained = 1e-11;

// Rows up to which orthogonal factors are worth their time.
constexpr std::size_t kSmall = 200;

void add_friction(const ComponentSystem& system, std::span<const double> tangential,
                  std::span<double> impulse) {
  const ImpactProblem& problem = *system.problem;
  for (Index row = 0; row < system.row_ids.size(); ++row) {
    const Index id = system.row_ids[row];
    const ImpactProblem::Row& given = problem.row(id);
    for (Index t = 0; t < given.tangent_count; ++t) {
      const double size = tangential[2 * row + t];
      if (size == 0.0) continue;
      for (const solvers::BlockRows::Entry& entry : system.rows.entries(row)) {
        const bool side_a = system.bodies[entry.block] == given.body_a;
        const std::span<const double> tangent =
            side_a ? problem.tangent_a(id, t) : problem.tangent_b(id, t);
        for (Index k = 0; k < entry.size; ++k) impulse[entry.dof + k] += size * tangent[k];
      }
    }
  }
}

double speed_of(const ComponentSystem& system, std::span<const double> velocity) {
  return std::sqrt(2.0 * system.kinetic_energy(velocity));
}

// The part of a change of velocity that impulses do not explain.
std::vector<double> unexplained(const ComponentSystem& system, const ComponentImpulses& impulses,
                                std::span<const double> velocity) {
  std::vector<double> left = velocity_change(system, impulses);
  for (std::size_t k = 0; k < left.size(); ++k) {
    left[k] = (velocity[k] - system.velocity[k]) - left[k];
  }
  return left;
}

// The smallest one-sided impulses of the rows whose response comes nearest to `change`, added.
void add_smallest(const ComponentSystem& system, std::span<const Index> rows,
                  std::span<const double> change, std::span<double> lambda) {
  std::vector<double> right_side;
  for (const Index row : rows) right_side.push_back(-system.rows.dot(row, change));
  const solvers::QpResult result =
      solvers::solve_qp({&system.rows, rows, right_side, {}, {}, {}},
                        {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = true});
  for (std::size_t k = 0; k < rows.size(); ++k) lambda[rows[k]] += std::max(0.0, result.x[k]);
}

// L with W = L L'.
Eigen::MatrixXd root_of(const ComponentSystem& system, Index block) {
  const auto size = static_cast<Eigen::Index>(system.rows.block_size(block));
  const Eigen::MatrixXd w =
      Eigen::Map<const Eigen::MatrixXd>(system.rows.inverse_mass(block).data(), size, size);
  return Eigen::LLT<Eigen::MatrixXd>(w).matrixL();
}

// L^-1 v
Eigen::VectorXd whitened_velocity(const ComponentSystem& system, std::span<const double> velocity) {
  Eigen::VectorXd z = Eigen::Map<const Eigen::VectorXd>(velocity.data(),
                                                        static_cast<Eigen::Index>(velocity.size()));
  for (const Index block : system.all_blocks) {
    const auto at = static_cast<Eigen::Index>(system.rows.block_dof(block));
    const auto size = static_cast<Eigen::Index>(system.rows.block_size(block));
    root_of(system, block).triangularView<Eigen::Lower>().solveInPlace(z.segment(at, size));
  }
  return z;
}

// The rows in coordinates where the metric is the identity, as columns.
Eigen::MatrixXd whitened_columns(const ComponentSystem& system, std::span<const Index> rows) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(system.rows.dof_count(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    for (const solvers::BlockRows::Entry& entry :
         system.rows.entries(rows[static_cast<std::size_t>(k)])) {
      const std::span<const double> n = system.rows.gradient(entry);
      columns.col(k).segment(entry.dof, entry.size) =
          root_of(system, entry.block).transpose() *
          Eigen::Map<const Eigen::VectorXd>(n.data(), entry.size);
    }
  }
  return columns;
}

// The same for rows that are nearly opposite, where the program sees nothing in the squares of the
// small angles between them: minimise |N x - r|, x >= 0, by orthogonal factors (LawsonHanson1974).
// Of several solutions one with independent columns.
void add_independent(const ComponentSystem& system, std::span<const Index> rows,
                     std::span<const double> change, std::span<double> lambda) {
  const Eigen::MatrixXd columns = whitened_columns(system, rows);
  const Eigen::VectorXd target = whitened_velocity(system, change);
  const Eigen::Index count = columns.cols();
  const double nothing = 4.0 * kRoundOff * target.norm();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(count);
  std::vector<Eigen::Index> inside;
  for (Eigen::Index round = 0; round < 3 * count; ++round) {
    Eigen::VectorXd slope = columns.transpose() * (target - columns * x);
    for (const Eigen::Index k : inside) slope(k) = 0.0;
    Eigen::Index steepest = 0;
    if (!(slope.maxCoeff(&steepest) > nothing)) break;
    inside.push_back(steepest);
    while (!inside.empty()) {
      const Eigen::VectorXd best = columns(Eigen::all, inside).colPivHouseholderQr().solve(target);
      if (best.minCoeff() > 0.0) {
        for (std::size_t k = 0; k < inside.size(); ++k) {
          x(inside[k]) = best(static_cast<Eigen::Index>(k));
        }
        break;
      }
      // As far as the first that would pull; that one leaves.
      double part = 1.0;
      for (std::size_t k = 0; k < inside.size(); ++k) {
        const double to = best(static_cast<Eigen::Index>(k));
        if (to <= 0.0) part = std::min(part, x(inside[k]) / (x(inside[k]) - to));
      }
      for (std::size_t k = 0; k < inside.size(); ++k) {
        x(inside[k]) += part * (best(static_cast<Eigen::Index>(k)) - x(inside[k]));
      }
      std::erase_if(inside, [&](Eigen::Index k) {
        const bool leaves = x(k) <= kRoundOff * x.maxCoeff();
        if (leaves) x(k) = 0.0;
        return leaves;
      });
    }
  }
  for (Eigen::Index k = 0; k < count; ++k) lambda[rows[static_cast<std::size_t>(k)]] += x(k);
}

}  // namespace

std::vector<double> velocity_change(const ComponentSystem& system,
                                    const ComponentImpulses& impulses) {
  std::vector<double> impulse(system.rows.dof_count(), 0.0);
  for (const Index row : system.all_rows) {
    if (impulses.lambda[row] != 0.0) {
      system.rows.apply_impulse(row, impulses.lambda[row], impulse);
    }
  }
  if (!impulses.tangential.empty()) add_friction(system, impulses.tangential, impulse);
  std::vector<double> change(impulse.size(), 0.0);
  system.rows.add_inverse_mass_times(impulse, change);
  return change;
}

double unexplained_speed(const ComponentSystem& system, const ComponentImpulses& impulses,
                         std::span<const double> velocity) {
  return speed_of(system, unexplained(system, impulses, velocity));
}

void explain_by_equalities(const ComponentSystem& system, std::span<const Index> equalities,
                           std::span<const double> velocity, std::span<const double> tangential,
                           std::span<double> lambda) {
  const double enough =
      kExplained * (speed_of(system, system.velocity) + speed_of(system, velocity));
  std::vector<double> best;
  double best_left = kInfinity;
  const auto try_rows = [&](std::span<const Index> rows, auto add) {
    std::vector<double> tried(lambda.begin(), lambda.end());
    for (const Index row : rows) tried[row] = 0.0;
    add(system, rows, unexplained(system, {tried, tangential}, velocity), tried);
    const double left = unexplained_speed(system, {tried, tangential}, velocity);
    if (left < best_left) {
      best_left = left;
      best = std::move(tried);
    }
    return best_left <= enough;
  };
  const bool small = system.row_ids.size() <= kSmall;
  static_cast<void>(try_rows(equalities, add_smallest) ||
                    (small && try_rows(equalities, add_independent)) ||
                    try_rows(system.all_rows, add_smallest) ||
                    (small && try_rows(system.all_rows, add_independent)));
  std::copy(best.begin(), best.end(), lambda.begin());
}

}  // namespace carom
