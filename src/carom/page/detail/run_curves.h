#pragma once

#include <string>
#include <vector>

#include "carom/runs/run_record.h"
#include "carom/scene/scene.h"

namespace carom::detail {

/// One quantity of a run over time.
struct Curve {
  std::string name;
  std::string unit;
  std::string plot;
  double scale = 0.0;
  std::vector<double> values;
  bool is_count = false;
  std::vector<double> times = {};  ///< where they are not those of the steps
  bool is_logarithmic = false;
};

/// Everything that the page and plots show of a run over time, in their order.
[[nodiscard]] std::vector<Curve> curves_of(const RunRecord& record, const Scene& scene);

}  // namespace carom::detail
