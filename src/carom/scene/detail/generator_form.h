#pragma once

#include <optional>

#include "carom/core/random.h"
#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {

/// What the bodies of one generator are: balls, balls that turn, or a solid, and how they lie.
class GeneratorForm {
 public:
  /// Everything but `radius`, which the generator read itself; none: the table gives a solid, or it
  /// is refused.
  GeneratorForm(TableReader& table, SceneBuilder& builder, std::optional<double> radius);

  /// Of the balls, or of the ball about the solid.
  [[nodiscard]] double radius() const { return radius_; }
  [[nodiscard]] bool is_solid() const { return is_solid_; }
  /// Gives a body its form and mass; a ball this radius, which a solid does not know.
  void shape(BallStart& start, double radius, const BallProperties& properties, Random& random);

 private:
  SceneBuilder* builder_;
  double radius_ = 1.0;
  bool is_solid_ = false;
  bool turns_ = false;
  Index solid_ = kNone;  ///< of all bodies; of balls of several sizes each has its own
  Quaternion orientation_;
  Vec3 angular_velocity_;
  bool random_orientation_ = false;
};

}  // namespace carom::detail
