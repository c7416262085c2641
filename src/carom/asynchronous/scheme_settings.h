#pragma once

#include <string>
#include <vector>

namespace carom::asynchronous {

/// Settings of the scheme as scenes give them (docs/asynchronous.md). Steps are ratios without a
/// unit.
struct AsynchronousSettings {
  std::string layers = "harmon";            ///< or "vouga"
  std::string friction_model = "anchored";  ///< or "printed", "none"
  /// N/m: r_1 of the first layer, multiplied by the stiffness of the pair of materials.
  double stiffness = 1000.0;
  double contact_step = 0.1;
  double force_step = 0.4;
  double pressing_step = 0.5;
  double activation_margin = 0.04;
  double least_progress = 0.0;   ///< s for a million events; 0: none
  std::string audit = "states";  ///< or "motion", "none"
  std::string engine = "fast";   ///< or "reference", the papers'
  // Of the reference engine alone (reference/mechanisms.h).
  std::string clocks = "own";  ///< or "nested", "restarted"
  bool supports = true;
  bool vague_trajectories = true;
  bool hierarchy = true;
  bool envelopes = true;
  bool adaptive_axes = true;
};

[[nodiscard]] std::vector<std::string> layer_names();
[[nodiscard]] std::vector<std::string> asynchronous_friction_names();
[[nodiscard]] std::vector<std::string> asynchronous_audit_names();
[[nodiscard]] std::vector<std::string> engine_names();
[[nodiscard]] std::vector<std::string> clock_names();

}  // namespace carom::asynchronous
