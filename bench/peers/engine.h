#pragma once

#include <memory>
#include <string>

#include "carom/bodies/bodies.h"

#include "peers/scene.h"

namespace carom::bench {

/// A physics engine with the scene in it. docs/notes/other-engines.md gives the reasons for every
/// setting.
class PeerEngine {
 public:
  PeerEngine() = default;
  PeerEngine(const PeerEngine&) = delete;
  PeerEngine& operator=(const PeerEngine&) = delete;
  virtual ~PeerEngine() = default;

  /// Advances by the scene's step, on the calling thread. Throws std::runtime_error when it cannot.
  virtual void step() = 0;
  /// Where the balls are now, in the order of the scene.
  virtual void read(State& state) const = 0;
};

struct CaromOptions {
  std::string impact_operator = "gr";
  /// One detection per step as in Smith2012 (no redetect, sweep, hold), which is what the other
  /// engines do; otherwise Carom's defaults.
  bool as_printed = false;
  std::string symmetry = "none";
};
[[nodiscard]] std::unique_ptr<PeerEngine> make_carom(const PeerScene& scene,
                                                     const CaromOptions& options);
[[nodiscard]] std::unique_ptr<PeerEngine> make_box2d(const PeerScene& scene);
[[nodiscard]] std::unique_ptr<PeerEngine> make_bullet(const PeerScene& scene);
[[nodiscard]] std::unique_ptr<PeerEngine> make_ode(const PeerScene& scene);

}  // namespace carom::bench
