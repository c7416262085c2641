// Records what a program does with a simulation: steps, and bodies that come and go.
#include "carom/runs/live_recording.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "carom/core/error.h"
#include "carom/recording/error.h"
#include "carom/recording/writer.h"
#include "carom/runs/detail/run_header.h"
#include "carom/runs/detail/run_sink.h"
#include "carom/scene/write_scene.h"

namespace carom {
namespace {

Vec3 place_of(const HalfPlane& plane) { return plane.point; }
Vec3 place_of(const Segment& segment) { return segment.a; }
Vec3 place_of(const SphereInside& sphere) { return sphere.center; }
Vec3 place_of(const SphereOutside& sphere) { return sphere.center; }
Vec3 place_of(const BoxInside& box) { return box.lower; }
Vec3 place_of(const SolidObstacle& solid) { return solid.pose.position; }

// A point of the shape, without its motion.
Vec3 place_of(const PlacedShape& placed) {
  return std::visit([](const auto& shape) { return place_of(shape); }, placed.shape);
}

// Whether the scene alone gives what the simulation is about to do.
bool is_as_started(const LiveSimulation& simulation) {
  return simulation.state().step == 0 && simulation.ledger().edits == 0 &&
         simulation.simulation().forces.functions.empty();
}

// The scene with a text from which the present state is read.
Scene described(const LiveSimulation& simulation, const Scene& scene) {
  Scene now = scene;
  now.simulation = simulation.simulation();
  now.simulation.start = simulation.state();
  now.simulation.forces.functions.clear();
  if (!scene.text.empty() && is_as_started(simulation)) return now;
  if (now.operators.empty()) now.operators = {now.simulation.impact.impact_operator};
  now.text = write_scene(now);
  return now;
}

}  // namespace

class LiveRecording::Implementation {
 public:
  Implementation(const LiveSimulation& simulation, const Scene& scene,
                 const std::filesystem::path& path)
      : scene_(described(simulation, scene)),
        shapes_(simulation.simulation().world.shapes),
        solids_(simulation.simulation().world.bodies.solids),
        ids_(simulation.ids()),
        edited_(simulation.ledger().edited),
        sink_(RecordingWriter::create(path, header_of(simulation)), detail::table_of(scene_)) {
    for (std::size_t k = 0; k < ids_.size(); ++k) numbers_.push_back(k);
    sink_.row(start_row(simulation.simulation(), simulation.stepper()));
    frame(simulation);
    sink_.checkpoint(simulation.stepper());
  }

  void step(const LiveSimulation& simulation) {
    changed_ = false;
    const State& state = simulation.state();
    DiagnosticRow row = step_row(simulation.report(), state);
    const double edited = simulation.ledger().edited;
    row.report.external_work += edited - std::exchange(edited_, edited);
    // What finds no room is kept for the next call: the rest is to be kept, too.
    std::exception_ptr no_room;
    const auto record = [&](const auto& part) {
      try {
        part();
      } catch (const RecordingError&) {
        no_room = std::current_exception();
      }
    };
    record([&] { sink_.row(row); });
    if (scene_.record.impulses) record([&] { events(simulation); });
    if (state.step % scene_.record.every == 0) record([&] { frame(simulation); });
    const std::uint64_t every = scene_.record.checkpoint_every;
    if (every > 0 && state.step % every == 0) {
      last_checkpoint_ = state.step;
      record([&] { sink_.checkpoint(simulation.stepper()); });
    }
    if (no_room) std::rethrow_exception(no_room);
  }

  void change(const LiveSimulation& simulation) {
    changed_ = true;
    is_driven_ = true;
    for (const auto& [time, offsets] : std::exchange(shape_places_, {})) {
      sink_.writer().append_shape_places(time, offsets);
    }
    const BodyChanges changes = changes_of(simulation);
    ids_ = simulation.ids();
    sink_.writer().append_changes(changes);
  }

  void flush() { sink_.writer().flush(); }

  bool finish(const LiveSimulation& simulation, RunStatus status) {
    const State& state = simulation.state();
    RunEnd end{.status = status, .reason = {}};
    const StepReport& report = simulation.report();
    if (!report.can_go_on() && simulation.has_failed()) {
      end.status = RunStatus::failed;
      end.reason = detail::failure_text(report, state.time);
    }
    // What has been changed since the last step belongs to none.
    const bool is_whole = end.status == RunStatus::finished && !changed_;
    if (is_whole && state.step > last_frame_) frame(simulation);
    if (!changed_ && state.step > last_checkpoint_) sink_.checkpoint(simulation.stepper());
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin_;
    end.wall_seconds = wall.count();
    if (end.status == RunStatus::finished) {
      // Of the length that the program gave it.
      RecordingHeader header = sink_.writer().header();
      header.settings_json = detail::settings_json(scene_, state.step);
      header.shapes_json = detail::make_header(scene_, state.step).shapes_json;
      sink_.writer().extend(header, std::nullopt);
    }
    return sink_.writer().finish(end);
  }

 private:
  RecordingHeader header_of(const LiveSimulation& simulation) {
    RecordingHeader header = detail::make_header(scene_, step_count(scene_.simulation.time));
    const std::uint64_t step = simulation.state().step;
    if (!is_as_started(simulation)) header.driven_from = step;
    bool are_numbers = true;
    for (std::size_t k = 0; k < ids_.size(); ++k) are_numbers = are_numbers && ids_[k] == k;
    if (are_numbers) return header;
    for (const BodyId id : ids_) header.presence.push_back({.id = id, .first_step = step});
    return header;
  }

