#pragma once

#include <memory>

#include "rigid/scene.h"

namespace carom::bench {

/// Bullet as it comes (ten iterations, its own thresholds and margins), without sleeping. The
/// bodies' coefficients are such that Bullet's rule, the product of the two, gives those of the
/// scene.
class BulletRigid {
 public:
  explicit BulletRigid(const RigidScene& scene);
  ~BulletRigid();
  BulletRigid(const BulletRigid&) = delete;
  BulletRigid& operator=(const BulletRigid&) = delete;

  void step();
  void read(State& state) const;

 private:
  struct World;
  std::unique_ptr<World> world_;
};

}  // namespace carom::bench
