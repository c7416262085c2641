// The bytes of a checkpoint of steps with resting contact: a mark, the bytes of synchronous steps
// with the velocities that are shown behind their length, v+ (three numbers, six where bodies turn,
// for each body), the energy that it has beyond what is shown, and what contacts carried.
#include "carom/core/error.h"
#include "carom/stepping/bytes.h"
#include "carom/steps/detail/checkpoint.h"
#include "carom/steps/resting.h"

namespace carom {
namespace {

constexpr std::string_view kMark = "carom-rests-1\n";

[[noreturn]] void refuse() {
  throw InputError({},
                   "the checkpoint does not belong to this scene: expected one of steps with "
                   "friction_model = \"coulomb\"");
}

}  // namespace

std::string RestingStepper::save() const {
  std::string bytes(kMark);
  const std::string shown = detail::write_checkpoint(state_);
  put_word(bytes, shown.size());
  bytes += shown;
  for (const Vec3& v : after_.linear) put_vector(bytes, v);
  for (const Vec3& w : after_.angular) put_vector(bytes, w);
  put_number(bytes, in_flight_);
  kept_.save(bytes);
  return bytes;
}

void RestingStepper::load(std::string_view bytes) {
  constexpr std::size_t kWord = 8;
  if (!bytes.starts_with(kMark) || bytes.size() < kMark.size() + kWord) refuse();
  bytes.remove_prefix(kMark.size());
  const std::uint64_t length = take_word(bytes);
  if (length > bytes.size()) refuse();
  State state = detail::read_checkpoint(bytes.substr(0, length), *simulation_);
  bytes.remove_prefix(length);
  Velocities after = {state.velocity, state.angular_velocity};
  const std::size_t vectors = after.linear.size() + after.angular.size();
  if (bytes.size() < kWord * (3 * vectors + 1)) refuse();
  for (std::vector<Vec3>* list : {&after.linear, &after.angular}) {
    for (Vec3& v : *list) {
      v = take_vector(bytes);
      if (!is_finite(v)) throw InputError({}, "the checkpoint holds numbers that are not finite");
    }
  }
  const double in_flight = take_number(bytes);
  detail::KeptImpulses kept;
  kept.load(bytes, simulation_->world.bodies.size(),
            static_cast<Index>(simulation_->world.shapes.size()));
  kept_ = std::move(kept);
  state_ = std::move(state);
  after_ = std::move(after);
  bounced_ = after_;
  before_ = after_;
  in_flight_ = in_flight;
  end_orientation_ = state_.orientation;
  rows_.clear();
  flight_.start(state_.position);
}

}  // namespace carom
