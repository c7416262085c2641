// U6 and U8: what is symmetric stays so, and no direction of space is special.

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "carom/core/random.h"
#include "carom/core/types.h"
#include "carom/gallery/detail/checks.h"
#include "carom/runs/scene_check.h"
#include "carom/runs/scene_run.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {
namespace {

const double kPi = std::acos(-1.0);

// All rotations by multiples of 360 deg / order and the mirrors between, about the origin.
std::vector<SymmetryExpectation> dihedral_group(std::uint64_t order) {
  std::vector<SymmetryExpectation> group;
  for (std::uint64_t k = 0; k < order; ++k) {
    const double turn = 2.0 * kPi * static_cast<double>(k) / static_cast<double>(order);
    SymmetryExpectation rotation;
    rotation.kind = SymmetryExpectation::Kind::rotation;
    rotation.axis = {0.0, 0.0, 1.0};
    rotation.angle = turn;
    if (k > 0) group.push_back(rotation);
    SymmetryExpectation mirror;
    mirror.axis = {std::cos(0.5 * turn), std::sin(0.5 * turn), 0.0};
    group.push_back(mirror);
  }
  return group;
}

}  // namespace

CheckOutcome check_ring_symmetry(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"order", "tolerance", "broken_by", "broken_at_least", "impacts"});
  const std::vector<SymmetryExpectation> group = dihedral_group(parameters.count("order"));
  const auto worst_error = [&](const MemoryRun& run) {
    const RecordedFrame start = run.record->frame(0);
    double worst = 0.0;
    for (std::size_t k = 1; k < run.record->frame_times().size(); ++k) {
      const RecordedFrame frame = run.record->frame(k);
      for (const SymmetryExpectation& symmetry : group) {
        worst = std::max(worst, symmetry_error(symmetry, start, frame));
      }
    }
    return worst;
  };
  RunOptions options;
  options.impact_operator = "gr";
  const MemoryRun run = run_in_memory(*input.scene, options);
  const std::vector<std::uint64_t> rows = run.record->integer_column("rows");
  const auto impacts = std::count_if(rows.begin(), rows.end(), [](auto n) { return n > 0; });
  CheckOutcome outcome;
  outcome.claims.push_back(
      claim_at_most(fmt::format("gr: worst of {} rotations and mirrors, whole run", group.size()),
                    worst_error(run), parameters.number("tolerance")));
  outcome.claims.push_back(claim_at_least("gr: steps with an impact", static_cast<double>(impacts),
                                          parameters.number("impacts")));
  for (const std::string& name : parameters.texts("broken_by")) {
    options.impact_operator = name;
    outcome.claims.push_back(claim_at_least(name + ": worst of the same",
                                            worst_error(run_in_memory(*input.scene, options)),
                                            parameters.number("broken_at_least")));
  }
  return outcome;
}

namespace {

class Rotation {
 public:
  explicit Rotation(double angle) : cosine_(std::cos(angle)), sine_(std::sin(angle)) {}

  [[nodiscard]] Vec3 operator()(const Vec3& v) const {
    return {cosine_ * v.x - sine_ * v.y, sine_ * v.x + cosine_ * v.y, v.z};
  }
  [[nodiscard]] Vec3 back(const Vec3& v) const {
    return {cosine_ * v.x + sine_ * v.y, cosine_ * v.y - sine_ * v.x, v.z};
  }

