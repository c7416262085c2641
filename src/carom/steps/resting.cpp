// Steps of one size in which all contacts at rest are one program with Coulomb's friction.
#include "carom/steps/resting.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/bodies/periods.h"
#include "carom/contact/assemble.h"
#include "carom/core/stopwatch.h"
#include "carom/integrators/free_rotation.h"

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

bool are_bounded(const std::vector<Vec3>& vectors) {
  constexpr double kLargest = 1e100;
  return std::all_of(vectors.begin(), vectors.end(), [](const Vec3& v) {
    return std::abs(v.x) < kLargest && std::abs(v.y) < kLargest && std::abs(v.z) < kLargest;
  });
}

}  // namespace

RestingStepper::RestingStepper(const Simulation& simulation)
    : simulation_(&simulation),
      pool_(simulation.threads),
      flight_(simulation.forces, simulation.world.bodies, simulation.world.periodicity,
              simulation.time.step),
      near_(simulation.world, simulation.detection),
      bounce_(simulation.world, simulation.impact, simulation.detection.activation),
      settings_(simulation.settings.of<RestSettings>()),
      state_(simulation.start),
      reach_(simulation.world.bodies.size()),
      end_(simulation.world.bodies.size()),
      end_orientation_(state_.orientation) {
  flight_.share_out(pool_);
  flight_.start(state_.position);
  begin();
}

RestingStepper::~RestingStepper() = default;

detail::RestMoment RestingStepper::moment() const {
  return {&simulation_->world,
          state_.time,
          simulation_->time.step,
          state_.position,
          state_.orientation,
          &flight_,
          energy_};
}

StepMotion RestingStepper::motion() const {
  return {state_.time, simulation_->time.step, state_.position,
          end_,        state_.orientation,     end_orientation_};
}

// What rests at the start is stopped in the middle of the first step, as in all others, by half of
// the impulse of a step; what slides gets half of a step's friction.
void RestingStepper::begin() {
  before_ = {state_.velocity, state_.angular_velocity};
  energy_ = detail::RestEnergy::of_a_start;
  StepReport unused;
  Outcome outcome;
  meet(unused, outcome);
  energy_ = detail::RestEnergy::guarded;
  keep();
  in_flight_ = kinetic(after_) - kinetic({state_.velocity, state_.angular_velocity});
}

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

void RestingStepper::impact(Outcome& outcome) {
  make_rows();
  bounced_ = before_;
  outcome.bounce = bounce_.run(moment(), simulation_->detection.redetect_rounds, rows_, bounced_);
  if (!outcome.bounce.message.empty()) return;
  constexpr unsigned kMostCurves = 2;
  for (unsigned pass = 0;; ++pass) {
    after_ = bounced_;
    outcome.rest = detail::solve_rest(moment(), settings_, rows_, {before_, bounced_, after_});
    if (pass == kMostCurves || !follow_curves()) return;
  }
}

void RestingStepper::meet(StepReport& report, Outcome& outcome) {
  met_.clear();
  static_cast<void>(grow_reach(before_, true));
  const Index most = simulation_->detection.redetect ? simulation_->detection.redetect_rounds : 0;
  after_ = before_;
  for (bool is_first = true;; is_first = false) {
    {
      const Stopwatch watch(report.detection);
      move_to_end(before_);
      near_.look(motion(), reach_);
      is_row_.assign(near_.pairs().size(), false);
      static_cast<void>(find_further(before_, true));
      for (std::size_t k = 0; k < is_row_.size(); ++k) {
        const NearPair& pair = near_.pairs()[k];
        is_row_[k] =
            is_row_[k] || std::any_of(met_.begin(), met_.end(), [&](const Contact& c) {
              return c.body_a == pair.body_a && c.body_b == pair.body_b && c.shape == pair.shape;
            });
      }
    }
    for (;;) {
      {
        const Stopwatch watch(report.impact);
        impact(outcome);
      }
      if (!outcome.bounce.message.empty()) return;
      const Stopwatch watch(report.detection);
      if (!find_further(after_, false)) break;
      if (++outcome.looks_again > most) {
        outcome.exhausted = true;
        break;
      }
    }
    if (outcome.exhausted || !grow_reach(after_, false)) return;
    if (++outcome.looks_again > most) {
      outcome.exhausted = true;
      return;
    }
    static_cast<void>(is_first);
  }
}

