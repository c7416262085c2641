// Contacts of balls in groups of components, as PointProblems and back.
#include "carom/contact/point_impact.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "carom/core/worker_pool.h"

namespace carom {
namespace {

constexpr Index kAhead = 16;  // contacts
constexpr Index kFarAhead = 64;

}  // namespace

PointImpact::PointImpact(const ImpactScene& scene, const ContactAssembler& assembler)
    : scene_(scene),
      assembler_(&assembler),
      lead_(scene.world->bodies.size()),
      mark_(scene.world->bodies.size(), 0),
      label_(scene.world->bodies.size(), 0),
      point_(scene.world->bodies.size(), kNone) {
  std::iota(lead_.begin(), lead_.end(), Index{0});
  thread_groups_.push_back(std::make_unique<Group>());
  const MaterialTable& materials = scene.world->materials;
  for (Index a = 0; a < materials.size(); ++a) {
    for (Index b = 0; b < materials.size(); ++b) {
      const PairCoefficients pair = materials.coefficients(a, b);
      coefficients_.push_back(pair);
      rubs_ = rubs_ || (pair.friction > 0.0 && scene.settings->friction_model != "none");
    }
  }
  const BodySet& bodies = scene.world->bodies;
  const std::vector<double>& masses = bodies.mass;
  if (std::adjacent_find(masses.begin(), masses.end(), std::not_equal_to<>()) == masses.end()) {
    same_mass_ = masses.empty() ? 0.0 : masses.front();
  }
  if (!bodies.any_turns()) return;
  for (Index i = 0; i < bodies.size(); ++i) {
    turn_weight_.push_back(bodies.turns(i) ? 1.0 / bodies.moments(i).z : 0.0);
  }
}

bool PointImpact::is_possible(const ImpactScene& scene) {
  return PointResolver::supports(*scene.settings) && scene.world->bodies.all_round() &&
         std::none_of(scene.world->shapes.begin(), scene.world->shapes.end(),
                      [](const PlacedShape& placed) {
                        return std::holds_alternative<SolidObstacle>(placed.shape);
                      });
}

const PairCoefficients& PointImpact::coefficients(const Contact& contact) const {
  if (coefficients_.size() == 1) return coefficients_.front();
  const BodySet& bodies = scene_.world->bodies;
  const Index other = contact.body_b == kNone ? scene_.world->shapes[contact.shape].material
                                              : bodies.material[contact.body_b];
  return coefficients_[bodies.material[contact.body_a] * scene_.world->materials.size() + other];
}

void PointImpact::find_surfaces(const ImpactMoment& moment) {
  surface_.clear();
  for (Index shape = 0; shape < scene_.world->shapes.size(); ++shape) {
    const bool moves = is_moving(scene_.world->shapes[shape].motion);
    surface_.push_back(moves ? assembler_->surface_velocity(shape, moment) : Vec3{});
  }
}

void PointImpact::survey(const Task& task) {
  const ImpactMoment& moment = *task.moment;
  const std::span<const Contact> contacts = task.contacts;
  group_of_.resize(contacts.size());
  for (Index k = 0; k < contacts.size(); ++k) {
    if (k + kFarAhead < contacts.size()) __builtin_prefetch(&contacts[k + kFarAhead]);
    if (k + kAhead < contacts.size()) ask_for(contacts[k + kAhead], moment);
    const Contact& contact = contacts[k];
    group_of_[k] = contact.body_a;
    touch(contact.body_a);
    Index first = lead(contact.body_a);
    if (contact.body_b != kNone) {
      touch(contact.body_b);
      const Index second = lead(contact.body_b);
      const Index least = std::min(first, second);
      const Index most = std::max(first, second);
      mark_[least] = static_cast<std::uint8_t>(mark_[least] | (mark_[most] & kCloses));
      lead_[most] = least;
      first = least;
    }
    if (k >= task.waiting_from) continue;
    // Any speed below zero counts: the resolver knows better, but never finds more.
    const Vec3 apart = moment.velocity[contact.body_a] - other_velocity(contact, moment);
    const double wanted = task.opening_speed.empty() ? 0.0 : task.opening_speed[k];
    const std::uint8_t closes = dot(contact.normal, apart) < wanted ? kCloses : 0;
    mark_[first] = static_cast<std::uint8_t>(mark_[first] | closes);
  }
}

// Whether one component has more than three quarters of the contacts, judged by a sample of them.
bool PointImpact::one_has_most(std::span<const Contact> contacts) {
  constexpr std::size_t kSample = 64;
  std::array<Index, kSample> leaders{};
  for (std::size_t k = 0; k < kSample; ++k) {
    leaders[k] = lead(contacts[contacts.size() * k / kSample].body_a);
  }
  std::sort(leaders.begin(), leaders.end());
  const Index middle = leaders[kSample / 2];
  return 4 * std::count(leaders.begin(), leaders.end(), middle) > 3 * std::ptrdiff_t{kSample};
}

Index PointImpact::wanted_groups(const Task& task) {
  constexpr std::size_t kFewContacts = 8 * kGroupContacts;  // the cache has room for all of it
  // Friction looks at all components after the last of them has ended.
  const bool depend = rubs_ || !task.opening_speed.empty();
  const bool alone = task.settings->pool == nullptr || task.settings->pool->size() == 1;
  const bool few = task.contacts.size() < (alone ? kFewContacts : 2 * kGroupContacts);
  if (depend || few || one_has_most(task.contacts)) return 1;
  return static_cast<Index>(task.contacts.size() / kGroupContacts);
}

void PointImpact::deal(const Task& task, Index groups) {
  const std::size_t contacts = task.contacts.size();
  first_member_.assign(groups + std::size_t{2}, 0);
  for (Index k = 0; k < contacts; ++k) {
    if (k + kAhead < contacts) __builtin_prefetch(&lead_[group_of_[k + kAhead]]);
    const Index leader = lead(group_of_[k]);
    group_of_[k] = kNone;
    if (!takes_part(leader, k >= task.waiting_from)) continue;
    if (label_[leader] == 0) {
      label_[leader] = static_cast<Index>(std::size_t{k} * groups / contacts) + 1;
    }
    group_of_[k] = label_[leader] - 1;
    ++first_member_[label_[leader] + 1];
  }
  // One place ahead, so that filling moves each start to where it belongs.
  for (Index g = 1; g <= groups; ++g) first_member_[g + 1] += first_member_[g];
  members_.resize(first_member_[groups + 1]);
  for (Index k = 0; k < contacts; ++k) {
    if (group_of_[k] != kNone) members_[first_member_[group_of_[k] + 1]++] = k;
  }
}

void PointImpact::answer_lone(const Task& task, Index number, Group& group) const {
  const ImpactMoment& moment = *task.moment;
  const Contact& contact = task.contacts[number];
  const bool has_b = contact.body_b != kNone;
  const Vec3& other = other_velocity(contact, moment);
  detail::LoneContact row;
  row.normal = contact.normal;
  row.mass_a = mass(contact.body_a);
  row.mass_b = has_b ? mass(contact.body_b) : 0.0;
  row.velocity_a = moment.velocity[contact.body_a];
  row.velocity_b = has_b ? other : Vec3{};
  row.offset = has_b ? 0.0 : dot(contact.normal, other);
  group.lone_.push_back({number, detail::respond_alone(row, task.settings->tolerance)});
}

Index PointImpact::add_point(Index number, const ImpactMoment& moment, Group& group) {
  PointProblem& problem = group.problem_;
  const Index point = problem.point_count();
  point_[number] = point;
  group.body_of_.push_back(number);
  Index& label = label_[lead(number)];
  if ((label & kNumbered) == 0) label = kNumbered | group.components_++;
  problem.component.push_back(label & ~kNumbered);
  problem.mass.push_back(mass(number));
  const auto add = [&](const Vec3& from, std::vector<double>& to) {
    to.push_back(from.x);
    to.push_back(from.y);
    if (problem.dimension == 3) to.push_back(from.z);
  };
  add(moment.velocity[number], problem.velocity);
  if (turn_weight_.empty()) return point;
  problem.turn_weight.push_back(turn_weight_[number]);
  if (problem.dimension == 3) {
    add(moment.angular_velocity[number], problem.spin);
  } else {
    problem.spin.push_back(moment.angular_velocity[number].z);
  }
  return point;
}

PointProblem::Rubbing PointImpact::rubbing(const Contact& contact, double coefficient,
                                           const Vec3& surface) const {
  const std::vector<double>& radius = scene_.world->bodies.radius;
  PointProblem::Rubbing rubbing;
  rubbing.friction = coefficient;
  rubbing.arm_a = radius[contact.body_a];
  if (contact.body_b != kNone) {  // half way between the two
    rubbing.arm_a += 0.5 * contact.gap;
    rubbing.arm_b = radius[contact.body_b] + 0.5 * contact.gap;
  }
  rubbing.surface = {surface.x, surface.y, surface.z};
  return rubbing;
}

double PointImpact::restitution(const Contact& contact, Index number,
                                const ImpactMoment& moment) const {
  if (!moment.restitution.empty()) return moment.restitution[number];
  const PairCoefficients& pair = coefficients(contact);
  return pair.restitution_speed > 0.0
             ? restitution_at(pair, assembler_->closing_speed(contact, number, moment))
             : pair.restitution;
}

bool PointImpact::is_open(const Contact& contact, const ImpactScene& scene) {
  const BodySet& bodies = scene.world->bodies;
  double extent = bodies.extent(contact.body_a);
  if (contact.body_b != kNone) extent = std::min(extent, bodies.extent(contact.body_b));
  return contact.gap > scene.activation * extent;
}

// What add_row() does, in the common case.
void PointImpact::add_plain_row(const Task& task, Index number, Group& group) {
  const ImpactMoment& moment = *task.moment;
  const Contact& contact = task.contacts[number];
  const double restitution = coefficients_.front().restitution;
  if (restitution == 1.0 && is_lone(contact)) {
    answer_lone(task, number, group);
    return;
  }
  const Vec3& n = contact.normal;
  const bool against_shape = contact.body_b == kNone;
  const Index a = point(contact.body_a, moment, group);
  const Index b = against_shape ? kNone : point(contact.body_b, moment, group);
  const double offset = against_shape ? dot(n, surface_[contact.shape]) : 0.0;
  group.problem_.rows.push_back({a, b, {n.x, n.y, n.z}, offset, restitution});
  group.contact_of_.push_back(number);
}

// Of a component that takes part.
void PointImpact::add_row(const Task& task, Index number, Group& group) {
  const ImpactMoment& moment = *task.moment;
  const Contact& contact = task.contacts[number];
  const PairCoefficients& pair = coefficients(contact);
  const bool may_be_lone = task.opening_speed.empty() && moment.restitution.empty() && !rubs_;
  if (may_be_lone && is_lone(contact) && !(pair.restitution_speed > 0.0) &&
      pair.restitution == 1.0) {
    answer_lone(task, number, group);
    return;
  }
  const bool against_shape = contact.body_b == kNone;
  PointProblem::Row row;
  row.a = point(contact.body_a, moment, group);
  if (!against_shape) row.b = point(contact.body_b, moment, group);
  row.normal = {contact.normal.x, contact.normal.y, contact.normal.z};
  if (against_shape) row.offset = dot(contact.normal, surface_[contact.shape]);
  row.restitution = restitution(contact, number, moment);
  group.lossless_ = group.lossless_ && row.restitution == 1.0;
  if (!task.opening_speed.empty()) {
    row.restitution = 0.0;
    row.offset += task.opening_speed[number];
  }
  group.problem_.rows.push_back(row);
  group.contact_of_.push_back(number);
  if (!rubs_) return;
  const Vec3 surface =
      against_shape ? assembler_->surface_velocity(contact, number, moment) : Vec3{};
  group.problem_.rubbing.push_back(rubbing(contact, pair.friction, surface));
  group.lossless_ = group.lossless_ && pair.friction == 0.0;
}

void PointImpact::assemble_all(const Task& task, Group& group) {
  const std::span<const Contact> contacts = task.contacts;
  clear(task, group);
  const bool plain = group.is_plain_;
  for (Index k = 0; k < contacts.size(); ++k) {
    if (k + kAhead < contacts.size()) {
      ask_for(contacts[k + kAhead], *task.moment);
      ask_for_rest(contacts[k + kAhead]);
    }
    const bool waits = k >= task.waiting_from;
    if (!takes_part(lead(contacts[k].body_a), waits)) continue;
    plain ? add_plain_row(task, k, group) : add_row(task, k, group);
  }
  finish(task, group);
}

void PointImpact::assemble_members(const Task& task, std::span<const Index> members, Group& group) {
  clear(task, group);
  const bool plain = group.is_plain_;
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (k + kFarAhead < members.size()) {
      __builtin_prefetch(&task.contacts[members[k + kFarAhead]]);
    }
    if (k + kAhead < members.size()) {
      ask_for(task.contacts[members[k + kAhead]], *task.moment);
      ask_for_rest(task.contacts[members[k + kAhead]]);
    }
    plain ? add_plain_row(task, members[k], group) : add_row(task, members[k], group);
  }
  finish(task, group);
}

