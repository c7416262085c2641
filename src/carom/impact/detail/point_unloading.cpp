// One part of points by the loading of qce.
#include "carom/impact/detail/point_unloading.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "carom/impact/energy_scale.h"

namespace carom {
namespace {

constexpr std::size_t kFew = 24;  // contacts that are looked through for the next to end

}  // namespace

template <std::size_t D>
ApplicationStatus PointUnloading<D>::apply(std::span<const Violation<D>> part,
                                           const PointFront<D>& front, std::span<double> impulses) {
  number_points(part, front);
  load(part);
  if (!unload_all(part)) return ApplicationStatus::locked;
  for (std::size_t i = 0; i < part.size(); ++i) impulses[i] = contacts_[i].impulse;
  keep_energy(part, impulses);
  return ApplicationStatus::applied;
}

template <std::size_t D>
void PointUnloading<D>::number_points(std::span<const Violation<D>> part,
                                      const PointFront<D>& front) {
  if (number_.size() < front.point_count()) number_.assign(front.point_count(), kNone);
  weight_.clear();
  const auto number = [&](Index point) {
    if (front.is_wall(point)) return kNone;
    if (number_[point] == kNone) {
      number_[point] = static_cast<Index>(weight_.size());
      weight_.push_back(front.points()[point].weight);
    }
    return number_[point];
  };
  ends_.clear();
  for (const Violation<D>& row : part) {
    ends_.push_back({End{number(row.self), 1.0}, End{number(row.other), -1.0}});
  }
  for (const Violation<D>& row : part) {
    number_[row.self] = kNone;
    if (!front.is_wall(row.other)) number_[row.other] = kNone;
  }
  first_touch_.assign(weight_.size() + 1, 0);
  for (const auto& both : ends_) {
    for (const End& end : both) {
      if (end.point != kNone) ++first_touch_[end.point];
    }
  }
  // Counts, then the end of each point's stretch, then its begin.
  std::partial_sum(first_touch_.begin(), first_touch_.end(), first_touch_.begin());
  touches_.resize(first_touch_.back());
  for (std::size_t i = ends_.size(); i-- > 0;) {
    for (const End& end : ends_[i]) {
      if (end.point == kNone) continue;
      touches_[--first_touch_[end.point]] = {static_cast<Index>(i), end.sign};
    }
  }
}

template <std::size_t D>
void PointUnloading<D>::push_points(std::span<const Violation<D>> part,
                                    std::span<const double> impulses) {
  push_.assign(weight_.size(), std::array<double, D>{});
  for (std::size_t i = 0; i < part.size(); ++i) {
    for (const End& end : ends_[i]) {
      if (end.point == kNone) continue;
      for (std::size_t k = 0; k < D; ++k) {
        push_[end.point][k] += end.sign * impulses[i] * part[i].normal[k];
      }
    }
  }
}

template <std::size_t D>
void PointUnloading<D>::load(std::span<const Violation<D>> part) {
  contacts_.assign(part.size(), detail::LoadingContact{});
  loads_.resize(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    contacts_[i].speed = part[i].b;
    contacts_[i].load = loads_[i] = -part[i].b;
  }
  push_points(part, loads_);
  heap_.clear();
  for (std::size_t i = 0; i < part.size(); ++i) {
    for (const End& end : ends_[i]) {
      if (end.point == kNone) continue;
      double along = 0.0;
      for (std::size_t k = 0; k < D; ++k) along += part[i].normal[k] * push_[end.point][k];
      contacts_[i].slope += end.sign * weight_[end.point] * along;
    }
    contacts_[i].end = detail::end_of(contacts_[i]);
    if (part.size() > kFew && contacts_[i].end < kInfinity) {
      heap_.push_back({contacts_[i].end, static_cast<Index>(i)});
    }
  }
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
}

// kNone where none of those that load will.
template <std::size_t D>
Index PointUnloading<D>::next_to_end() {
  if (contacts_.size() <= kFew) {
    Index first = kNone;
    double soonest = kInfinity;
    for (Index i = 0; i < contacts_.size(); ++i) {
      if (!contacts_[i].loading || !(contacts_[i].end < soonest)) continue;
      first = i;
      soonest = contacts_[i].end;
    }
    return first;
  }
  while (!heap_.empty()) {
    const detail::ContactEnd next = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
    const detail::LoadingContact& contact = contacts_[next.contact];
    if (contact.loading && contact.end == next.s) return next.contact;  // not moved since
  }
  return kNone;
}

template <std::size_t D>
bool PointUnloading<D>::unload_all(std::span<const Violation<D>> part) {
  for (std::size_t left = part.size(); left > 0; --left) {
    const Index ending = next_to_end();
    if (ending == kNone) return false;
    end_contact(part, ending);
  }
  return true;
}

template <std::size_t D>
void PointUnloading<D>::end_contact(std::span<const Violation<D>> part, Index ending) {
  detail::LoadingContact& ended = contacts_[ending];
  ended.loading = false;
  ended.impulse = ended.load * ended.end;
  for (const End& end : ends_[ending]) {
    if (end.point == kNone) continue;
    const double lost = end.sign * weight_[end.point] * ended.load;
    for (Index t = first_touch_[end.point]; t < first_touch_[end.point + 1]; ++t) {
      detail::LoadingContact& contact = contacts_[touches_[t].contact];
      if (!contact.loading) continue;
      double along = 0.0;
      for (std::size_t k = 0; k < D; ++k) {
        along += part[touches_[t].contact].normal[k] * part[ending].normal[k];
      }
      detail::bring_to(contact, ended.end);
      contact.slope -= lost * touches_[t].sign * along;
      contact.end = detail::end_of(contact);
      if (contacts_.size() > kFew && contact.end < kInfinity) {
        heap_.push_back({contact.end, touches_[t].contact});
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
      }
    }
  }
}

template <std::size_t D>
void PointUnloading<D>::keep_energy(std::span<const Violation<D>> part,
                                    std::span<double> impulses) {
  push_points(part, impulses);
  double work = 0.0;
  for (std::size_t i = 0; i < part.size(); ++i) work += part[i].b * impulses[i];
  double square = 0.0;
  for (std::size_t p = 0; p < weight_.size(); ++p) {
    for (const double x : push_[p]) square += weight_[p] * x * x;
  }
  const double t = energy_keeping_scale(2.0 * work, square);
  for (double& impulse : impulses) impulse *= t;
}

template class PointUnloading<2>;
template class PointUnloading<3>;

}  // namespace carom
