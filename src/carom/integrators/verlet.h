#pragma once

#include <span>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/core/worker_pool.h"
#include "carom/forces/force.h"

namespace carom {

/// Free flight of points by the Verlet scheme [Hairer2003], with linear drag
/// split symmetrically around it:
///
///   (1)  v_1 = d v + h/2 a(q),   d_i = exp(-c h / 2 m_i)
///   (2)  q_plus = q + h v_1
///   (3)  v_plus = d (v_1 + h/2 a(q_plus))
///
/// q position, v velocity, a acceleration, c coefficient of drag, m mass, h step. Without drag and
/// under a uniform acceleration it is exact, so energy and momentum are kept to round-off; under
/// other potentials it is symplectic and its energy error stays of order h^2.
///
/// Forces of the program that have no potential do work from outside. In each half of (1) and (3)
/// it is that part of the change of kinetic energy which belongs to their share f of the force:
///
///   (4)  W = sum_i h/2 f_i . (u_i + w_i) / 2
///
/// u and w the velocities of a body right before and after that half's change by h/2 a.
class VerletFlight {
 public:
  VerletFlight(const ForceSet& forces, const BodySet& bodies, const Periodicity& periodicity,
               double step);

  /// From now on the pool's threads share the bodies, to the same bits. Not owned.
  void share_out(WorkerPool& pool) { pool_ = &pool; }

  /// From now on steps have another size.
  void change_step(double step);

  /// Begins at a place: computes a(q). To be called before the others whenever q has changed.
  void start(std::span<const Vec3> position);
  /// (1) and (2)
  void positions(std::span<const Vec3> position, std::span<const Vec3> velocity,
                 std::span<Vec3> end) const;
  /// The same of one body.
  [[nodiscard]] Vec3 end_of(std::size_t body, const Vec3& position, const Vec3& velocity) const {
    const Vec3 middle = decay(body) * velocity + (0.5 * step_) * acceleration_[body];  // (1)
    return position + step_ * middle;                                                  // (2)
  }
  /// (1): the velocity with which a body moves through the step.
  [[nodiscard]] Vec3 middle_of(std::size_t body, const Vec3& velocity) const {
    return decay(body) * velocity + (0.5 * step_) * acceleration_[body];
  }
  /// What (1) leaves of a velocity.
  [[nodiscard]] double decay_of(std::size_t body) const { return decay(body); }
  /// (3); `end` from positions() with the same velocity. Leaves a(end) as the new start.
  void velocities(std::span<const Vec3> end, std::span<Vec3> velocity);
  /// (4), of the last velocities(), J.
  [[nodiscard]] double work() const { return work_; }

 private:
  void add_functions(std::span<const Vec3> position);
  [[nodiscard]] double decay(std::size_t body) const { return decay_.empty() ? 1.0 : decay_[body]; }

  const ForceSet* forces_;
  const BodySet* bodies_;
  const Periodicity* periodicity_;
  double step_ = 0.0;
  WorkerPool* pool_ = nullptr;
  std::vector<double> decay_;  ///< empty without drag
  std::vector<Vec3> acceleration_;
  // Only with forces of the program: those at the present place, and those without a potential.
  std::vector<Vec3> force_;
  std::vector<Vec3> working_force_;
  double work_ = 0.0;
};

}  // namespace carom
