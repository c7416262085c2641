#pragma once

#include <vector>

#include "carom/measures/patterns.h"

namespace carom {

/// What the heights of one cycle of the plate show.
struct PatternCycle {
  double number = 0.0;   ///< 1: the first
  double time = 0.0;     ///< s, of the look that counts
  PatternReport report;  ///< of that look
};

/// Follows the pattern of a shaken layer. Waves swing, so that of the looks of a cycle the one with
/// the largest amplitude counts; the spectra of those from some cycle on are added up, which leaves
/// what stays and averages what does not.
class PatternWatch {
 public:
  /// `period` of the plate, s; `from`: cycles that pass before any count.
  PatternWatch(double period, double from, const PatternLimits& limits);

  /// Whether it is time for the next look: eight in a cycle.
  [[nodiscard]] bool is_due(double time) const;
  /// The heights at `time`, which is due.
  void look(double time, const HeightField& heights);

  /// What the spectra of the cycles that count show together; flat where none has ended.
  /// Triads are the mean of theirs.
  [[nodiscard]] PatternReport whole() const;
  /// Their sum over their number: power as in a single one.
  [[nodiscard]] Spectrum spectrum() const;
  /// Of the last cycle that has ended, at the look that counts; empty before.
  [[nodiscard]] const HeightField& heights() const { return heights_; }
  [[nodiscard]] const std::vector<PatternCycle>& cycles() const { return cycles_; }

 private:
  void end_cycle(double time);

  double period_;  ///< s
  double from_;    ///< cycles
  PatternLimits limits_;
  double looks_ = 0.0;
  PatternCycle best_;
  HeightField best_heights_;
  HeightField heights_;
  Spectrum spectrum_;              ///< summed
  double triads_ = 0.0;            ///< summed
  double triads_by_chance_ = 0.0;  ///< likewise
  double summed_ = 0.0;
  std::vector<PatternCycle> cycles_;
};

}  // namespace carom
