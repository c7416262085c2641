#include <bit>
#include <cstring>

#include "carom/core/error.h"
#include "carom/core/hash.h"
#include "carom/stepping/synchronous.h"

// The bytes of a checkpoint of synchronous steps: a mark, then little-endian 64-bit words: step,
// number of bodies, and six doubles per body (position, velocity). Time is step * h. Where bodies
// turn the mark is another, and seven doubles more follow for each body (orientation, angular
// velocity).
namespace carom {
namespace {

constexpr std::string_view kMark = "carom-steps-1\n";
constexpr std::string_view kTurningMark = "carom-turns-1\n";

void put(std::string& bytes, std::uint64_t word) {
  for (unsigned shift = 0; shift < 64; shift += 8) {
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(word >> shift)));
  }
}

void put(std::string& bytes, const Vec3& v) {
  for (const double number : {v.x, v.y, v.z}) put(bytes, std::bit_cast<std::uint64_t>(number));
}

void put(std::string& bytes, const Quaternion& q) {
  for (const double number : {q.w, q.x, q.y, q.z}) put(bytes, std::bit_cast<std::uint64_t>(number));
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

Quaternion take_quaternion(std::string_view& bytes) {
  Quaternion q;
  for (double* number : {&q.w, &q.x, &q.y, &q.z}) *number = std::bit_cast<double>(take(bytes));
  return q;
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
  const bool turning = !state_.orientation.empty();
  std::string bytes(turning ? kTurningMark : kMark);
  bytes.reserve(bytes.size() + 16 + (turning ? 104 : 48) * state_.position.size());
  put(bytes, state_.step);
  put(bytes, state_.position.size());
  for (std::size_t i = 0; i < state_.position.size(); ++i) {
    put(bytes, state_.position[i]);
    put(bytes, state_.velocity[i]);
    if (!turning) continue;
    put(bytes, state_.orientation[i]);
    put(bytes, state_.angular_velocity[i]);
  }
  return bytes;
}

void SynchronousStepper::load(std::string_view bytes) {
  const std::size_t count = state_.position.size();
  const bool turning = !state_.orientation.empty();
  const std::string_view mark = turning ? kTurningMark : kMark;
  if (!bytes.starts_with(mark) || bytes.size() != mark.size() + 16 + (turning ? 104 : 48) * count) {
    throw InputError({}, "the checkpoint does not belong to this scene: expected " +
                             std::to_string(count) + " bodies in synchronous steps");
  }
  bytes.remove_prefix(mark.size());
  State state;
  state.step = take(bytes);
  if (take(bytes) != count) throw InputError({}, "the checkpoint's number of bodies is wrong");
  state.time = static_cast<double>(state.step) * simulation_->time.step;
  state.position.reserve(count);
  state.velocity.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    state.position.push_back(take_vector(bytes));
    state.velocity.push_back(take_vector(bytes));
    bool finite = is_finite(state.position[i]) && is_finite(state.velocity[i]);
    if (turning) {
      state.orientation.push_back(take_quaternion(bytes));
      state.angular_velocity.push_back(take_vector(bytes));
      finite = finite && is_finite(state.orientation[i]) && is_finite(state.angular_velocity[i]);
    }
    if (!finite) throw InputError({}, "the checkpoint holds numbers that are not finite");
  }
  state_ = std::move(state);
  end_orientation_ = state_.orientation;
  contacts_.clear();
  flight_.start(state_.position);
}

std::uint64_t state_hash(const State& state) {
  Hash64 hash;
  hash.add(state.step);
  hash_vectors(hash, state.position);
  hash_vectors(hash, state.velocity);
  for (const Quaternion& q : state.orientation) {
    for (const double number : {q.w, q.x, q.y, q.z}) hash.add(number);
  }
  hash_vectors(hash, state.angular_velocity);
  return hash.value();
}

}  // namespace carom
