// Bodies stepped in another order than they are shown.
#include "carom/steps/detail/ordered_stepper.h"

#include <algorithm>
#include <utility>

#include "carom/steps/detail/checkpoint.h"
#include "carom/steps/detail/space_order.h"
#include "carom/steps/synchronous.h"

namespace carom::detail {

OrderedStepper::OrderedStepper(const Simulation& simulation, std::vector<Index> order)
    : given_(&simulation),
      order_(std::move(order)),
      simulation_(reordered(simulation, order_)),
      inner_(std::make_unique<SynchronousStepper>(simulation_)),
      state_(simulation.start) {}

StepReport OrderedStepper::step() {
  inner_->note_penetration(notes_penetration());
  StepReport report = inner_->step();
  copy_state();
  return report;
}

void OrderedStepper::load(std::string_view bytes) {
  State given = read_checkpoint(bytes, *given_);
  reorder(order_, given);
  inner_->load(write_checkpoint(given));
  copy_state();
}

void OrderedStepper::copy_state() {
  const State& from = inner_->state();
  state_.step = from.step;
  state_.time = from.time;
  state_.halvings = from.halvings;
  const auto copy = [&](const auto& values, auto& to) {
    to.resize(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) to[order_[k]] = values[k];
  };
  copy(from.position, state_.position);
  copy(from.velocity, state_.velocity);
  copy(from.orientation, state_.orientation);
  copy(from.angular_velocity, state_.angular_velocity);
  changes_.clear();
  for (VelocityChange change : inner_->shown_changes()) {
    change.body = order_[change.body];
    changes_.push_back(change);
  }
  std::sort(changes_.begin(), changes_.end(),
            [](const VelocityChange& a, const VelocityChange& b) { return a.body < b.body; });
}

std::vector<ContactImpulse> OrderedStepper::impulses() const {
  std::vector<ContactImpulse> result = inner_->impulses();
  for (ContactImpulse& impulse : result) {
    Contact& contact = impulse.contact;
    contact.body_a = order_[contact.body_a];
    if (contact.body_b == kNone) continue;
    contact.body_b = order_[contact.body_b];
    if (contact.body_a < contact.body_b) continue;
    std::swap(contact.body_a, contact.body_b);
    contact.normal = -contact.normal;
    impulse.tangential = -impulse.tangential;
  }
  std::stable_sort(
      result.begin(), result.end(),
      [](const ContactImpulse& a, const ContactImpulse& b) { return a.contact.before(b.contact); });
  return result;
}

}  // namespace carom::detail
