// What a run shows over time, below its scene and in plots: energies, momentum, contacts, ledgers,
// what its scene measures, and how well it keeps the symmetries that the scene speaks of.
#include "carom/page/detail/run_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "carom/measures/measurements.h"
#include "carom/runs/scene_check.h"
#include "carom/runs/scene_run.h"
#include "carom/schemes/registry.h"

namespace carom::detail {
namespace {

std::vector<double> as_real(const std::vector<std::uint64_t>& values) {
  return {values.begin(), values.end()};
}

// Total energy without what scripted shapes put in.
std::vector<double> energy_of(const RunRecord& record) {
  const std::vector<double> kinetic = record.real_column("kinetic");
  const std::vector<double> potential = record.real_column("potential");
  const std::vector<double> work = record.real_column("external_work");
  std::vector<double> energy(kinetic.size());
  double sum = 0.0;
  for (std::size_t k = 0; k < energy.size(); ++k) {
    sum += work[k];
    energy[k] = kinetic[k] + potential[k] - sum;
  }
  return energy;
}

bool has_external_work(const RunRecord& record) {
  const std::vector<double> work = record.real_column("external_work");
  return std::any_of(work.begin(), work.end(), [](double w) { return w != 0.0; });
}

// sqrt(2 m E) summed would be exact for equal speeds; this is a scale, not a measurement.
double momentum_scale(const RunRecord& record) {
  double mass = 0.0;
  for (const double m : record.header().masses) mass += m;
  const std::vector<double> kinetic = record.real_column("kinetic");
  const double largest = kinetic.empty() ? 0.0 : *std::max_element(kinetic.begin(), kinetic.end());
  return std::sqrt(2.0 * mass * largest);
}

double largest_of(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

// How often something collides, where each collision has its own moment, says more than how many
// contacts a step had, which is a look at no moment in particular. Windows hold whole steps; the
// last one is left out where it is not full.
Curve collision_rate(const RunRecord& record) {
  constexpr double kMostWindows = 500.0;
  Curve curve{"collisions per second", "1/s", "collision rate", 0.0, {}};
  const std::vector<double> times = record.real_column("time");
  const std::vector<std::uint64_t> impulses = record.integer_column("impulses");
  if (times.empty()) return curve;
  const double window = (times.back() - times.front()) / kMostWindows * (1.0 - 1e-9);
  double begin = times.front();
  double count = 0.0;
  for (std::size_t k = 1; k < times.size(); ++k) {
    count += static_cast<double>(impulses[k]);
    if (times[k] - begin < window) continue;
    curve.times.push_back(times[k]);
    curve.values.push_back(count / (times[k] - begin));
    begin = times[k];
    count = 0.0;
  }
  return curve;
}

// What schemes that keep a ledger write down step by step, summed up; and how near things came.
void add_ledger(const RunRecord& record, double scale, std::vector<Curve>& curves) {
  struct Entry {
    const char* column;
    const char* name;
  };
  if (record.has_column("contact_energy")) {
    curves.push_back(
        {"contact energy", "J", "ledger", scale, record.real_column("contact_energy")});
  }
  constexpr std::array<Entry, 5> kSums = {{{"lost_to_restitution", "lost to restitution"},
                                           {"lost_to_friction", "lost to friction"},
                                           {"lost_to_damping", "lost to damping"},
                                           {"work_of_led", "work of led bodies"},
                                           {"work_of_forces", "work of forces"}}};
  for (const Entry& entry : kSums) {
    if (!record.has_column(entry.column)) continue;
    std::vector<double> sum = record.real_column(entry.column);
    std::partial_sum(sum.begin(), sum.end(), sum.begin());
    curves.push_back({entry.name, "J", "ledger", scale, std::move(sum)});
  }
  if (record.has_column("smallest_gap")) {
    // Nothing was near yet where it is infinite.
    std::vector<double> gaps = record.real_column("smallest_gap");
    for (double& gap : gaps) {
      if (!(gap < kInfinity)) gap = std::numeric_limits<double>::quiet_NaN();
    }
    if (!gaps.empty()) gaps.front() = std::numeric_limits<double>::quiet_NaN();
    curves.push_back({"smallest gap", "m", "smallest gap", 0.0, std::move(gaps)});
  }
  if (record.has_column("deepest_layer")) {
    curves.push_back(
        {"deepest layer", "", "deepest layer", 0.0, record.real_column("deepest_layer"), true});
  }
}

// How the shortest steps of all bodies are distributed at each frame [Harmon2009, Fig. 2].
void add_step_sizes(const RunRecord& record, std::vector<Curve>& curves) {
  constexpr const char* kColumn = "shortest_step";
  if (!has_body_column(record.header(), kColumn) || record.header().body_count() == 0) return;
  struct Share {
    const char* name;
    double below;  ///< of the bodies
  };
  constexpr std::array<Share, 5> kShares = {{{"longest", 1.0},
                                             {"90 of 100 below", 0.9},
                                             {"median", 0.5},
                                             {"10 of 100 below", 0.1},
                                             {"shortest", 0.0}}};
  const std::size_t first = curves.size();
  for (const Share& share : kShares) {
    curves.push_back(
        {share.name, "s", "steps of the bodies", 0.0, {}, false, record.frame_times(), true});
  }
  for (std::size_t frame = 0; frame < record.frame_times().size(); ++frame) {
    std::vector<double> steps = body_column(record.header(), record.frame(frame), kColumn);
    std::sort(steps.begin(), steps.end());
    for (std::size_t k = 0; k < kShares.size(); ++k) {
      const double place = kShares[k].below * static_cast<double>(steps.size() - 1);
      curves[first + k].values.push_back(steps[static_cast<std::size_t>(std::lround(place))]);
    }
  }
}

// On the logarithm: from round-off to the size of the scene are fifteen powers of ten.
void add_symmetries(const RunRecord& record, const Scene& scene, std::vector<Curve>& curves) {
  std::map<std::string, int> counts;
  for (const SymmetryExpectation& symmetry : symmetries_of(scene)) {
    std::string name = std::string(to_string(symmetry.kind)) + " error";
    const int number = ++counts[name];
    if (number > 1) name += " " + std::to_string(number);
    Curve curve{name, "m", name, 0.0, symmetry_errors(symmetry, record)};
    curve.times = record.frame_times();
    curve.is_logarithmic = largest_of(curve.values) > 0.0;
    curves.push_back(std::move(curve));
  }
}

}  // namespace

std::vector<Curve> curves_of(const RunRecord& record, const Scene& scene) {
  std::vector<Curve> curves;
  const std::vector<double> kinetic = record.real_column("kinetic");
  const double energy_scale = largest_of(kinetic);
  const char* total =
      has_external_work(record) ? "total energy minus work of moving shapes" : "total energy";
  curves.push_back({total, "J", "energy", energy_scale, energy_of(record)});
  curves.push_back({"kinetic energy", "J", "energy", energy_scale, kinetic});
  add_symmetries(record, scene, curves);
  const double scale = momentum_scale(record);
  for (const char* axis : {"x", "y", "z"}) {
    if (record.header().dimension == 2 && *axis == 'z') continue;
    curves.push_back({std::string("momentum ") + axis, "kg m/s", "momentum", scale,
                      record.real_column(std::string("momentum_") + axis)});
  }
  if (record.has_column("rows")) {
    curves.push_back(
        {"contacts", "", "contacts", 0.0, as_real(record.integer_column("rows")), true});
  }
  if (record.has_column("applications")) {
    curves.push_back({"applications", "", "applications", 0.0,
                      as_real(record.integer_column("applications")), true});
  }
  add_ledger(record, energy_scale, curves);
  add_step_sizes(record, curves);
  if (recorded_scheme_info(record.header()).collisions == CollisionTimes::their_own) {
    Curve rate = collision_rate(record);
    if (!rate.times.empty()) curves.push_back(std::move(rate));
  }
  for (MeasuredSeries& measured : measure_run(record, scene)) {
    curves.push_back({std::move(measured.name), std::move(measured.unit), std::move(measured.plot),
                      0.0, std::move(measured.values), false, record.frame_times()});
  }
  return curves;
}

}  // namespace carom::detail
