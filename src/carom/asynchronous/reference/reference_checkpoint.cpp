// The state of a reference engine as bytes: everything that the rest of a run depends on, and all
// certificates, so that what is counted goes on as it would have.
#include "carom/asynchronous/detail/archive.h"
#include "carom/asynchronous/detail/length_limits.h"
#include "carom/asynchronous/reference/detail/reference_parts.h"
#include "carom/core/error.h"
#include "carom/core/hash.h"

namespace carom::asynchronous::reference {
namespace {

using detail::transfer_all;

// Changes whenever the bytes do.
constexpr std::uint64_t kFormat = 0x63616d2d72656603U;

std::uint64_t hash_of(const ReferenceEngine::Parts& parts) {
  Hash64 hash;
  hash.add(std::span<const double>(parts.trajectories.inverse_mass));
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
  const Mechanisms& m = parts.mechanisms;
  for (const bool is_on :
       {m.supports, m.vague_trajectories, m.hierarchy, m.envelopes, m.adaptive_axes}) {
    hash.add(static_cast<std::uint64_t>(is_on));
  }
  hash.add(static_cast<std::uint64_t>(m.clocks));
  return hash.value();
}

template <class Archive>
void transfer_sums(Archive& archive, detail::LedgerSums& sums) {
  for (detail::LongVectorSum* sum :
       {&sums.external_impulse, &sums.held_impulse, &sums.wall_impulse}) {
    for (detail::LongSum* part : {&sum->x, &sum->y, &sum->z}) {
      transfer_all(archive, part->value, part->lost);
    }
  }
  for (detail::LongSum* sum : {&sums.work_of_held, &sums.work_of_forces, &sums.lost_to_restitution,
                               &sums.lost_to_friction, &sums.lost_to_damping}) {
    transfer_all(archive, sum->value, sum->lost);
  }
}

template <class Archive>
void transfer_state(Archive& archive, ReferenceEngine::Parts& parts) {
  Trajectories& t = parts.trajectories;
  transfer_all(archive, t.position, t.velocity, t.last, t.way_place, t.way_begin, t.counted,
               t.vagueness);
  parts.agenda.transfer_state(archive);
  parts.forces.transfer_state(archive);
  parts.contacts.transfer_state(archive);
  parts.tree.transfer_state(archive);
  parts.separation.transfer_state(archive);
  transfer_sums(archive, parts.sums);
  transfer_all(archive, parts.time, parts.work.events, parts.work.plans, parts.judged_events,
               parts.judged_time);
  auto is_stuck = static_cast<std::uint64_t>(parts.stuck.has_value());
  PairName name = parts.stuck.value_or(PairName{});
  transfer_all(archive, is_stuck);
  transfer(archive, name);
  parts.stuck = is_stuck != 0 ? std::optional(name) : std::nullopt;
}

}  // namespace

// A stuck engine is saved as it is before the event that found no certificate, and finds none
// again.
std::string ReferenceEngine::save() const {
  std::string bytes;
  detail::ArchiveWriter writer(bytes);
  std::uint64_t format = kFormat;
  std::uint64_t hash = hash_of(*parts_);
  transfer_all(writer, format, hash);
  transfer_state(writer, *parts_);
  return bytes;
}

void ReferenceEngine::load(std::string_view bytes) {
  detail::ArchiveReader reader(bytes);
  std::uint64_t format = 0;
  std::uint64_t hash = 0;
  transfer_all(reader, format, hash);
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

}  // namespace carom::asynchronous::reference
