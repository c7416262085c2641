// The bytes of a checkpoint of synchronous steps: a mark, then little-endian 64-bit words: step,
// number of bodies, and six doubles per body (position, velocity). Time is step * h. Where bodies
// turn the mark is another, and seven doubles more follow for each body (orientation, angular
// velocity). Where the last step was halved one more word follows: how often.
#include "carom/steps/detail/checkpoint.h"

#include "carom/core/error.h"
#include "carom/stepping/bytes.h"

namespace carom {
namespace {

constexpr std::string_view kMark = "carom-steps-1\n";
constexpr std::string_view kTurningMark = "carom-turns-1\n";

void put_quaternion(std::string& bytes, const Quaternion& q) {
  for (const double number : {q.w, q.x, q.y, q.z}) put_number(bytes, number);
}

Quaternion take_quaternion(std::string_view& bytes) {
  Quaternion q;
  for (double* number : {&q.w, &q.x, &q.y, &q.z}) *number = take_number(bytes);
  return q;
}

}  // namespace

std::string detail::write_checkpoint(const State& state) {
  const bool turning = !state.orientation.empty();
  std::string bytes(turning ? kTurningMark : kMark);
  bytes.reserve(bytes.size() + 16 + (turning ? 104 : 48) * state.position.size());
  put_word(bytes, state.step);
  put_word(bytes, state.position.size());
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    put_vector(bytes, state.position[i]);
    put_vector(bytes, state.velocity[i]);
    if (!turning) continue;
    put_quaternion(bytes, state.orientation[i]);
    put_vector(bytes, state.angular_velocity[i]);
  }
  if (state.halvings > 0) put_word(bytes, state.halvings);
  return bytes;
}

State detail::read_checkpoint(std::string_view bytes, const Simulation& simulation) {
  const std::size_t count = simulation.start.position.size();
  const bool turning = simulation.world.bodies.any_turns();
  const std::string_view mark = turning ? kTurningMark : kMark;
  const std::size_t size = mark.size() + 16 + (turning ? 104 : 48) * count;
  if (!bytes.starts_with(mark) || (bytes.size() != size && bytes.size() != size + 8)) {
    throw InputError({}, "the checkpoint does not belong to this scene: expected " +
                             std::to_string(count) + " bodies in synchronous steps");
  }
  bytes.remove_prefix(mark.size());
  State state;
  state.step = take_word(bytes);
  if (take_word(bytes) != count) throw InputError({}, "the checkpoint's number of bodies is wrong");
  state.time = static_cast<double>(state.step) * simulation.time.step;
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
  if (bytes.empty()) return state;
  const std::uint64_t halvings = take_word(bytes);
  if (halvings == 0 || halvings > detail::kMostHalvings) {
    throw InputError(
        {}, "the checkpoint says that a step was halved " + std::to_string(halvings) + " times");
  }
  state.halvings = static_cast<Index>(halvings);
  return state;
}

}  // namespace carom
