#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/geometry/rotation.h"
#include "carom/geometry/vec3.h"

namespace carom::bench {

/// A ball or a box of a canonical scene (bench/web/scenes.mjs), of mass 1 kg, or fixed.
struct CanonicalBody {
  std::optional<double> radius;  ///< of a ball
  Vec3 half;                     ///< half the edges of a box
  Vec3 position;
  Vec3 velocity;
  bool fixed = false;
};

struct CanonicalScene {
  std::vector<CanonicalBody> bodies;
  Vec3 gravity;
  double restitution = 1.0;
  double friction = 0.0;
  bool swept = false;  ///< with the engine's continuous detection
};

struct CanonicalState {
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
  std::vector<Vec3> spin;
  std::vector<Quaternion> turn;
};

/// Another engine with a canonical scene in it.
class CanonicalEngine {
 public:
  virtual ~CanonicalEngine() = default;
  /// A sixtieth of a second.
  virtual void step() = 0;
  [[nodiscard]] virtual CanonicalState state() const = 0;
};

inline constexpr double kCanonicalStep = 1.0 / 60.0;  // s

std::unique_ptr<CanonicalEngine> make_canonical_bullet(const CanonicalScene& scene);
std::unique_ptr<CanonicalEngine> make_canonical_ode(const CanonicalScene& scene);
std::unique_ptr<CanonicalEngine> make_canonical_box2d(const CanonicalScene& scene);

}  // namespace carom::bench
