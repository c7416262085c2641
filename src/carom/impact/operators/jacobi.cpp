// The operator `jacobi`: every violated row by itself, all at once.
#include "carom/impact/operators/jacobi.h"

#include <algorithm>

#include "carom/impact/detail/operator_options.h"

namespace carom {
namespace {

class Jacobi final : public ImpactOperator {
 public:
  [[nodiscard]] const OperatorInfo& info() const override { return jacobi_info(); }

  ApplicationStatus apply(const Application& application, Impulses& impulses) override {
    const std::span<const Index> violated = application.violated->members();
    impulses.rows.assign(violated.begin(), violated.end());
    std::sort(impulses.rows.begin(), impulses.rows.end());
    for (const Index row : impulses.rows) {
      // By itself a scaled row has A_ii = 1, also where it stands for several that share bodies.
      impulses.values.push_back(-(1.0 + application.response[row]) * application.b[row]);  // (1)
    }
    return ApplicationStatus::applied;
  }
};

}  // namespace

const OperatorInfo& jacobi_info() {
  static const OperatorInfo info = [] {
    OperatorInfo i;
    i.name = "jacobi";
    i.summary = "all violated pairs bounce at once, each as if it were alone";
    i.set_promises({Law::one, Law::mom, Law::sym, Law::brk, Law::imp});
    return i;
  }();
  return info;
}

std::unique_ptr<ImpactOperator> make_jacobi(std::string_view options) {
  static_cast<void>(OperatorOptions(jacobi_info(), options));
  return std::make_unique<Jacobi>();
}

}  // namespace carom
