// A simulation in the hands of a program: steps, callbacks, edits that begin the scheme anew.
#include "carom/live/live_simulation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "carom/core/error.h"
#include "carom/core/long_work.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/long_step.h"

namespace carom {
namespace {

template <class Value>
bool same_bits(const std::vector<Value>& a, const std::vector<Value>& b) {
  static_assert(std::is_trivially_copyable_v<Value>);
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0);
}

bool same_bits(const State& a, const State& b) {
  return same_bits(a.position, b.position) && same_bits(a.velocity, b.velocity) &&
         same_bits(a.orientation, b.orientation) &&
         same_bits(a.angular_velocity, b.angular_velocity);
}

LiveEdit::Moment first_moment(const Simulation& simulation) {
  LiveEdit::Moment moment;
  moment.ids.resize(simulation.world.bodies.size());
  std::iota(moment.ids.begin(), moment.ids.end(), BodyId{0});
  moment.next_id = moment.ids.size();
  return moment;
}

}  // namespace

std::string_view to_string(RunStop stop) {
  switch (stop) {
    case RunStop::reached:
      return "reached";
    case RunStop::stopped:
      return "stopped";
    case RunStop::failed:
      return "failed";
  }
  return "";
}

/// Whoever is asked while a step takes long.
class LiveSimulation::Watching final : public WorkObserver {
 public:
  bool on_work(const Work& /*work*/) override { return !keep_going || keep_going(); }

  std::function<bool()> keep_going;
  LongWork work{*this};
};

LiveSimulation::LiveSimulation(Simulation simulation)
    : LiveSimulation(std::move(simulation), StartCheck::with_overlaps) {}

LiveSimulation LiveSimulation::going_on(Simulation simulation) {
  return {std::move(simulation), StartCheck::without_overlaps};
}

LiveSimulation::LiveSimulation(Simulation simulation, StartCheck check)
    : watching_(std::make_unique<Watching>()), moment_(first_moment(simulation)) {
  auto kept = watched(std::move(simulation));
  std::unique_ptr<Stepper> stepper = check == StartCheck::with_overlaps
                                         ? make_stepper(*kept)
                                         : make_stepper(*kept, std::span<const Index>());
  begin(std::move(kept), std::move(stepper));
  ledger_.now = totals(*simulation_, *stepper_).energy();
  ledger_.start = ledger_.now;
  report_.step = state().step;
  report_.time = state().time;
  report_.totals = totals(*simulation_, *stepper_);
}

LiveSimulation::LiveSimulation(LiveSimulation&&) noexcept = default;
LiveSimulation& LiveSimulation::operator=(LiveSimulation&&) noexcept = default;
LiveSimulation::~LiveSimulation() = default;

// Of schemes in which an impact may take long; others watch by themselves (LongStepper), or have
// short steps only.
std::unique_ptr<const Simulation> LiveSimulation::watched(Simulation simulation) const {
  const SchemeInfo& info = scheme_info(simulation.time.scheme);
  const bool takes_steps = info.collisions == CollisionTimes::at_steps && info.can.impact_problems;
  simulation.impact.work = takes_steps ? &watching_->work : nullptr;
  return std::make_unique<const Simulation>(std::move(simulation));
}

void LiveSimulation::watch(std::function<bool()> keep_going) {
  watching_->keep_going = std::move(keep_going);
}

// The stepper looks at the simulation: the old one goes first.
void LiveSimulation::begin(std::unique_ptr<const Simulation> simulation,
                           std::unique_ptr<Stepper> stepper) {
  stepper->note_impulses(notes_contacts_);
  stepper->note_penetration(notes_penetration_);
  if (auto* const takes_long = dynamic_cast<LongStepper*>(stepper.get())) {
    takes_long->watch_within([watching = watching_.get()](const StepProgress& /*now*/) {
      return watching->work.go_on("events", 0);
    });
  }
  stepper_ = std::move(stepper);
  simulation_ = std::move(simulation);
}

// Moments of the last step in their order; the numbers of bodies are those of that step, whatever
// a callback edits meanwhile. False: no run should go on.
bool LiveSimulation::tell() {
  if (on_impact_) {
    const std::vector<ContactImpulse> contacts = this->contacts();
    const OnImpact call = on_impact_;  // a callback may put another in its place
    for (auto first = contacts.begin(); first != contacts.end();) {
      const auto last = std::find_if(first, contacts.end(), [&](const ContactImpulse& other) {
        return other.time != first->time;
      });
      call(*this, std::span(contacts).subspan(static_cast<std::size_t>(first - contacts.begin()),
                                              static_cast<std::size_t>(last - first)));
      first = last;
    }
  }
  if (!on_step_) return true;
  const OnStep call = on_step_;
  return call(*this);
}

