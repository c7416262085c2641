#ifdef CAROM_HAVE_IPOPT

#include "solvers/ipopt_reference.h"

#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>
#include <IpTNLP.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>

namespace carom::solvers {
namespace {

/// The lower triangle of A_SS by coordinates.
struct Triplets {
  std::vector<int> row;
  std::vector<int> column;
  std::vector<double> value;
};

Triplets assemble(const QuadraticProgram& problem) {
  const BlockRows& rows = *problem.rows;
  std::vector<Index> place(rows.row_count(), kNone);
  for (Index i = 0; i < problem.selection.size(); ++i) place[problem.selection[i]] = i;
  std::vector<Index> seen(problem.selection.size(), kNone);
  Triplets triplets;
  for (Index i = 0; i < problem.selection.size(); ++i) {
    for (const BlockRows::Entry& entry : rows.entries(problem.selection[i])) {
      for (const Index other : rows.rows_of(entry.block)) {
        const Index j = place[other];
        if (j == kNone || j > i || seen[j] == i) continue;
        seen[j] = i;
        triplets.row.push_back(static_cast<int>(i));
        triplets.column.push_back(static_cast<int>(j));
        triplets.value.push_back(rows.product(problem.selection[i], other));
      }
    }
  }
  return triplets;
}

class Program final : public Ipopt::TNLP {
 public:
  explicit Program(const QuadraticProgram& problem) : problem_(problem), a_(assemble(problem)) {}

  std::vector<double> x;

  bool get_nlp_info(Ipopt::Index& n, Ipopt::Index& m, Ipopt::Index& nnz_jac, Ipopt::Index& nnz_h,
                    IndexStyleEnum& style) override {
    n = static_cast<Ipopt::Index>(problem_.selection.size());
    m = 0;
    nnz_jac = 0;
    nnz_h = static_cast<Ipopt::Index>(a_.value.size());
    style = C_STYLE;
    return true;
  }

  bool get_bounds_info(Ipopt::Index n, Ipopt::Number* lower, Ipopt::Number* upper, Ipopt::Index,
                       Ipopt::Number*, Ipopt::Number*) override {
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      lower[i] = problem_.lower.empty() ? 0.0 : problem_.lower[i];
      upper[i] = problem_.upper.empty() || std::isinf(problem_.upper[i]) ? 2e19 : problem_.upper[i];
    }
    return true;
  }

  bool get_starting_point(Ipopt::Index n, bool, Ipopt::Number* start, bool, Ipopt::Number*,
                          Ipopt::Number*, Ipopt::Index, bool, Ipopt::Number*) override {
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      start[i] = std::max(1.0, problem_.lower.empty() ? 0.0 : problem_.lower[i]);
    }
    return true;
  }

  bool eval_f(Ipopt::Index n, const Ipopt::Number* at, bool, Ipopt::Number& value) override {
    gradient_.resize(static_cast<std::size_t>(n));
    product(at, gradient_.data());
    value = 0.0;
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
      value += at[i] * (0.5 * gradient_[i] + problem_.c[i]);
    }
    return true;
  }

  bool eval_grad_f(Ipopt::Index n, const Ipopt::Number* at, bool, Ipopt::Number* g) override {
    product(at, g);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) g[i] += problem_.c[i];
    return true;
  }

  bool eval_g(Ipopt::Index, const Ipopt::Number*, bool, Ipopt::Index, Ipopt::Number*) override {
    return true;
  }

  bool eval_jac_g(Ipopt::Index, const Ipopt::Number*, bool, Ipopt::Index, Ipopt::Index,
                  Ipopt::Index*, Ipopt::Index*, Ipopt::Number*) override {
    return true;
  }

  bool eval_h(Ipopt::Index, const Ipopt::Number*, bool, Ipopt::Number factor, Ipopt::Index,
              const Ipopt::Number*, bool, Ipopt::Index, Ipopt::Index* row, Ipopt::Index* column,
              Ipopt::Number* values) override {
    for (std::size_t k = 0; k < a_.value.size(); ++k) {
      if (values == nullptr) {
        row[k] = a_.row[k];
        column[k] = a_.column[k];
      } else {
        values[k] = factor * a_.value[k];
      }
    }
    return true;
  }

  void finalize_solution(Ipopt::SolverReturn, Ipopt::Index n, const Ipopt::Number* at,
                         const Ipopt::Number*, const Ipopt::Number*, Ipopt::Index,
                         const Ipopt::Number*, const Ipopt::Number*, Ipopt::Number,
                         const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    x.assign(at, at + n);
  }

 private:
  void product(const double* at, double* out) const {
    std::fill_n(out, problem_.selection.size(), 0.0);
    for (std::size_t k = 0; k < a_.value.size(); ++k) {
      const auto i = static_cast<std::size_t>(a_.row[k]);
      const auto j = static_cast<std::size_t>(a_.column[k]);
      out[i] += a_.value[k] * at[j];
      if (i != j) out[j] += a_.value[k] * at[i];
    }
  }

  QuadraticProgram problem_;
  Triplets a_;
  std::vector<double> gradient_;
};

}  // namespace

struct IpoptReference::Implementation {
  Ipopt::SmartPtr<Ipopt::IpoptApplication> application;
};

IpoptReference::IpoptReference(double tolerance) : self_(std::make_unique<Implementation>()) {
  self_->application = IpoptApplicationFactory();
  const Ipopt::SmartPtr<Ipopt::OptionsList> options = self_->application->Options();
  options->SetIntegerValue("print_level", 0);
  options->SetStringValue("sb", "yes");
  options->SetNumericValue("tol", tolerance);
  options->SetNumericValue("compl_inf_tol", tolerance);
  options->SetNumericValue("dual_inf_tol", tolerance);
  options->SetNumericValue("bound_relax_factor", 0.0);
  options->SetStringValue("hessian_constant", "yes");
  options->SetStringValue("mu_strategy", "adaptive");
  options->SetIntegerValue("max_iter", 300);
  self_->application->Initialize();
}

IpoptReference::~IpoptReference() = default;

IpoptAnswer IpoptReference::solve(const QuadraticProgram& problem) {
  IpoptAnswer answer;
  Ipopt::SmartPtr<Program> program = new Program(problem);
  const auto begin = std::chrono::steady_clock::now();
  const Ipopt::ApplicationReturnStatus status = self_->application->OptimizeTNLP(program);
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  answer.solved = status == Ipopt::Solve_Succeeded || status == Ipopt::Solved_To_Acceptable_Level;
  answer.x = program->x;
  if (answer.x.size() == problem.selection.size()) {
    for (std::size_t i = 0; i < answer.x.size(); ++i) {
      const double lower = problem.lower.empty() ? 0.0 : problem.lower[i];
      const double upper = problem.upper.empty() ? kInfinity : problem.upper[i];
      answer.x[i] = std::clamp(answer.x[i], lower, upper);
    }
    answer.kkt_residual = kkt_residual(problem, answer.x);
  } else {
    answer.solved = false;
    answer.kkt_residual = kInfinity;
  }
  if (Ipopt::IsValid(self_->application->Statistics())) {
    answer.iterations =
        static_cast<std::uint64_t>(self_->application->Statistics()->IterationCount());
  }
  return answer;
}

}  // namespace carom::solvers

#endif  // CAROM_HAVE_IPOPT