  void frame(const LiveSimulation& simulation) {
    const State& state = simulation.state();
    last_frame_ = state.step;
    sink_.frame(simulation.stepper());
    // Where the scene has brought the shapes, or the program: the one is known, the other is said.
    std::vector<std::array<double, 3>> offsets;
    const std::vector<PlacedShape>& shapes = simulation.simulation().world.shapes;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const Vec3 way = place_of(shapes[k]) - place_of(shapes_[k]);
      const Vec3 offset = way + offset_at(shapes[k].motion, state.time);
      offsets.push_back({offset.x, offset.y, offset.z});
    }
    if (is_driven_) {
      sink_.writer().append_shape_places(state.time, offsets);
    } else {
      shape_places_.emplace_back(state.time, std::move(offsets));
    }
  }

  void events(const LiveSimulation& simulation) {
    std::vector<ContactEvent> events =
        detail::contact_events(simulation.state(), simulation.contacts());
    for (ContactEvent& event : events) {
      for (std::int64_t* body : {&event.body_a, &event.body_b}) {
        if (*body < 0) continue;  // a shape
        *body = static_cast<std::int64_t>(numbers_[static_cast<std::size_t>(*body)]);
      }
    }
    sink_.writer().append_events(events);
  }

  // Who joined and who left. The numbers of the recording, where bodies stay for ever, are kept.
  BodyChanges changes_of(const LiveSimulation& simulation) {
    const std::vector<BodyId>& now = simulation.ids();
    const BodySet& bodies = simulation.simulation().world.bodies;
    BodyChanges changes;
    changes.step = simulation.state().step;
    std::vector<std::uint64_t> numbers;
    std::size_t old = 0;
    const auto leave_before = [&](BodyId id) {
      for (; old < ids_.size() && ids_[old] < id; ++old) changes.left.push_back(numbers_[old]);
    };
    std::uint64_t next = sink_.writer().header().body_count();
    for (Index k = 0; k < now.size(); ++k) {
      leave_before(now[k]);
      if (old < ids_.size() && ids_[old] == now[k]) {
        numbers.push_back(numbers_[old++]);
        continue;
      }
      numbers.push_back(next++);
      changes.ids.push_back(now[k]);
      changes.names.push_back(bodies.name[k]);
      changes.masses.push_back(bodies.mass[k]);
      changes.radii.push_back(bodies.radius[k]);
      changes.materials.push_back(bodies.material[k]);
      changes.solids.push_back(number_of_solid(bodies, k));
    }
    leave_before(std::numeric_limits<BodyId>::max());
    numbers_ = std::move(numbers);
    changes.solids_json = detail::solids_json(solids_);
    return changes;
  }

  // Among all solids that there ever were.
  std::uint32_t number_of_solid(const BodySet& bodies, Index body) {
    if (!bodies.turns(body)) return kNoSolid;
    const std::shared_ptr<const Solid>& solid = bodies.solids[bodies.solid[body]];
    const auto at = std::find(solids_.begin(), solids_.end(), solid);
    const auto number = static_cast<std::uint32_t>(at - solids_.begin());
    if (at == solids_.end()) solids_.push_back(solid);
    return number;
  }

  Scene scene_;
  std::vector<PlacedShape> shapes_;  ///< as they were at the beginning
  std::vector<std::shared_ptr<const Solid>> solids_;
  std::vector<BodyId> ids_;             ///< of the bodies that are there
  std::vector<std::uint64_t> numbers_;  ///< theirs in the recording
  double edited_;                       ///< what edits had brought in at the last step, J
  detail::FileSink sink_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::uint64_t last_frame_ = 0;
  std::uint64_t last_checkpoint_ = 0;
  /// At the frames, as long as the scene alone moves them.
  std::vector<std::pair<double, std::vector<std::array<double, 3>>>> shape_places_;
  bool is_driven_ = false;  ///< something was changed
  bool changed_ = false;    ///< since the last step
};

LiveRecording::LiveRecording(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
LiveRecording::~LiveRecording() = default;

std::shared_ptr<LiveRecording> LiveRecording::begin(LiveSimulation& simulation, const Scene& scene,
                                                    const std::filesystem::path& path) {
  if (simulation.witness()) throw InputError({}, "the simulation is being recorded already");
  if (scene.record.impulses) simulation.note_contacts(true);
  std::shared_ptr<LiveRecording> recording(
      new LiveRecording(std::make_unique<Implementation>(simulation, scene, path)));
  simulation.attach(recording);
  return recording;
}

bool LiveRecording::finish(LiveSimulation& simulation, RunStatus status) {
  if (simulation.witness().get() != this) {
    throw InputError({}, "this recording has ended already, or is that of another simulation");
  }
  const bool made = implementation_->finish(simulation, status);
  simulation.attach(nullptr);
  return made;
}

void LiveRecording::flush() { implementation_->flush(); }

void LiveRecording::on_step(const LiveSimulation& simulation) { implementation_->step(simulation); }

void LiveRecording::on_edit(const LiveSimulation& simulation) {
  implementation_->change(simulation);
}

void LiveRecording::judge(const LiveEdit& edit) const {
  if (edit.scope() != LiveEdit::Scope::places) return;
  throw InputError({"", 0, 0, "shapes"},
                   "cannot be replaced while the simulation is being recorded; "
                   "LiveEdit::move_shape() moves them");
}

}  // namespace carom
