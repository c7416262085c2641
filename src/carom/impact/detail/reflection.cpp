// The reflection of one part, as a quadratic program over its rows.
#include "carom/impact/detail/reflection.h"

#include <algorithm>

namespace carom {

Reflection::Reflection() : solver_(solvers::make_qp_solver("auto")) {}

ApplicationStatus Reflection::apply(const Application& application, std::span<const Index> part,
                                    Impulses& impulses) {
  const auto target = [&](Index row) {
    return (1.0 + application.response[row]) * application.b[row];
  };
  if (part.size() == 1) {
    impulses.rows.push_back(part[0]);
    impulses.values.push_back(
        std::max(0.0, -target(part[0]) / application.rows->diagonal(part[0])));
    return ApplicationStatus::applied;
  }
  right_side_.clear();
  bool elastic = true;
  for (const Index row : part) {
    right_side_.push_back(target(row));
    elastic = elastic && application.response[row] == 1.0;
  }
  solver_->solve({application.rows, part, right_side_, {}, {}, {}},
                 {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = true}, result_);
  if (result_.status == solvers::QpStatus::unbounded) return ApplicationStatus::locked;
  if (elastic && application.exact_energy) scaler_.scale(application, part, result_.x);
  impulses.rows.insert(impulses.rows.end(), part.begin(), part.end());
  impulses.values.insert(impulses.values.end(), result_.x.begin(), result_.x.end());
  return result_.status == solvers::QpStatus::solved ? ApplicationStatus::applied
                                                     : ApplicationStatus::solver_failed;
}

}  // namespace carom
