#include <bit>
#include <cstring>

#include "carom/core/error.h"
#include "carom/core/hash.h"
#include "carom/stepping/synchronous.h"

// The bytes of a checkpoint of synchronous steps: a mark, then little-endian 64-bit words: step,
// number of bodies, and six doubles per body (position, velocity). Time is step * h.
namespace carom {
namespace {

constexpr std::string_view kMark = "carom-steps-1\n";

void put(std::string& bytes, std::uint64_t word) {
  for (unsigned shift = 0; shift < 64; shift += 8) {
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(word >> shift)));
  }
}

void put(std::string& bytes, const Vec3& v) {
  for (const double number : {v.x, v.y, v.z}) put(bytes, std::bit_cast<std::uint64_t>(number));
}

std::uint64_t take(std::string_view& bytes) {
  std::uint64_t word = 0;
  for (unsigned k = 0; k < 8; ++k) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[k])) << (8 * k);
  }
  bytes.remove_prefix(8);
  return word;
}

Vec3 take_vector(std::string_view& bytes) {
  Vec3 v;
  for (double* number : {&v.x, &v.y, &v.z}) *number = std::bit_cast<double>(take(bytes));
  return v;
}

void hash_vectors(Hash64& hash, const std::vector<Vec3>& vectors) {
  for (const Vec3& v : vectors) {
    hash.add(v.x);
    hash.add(v.y);
    hash.add(v.z);
  }
}

}  // namespace

std::string SynchronousStepper::save() const {
  std::string bytes(kMark);
  bytes.reserve(kMark.size() + 16 + 48 * state_.position.size());
  put(bytes, state_.step);
  put(bytes, state_.position.size());
  for (std::size_t i = 0; i < state_.position.size(); ++i) {
    put(bytes, state_.position[i]);
    put(bytes, state_.velocity[i]);
  }
  return bytes;
}

void SynchronousStepper::load(std::string_view bytes) {
  const std::size_t count = state_.position.size();
  if (!bytes.starts_with(kMark) || bytes.size() != kMark.size() + 16 + 48 * count) {
    throw InputError({}, "the checkpoint does not belong to this scene: expected " +
                             std::to_string(count) + " bodies in synchronous steps");
  }
  bytes.remove_prefix(kMark.size());
  State state;
  state.step = take(bytes);
  if (take(bytes) != count) throw InputError({}, "the checkpoint's number of bodies is wrong");
  state.time = static_cast<double>(state.step) * simulation_->time.step;
  state.position.reserve(count);
  state.velocity.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    state.position.push_back(take_vector(bytes));
    state.velocity.push_back(take_vector(bytes));
    if (!is_finite(state.position[i]) || !is_finite(state.velocity[i])) {
      throw InputError({}, "the checkpoint holds numbers that are not finite");
    }
  }
  state_ = std::move(state);
  contacts_.clear();
  flight_.start(state_.position);
}

std::uint64_t state_hash(const State& state) {
  Hash64 hash;
  hash.add(state.step);
  hash_vectors(hash, state.position);
  hash_vectors(hash, state.velocity);
  return hash.value();
}

}  // namespace carom