void RestingStepper::keep() {
  kept_.clear();
  for (const detail::RestRow& row : rows_) {
    if (!(dot(row.found, row.contact.normal) > 0.0)) continue;
    const Index a = row.contact.body_a;
    const Mat3 turned = state_.orientation.empty() ? Mat3() : matrix_of(state_.orientation[a]);
    kept_.add({a, row.contact.body_b, row.contact.shape, near_.places()[row.number].feature,
               transposed_times(turned, row.arm_a), row.found});
  }
}

double RestingStepper::kinetic(const Velocities& velocities) const {
  const BodySet& bodies = simulation_->world.bodies;
  double sum = 0.0;
  for (Index i = 0; i < bodies.size(); ++i) {
    sum += 0.5 * bodies.mass[i] * norm_squared(velocities.linear[i]);
    if (!bodies.turns(i)) continue;
    const Vec3& w = velocities.angular[i];
    sum += 0.5 * dot(w, world_inertia(bodies, i, state_.orientation[i]) * w);
  }
  return sum;
}

RestingStepper::Velocities RestingStepper::shown() const {
  Velocities mean = bounced_;
  for (Index i = 0; i < mean.linear.size(); ++i) {
    mean.linear[i] = 0.5 * (bounced_.linear[i] + after_.linear[i]);
  }
  for (Index i = 0; i < mean.angular.size(); ++i) {
    mean.angular[i] = 0.5 * (bounced_.angular[i] + after_.angular[i]);
  }
  return mean;
}

// Free flight from one node to the next: places, and the velocities before the next impact.
void RestingStepper::fly() {
  const World& world = simulation_->world;
  const double step = simulation_->time.step;
  flight_.positions(state_.position, after_.linear, end_);
  before_ = after_;
  for (Index i = 0; i < end_orientation_.size(); ++i) {
    if (!world.bodies.turns(i)) continue;
    const Turning start = {state_.orientation[i], after_.angular[i]};
    const Turning end = world.dimension == 2 ? free_rotation_2d(start, step)
                                             : free_rotation(world.bodies.moments(i), start, step,
                                                             simulation_->time.rotation);
    end_orientation_[i] = end.orientation;
    before_.angular[i] = end.angular_velocity;
  }
}

double RestingStepper::work_along_periods() const {
  const Vec3 along = along_periods(simulation_->world.periodicity, simulation_->forces.gravity);
  if (along == Vec3{}) return 0.0;
  double work = 0.0;
  for (Index i = 0; i < end_.size(); ++i) {
    work += simulation_->world.bodies.mass[i] * dot(along, end_[i] - state_.position[i]);
  }
  return work;
}

StepReport RestingStepper::step() {
  StepReport report;
  const double step = simulation_->time.step;
  report.step = state_.step + 1;
  report.time = static_cast<double>(report.step) * step;
  const State last = state_;
  const Velocities last_after = after_;
  {
    const Stopwatch watch(report.integration);
    fly();
    report.external_work = work_along_periods();
    if (simulation_->world.periodicity.any()) {
      for (Vec3& q : end_) q = wrapped(simulation_->world.periodicity, q);
    }
    flight_.velocities(end_, before_.linear);
  }
  state_.position = end_;
  state_.orientation = end_orientation_;
  state_.step = report.step;
  state_.time = report.time;
  Outcome outcome;
  if (!are_bounded(state_.position) || !are_bounded(before_.linear) ||
      !are_bounded(before_.angular)) {
    report.status = ImpactStatus::diverged;
    report.message = "velocities grew without bound";
  } else {
    meet(report, outcome);
    report.message = outcome.bounce.message;
    report.status = outcome.bounce.status;
  }
  if (!report.message.empty()) {
    state_ = last;
    after_ = last_after;
    end_orientation_ = last.orientation;
    flight_.start(state_.position);
    rows_.clear();
    return report;
  }
  keep();
  const Velocities mean = shown();
  state_.velocity = mean.linear;
  state_.angular_velocity = mean.angular;
  report_impact(outcome, report);
  const double kinetic_shown = kinetic(mean);
  report.dissipated = kinetic(before_) - kinetic_shown - in_flight_;
  in_flight_ = kinetic(after_) - kinetic_shown;
  for (const detail::RestRow& row : rows_) {
    const double work = dot(row.surface, row.bounce + detail::world_impulse(row));
    report.external_work += work;
    report.dissipated += work;
  }
  report.totals = totals(*simulation_, state_, &pool_);
  return report;
}

