// The operator `lcp`: all active rows are reflected together.
#include "carom/impact/operators/lcp.h"

#include "carom/impact/detail/operator_options.h"
#include "carom/impact/detail/reflection.h"

namespace carom {
namespace {

class Lcp final : public ImpactOperator {
 public:
  [[nodiscard]] const OperatorInfo& info() const override { return lcp_info(); }

  ApplicationStatus apply(const Application& application, Impulses& impulses) override {
    return reflection_.apply(application, application.active, impulses);  // (1)
  }

 private:
  Reflection reflection_;
};

}  // namespace

const OperatorInfo& lcp_info() {
  static const OperatorInfo info = [] {
    OperatorInfo i;
    i.name = "lcp";
    i.summary = "one complementarity problem over all touching rows (Newton's restitution)";
    i.set_promises({Law::one, Law::mom, Law::kin, Law::sym, Law::fin, Law::imp});
    i.once = true;
    return i;
  }();
  return info;
}

std::unique_ptr<ImpactOperator> make_lcp(std::string_view options) {
  static_cast<void>(OperatorOptions(lcp_info(), options));
  return std::make_unique<Lcp>();
}

}  // namespace carom
