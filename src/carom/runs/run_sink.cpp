// Where a run leaves what it records: in a file, or in memory.
#include "carom/runs/detail/run_sink.h"

#include <cstring>

#include <nlohmann/json.hpp>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/recording/surfaces.h"
#include "carom/scene/settings.h"

namespace carom::detail {
namespace {

// Three or four numbers for each body, one after the other.
static_assert(sizeof(Vec3) == 3 * sizeof(double));
static_assert(sizeof(Quaternion) == 4 * sizeof(double));

template <typename T>
std::span<const double> flat(const std::vector<T>& values) {
  if (values.empty()) return {};
  return {reinterpret_cast<const double*>(values.data()),
          values.size() * (sizeof(T) / sizeof(double))};
}

std::vector<double> copied(std::span<const double> numbers) {
  return {numbers.begin(), numbers.end()};
}

std::array<double, 3> three(const Vec3& v) { return {v.x, v.y, v.z}; }

// Triangles in body coordinates.
nlohmann::json describe(const TriangleMesh& mesh) {
  nlohmann::json vertices = nlohmann::json::array();
  nlohmann::json triangles = nlohmann::json::array();
  for (const Vec3& v : mesh.vertices) vertices.push_back(three(v));
  for (const TriangleMesh::Triangle& t : mesh.triangles) triangles.push_back({t.a, t.b, t.c});
  return {{"vertices", vertices}, {"triangles", triangles}};
}

nlohmann::json describe(const Shape& shape) {
  nlohmann::json json = {{"type", shape_type_name(shape)}};
  if (const auto* plane = std::get_if<HalfPlane>(&shape)) {
    json["point"] = three(plane->point);
    json["normal"] = three(plane->normal);
  } else if (const auto* segment = std::get_if<Segment>(&shape)) {
    json["a"] = three(segment->a);
    json["b"] = three(segment->b);
  } else if (const auto* inside = std::get_if<SphereInside>(&shape)) {
    json["center"] = three(inside->center);
    json["radius"] = inside->radius;
  } else if (const auto* outside = std::get_if<SphereOutside>(&shape)) {
    json["center"] = three(outside->center);
    json["radius"] = outside->radius;
  } else if (const auto* box = std::get_if<BoxInside>(&shape)) {
    json["lower"] = three(box->lower);
    json["upper"] = three(box->upper);
  } else if (const auto* obstacle = std::get_if<SolidObstacle>(&shape)) {
    json["surface"] = describe(obstacle->solid->surface());
    json["position"] = three(obstacle->pose.position);
    const Quaternion q = quaternion_of(obstacle->pose.rotation);
    json["orientation"] = {q.w, q.x, q.y, q.z};
  }
  return json;
}

}  // namespace

std::string solids_json(const std::vector<std::shared_ptr<const Solid>>& solids) {
  if (solids.empty()) return "";
  nlohmann::json list = nlohmann::json::array();
  for (const std::shared_ptr<const Solid>& solid : solids) {
    nlohmann::json json = {{"type", solid_type_name(solid->definition())}};
    if (solid->is_sphere()) {
      json["radius"] = solid->bounding_radius();
    } else {
      json["surface"] = describe(solid->surface());
    }
    list.push_back(json);
  }
  return list.dump();
}

std::string surfaces_json(const Simulation& simulation) {
  std::vector<RecordedSurface> surfaces;
  for (const Surface& surface : simulation.world.surfaces) {
    surfaces.push_back({surface.name, surface.first, surface.size(), surface.triangles,
                        surface.edges, surface.thickness, surface.material});
  }
  return surfaces.empty() ? "" : write_surfaces(surfaces);
}

std::string failure_text(const StepReport& report, double time) {
  const std::string_view word = report.failure.empty() ? to_string(report.status) : report.failure;
  return std::string(word) + ": step " + std::to_string(report.step) + " at time " +
         exact_number(time) + ": " + report.message;
}

std::vector<ContactEvent> contact_events(const State& state,
                                         const std::vector<ContactImpulse>& impulses) {
  std::vector<ContactEvent> events;
  events.reserve(impulses.size());
  for (const ContactImpulse& impulse : impulses) {
    const Contact& contact = impulse.contact;
    ContactEvent event;
    event.step = state.step;
    event.time = impulse.time;
    event.body_a = contact.body_a;
    event.body_b = contact.body_b != kNone ? static_cast<std::int64_t>(contact.body_b)
                                           : event_shape(contact.shape);
    event.normal = three(contact.normal);
    event.impulse = three(impulse.normal * contact.normal + impulse.tangential);
    event.point = three(impulse.point);
    events.push_back(event);
  }
  return events;
}

std::string shapes_json(const Simulation& simulation, const std::vector<double>& frame_times) {
  nlohmann::json list = nlohmann::json::array();
  for (const PlacedShape& placed : simulation.world.shapes) {
    nlohmann::json json = describe(placed.shape);
    json["name"] = placed.name;
    if (is_moving(placed.motion)) {
      nlohmann::json offsets = nlohmann::json::array();
      for (const double time : frame_times)
        offsets.push_back(three(offset_at(placed.motion, time)));
      json["motion"] = {{"times", frame_times}, {"offsets", offsets}};
    }
    list.push_back(json);
  }
  return list.dump();
}

void FileSink::row(const DiagnosticRow& row) {
  writer_.append_diagnostics(row.report.step, row.report.time, table_.values(row));
}

void FileSink::frame(const Stepper& stepper) {
  const std::vector<double> own = stepper.body_numbers();
  const auto append = [this, &own](const State& state) {
    writer_.append_frame({state.step, state.time, flat(state.position), flat(state.velocity),
                          flat(state.orientation), flat(state.angular_velocity), own});
  };
  if (stepper.shown_changes().empty()) {  // a copy of ten million bodies is a lot
    append(stepper.state());
  } else {
    append(shown_state(stepper));
  }
}

void FileSink::events(const State& state, const std::vector<ContactImpulse>& impulses) {
  writer_.append_events(contact_events(state, impulses));
}

void FileSink::checkpoint(const Stepper& stepper) {
  const std::string bytes = stepper.save();
  Checkpoint checkpoint;
  checkpoint.step = stepper.state().step;
  checkpoint.time = stepper.state().time;
  checkpoint.state_hash = state_hash(stepper.state());
  checkpoint.state.resize(bytes.size());
  std::memcpy(checkpoint.state.data(), bytes.data(), bytes.size());
  writer_.append_checkpoint(checkpoint);
}

void MemoryRecord::frame(const Stepper& stepper) {
  const State state = shown_state(stepper);
  times_.push_back(state.time);
  frames_.push_back({state.step, state.time, copied(flat(state.position)),
                     copied(flat(state.velocity)), copied(flat(state.orientation)),
                     copied(flat(state.angular_velocity)), stepper.body_numbers()});
}

void MemoryRecord::events(const State& state, const std::vector<ContactImpulse>& impulses) {
  const std::vector<ContactEvent> further = contact_events(state, impulses);
  events_.insert(events_.end(), further.begin(), further.end());
}

template <typename Number>
std::vector<Number> MemoryRecord::column(std::string_view name) const {
  const std::vector<DiagnosticColumn>& columns = table_.columns();
  std::vector<std::string> names;
  std::vector<Number> values;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    names.push_back(columns[k].name);
    if (columns[k].name != name) continue;
    for (const std::vector<DiagnosticValue>& row : rows_) {
      const Number* number = std::get_if<Number>(&row[k]);
      if (number == nullptr) {
        throw InputError({"", 0, 0, std::string(name)}, "the column is of the other type");
      }
      values.push_back(*number);
    }
    return values;
  }
  throw InputError({}, unknown_name_message("column", std::string(name), names));
}

std::vector<double> MemoryRecord::real_column(std::string_view name) const {
  return name == "time" ? step_times_ : column<double>(name);
}

bool MemoryRecord::has_column(std::string_view name) const {
  const std::vector<DiagnosticColumn>& columns = table_.columns();
  return std::any_of(columns.begin(), columns.end(),
                     [&](const DiagnosticColumn& column) { return column.name == name; });
}

std::vector<std::uint64_t> MemoryRecord::integer_column(std::string_view name) const {
  return name == "step" ? steps_ : column<std::uint64_t>(name);
}

}  // namespace carom::detail