RunStop LiveSimulation::take_step() {
  if (phase_ == Phase::in_callbacks) {
    throw InputError({}, "a callback cannot step the simulation that calls it");
  }
  if (phase_ == Phase::failed) return RunStop::failed;
  watching_->work.begin();
  report_ = stepper_->step();
  const bool is_undone = !report_.can_go_on() && (report_.status == ImpactStatus::cancelled ||
                                                  report_.failure == kStoppedWithin);
  if (is_undone) return RunStop::stopped;
  ++moment_.revision;
  if (!report_.can_go_on()) {
    phase_ = Phase::failed;
    return RunStop::failed;
  }
  ledger_.now = report_.totals.energy();
  ledger_.external_work += report_.external_work;
  ledger_.dissipated += report_.dissipated;
  phase_ = Phase::in_callbacks;
  struct Leaving {
    Phase* phase;
    ~Leaving() { *phase = Phase::between_steps; }
  };
  const Leaving leaving{&phase_};
  if (witness_) witness_->on_step(*this);
  return tell() ? RunStop::reached : RunStop::stopped;
}

const StepReport& LiveSimulation::step() {
  static_cast<void>(take_step());
  return report_;
}

RunStop LiveSimulation::run_until(double time) {
  if (!std::isfinite(time)) throw InputError({}, "the time to run until must be finite");
  const double enough = time - 0.5 * simulation_->time.step;
  RunStop stop = RunStop::reached;
  while (stop == RunStop::reached && state().time < enough) stop = take_step();
  return stop;
}

LiveEdit LiveSimulation::edit() const {
  Simulation copy = *simulation_;
  copy.start = stepper_->state();
  copy.impact.work = nullptr;  // it may outlive this
  return {std::move(copy), moment_};
}

// Bodies that the edit has put where they are.
std::vector<Index> LiveSimulation::placed_by(const LiveEdit& edit) const {
  const State& after = edit.simulation().start;
  const std::vector<BodyId>& ids = edit.moment().ids;
  std::vector<Index> placed;
  if (after.position.size() != ids.size()) return placed;  // which is about to be refused
  const bool turning = after.orientation.size() == ids.size() && !state().orientation.empty();
  const auto stayed = [&](Index now, Index then) {
    return after.position[now] == state().position[then] &&
           (!turning || after.orientation[now] == state().orientation[then]);
  };
  for (Index i = 0; i < ids.size(); ++i) {
    const auto at = std::lower_bound(moment_.ids.begin(), moment_.ids.end(), ids[i]);
    const bool is_old = at != moment_.ids.end() && *at == ids[i];
    const bool is_where_it_was = is_old && stayed(i, static_cast<Index>(at - moment_.ids.begin()));
    if (!is_where_it_was || edit.scope() == LiveEdit::Scope::places) placed.push_back(i);
  }
  return placed;
}

void LiveSimulation::apply(LiveEdit edit) {
  if (edit.moment().revision != moment_.revision) {
    throw InputError({}, "the edit was made before the last step or edit: make it anew");
  }
  State& start = edit.state();
  start.step = state().step;
  start.time = state().time;
  start.halvings = state().halvings;
  if (edit.scope() == LiveEdit::Scope::state && same_bits(start, state())) return;
  if (witness_) witness_->judge(edit);
  const std::vector<Index> placed = placed_by(edit);
  auto next = watched(edit.simulation());
  std::unique_ptr<Stepper> stepper = make_stepper(*next, placed);
  begin(std::move(next), std::move(stepper));
  moment_ = edit.moment();
  ++moment_.revision;
  const double energy = totals(*simulation_, *stepper_).energy();
  ledger_.edited += energy - ledger_.now;
  ledger_.now = energy;
  ++ledger_.edits;
  if (phase_ == Phase::failed) phase_ = Phase::between_steps;
  if (witness_) witness_->on_edit(*this);
}

const Simulation& LiveSimulation::simulation() const { return *simulation_; }
const State& LiveSimulation::state() const { return stepper_->state(); }
const SchemeInfo& LiveSimulation::scheme() const { return scheme_info(simulation_->time.scheme); }
Index LiveSimulation::number_of(BodyId id) const { return number_of_body(moment_.ids, id); }
ImpactProblem LiveSimulation::resolved_problem() const { return stepper_->resolved_problem(); }

std::vector<ContactImpulse> LiveSimulation::contacts() const {
  return notes_contacts_ ? stepper_->impulses() : std::vector<ContactImpulse>();
}

void LiveSimulation::note_contacts(bool note) {
  notes_contacts_ = note;
  stepper_->note_impulses(note);
}

void LiveSimulation::note_penetration(bool note) {
  notes_penetration_ = note;
  stepper_->note_penetration(note);
}

}  // namespace carom
