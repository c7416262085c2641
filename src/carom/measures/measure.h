#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/runs/scene_run.h"
#include "carom/scene/scene.h"

namespace carom {

/// One number of a finished run, by what `carom sweep --measure` names it:
///
///   energy_drift               a quantity of the run (run_quantity_names())
///   cue.vx                     a quantity of a body at the end (body_quantity_names())
///   mean(ball-*.speed)         over all bodies of a name with stars: count, sum, mean, min, max
///   count(pin-*.tilt>20)       how many fulfil a comparison, < or >
class Measure {
 public:
  /// Throws InputError on a text that is none.
  explicit Measure(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// "J", "m/s"; empty of shares and counts.
  [[nodiscard]] std::string unit() const;
  /// Whether frames between the first and the last are needed: the scene's expectations.
  [[nodiscard]] bool needs_frames() const { return run_quantity_ == "expected"; }
  /// Throws InputError where the scene has no such body. Not a number where it has no meaning: the
  /// mean of nothing, the turning of a body that does not turn.
  [[nodiscard]] double of(const Scene& scene, const MemoryRun& run) const;

 private:
  void parse_bodies(std::string_view text);
  [[noreturn]] void refuse(const std::string& message) const;

  std::string text_;
  std::string run_quantity_;  // or "": of bodies
  std::string aggregate_;     // "" for one body
  std::string pattern_;
  std::string quantity_;
  char comparison_ = 0;  // '<', '>' or none
  double bound_ = 0.0;
};

[[nodiscard]] std::vector<std::string> run_quantity_names();
[[nodiscard]] std::vector<std::string> body_quantity_names();

}  // namespace carom