void PointImpact::leave(const Group& group) {
  for (const Index body : group.body_of_) point_[body] = kNone;
}

void PointImpact::forget(std::span<const Contact> contacts) {
  constexpr std::size_t kFew = 16;  // one in so many bodies touches
  if (contacts.size() > lead_.size() / kFew) {
    std::iota(lead_.begin(), lead_.end(), Index{0});
    std::fill(mark_.begin(), mark_.end(), std::uint8_t{0});
    std::fill(label_.begin(), label_.end(), Index{0});
    return;
  }
  for (const Contact& contact : contacts) {
    for (const Index body : {contact.body_a, contact.body_b}) {
      if (body == kNone) continue;
      lead_[body] = body;
      mark_[body] = 0;
      label_[body] = 0;
    }
  }
}

void PointImpact::resolve(const Task& task, const std::function<void(const Group&)>& then) {
  const ForgetOnExit afterwards{this, task.contacts};
  quiet_components_ = 0;
  find_surfaces(*task.moment);
  survey(task);
  const Index groups = wanted_groups(task);
  if (groups > 1) {
    deal(task, groups);
    resolve_groups(task, then);
  } else {
    Group& whole = *thread_groups_.front();
    whole.number_ = 0;
    assemble_all(task, whole);
    leave(whole);
    whole.resolver_.resolve(whole.problem_, *task.settings);
    then(whole);
  }
}

