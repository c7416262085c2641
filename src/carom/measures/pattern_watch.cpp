// Patterns of a shaken plate, cycle by cycle.
#include "carom/measures/pattern_watch.h"

#include <cmath>
#include <utility>

#include "carom/core/assert.h"

namespace carom {
namespace {

constexpr double kLooks = 8.0;  // in a cycle

}  // namespace

PatternWatch::PatternWatch(double period, double from, const PatternLimits& limits)
    : period_(period), from_(from), limits_(limits) {
  CAROM_DEMAND(period > 0.0);
}

bool PatternWatch::is_due(double time) const { return kLooks * time >= looks_ * period_; }

void PatternWatch::look(double time, const HeightField& heights) {
  CAROM_DEMAND(is_due(time));
  looks_ += 1.0;
  const PatternReport report = classify_pattern(spectrum_of(heights), limits_);
  if (report.amplitude > best_.report.amplitude) {
    best_.report = report;
    best_.time = time;
    best_heights_ = heights;
  }
  if (std::fmod(looks_, kLooks) == 0.0) end_cycle(time);
}

void PatternWatch::end_cycle(double time) {
  const double cycle = time / period_;
  best_.number = std::round(cycle);
  cycles_.push_back(best_);
  heights_ = best_heights_;
  best_ = PatternCycle();
  if (!(cycle > from_) || heights_.height.empty()) return;
  Spectrum now = spectrum_of(heights_);
  if (spectrum_.power.empty()) {
    now.waves.clear();
    spectrum_ = std::move(now);
  } else {
    for (std::size_t k = 0; k < now.power.size(); ++k) spectrum_.power[k] += now.power[k];
  }
  triads_ += cycles_.back().report.triads;
  triads_by_chance_ += cycles_.back().report.triads_by_chance;
  summed_ += 1.0;
}

PatternReport PatternWatch::whole() const {
  PatternReport report = classify_pattern(spectrum_, limits_);
  if (summed_ > 0.0) {
    report.triads = triads_ / summed_;
    report.triads_by_chance = triads_by_chance_ / summed_;
  }
  report.pattern = pattern_of(report, limits_);
  return report;
}

Spectrum PatternWatch::spectrum() const {
  Spectrum mean = spectrum_;
  for (double& power : mean.power) power /= summed_;
  return mean;
}

}  // namespace carom
