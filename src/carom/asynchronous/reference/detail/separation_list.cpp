// The separation list of the reference engine: which volumes are certified to be apart.
#include "carom/asynchronous/reference/detail/separation_list.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "carom/core/types.h"

namespace carom::asynchronous::reference {
namespace {

constexpr double kExtentRoundOff = 64.0 * kRoundOff;
// Two volumes that met are looked at again after this share of the time since, and some spans.
constexpr double kPatience = 0.5;
constexpr double kSpansToWait = 8.0;

// One of the numbers that follow each other without a pattern (splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace

SeparationList::SeparationList(const Setup& setup, double span)
    : problem_(setup.problem),
      mechanisms_(setup.mechanisms),
      certain_((1.0 - 1e-9) * setup.faults.certificate_length),
      maker_(setup.maker),
      tree_(setup.tree),
      contacts_(setup.contacts),
      agenda_(setup.agenda),
      span_(span),
      apart_of_(setup.tree.size()) {
  for (const ContactLaw& law : problem_.contact) reach_ = std::max(reach_, law.thickness);
}

bool SeparationList::start() {
  if (tree_.size() == 0) return true;
  return expand(add(0, 0), 0.0);
}

Index SeparationList::add(Index a, Index b) {
  auto number = static_cast<Index>(entries_.size());
  if (free_.empty()) {
    entries_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  Entry& entry = entries_[number];
  entry = Entry{};
  entry.a = std::min(a, b);
  entry.b = std::max(a, b);
  std::iota(entry.order.begin(), entry.order.end(), std::uint8_t{0});
  const std::uint64_t key = static_cast<std::uint64_t>(entry.a) << 32U | entry.b;
  entry.event = agenda_.add({Happening::boxes, 0, key}, number);
  return number;
}

SeparationList::Interval SeparationList::apart_along(const Entry& entry, std::size_t axis,
                                                     double time) {
  ++axis_looks;
  return mechanisms_.envelopes ? apart_in_envelopes(entry, axis, time)
                               : apart_by_vertices(entry, axis, time);
}

SeparationList::Interval SeparationList::apart_in_envelopes(const Entry& entry, std::size_t axis,
                                                            double time) {
  const BoxTree::Extent a = tree_.extent(entry.a, axis, time);
  const BoxTree::Extent b = tree_.extent(entry.b, axis, time);
  const double low_a = a.low + a.low_slope * (time - a.at);
  const double high_a = a.high + a.high_slope * (time - a.at);
  const double low_b = b.low + b.low_slope * (time - b.at);
  const double high_b = b.high + b.high_slope * (time - b.at);
  const double size =
      std::max({std::abs(low_a), std::abs(high_a), std::abs(low_b), std::abs(high_b), reach_});
  const double room = reach_ + kExtentRoundOff * size;
  const bool a_first = low_b - high_a >= low_a - high_b;
  const double gap = (a_first ? low_b - high_a : low_a - high_b) - room;
  const double slope = a_first ? b.low_slope - a.high_slope : a.low_slope - b.high_slope;
  if (gap > 0.0) {
    return {time, slope < 0.0 ? time + certain_ * gap / -slope : kInfinity};
  }
  if (slope > 0.0) return {time + (1.0 + 1e-9) * -gap / slope, kInfinity};
  return {};
}

// The root of a gap whose ends are followed from kink to kink: the gap is concave, so from beyond
// its root the line through the present leaders leads back to it, never past it.
SeparationList::Interval SeparationList::apart_by_vertices(const Entry& entry, std::size_t axis,
                                                           double time) {
  const Vec3& d = tree_.axis(axis);
  const std::vector<Index>& of_a = tree_[entry.a].vertices;
  const std::vector<Index>& of_b = tree_[entry.b].vertices;
  struct Line {
    double gap = 0.0;
    double slope = 0.0;
    double size = 0.0;
  };
  // At `ahead` from now, the line of the leaders of b below and of a above (sign 1), or the other
  // way round; infinite: of the fastest.
  const Trajectories& all = contacts_.trajectories();
  const auto leaders = [&](double sign, double ahead) {
    const auto last = [&](const std::vector<Index>& vertices, double way) {
      Line best;
      double most = -kInfinity;
      for (const Index i : vertices) {
        const double place = way * dot(d, all.place(i, time));
        const double slope = way * dot(d, all.counted[i]) + all.vagueness[i];
        const double rank = ahead < kInfinity ? place + slope * ahead : slope;
        if (!(rank > most)) continue;
        most = rank;
        best = {place, slope, std::abs(place)};
      }
      return best;
    };
    tree_.corner_looks += of_a.size() + of_b.size();
    const Line a = last(of_a, sign);
    const Line b = last(of_b, -sign);
    const double size = std::max({a.size, b.size, reach_});
    return Line{-a.gap - b.gap - reach_ - kExtentRoundOff * size, -a.slope - b.slope, size};
  };
  for (const double sign : {1.0, -1.0}) {
    if (!(leaders(sign, 0.0).gap > 0.0)) continue;
    Line line = leaders(sign, kInfinity);
    if (line.slope >= 0.0) return {time, kInfinity};
    double ahead = line.gap / -line.slope;
    for (;;) {
      line = leaders(sign, ahead);
      if (line.slope >= 0.0 || line.gap + line.slope * ahead >= 0.0) break;
      const double nearer = line.gap / -line.slope;
      if (!(nearer < ahead)) break;
      ahead = nearer;
    }
    return {time, time + certain_ * std::max(ahead, 0.0)};
  }
  return {};
}

// Axes in their order until one does not help, and one other by chance: if that helps it is the
// first next time. Without the mechanism: all.
double SeparationList::apart_until(Entry& entry, double time) {
  const std::size_t count = tree_.axis_count();
  const bool adapts = mechanisms_.adaptive_axes;
  double until = time;
  unsigned used = adapts ? 0 : (1U << count) - 1;
  std::size_t k = 0;
  const auto helps = [&](std::size_t axis) {
    if (!goes_on(apart_along(entry, axis, time), until)) return false;
    used |= 1U << axis;
    return true;
  };
  for (; k < count; ++k) {
    const bool helped = helps(entry.order[k]);
    if (adapts && !helped && until > time) break;
  }
  if (adapts && k + 1 < count) {
    const std::size_t chosen = k + 1 + mixed(draws_++) % (count - k - 1);
    if (helps(entry.order[chosen])) {
      for (std::size_t place = chosen; place > 0; --place) {
        std::swap(entry.order[place], entry.order[place - 1]);
      }
    }
  }
  if (entry.state == State::apart) count_on(entry, used);
  entry.used = used;
  return until;
}

bool SeparationList::goes_on(const Interval& interval, double& until) {
  if (!(interval.begin <= until && interval.end > until)) return false;
  until = interval.end;
  return true;
}

void SeparationList::count_on(Entry& entry, unsigned used) {
  if (!mechanisms_.envelopes) return;
  tree_.count_on(entry.a, entry.used, used);
  tree_.count_on(entry.b, entry.used, used);
}

void SeparationList::keep_apart(Index number, double until, double time) {
  Entry& entry = entries_[number];
  entry.state = State::apart;
  entry.since = time;
  const unsigned used = entry.used;
  entry.used = 0;
  count_on(entry, used);
  entry.used = used;
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<Index>& list = apart_of_[k == 0 ? entry.a : entry.b];
    entry.place[k] = static_cast<Index>(list.size());
    list.push_back(number);
  }
  agenda_.set(entry.event, until);
}

// The certificate of an entry is no more.
void SeparationList::release(Index number) {
  Entry& entry = entries_[number];
  count_on(entry, 0);
  entry.used = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const Index node = k == 0 ? entry.a : entry.b;
    std::vector<Index>& list = apart_of_[node];
    const Index last = list.back();
    list[entry.place[k]] = last;
    list.pop_back();
    Entry& mover = entries_[last];
    mover.place[mover.a == node ? 0 : 1] = entry.place[k];
  }
}

bool SeparationList::expand(Index top, double time) {
  std::vector<Index> todo = {top};
  while (!todo.empty()) {
    const Index number = todo.back();
    todo.pop_back();
    const Index a = entries_[number].a;
    const Index b = entries_[number].b;
    ++certificates;
    if (a != b) {
      const double until = apart_until(entries_[number], time);
      if (until - time >= span_) {
        keep_apart(number, until, time);
        continue;
      }
      entries_[number].used = 0;
    }
    entries_[number].since = time;
    const BoxTree::Node& node_a = tree_[a];
    const BoxTree::Node& node_b = tree_[b];
    std::vector<Index> below;
    if (node_a.leaf != kNone && node_b.leaf != kNone) {
      entries_[number].state = State::leaves;
      std::vector<MadePair> made;
      if (a != b) maker_.of_leaves(node_a.leaf, node_b.leaf, made);
      for (const MadePair& pair : made) {
        if (!contacts_.add(pair, time, agenda_)) return false;
        below.push_back(contacts_.last_added());
      }
    } else {
      entries_[number].state = State::expanded;
      if (a == b) {
        below = {add(node_a.left, node_a.left), add(node_a.left, node_a.right),
                 add(node_a.right, node_a.right)};
      } else {
        const bool split_a = node_a.vertices.size() >= node_b.vertices.size()
                                 ? node_a.leaf == kNone
                                 : node_b.leaf != kNone;
        const BoxTree::Node& split = split_a ? node_a : node_b;
        const Index other = split_a ? b : a;
        below = {add(split.left, other), add(split.right, other)};
      }
      todo.insert(todo.end(), below.begin(), below.end());
    }
    entries_[number].below = std::move(below);
    if (a != b) look_later(number, time);
  }
  return true;
}

void SeparationList::look_later(Index number, double time) {
  const Entry& entry = entries_[number];
  agenda_.set(entry.event, time + kSpansToWait * span_ + kPatience * (time - entry.since));
}

// Everything below an entry is taken away.
void SeparationList::drop_below(Entry& top) {
  if (top.state == State::leaves) {
    for (const Index pair : top.below) contacts_.remove(pair, agenda_);
    top.below.clear();
    return;
  }
  std::vector<Index> todo = std::move(top.below);
  top.below.clear();
  while (!todo.empty()) {
    const Index number = todo.back();
    todo.pop_back();
    Entry& entry = entries_[number];
    if (entry.state == State::apart) release(number);
    if (entry.state == State::leaves) {
      for (const Index pair : entry.below) contacts_.remove(pair, agenda_);
    } else {
      todo.insert(todo.end(), entry.below.begin(), entry.below.end());
    }
    agenda_.remove(entry.event);
    entry = Entry{};
    free_.push_back(number);
  }
}

bool SeparationList::look(Index number, double time) {
  Entry& entry = entries_[number];
  ++certificates;
  if (entry.state == State::apart) {
    if (mechanisms_.envelopes) {
      tree_.renew(entry.a, entry.used, time);
      tree_.renew(entry.b, entry.used, time);
    }
    const double until = apart_until(entry, time);
    if (until - time >= span_) {
      agenda_.set(entry.event, until);
      return true;
    }
    release(number);
    return expand(number, time);
  }
  // Apart again, and for long enough that this is not for nothing?
  const double until = apart_until(entry, time);
  if (until - time < kSpansToWait * span_) {
    entry.used = 0;
    look_later(number, time);
    return true;
  }
  drop_below(entry);
  keep_apart(number, until, time);
  return true;
}

// Along the axes that the certificate rests on; another choice is made when it fails.
void SeparationList::reschedule_one(Index number, double time) {
  ++reschedules;
  Entry& entry = entries_[number];
  double until = time;
  for (const std::uint8_t axis : entry.order) {
    if ((entry.used >> axis & 1U) != 0) goes_on(apart_along(entry, axis, time), until);
  }
  agenda_.set(entry.event, until);
}

void SeparationList::reschedule(const std::vector<Index>& vertices, double time) {
  changed_.clear();
  for (const Index i : vertices) {
    if (mechanisms_.envelopes) {
      tree_.widen(i, time, changed_);
    } else {
      changed_.insert(changed_.end(), tree_.nodes_of(i).begin(), tree_.nodes_of(i).end());
    }
  }
  seen_.resize(entries_.size(), 0);
  ++round_;
  for (const Index node : changed_) {
    for (const Index number : apart_of_[node]) {
      if (seen_[number] == round_) continue;
      seen_[number] = round_;
      reschedule_one(number, time);
    }
  }
}

void SeparationList::reschedule_all(double time) {
  for (Index number = 0; number < entries_.size(); ++number) {
    if (entries_[number].state == State::apart) reschedule_one(number, time);
  }
}

}  // namespace carom::asynchronous::reference