void PointImpact::resolve_groups(const Task& task, const std::function<void(const Group&)>& then) {
  constexpr std::size_t kLarge = 8 * kGroupContacts;  // worth all threads at once
  WorkerPool* pool = task.settings->pool;
  const auto resolve_group = [&](Index number, unsigned worker, const ImpactSettings& settings) {
    Group& group = *thread_groups_[worker];
    group.number_ = number;
    assemble_members(task, members(number), group);
    leave(group);
    group.resolver_.resolve(group.problem_, settings);
    then(group);
  };
  small_groups_.clear();
  for (Index g = 0; g + 2 < first_member_.size(); ++g) {
    const std::size_t size = members(g).size();
    if (size >= kLarge) {
      resolve_group(g, 0, *task.settings);
    } else if (size > 0) {
      small_groups_.push_back(g);
    }
  }
  ImpactSettings settings = *task.settings;
  settings.pool = nullptr;  // each group is one thread's
  if (pool == nullptr || pool->size() == 1) {
    for (const Index g : small_groups_) resolve_group(g, 0, settings);
    return;
  }
  while (thread_groups_.size() < pool->size()) thread_groups_.push_back(std::make_unique<Group>());
  pool->run(small_groups_.size(), [&](std::size_t number, unsigned worker) {
    resolve_group(small_groups_[number], worker, settings);
  });
}

}  // namespace carom
