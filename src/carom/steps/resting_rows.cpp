// Which places of contact are rows of a step with resting contact, and how far they may close.
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/steps/resting.h"

namespace carom {
namespace {

// In sizes of the smaller of the two.
constexpr double kNear = 0.02;       // pairs nearer than this are rows wherever they go
constexpr double kInTouch = 2e-5;    // a contact that carried keeps its gap below this
constexpr double kSamePlace = 0.05;  // how far a contact may go and be the same
constexpr double kSunk = 1e-11;      // round-off of a gap

std::array<Vec3, 3> directions(const Vec3& n, int dimension) {
  if (dimension == 2) return {n, Vec3{-n.y, n.x, 0.0}, Vec3{}};
  const Vec3 other = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  Vec3 t = other - dot(n, other) * n;
  t *= 1.0 / norm(t);
  return {n, t, cross(n, t)};
}

}  // namespace

// How far bodies may come in the step, with room; true where one may come farther than was looked.
bool RestingStepper::grow_reach(const Velocities& velocities, bool is_first) {
  const BodySet& bodies = simulation_->world.bodies;
  const double step = simulation_->time.step;
  bool grew = false;
  for (Index i = 0; i < bodies.size(); ++i) {
    double way = step * norm(flight_.middle_of(i, velocities.linear[i]));
    if (bodies.turns(i)) way += step * norm(velocities.angular[i]) * bodies.radius[i];
    if (!is_first && way <= reach_[i]) continue;
    constexpr double kRoom = 1.25;
    constexpr double kLeast = 0.01;  // in sizes
    reach_[i] =
        kRoom * way + kLeast * bodies.extent(i) + 2.0 * step * norm(flight_.middle_of(i, {}));
    grew = true;
  }
  return grew;
}

void RestingStepper::move_to_end(const Velocities& velocities) {
  const double step = simulation_->time.step;
  flight_.positions(state_.position, velocities.linear, end_);
  for (Index i = 0; i < end_orientation_.size(); ++i) {
    if (!simulation_->world.bodies.turns(i)) continue;
    const double angle = step * norm(velocities.angular[i]);
    end_orientation_[i] =
        angle > 0.0
            ? normalized(rotation_about(velocities.angular[i], angle) * state_.orientation[i])
            : state_.orientation[i];
  }
}

// Marks pairs that the motion makes touch, and at first those that are close. True: there are new
// ones.
bool RestingStepper::find_further(const Velocities& velocities, bool is_first) {
  move_to_end(velocities);
  bool any = false;
  const StepMotion way = motion();
  for (std::size_t k = 0; k < near_.pairs().size(); ++k) {
    const NearPair& pair = near_.pairs()[k];
    if (is_row_[k]) continue;
    bool joins = is_first && pair.smallest_gap < kNear * near_.extent(pair);
    if (!joins && near_.touches(way, pair)) {
      joins = true;
      Contact contact;
      contact.body_a = pair.body_a;
      contact.body_b = pair.body_b;
      contact.shape = pair.shape;
      met_.push_back(contact);
    }
    if (!joins) continue;
    is_row_[k] = true;
    any = true;
  }
  return any;
}

void RestingStepper::add_row(const NearPair& pair, std::uint32_t number, const Vec3& kept) {
  const World& world = simulation_->world;
  const NearPlace& place = near_.places()[number];
  detail::RestRow row;
  row.contact = place.contact;
  row.place = place.place;
  row.number = number;
  row.direction = directions(place.contact.normal, world.dimension);
  row.arm_a = place.place - state_.position[pair.body_a];
  if (pair.body_b != kNone) {
    row.arm_b = nearest_image(world.periodicity, place.place - state_.position[pair.body_b]);
  } else {
    const PlacedShape& placed = world.shapes[pair.shape];
    row.surface = mean_velocity(placed.motion, state_.time, simulation_->time.step);
    if (placed.spin != Vec3{}) {
      const Vec3 center = spin_center(placed.shape) + offset_at(placed.motion, state_.time);
      row.surface += cross(placed.spin, place.place - center);
    }
  }
  const Index other =
      pair.body_b != kNone ? world.bodies.material[pair.body_b] : world.shapes[pair.shape].material;
  const PairCoefficients coefficients =
      world.materials.coefficients(world.bodies.material[pair.body_a], other);
  row.friction = coefficients.friction;
  row.restitution =
      coefficients.restitution_speed > 0.0 ? 1.0 : coefficients.restitution;  // at small speeds
  row.size = near_.extent(pair);
  for (std::size_t d = 0; d < 3; ++d) row.impulse[d] = dot(row.direction[d], kept);
  const bool carried = row.impulse[0] > 0.0;
  const double gap = place.contact.gap;
  if (!(gap < 0.0) && !(carried && gap < kInTouch * row.size)) {
    row.opening = gap / simulation_->time.step;
  }
  row.patch = patch_of(row.contact, coefficients.rolling);
  rows_.push_back(row);
}

void RestingStepper::make_rows() {
  rows_.clear();
  for (std::size_t k = 0; k < near_.pairs().size(); ++k) {
    if (!is_row_[k]) continue;
    const NearPair& pair = near_.pairs()[k];
    const Index a = pair.body_a;
    const Pose pose{state_.position[a],
                    state_.orientation.empty() ? Mat3() : matrix_of(state_.orientation[a])};
    scratch_.assign(pair.last - pair.first, Vec3{});
    kept_.find({&pair, near_.places().subspan(pair.first, pair.last - pair.first), pose,
                kSamePlace * near_.extent(pair)},
               scratch_);
    for (std::uint32_t number = pair.first; number < pair.last; ++number) {
      add_row(pair, number, scratch_[number - pair.first]);
    }
  }
}

// Rows speak of the tangents of curved ways. Where a contact would sink by the curvature of its way
// (a ball in a drum, the corner of a box that tips), it has to open by as much: the chord is taken
// instead. True: some do.
bool RestingStepper::follow_curves() {
  move_to_end(after_);
  Velocities middle;
  detail::middle_velocities(moment(), after_, middle);
  const StepMotion way = motion();
  bool any = false;
  const BodySet& bodies = simulation_->world.bodies;
  const auto way_of = [&](Index body) {
    if (body == kNone) return 0.0;
    const double turned = bodies.turns(body) ? norm(middle.angular[body]) * bodies.radius[body] : 0;
    return simulation_->time.step * (norm(middle.linear[body]) + turned);
  };
  for (detail::RestRow& row : rows_) {
    // Of short ways the curvature is nothing.
    const double length = way_of(row.contact.body_a) + way_of(row.contact.body_b) +
                          simulation_->time.step * norm(row.surface);
    if (!(length * length > kSunk * row.size * row.size)) continue;
    const double least = std::min(row.contact.gap, 0.0);
    const double straight =
        row.contact.gap + simulation_->time.step * detail::relative_velocity(row, middle)[0];
    const double end = near_.gap_after(way, near_.places()[row.number]);
    // What the curve takes; the program's own residual is not its business.
    const double taken = std::min(straight, row.contact.gap) - end;
    if (!(taken > kSunk * row.size) || !(end < least)) continue;
    row.opening -= std::min(taken, least - end) / simulation_->time.step;
    any = true;
  }
  return any;
}

}  // namespace carom
