// The operator `gr`: the violated rows are reflected together.
#include "carom/impact/operators/generalized_reflections.h"

#include "carom/impact/detail/operator_options.h"
#include "carom/impact/detail/reflection.h"
#include "carom/impact/parts.h"

namespace carom {
namespace {

class GeneralizedReflections final : public ImpactOperator {
 public:
  [[nodiscard]] const OperatorInfo& info() const override { return generalized_reflections_info(); }

  ApplicationStatus apply(const Application& application, Impulses& impulses) override {
    splitter_.split(*application.rows, application.violated->members());
    ApplicationStatus status = ApplicationStatus::applied;
    for (std::size_t k = 0; k < splitter_.part_count(); ++k) {
      const ApplicationStatus part = reflection_.apply(application, splitter_.part(k), impulses);
      if (part != ApplicationStatus::applied) status = part;
    }
    return status;
  }

 private:
  PartSplitter splitter_;
  Reflection reflection_;
};

}  // namespace

const OperatorInfo& generalized_reflections_info() {
  static const OperatorInfo info = [] {
    OperatorInfo i;
    i.name = "gr";
    i.summary = "Generalized Reflections: the rows that are closing now are reflected together";
    i.point_form = PointForm::reflection;
    i.may_go_on = true;
    i.set_promises(
        {Law::one, Law::mom, Law::kin, Law::sym, Law::brk, Law::feas, Law::fin, Law::imp});
    return i;
  }();
  return info;
}

std::unique_ptr<ImpactOperator> make_generalized_reflections(std::string_view options) {
  static_cast<void>(OperatorOptions(generalized_reflections_info(), options));
  return std::make_unique<GeneralizedReflections>();
}

}  // namespace carom
