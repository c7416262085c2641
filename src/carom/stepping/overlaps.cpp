// What overlaps at the start, among bodies and in the walls of shapes.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "carom/bodies/periods.h"
#include "carom/collision/broad_phase.h"
#include "carom/collision/narrow_phase.h"
#include "carom/collision/solid_contact.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/stepping/simulation.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

std::string overlap_text(double gap, double radius) {
  return number_text(-gap) + " deep, " + number_text(-gap / radius) + " of a radius";
}

// A body as a solid; balls that do not turn are spheres.
class StartSolids {
 public:
  explicit StartSolids(const Simulation& s) : s_(&s) {}

  [[nodiscard]] PlacedSolid operator()(Index i) {
    Pose pose = {s_->start.position[i], Mat3()};
    if (!s_->world.bodies.turns(i)) {
      balls_.push_back(std::make_unique<const Solid>(SphereSolid{s_->world.bodies.radius[i]},
                                                     s_->world.dimension));
      return {balls_.back().get(), pose};
    }
    pose.rotation = matrix_of(s_->start.orientation[i]);
    return {&s_->world.bodies.solid_of(i), pose};
  }

 private:
  const Simulation* s_;
  std::vector<std::unique_ptr<const Solid>> balls_;
};

double deepest(const std::vector<SolidContact>& contacts) {
  double gap = 0.0;
  for (const SolidContact& contact : contacts) gap = std::min(gap, contact.gap);
  return gap;
}

void check_pair_of_solids(const Simulation& s, Index a, Index b) {
  StartSolids solids(s);
  std::vector<SolidContact> contacts;
  PlacedSolid copy = solids(b);  // next to a
  copy.pose.position +=
      periods_between(s.world.periodicity, s.start.position[a] - s.start.position[b]);
  find_solid_contacts(solids(a), copy, 0.0, contacts);
  const double extent = std::min(s.world.bodies.extent(a), s.world.bodies.extent(b));
  const double gap = deepest(contacts);
  if (gap < -s.detection.activation * extent) {
    refuse("body '" + s.world.bodies.name[b] + "'",
           "overlaps body '" + s.world.bodies.name[a] + "', " + overlap_text(gap, extent));
  }
}

void check_solid_and_shape(const Simulation& s, Index body, const PlacedShape& placed) {
  StartSolids solids(s);
  std::vector<SolidContact> contacts;
  const Vec3 offset = offset_at(placed.motion, s.start.time);
  find_solid_contacts(solids(body), OffsetShape{&placed.shape, offset}, 0.0, contacts);
  const double extent = s.world.bodies.extent(body);
  const double gap = deepest(contacts);
  if (gap < -s.detection.activation * extent) {
    refuse("body '" + s.world.bodies.name[body] + "'",
           "is in the wall of shape '" + placed.name + "', " + overlap_text(gap, extent));
  }
}

// Of the bodies for which something holds, with all others and with shapes.
template <class Holds>
void check_overlaps_where(const Simulation& s, const Holds& holds) {
  const double tolerance = s.detection.activation;
  BallSweep sweep{s.world.dimension,
                  s.start.position,
                  s.start.position,
                  s.world.bodies.radius,
                  0.0,
                  s.world.periodicity.lower,
                  s.world.periodicity.length};
  std::vector<BallPair> pairs;
  make_broad_phase(s.detection.broad_phase)->find_pairs(sweep, pairs);
  for (const BallPair& pair : pairs) {
    if (!holds(pair.a) && !holds(pair.b)) continue;
    if (!s.world.bodies.is_round(pair.a) || !s.world.bodies.is_round(pair.b)) {
      check_pair_of_solids(s, pair.a, pair.b);
      continue;
    }
    const double radius_a = s.world.bodies.radius[pair.a];
    const double radius_b = s.world.bodies.radius[pair.b];
    const Vec3 line =
        nearest_image(s.world.periodicity, s.start.position[pair.a] - s.start.position[pair.b]);
    const double gap = ball_pair_contact(line, radius_a, radius_b).gap;
    const double smaller = std::min(radius_a, radius_b);
    if (gap < -tolerance * smaller) {
      refuse("body '" + s.world.bodies.name[pair.b] + "'",
             "overlaps body '" + s.world.bodies.name[pair.a] + "', " + overlap_text(gap, smaller));
    }
  }
  for (const PlacedShape& placed : s.world.shapes) {
    const Vec3 offset = offset_at(placed.motion, s.start.time);
    const Index features = feature_count(placed.shape, s.world.dimension);
    for (Index i = 0; i < s.world.bodies.size(); ++i) {
      if (!holds(i)) continue;
      if (!s.world.bodies.is_round(i) || std::holds_alternative<SolidObstacle>(placed.shape)) {
        check_solid_and_shape(s, i, placed);
        continue;
      }
      for (Index feature = 0; feature < features; ++feature) {
        const double radius = s.world.bodies.radius[i];
        const double gap =
            ball_contact(placed.shape, feature, s.start.position[i] - offset, radius).gap;
        if (gap < -tolerance * radius) {
          refuse("body '" + s.world.bodies.name[i] + "'",
                 "is in the wall of shape '" + placed.name + "', " + overlap_text(gap, radius));
        }
      }
    }
  }
}

}  // namespace

void check_overlaps(const Simulation& simulation) {
  check_overlaps_where(simulation, [](Index) { return true; });
}

void check_overlaps_of(const Simulation& simulation, std::span<const Index> bodies) {
  if (bodies.empty()) return;
  std::vector<char> is_asked_for(simulation.world.bodies.size(), 0);
  for (const Index body : bodies) is_asked_for[body] = 1;
  check_overlaps_where(simulation, [&](Index body) { return is_asked_for[body] != 0; });
}

}  // namespace carom
