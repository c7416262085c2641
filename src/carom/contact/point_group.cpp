// A group of components as a PointProblem: what the problem asks back for, and its outcome.
#include <algorithm>
#include <array>

#include "carom/contact/point_impact.h"

namespace carom {
namespace {

Vec3 vector_of(std::span<const double> v) { return {v[0], v[1], v.size() > 2 ? v[2] : 0.0}; }

}  // namespace

void PointImpact::clear(const Task& task, Group& group) const {
  group.task_ = &task;
  group.lone_.clear();
  group.body_of_.clear();
  group.contact_of_.clear();
  group.problem_.clear();
  group.problem_.dimension = scene_.world->dimension;
  group.is_plain_ = is_plain(task);
  group.lossless_ = true;
  group.components_ = 0;
  if (scene_.world->periodicity.any()) return;       // rows to a copy act at another place
  group.problem_.place_of = [&group](Index point) {  // small enough to need no memory
    const Vec3& place = group.task_->moment->position[group.body_of_[point]];
    return std::array<double, 3>{place.x, place.y, place.z};
  };
}

void PointImpact::finish(const Task& task, Group& group) const {
  if (group.is_plain_ && !group.problem_.rows.empty()) {
    group.lossless_ = coefficients_.front().restitution == 1.0;
  }
  let_wait(task, group);
  stop_at_open_locks(task, group);
}

void PointImpact::stop_at_open_locks(const Task& task, Group& group) const {
  if (!task.stops_at_open_locks) return;
  group.problem_.is_open = [this, &group](Index row) {
    return is_open(group.task_->contacts[group.contact_of_[row]], scene_);
  };
}

// Rows are in the order of contacts: those that wait are the last.
void PointImpact::let_wait(const Task& task, Group& group) const {
  const std::vector<Index>& contacts = group.contact_of_;
  const auto first = std::lower_bound(contacts.begin(), contacts.end(), task.waiting_from);
  if (first == contacts.end()) return;
  group.problem_.waiting_from = static_cast<Index>(first - contacts.begin());
  for (auto contact = first; contact != contacts.end(); ++contact) {
    group.problem_.waking_speed.push_back(task.waking_speed(*contact));
  }
  group.problem_.most_woken = task.most_woken;
  group.problem_.wakes = [&task, &contacts](Index row, const PointProblem::Velocity& a,
                                            const PointProblem::Velocity& b) {
    return task.wakes(contacts[row], vector_of(a), vector_of(b));
  };
}

LinearAndAngular PointImpact::Group::velocity(Index point) const {
  const auto dimension = static_cast<std::size_t>(problem_.dimension);
  LinearAndAngular velocity;
  velocity.linear = vector_of(resolver_.velocity().subspan(point * dimension, dimension));
  if (resolver_.spin().empty()) return velocity;
  if (dimension == 3) {
    velocity.angular = vector_of(resolver_.spin().subspan(std::size_t{3} * point, 3));
  } else {
    velocity.angular.z = resolver_.spin()[point];
  }
  return velocity;
}

Vec3 PointImpact::Group::friction(Index row) const {
  return problem_.rubbing.empty() ? Vec3{} : vector_of(resolver_.friction()[row]);
}

}  // namespace carom
