// Resistance to rolling and spinning: a ball stands on a small patch instead of a place.
//
// The patch has a corner ahead of the ball, one behind it and two beside it, `patch` away from the
// place of contact: rows like others, with the same normal. A ball that rolls with the angular
// velocity w closes the corner ahead as fast as patch |w|. That much it may, so that it is not
// lifted, and no more: the whole normal force N is at that corner, and its torque is patch N
// against the rolling. A ball at rest may close none, and any torque up to that holds it. This is
// to rolling what De Saxce's shift is to slip [DeSaxce1998]. Friction at the corners, mu N in all,
// resists spinning with mu patch N.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "carom/steps/resting.h"

namespace carom {

// How large the patch of a contact is: the coefficient times the radius of the ball, or, of two
// balls, the radius that their curvatures add up to. 0 where no ball turns.
double RestingStepper::patch_of(const Contact& contact, double rolling) const {
  if (!(rolling > 0.0)) return 0.0;
  const BodySet& bodies = simulation_->world.bodies;
  double curvature = 0.0;
  for (const Index body : {contact.body_a, contact.body_b}) {
    if (body == kNone || !bodies.turns(body) || !bodies.is_round(body)) continue;
    curvature += 1.0 / bodies.radius[body];
  }
  return curvature > 0.0 ? rolling / curvature : 0.0;
}

// Places where a ball resists rolling become the corners of their patches. What bounced did so at
// the place itself, which is the middle of the corners.
void RestingStepper::spread_patches() {
  const auto resists = [](const detail::RestRow& row) { return row.patch > 0.0; };
  if (std::none_of(rows_.begin(), rows_.end(), resists)) return;
  const bool is_flat = simulation_->world.dimension == 2;
  std::vector<detail::RestRow> spread;
  for (const detail::RestRow& row : rows_) {
    if (!resists(row)) {
      spread.push_back(row);
      continue;
    }
    // Ahead is where it is driven: with its motion, or, at rest, down the slope.
    const Vec3& n = row.contact.normal;
    Vec3 way = before_.linear[row.contact.body_a] - row.surface;
    if (row.contact.body_b != kNone) way -= before_.linear[row.contact.body_b];
    way -= dot(way, n) * n;
    const double speed = norm(way);
    const Vec3 ahead = speed > 0.0 && !is_flat ? (1.0 / speed) * way : row.direction[1];
    const Vec3 beside = cross(n, ahead);
    std::vector<Vec3> directions = {ahead, -ahead};
    if (!is_flat) directions.insert(directions.end(), {beside, -beside});
    const double share = 1.0 / static_cast<double>(directions.size());
    for (const Vec3& direction : directions) {
      detail::RestRow corner = row;
      corner.corner = row.patch * direction;
      corner.arm_a += corner.corner;
      corner.arm_b += corner.corner;
      corner.place += corner.corner;
      for (double& impulse : corner.impulse) impulse *= share;
      corner.bounce *= share;
      corner.rolled = row.patch * rolling_over(row, bounced_);
      spread.push_back(corner);
    }
  }
  rows_ = std::move(spread);
}

// The relative angular velocity across the normal, rad/s.
double RestingStepper::rolling_over(const detail::RestRow& row,
                                    const Velocities& velocities) const {
  const Contact& contact = row.contact;
  Vec3 turning = velocities.angular[contact.body_a];
  if (contact.body_b != kNone) {
    turning -= velocities.angular[contact.body_b];
  } else {
    turning -= simulation_->world.shapes[contact.shape].spin;
  }
  return norm(turning - dot(turning, contact.normal) * contact.normal);
}

// Corners may close as fast as the ball rolls after the impact. True: that is not as it was solved.
bool RestingStepper::follow_rolling() {
  constexpr double kSame = 1e-12;  // in sizes per step
  bool any = false;
  for (detail::RestRow& row : rows_) {
    if (!(row.patch > 0.0)) continue;
    const double rolled = row.patch * rolling_over(row, after_);
    if (std::abs(rolled - row.rolled) * simulation_->time.step > kSame * row.size) any = true;
    row.rolled = rolled;
  }
  return any;
}

}  // namespace carom
