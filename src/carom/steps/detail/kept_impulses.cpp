// Impulses of contacts that persist from one step to the next.
#include "carom/steps/detail/kept_impulses.h"

#include <algorithm>

#include "carom/core/error.h"
#include "carom/stepping/bytes.h"

namespace carom::detail {
namespace {

constexpr std::size_t kWords = 10;

Contact named(Index a, Index b, Index shape) {
  Contact contact;
  contact.body_a = a;
  contact.body_b = b;
  contact.shape = shape;
  return contact;
}

}  // namespace

void KeptImpulses::find(const Question& question, std::span<Vec3> impulses) const {
  std::fill(impulses.begin(), impulses.end(), Vec3{});
  const NearPair& pair = *question.pair;
  const Contact wanted = named(pair.body_a, pair.body_b, pair.shape);
  const auto first = std::partition_point(entries_.begin(), entries_.end(), [&](const Entry& e) {
    // Pairs of bodies come before bodies beside shapes, as they do in a look.
    return named(e.body_a, e.body_b, e.shape).before(wanted);
  });
  auto last = first;
  while (last != entries_.end() &&
         named(last->body_a, last->body_b, last->shape).same_pair(wanted)) {
    ++last;
  }
  if (first == last) return;
  std::vector<bool> used(static_cast<std::size_t>(last - first), false);
  std::vector<bool> answered(question.places.size(), false);
  for (std::size_t k = 0; k < question.places.size(); ++k) {
    for (auto at = first; at != last; ++at) {
      const auto number = static_cast<std::size_t>(at - first);
      if (used[number] || at->feature != question.places[k].feature) continue;
      used[number] = true;
      answered[k] = true;
      impulses[k] = at->impulse;
      break;
    }
  }
  // Features change their names where a body tips: then what was nearest.
  for (std::size_t k = 0; k < question.places.size(); ++k) {
    if (answered[k]) continue;
    const Vec3 place = question.pose_a.to_body(question.places[k].place);
    double nearest = question.length * question.length;
    std::size_t best = used.size();
    for (std::size_t number = 0; number < used.size(); ++number) {
      const double away = norm_squared(place - first[static_cast<std::ptrdiff_t>(number)].place);
      if (used[number] || !(away < nearest)) continue;
      nearest = away;
      best = number;
    }
    if (best == used.size()) continue;
    used[best] = true;
    impulses[k] = first[static_cast<std::ptrdiff_t>(best)].impulse;
  }
}

void KeptImpulses::save(std::string& bytes) const {
  put_word(bytes, entries_.size());
  for (const Entry& entry : entries_) {
    for (const Index number : {entry.body_a, entry.body_b, entry.shape}) put_word(bytes, number);
    put_word(bytes, entry.feature);
    put_vector(bytes, entry.place);
    put_vector(bytes, entry.impulse);
  }
}

void KeptImpulses::load(std::string_view& bytes, Index bodies, Index shapes) {
  entries_.clear();
  constexpr std::size_t kWordBytes = 8;
  if (bytes.size() < kWordBytes) throw InputError({}, "the checkpoint ends too early");
  const std::uint64_t count = take_word(bytes);
  if (bytes.size() % (kWords * kWordBytes) != 0 || bytes.size() / (kWords * kWordBytes) != count) {
    throw InputError({}, "the checkpoint's number of kept impulses is wrong");
  }
  for (std::uint64_t k = 0; k < count; ++k) {
    Entry entry;
    for (Index* number : {&entry.body_a, &entry.body_b, &entry.shape}) {
      *number = static_cast<Index>(take_word(bytes));
    }
    entry.feature = take_word(bytes);
    entry.place = take_vector(bytes);
    entry.impulse = take_vector(bytes);
    const bool against_body = entry.body_b != kNone;
    const bool known =
        entry.body_a < bodies && (against_body ? entry.body_b < bodies : entry.shape < shapes);
    if (!known || !is_finite(entry.place) || !is_finite(entry.impulse)) {
      throw InputError({}, "the checkpoint holds an impulse of a contact that cannot be");
    }
    entries_.push_back(entry);
  }
}

}  // namespace carom::detail
