#include "parts/methods.h"

#include <algorithm>
#include <optional>

#include "carom/solvers/linked_pivoting.h"
#include "carom/solvers/quadratic_program.h"
#include "carom/solvers/small_pivoting.h"

namespace carom::bench {
namespace {

using solvers::StoredProblem;

class Small final : public PartMethod {
 public:
  [[nodiscard]] std::string name() const override { return "small"; }

  bool prepare(const StoredProblem& part) override {
    if (part.selection.size() > solvers::SmallPivoting::kMostRows) return false;
    part_ = &part;
    return true;
  }

  bool solve() override {
    const std::size_t count = part_->selection.size();
    pivoting_.count = count;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        pivoting_.a[i][j] = pivoting_.a[j][i] =
            part_->rows.product(part_->selection[i], part_->selection[j]);
      }
      pivoting_.c[i] = part_->c[i];
    }
    return pivoting_.solve();
  }

 private:
  const StoredProblem* part_ = nullptr;
  solvers::SmallPivoting pivoting_;
};

class Linked final : public PartMethod {
 public:
  [[nodiscard]] std::string name() const override { return "linked"; }

  bool prepare(const StoredProblem& part) override {
    links_ = solvers::linked_rows<2>(part.view());
    c_ = part.c;
    x_.resize(c_.size());
    return links_.has_value();
  }

  bool solve() override {
    std::fill(x_.begin(), x_.end(), 0.0);
    return pivoting_.solve(*links_, c_, x_);
  }

 private:
  std::optional<solvers::LinkedRows<2>> links_;
  solvers::LinkedPivoting<2> pivoting_;
  std::vector<double> c_;
  std::vector<double> x_;
};

class General final : public PartMethod {
 public:
  General(std::string name, std::size_t least, std::size_t most)
      : name_(std::move(name)),
        least_(least),
        most_(most),
        solver_(solvers::make_qp_solver(name_)) {}

  [[nodiscard]] std::string name() const override { return name_; }

  bool prepare(const StoredProblem& part) override {
    part_ = &part;
    return part.selection.size() >= least_ && part.selection.size() <= most_;
  }

  bool solve() override {
    solver_->solve(part_->view(), {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = false},
                   result_);
    return result_.status == solvers::QpStatus::solved;
  }

 private:
  std::string name_;
  std::size_t least_;
  std::size_t most_;
  std::unique_ptr<solvers::QpSolver> solver_;
  const StoredProblem* part_ = nullptr;
  solvers::QpResult result_;
};

}  // namespace

std::vector<std::unique_ptr<PartMethod>> part_methods() {
  constexpr std::size_t kAny = SIZE_MAX;
  std::vector<std::unique_ptr<PartMethod>> methods;
  methods.push_back(std::make_unique<Small>());
  methods.push_back(std::make_unique<Linked>());
  methods.push_back(std::make_unique<General>("closed_form", 1, 2));
  methods.push_back(std::make_unique<General>("dense_pivoting", 1, 2000));
  methods.push_back(std::make_unique<General>("interior_point", 1, kAny));
  methods.push_back(std::make_unique<General>("mprgp", 1, kAny));
  return methods;
}

}  // namespace carom::bench
