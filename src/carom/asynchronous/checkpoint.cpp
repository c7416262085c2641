// The state of an engine as bytes: everything that the rest of a run depends on.
#include <bit>

#include "carom/asynchronous/detail/archive.h"
#include "carom/asynchronous/detail/engine_parts.h"
#include "carom/asynchronous/detail/length_limits.h"
#include "carom/core/hash.h"

namespace carom::asynchronous {
namespace detail {

template <class Archive>
void transfer(Archive& archive, Tube& tube) {
  transfer_all(archive, tube.place, tube.motion, tube.begin, tube.radius);
}

template <class Archive>
void transfer(Archive& archive, PairName& name) {
  transfer_all(archive, name.kind, name.vertex, name.wall);
}

template <class Archive>
void transfer(Archive& archive, ContactPair& pair) {
  transfer_all(archive, pair.key, pair.thickness, pair.distance, pair.due, pair.vertex,
               pair.near_place, pair.tick_place, pair.memory, pair.law, pair.number, pair.kind,
               pair.watch, pair.size, pair.size_a, pair.top_level, pair.octave);
}

template <class Archive>
void transfer(Archive& archive, Anchor& anchor) {
  transfer_all(archive, anchor.weight, anchor.place, anchor.stretch, anchor.force, anchor.seen);
}

template <class Archive>
void transfer(Archive& archive, Trail& trail) {
  transfer_all(archive, trail.place, trail.seen);
}

template <class Archive>
void transfer(Archive& archive, LongSum& sum) {
  transfer_all(archive, sum.value, sum.lost);
}

template <class Archive>
void transfer(Archive& archive, LongVectorSum& sum) {
  transfer_all(archive, sum.x, sum.y, sum.z);
}

template <class Archive>
void transfer(Archive& archive, LedgerSums& sums) {
  transfer_all(archive, sums.external_impulse, sums.held_impulse, sums.wall_impulse,
               sums.work_of_held, sums.work_of_forces, sums.lost_to_restitution,
               sums.lost_to_friction, sums.lost_to_damping);
}

}  // namespace detail

namespace {

// Changes whenever the bytes do.
constexpr std::uint64_t kFormat = 0x63616d2d61637904U;

std::uint64_t hash_of(const Engine::Parts& parts) {
  Hash64 hash;
  hash.add(parts.flights.unit);
  hash.add(std::span<const double>(parts.flights.inverse_mass));
  for (const Vec3& x : parts.problem.position) {
    for (const double number : {x.x, x.y, x.z}) hash.add(number);
  }
  hash.add(static_cast<std::uint64_t>(parts.topology.leaves.size()));
  hash.add(static_cast<std::uint64_t>(parts.problem.walls.size()));
  for (const Wall& wall : parts.problem.walls) hash.add(static_cast<std::uint64_t>(wall.carrier));
  for (const LengthLimit& limit : parts.problem.limits) {
    for (const Index i : limit.vertex) hash.add(static_cast<std::uint64_t>(i));
    hash.add(limit.length);
  }
  for (const ContactLaw& law : detail::all_laws(parts.problem)) {
    for (const double number : {law.stiffness, law.thickness, law.restitution, law.friction}) {
      hash.add(number);
    }
  }
  return hash.value();
}

template <class Archive>
void transfer_state(Archive& archive, Engine::Parts& parts) {
  using detail::transfer_all;
  detail::Flights& f = parts.flights;
  transfer_all(archive, f.position, f.velocity, f.last, f.plan, f.plan_end, f.plan_share, f.range,
               f.turns);
  transfer_all(archive, parts.leads.cursor, parts.forces.memory, parts.forces.kicks);
  parts.pairs.transfer_state(archive);
  detail::Certificates& c = parts.certificates;
  transfer_all(archive, c.list_end, c.skin, c.certificates, c.plans, c.smallest_gap, c.nearest,
               c.limit_used);
  detail::Lists& l = parts.lists;
  transfer_all(archive, l.horizon, l.made, l.skin, l.certificates_then, l.found_then, l.rate_then,
               l.skin_factor);
  detail::ContactKicks& k = parts.kicks;
  k.gaps.transfer_state(archive);
  transfer_all(archive, k.friction.anchors, k.friction.trails, k.ticks, k.deepest_layer,
               k.smallest_gap, k.nearest, k.limit_used);
  transfer_all(archive, parts.sums, parts.now, parts.time, parts.stuck_pair, parts.moments,
               parts.list_count, parts.pace.events, parts.pace.time);
}

}  // namespace

std::string Engine::save() const {
  std::string bytes;
  detail::ArchiveWriter writer(bytes);
  std::uint64_t format = kFormat;
  std::uint64_t hash = hash_of(*parts_);
  detail::transfer_all(writer, format, hash);
  transfer_state(writer, *parts_);
  return bytes;
}

void Engine::load(std::string_view bytes) {
  detail::ArchiveReader reader(bytes);
  std::uint64_t format = 0;
  std::uint64_t hash = 0;
  detail::transfer_all(reader, format, hash);
  if (format != kFormat) throw InputError({}, "these bytes are no state of this engine");
  if (hash != hash_of(*parts_)) throw InputError({}, "the checkpoint is of another problem");
  const std::string present = save();
  try {
    transfer_state(reader, *parts_);
    if (reader.left() != 0) throw InputError({}, "the checkpoint is too long");
  } catch (const InputError&) {
    detail::ArchiveReader back(std::string_view(present).substr(16));
    transfer_state(back, *parts_);
    throw;
  }
  parts_->forget_work();
}

}  // namespace carom::asynchronous
