// The solvers of quadratic programs by their names, and the residual that judges them.
#include "carom/solvers/quadratic_program.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/solvers/detail/qp_engine.h"

namespace carom::solvers {
namespace {

constexpr std::array kMethods = {QpMethod::automatic, QpMethod::closed_form,
                                 QpMethod::dense_pivoting, QpMethod::interior_point,
                                 QpMethod::mprgp};

class EngineSolver final : public QpSolver {
 public:
  explicit EngineSolver(QpMethod method) : method_(method) {}

  [[nodiscard]] std::string_view name() const override { return to_string(method_); }

  void solve(const QuadraticProgram& problem, const QpSettings& settings,
             QpResult& result) override {
    engine_.solve(problem, settings, method_, result);
  }

 private:
  QpMethod method_;
  QpEngine engine_;
};

}  // namespace

std::string_view to_string(QpStatus status) {
  switch (status) {
    case QpStatus::solved:
      return "solved";
    case QpStatus::inaccurate:
      return "inaccurate";
    case QpStatus::budget_exhausted:
      return "budget_exhausted";
    case QpStatus::unbounded:
      return "unbounded";
  }
  return "unknown";
}

std::vector<std::string> qp_solver_names() {
  std::vector<std::string> names;
  for (const QpMethod method : kMethods) names.emplace_back(to_string(method));
  return names;
}

std::unique_ptr<QpSolver> make_qp_solver(std::string_view name) {
  for (const QpMethod method : kMethods) {
    if (to_string(method) == name) return std::make_unique<EngineSolver>(method);
  }
  throw InputError({}, unknown_name_message("quadratic program solver", name, qp_solver_names()));
}

QpResult solve_qp(const QuadraticProgram& problem, const QpSettings& settings) {
  // Calls that follow each other on the same rows find the order of elimination there: one engine
  // for impulses that push, one for those of friction. What they remember changes no bit.
  thread_local QpEngine pushing;
  thread_local QpEngine bounded;
  QpResult result;
  (problem.upper.empty() ? pushing : bounded).solve(problem, settings, QpMethod::automatic, result);
  return result;
}

double kkt_residual(const QuadraticProgram& problem, std::span<const double> x) {
  const std::size_t count = problem.selection.size();
  CAROM_DEMAND(x.size() == count && problem.c.size() == count);
  SelectedRows rows;
  rows.bind(*problem.rows, problem.selection);
  std::vector<double> scaled(count);
  std::vector<double> zero(count, 0.0);
  std::vector<double> product(count);
  std::vector<double> v(rows.dof_count());
  for (Index i = 0; i < count; ++i) scaled[i] = x[i] / rows.scale(i);
  rows.gradient_at(scaled, zero, product, v);
  double worst = 0.0;
  double size_x = 0.0;
  double size_c = 0.0;
  for (Index i = 0; i < count; ++i) {
    const double lower = problem.lower.empty() ? 0.0 : problem.lower[i];
    const double upper = problem.upper.empty() ? kInfinity : problem.upper[i];
    const double g = product[i] / rows.scale(i) + problem.c[i];
    const double error = std::abs(x[i] - std::clamp(x[i] - g, lower, upper));
    if (std::isnan(error)) return kInfinity;
    worst = std::max(worst, error);
    size_x = std::max(size_x, std::abs(x[i]));
    size_c = std::max(size_c, std::abs(problem.c[i]));
  }
  return worst == 0.0 ? 0.0 : worst / (size_c + rows.matrix_norm() * size_x);  // (2)
}

}  // namespace carom::solvers
