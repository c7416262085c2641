// The operator `gauss_seidel`: one violated row at a time.
#include "carom/impact/operators/gauss_seidel.h"

#include <array>
#include <cstdint>
#include <string>

#include "carom/core/random.h"
#include "carom/impact/detail/operator_options.h"
#include "carom/impact/operators/worst_first.h"

namespace carom {
namespace {

const std::array<std::string, 3> kOrders = {"lexicographic", "random", "worst"};

class GaussSeidel final : public ImpactOperator {
 public:
  GaussSeidel(const std::string& order, std::uint64_t seed)
      : random_order_(order == "random"),
        worst_first_(order == "worst"),
        seed_(seed),
        random_(seed) {}

  [[nodiscard]] const OperatorInfo& info() const override { return gauss_seidel_info(); }

  // Each component has its own sequence, so that components do not depend on each other.
  void start(Index first_row) override {
    worst_.begin();
    if (random_order_) random_ = Random(seed_ + 0x9e3779b97f4a7c15U * (first_row + 1U));
  }

  ApplicationStatus apply(const Application& application, Impulses& impulses) override {
    const Index row = choose(application);
    impulses.rows.push_back(row);
    impulses.values.push_back(-(1.0 + application.response[row]) * application.b[row] /
                              application.rows->diagonal(row));  // (1)
    return ApplicationStatus::applied;
  }

 private:
  Index choose(const Application& application) {
    const IndexSet& violated = *application.violated;
    if (random_order_) return violated.members()[random_.below(violated.size())];
    if (!worst_first_) return violated.smallest();
    return worst_.choose(application);
  }

  bool random_order_;
  bool worst_first_;
  std::uint64_t seed_;
  Random random_;
  WorstFirst worst_;
};

}  // namespace

const OperatorInfo& gauss_seidel_info() {
  static const OperatorInfo info = [] {
    OperatorInfo i;
    i.name = "gauss_seidel";
    i.summary = "one violated pair after the other bounces, until none is left";
    i.point_form = PointForm::one_row;  // without options
    i.set_promises({Law::one, Law::mom, Law::kin, Law::brk, Law::feas, Law::fin, Law::imp});
    i.options = {
        {"order", "lexicographic|random|worst", "lexicographic",
         "which violated row is next: the smallest number, a seeded draw, the fastest closing"},
        {"seed", "a whole number", "1", "for order=random"}};
    return i;
  }();
  return info;
}

std::unique_ptr<ImpactOperator> make_gauss_seidel(std::string_view options) {
  const OperatorOptions parsed(gauss_seidel_info(), options);
  return std::make_unique<GaussSeidel>(parsed.choice("order", kOrders),
                                       parsed.whole_number("seed"));
}

}  // namespace carom
