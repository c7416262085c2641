// How each PointForm answers a connected part of violated rows of points.
#include "carom/impact/detail/part_answer.h"

#include <array>
#include <cmath>
#include <vector>

#include "carom/core/assert.h"
#include "carom/core/stopwatch.h"
#include "carom/impact/detail/point_parts.h"
#include "carom/impact/detail/point_unloading.h"
#include "carom/impact/energy_scale.h"
#include "carom/impact/point_operator.h"

namespace carom {
namespace {

template <std::size_t D>
class UnloadingAnswer final : public PartAnswer<D> {
 public:
  ApplicationStatus apply(std::span<const Violation<D>> part, const PointFront<D>& front,
                          std::span<double> impulses, WorkerPool* /*pool*/) override {
    const WallStopwatch watch(this->seconds_.other);
    return unloading_.apply(part, front, impulses);
  }

 private:
  PointUnloading<D> unloading_;
};

// Shows a PointOperator the part, scaled and numbered, and brings its answer back.
template <std::size_t D>
class RegisteredAnswer final : public PartAnswer<D> {
 public:
  explicit RegisteredAnswer(std::unique_ptr<PointOperator> form) : form_(std::move(form)) {}

  ApplicationStatus apply(std::span<const Violation<D>> part, const PointFront<D>& front,
                          std::span<double> impulses, WorkerPool* /*pool*/) override {
    const WallStopwatch watch(this->seconds_.other);
    linker_.link(part, front);
    const std::span<const double> scale = linker_.scale();
    b_.resize(part.size());
    for (std::size_t k = 0; k < part.size(); ++k) b_[k] = scale[k] * part[k].b;
    const ApplicationStatus status = form_->apply(PointPart<D>{&linker_.system(), b_}, impulses);
    keep_energy(impulses);
    for (std::size_t k = 0; k < part.size(); ++k) impulses[k] *= scale[k];
    return status;
  }

 private:
  void keep_energy(std::span<double> impulses) {
    const solvers::LinkedRows<D>& system = linker_.system();
    push_.assign(system.weight.size(), std::array<double, D>{});
    double work = 0.0;
    for (std::size_t k = 0; k < impulses.size(); ++k) {
      const typename solvers::LinkedRows<D>::Row& row = system.rows[k];
      work += b_[k] * impulses[k];
      for (std::size_t d = 0; d < D; ++d) {
        push_[row.a][d] += impulses[k] * row.gradient[d];
        if (row.b != kNone) push_[row.b][d] -= impulses[k] * row.gradient[d];
      }
    }
    double square = 0.0;
    for (std::size_t p = 0; p < push_.size(); ++p) {
      for (const double x : push_[p]) square += system.weight[p] * x * x;
    }
    const double t = energy_keeping_scale(2.0 * work, square);
    for (double& impulse : impulses) impulse *= t;
  }

  std::unique_ptr<PointOperator> form_;
  PartLinker<D> linker_;
  std::vector<double> b_;
  std::vector<std::array<double, D>> push_;  ///< per point of the part
};

}  // namespace

template <std::size_t D>
std::unique_ptr<PartAnswer<D>> make_part_answer(const std::string& specification) {
  const PointForm form = find_operator(specification)->point_form;
  switch (form) {
    case PointForm::reflection:
      return std::make_unique<PartReflection<D>>();
    case PointForm::unloading:
      return std::make_unique<UnloadingAnswer<D>>();
    case PointForm::registered:
      return std::make_unique<RegisteredAnswer<D>>(make_point_operator(specification));
    case PointForm::one_row:
    case PointForm::none:
      break;
  }
  CAROM_DEMAND(form != PointForm::one_row && form != PointForm::none);
  return nullptr;
}

template std::unique_ptr<PartAnswer<2>> make_part_answer(const std::string&);
template std::unique_ptr<PartAnswer<3>> make_part_answer(const std::string&);

}  // namespace carom