 private:
  double cosine_;
  double sine_;
};

Shape rotated(const Rotation& rotate, const Shape& shape, const Parameters& parameters) {
  struct Visitor {
    const Rotation& rotate;
    const Parameters& parameters;
    Shape operator()(const HalfPlane& s) const {
      return HalfPlane{rotate(s.point), rotate(s.normal)};
    }
    Shape operator()(const Segment& s) const { return Segment{rotate(s.a), rotate(s.b)}; }
    Shape operator()(const SphereInside& s) const {
      return SphereInside{rotate(s.center), s.radius};
    }
    Shape operator()(const SphereOutside& s) const {
      return SphereOutside{rotate(s.center), s.radius};
    }
    Shape operator()(const BoxInside&) const {
      parameters.refuse("name", "needs a scene without boxes: their walls stay along the axes");
    }
    Shape operator()(const SolidObstacle&) const {
      parameters.refuse("name", "needs a scene without solids");
    }
  };
  return std::visit(Visitor{rotate, parameters}, shape);
}

Simulation rotated(const Rotation& rotate, const Simulation& simulation,
                   const Parameters& parameters) {
  Simulation copy = simulation;
  for (PlacedShape& placed : copy.world.shapes) {
    if (is_moving(placed.motion)) parameters.refuse("name", "needs a scene without moving shapes");
    placed.shape = rotated(rotate, placed.shape, parameters);
  }
  copy.forces.gravity = rotate(copy.forces.gravity);
  for (Vec3& q : copy.start.position) q = rotate(q);
  for (Vec3& v : copy.start.velocity) v = rotate(v);
  return copy;
}

// A run until `collisions` contacts have had an impulse, and as many steps with one: the state
// after each of those steps, and which contacts they were.
struct Impacts {
  std::vector<std::uint64_t> contacts;  // step, bodies or shape, in order
  std::vector<State> states;
  std::uint64_t count = 0;
};

Impacts first_impacts(const Simulation& simulation, std::uint64_t collisions) {
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const std::uint64_t steps = step_count(simulation.time);
  Impacts impacts;
  while (stepper->state().step < steps && impacts.states.size() < collisions) {
    static_cast<void>(stepper->step());
    const std::vector<ContactImpulse> impulses = stepper->impulses();
    if (impulses.empty()) continue;
    for (const ContactImpulse& impulse : impulses) {
      impacts.contacts.insert(impacts.contacts.end(),
                              {stepper->state().step, impulse.contact.body_a,
                               impulse.contact.body_b, impulse.contact.shape});
    }
    impacts.count += impulses.size();
    impacts.states.push_back(stepper->state());
  }
  return impacts;
}

double largest_distance(const Impacts& a, const Impacts& b, const Rotation& b_rotation) {
  double worst = a.states.size() == b.states.size() ? 0.0 : kInfinity;
  for (std::size_t k = 0; k < std::min(a.states.size(), b.states.size()); ++k) {
    for (std::size_t i = 0; i < a.states[k].position.size(); ++i) {
      worst =
          std::max(worst, norm(a.states[k].position[i] - b_rotation.back(b.states[k].position[i])));
    }
  }
  return worst;
}

// How much a small disturbance of the moving balls' velocities grows over the same impacts. (Balls
// of a rack that are displaced would overlap, and ones that begin to move would touch before the
// break.)
double growth(const Simulation& simulation, const Impacts& impacts, std::uint64_t collisions) {
  constexpr double kDisturbance = 1e-9;
  Simulation disturbed = simulation;
  Random random(1);
  for (Vec3& v : disturbed.start.velocity) {
    if (v == Vec3{}) continue;
    v += kDisturbance * Vec3{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.0};
  }
  const Impacts other = first_impacts(disturbed, collisions);
  return largest_distance(impacts, other, Rotation(0.0)) / kDisturbance;
}

}  // namespace

// The laws know no direction, so a rotated copy of a scene must do the same, to the round-off of
// its places and of every step. Hard balls multiply such differences at each collision; by how
// much, a copy that is disturbed on purpose tells, and the tolerance is a multiple of round-off
// times that.
CheckOutcome check_rotated_copies(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"copies", "collisions", "operators", "round_offs"});
  const std::uint64_t copies = parameters.count("copies");
  const std::uint64_t collisions = parameters.count("collisions");
  CheckOutcome outcome;
  for (const std::string& name : parameters.texts("operators")) {
    Simulation simulation = input.scene->simulation;
    simulation.impact.impact_operator = name;
    const Impacts impacts = first_impacts(simulation, collisions);
    const double grown = growth(simulation, impacts, collisions);
    double worst = 0.0;
    bool same_contacts = true;
    for (std::uint64_t k = 1; k < copies; ++k) {
      const Rotation rotate(2.0 * kPi * static_cast<double>(k) / static_cast<double>(copies));
      const Impacts copy = first_impacts(rotated(rotate, simulation, parameters), collisions);
      same_contacts = same_contacts && copy.contacts == impacts.contacts;
      worst = std::max(worst, largest_distance(impacts, copy, rotate));
    }
    outcome.claims.push_back(claim_at_most(
        fmt::format("{}: {} copies differ by, in round-offs times growth", name, copies),
        worst / (kRoundOff * std::max(1.0, grown)), parameters.number("round_offs")));
    outcome.claims.push_back(
        claim_true(name + ": the same contacts in the same steps", same_contacts));
    outcome.claims.push_back(claim_at_least(name + ": steps with an impact",
                                            static_cast<double>(impacts.states.size()),
                                            static_cast<double>(collisions)));
    outcome.claims.push_back(claim_at_most(name + ": growth of a disturbance", grown, 1e3));
  }
  return outcome;
}

}  // namespace carom::detail