void RestingStepper::report_impact(const Outcome& outcome, StepReport& report) const {
  report.rows = static_cast<Index>(rows_.size());
  report.components = outcome.rest.components;
  report.applications = outcome.bounce.applications;
  report.applications_total = outcome.bounce.applications_total;
  report.lineality_energy = outcome.bounce.lineality_energy;
  report.redetections = outcome.looks_again;
  report.redetect_exhausted = outcome.exhausted;
  if (outcome.rest.unsolved > 0) {
    report.status = std::max(report.status, ImpactStatus::budget_exhausted);
  }
  for (const detail::RestRow& row : rows_) {
    const bool carries = row.impulse[0] > 0.0;
    if (carries || row.bounce != Vec3{}) ++report.impulses;
    if (carries) ++report.held_rows;
  }
  Penetration deepest;
  for (const NearPair& pair : near_.pairs()) {
    if (!(pair.smallest_gap < 0.0)) continue;
    deepest.depth = std::max(deepest.depth, -pair.smallest_gap);
    deepest.relative = std::max(deepest.relative, -pair.smallest_gap / near_.extent(pair));
  }
  report.penetration = deepest;
  report.own[0] = outcome.rest.residual;
  report.own[1] = static_cast<double>(outcome.rest.iterations);
  report.own[2] = static_cast<double>(outcome.rest.unsolved);
  report.own[3] = static_cast<double>(outcome.rest.guarded);
  report.own[4] = outcome.rest.given_up;
}

std::vector<StepColumn> rest_columns() {
  const auto own = [](std::size_t k, StepColumnText text, Merge merge) {
    return step_column(
        std::move(text), merge, [k](auto& r) -> auto& { return r.own[k]; });
  };
  return {
      own(0, {"rest_residual", "", "of the program of resting contacts, in g h"}, Merge::maximum),
      own(1, {"rest_iterations", "", "of that program, the most of any component"}, Merge::sum),
      own(2, {"rest_unsolved", "", "components that stayed above its tolerance"}, Merge::sum),
      own(3, {"rest_guarded", "", "components whose impulses were made smaller to keep the energy"},
          Merge::sum),
      own(4, {"rest_given_up", "m", "how far that may have let bodies sink"}, Merge::maximum),
  };
}

std::vector<ContactImpulse> RestingStepper::impulses() const {
  std::vector<ContactImpulse> list;
  for (const detail::RestRow& row : rows_) {
    const Vec3 all = row.bounce + detail::world_impulse(row);
    if (all == Vec3{}) continue;
    const double normal = dot(all, row.contact.normal);
    list.push_back(
        {row.contact, normal, all - normal * row.contact.normal, row.place, state_.time});
  }
  return list;
}

ImpactProblem RestingStepper::resolved_problem() const {
  std::vector<Contact> contacts;
  std::vector<Vec3> places;
  for (const detail::RestRow& row : rows_) {
    contacts.push_back(row.contact);
    places.push_back(row.place);
  }
  ImpactMoment impact{state_.time, simulation_->time.step, state_.position, before_.linear};
  if (!before_.angular.empty()) {
    impact.orientation = state_.orientation;
    impact.angular_velocity = before_.angular;
    impact.places = places;
  }
  impact.periodicity = simulation_->world.periods();
  ContactAssembler assembler(simulation_->world);
  assembler.assemble(contacts, impact, {true, {}});
  return assembler.problem();
}

}  // namespace carom
