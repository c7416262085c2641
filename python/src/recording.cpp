// Recordings as Python reads them, and the page that shows them.
#include <memory>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/page/run_views.h"
#include "carom/recording/reader.h"
#include "carom/runs/run_record.h"

#include "bindings.h"
#include "viewer_template.h"

namespace carom::python {
namespace {

struct EventRow {
  std::uint64_t step;
  double time;
  std::int64_t body_a;
  std::int64_t body_b;
  double normal[3];
  double impulse[3];
  double point[3];
};

py::array_t<EventRow> event_rows(const RecordingReader& reader, std::size_t first,
                                 std::size_t count) {
  if (first > reader.event_count() || count > reader.event_count() - first) {
    throw py::index_error("there are only " + std::to_string(reader.event_count()) + " events");
  }
  const std::vector<ContactEvent> events = reader.events(first, count);
  py::array_t<EventRow> rows(static_cast<py::ssize_t>(events.size()));
  EventRow* row = rows.mutable_data();
  for (const ContactEvent& e : events) {
    *row++ = {e.step,
              e.time,
              e.body_a,
              e.body_b,
              {e.normal[0], e.normal[1], e.normal[2]},
              {e.impulse[0], e.impulse[1], e.impulse[2]},
              {e.point[0], e.point[1], e.point[2]}};
  }
  return rows;
}

py::array_t<double> table(const std::vector<double>& numbers, py::ssize_t width) {
  const auto count = static_cast<py::ssize_t>(numbers.size()) / width;
  return py::array_t<double>({count, width}, numbers.data());
}

py::tuple frame_of(const RecordingReader& reader, std::size_t number) {
  if (number >= reader.frame_count()) throw py::index_error("there is no such frame");
  const RecordedFrame frame = reader.frame(number);
  return py::make_tuple(table(frame.positions, 3), table(frame.velocities, 3),
                        table(frame.orientations, 4), table(frame.angular_velocities, 3));
}

py::object column_of(const RecordingReader& reader, const std::string& name) {
  for (const DiagnosticColumn& column : reader.header().columns) {
    if (column.name != name || column.type != ColumnType::integer) continue;
    const std::vector<std::uint64_t> values = reader.integer_column(name);
    return py::array_t<std::uint64_t>(static_cast<py::ssize_t>(values.size()), values.data());
  }
  if (name == "step") {
    const std::vector<std::uint64_t> values = reader.integer_column(name);
    return py::array_t<std::uint64_t>(static_cast<py::ssize_t>(values.size()), values.data());
  }
  return array_of(reader.real_column(name));
}

// One page of several recordings, on one clock.
std::string page_of(const std::vector<std::filesystem::path>& paths, double max_megabytes) {
  if (cli::viewer_template().empty()) {
    throw InputError({}, "this Carom was built without its viewer (CAROM_VIEWER=OFF)");
  }
  const py::gil_scoped_release no_gil;
  std::vector<PageRun> runs;
  runs.reserve(paths.size());
  for (const std::filesystem::path& path : paths) {
    runs.push_back(page_run(FileRecord(open_recording(path))));
  }
  PageSettings settings;
  settings.max_megabytes = max_megabytes;
  return make_page(cli::viewer_template(), runs, settings).html;
}

}  // namespace

void bind_recording(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(EventRow, step, time, body_a, body_b, normal, impulse, point);
  py::class_<RecordingReader>(module, "RecordingFile", "A recording as the library reads it.")
      .def(py::init([](const std::filesystem::path& path) {
             return std::make_unique<RecordingReader>(open_recording(path));
           }),
           py::arg("path"))
      .def_property_readonly("title",
                             [](const RecordingReader& r) { return r.header().scene_name; })
      .def_property_readonly("scene_text",
                             [](const RecordingReader& r) { return r.header().scene_text; })
      .def_property_readonly("operator",
                             [](const RecordingReader& r) { return r.header().impact_operator; })
      .def_property_readonly("dimension",
                             [](const RecordingReader& r) { return r.header().dimension; })
      .def_property_readonly("step", [](const RecordingReader& r) { return r.header().step; })
      .def_property_readonly("carom_version",
                             [](const RecordingReader& r) { return r.header().carom_version; })
      .def_property_readonly("names",
                             [](const RecordingReader& r) { return r.header().body_names.texts(); })
      .def_property_readonly("masses",
                             [](const RecordingReader& r) { return array_of(r.header().masses); })
      .def_property_readonly("radii",
                             [](const RecordingReader& r) { return array_of(r.header().radii); })
      .def_property_readonly("ids",
                             [](const RecordingReader& r) {
                               std::vector<std::uint64_t> ids;
                               for (const BodyPresence& body : r.header().presence) {
                                 ids.push_back(body.id);
                               }
                               for (std::size_t k = ids.size(); k < r.header().body_count(); ++k) {
                                 ids.push_back(k);
                               }
                               return py::array_t<std::uint64_t>(
                                   static_cast<py::ssize_t>(ids.size()), ids.data());
                             })
      .def_property_readonly("present",
                             [](const RecordingReader& r) {
                               const std::size_t bodies = r.header().body_count();
                               py::array_t<bool> present({r.frame_count(), bodies});
                               bool* entry = present.mutable_data();
                               for (const std::uint64_t step : r.frame_steps()) {
                                 for (std::size_t body = 0; body < bodies; ++body) {
                                   *entry++ = r.header().is_there(body, step);
                                 }
                               }
                               return present;
                             })
      .def_property_readonly("driven_from",
                             [](const RecordingReader& r) { return r.header().driven_from; })
      .def_property_readonly("any_turns",
                             [](const RecordingReader& r) { return r.header().any_turns(); })
      .def_property_readonly(
          "status", [](const RecordingReader& r) { return std::string(to_string(r.end().status)); })
      .def_property_readonly("reason", [](const RecordingReader& r) { return r.end().reason; })
      .def_property_readonly("frame_count", &RecordingReader::frame_count)
      .def_property_readonly("times",
                             [](const RecordingReader& r) { return array_of(r.frame_times()); })
      .def_property_readonly("steps",
                             [](const RecordingReader& r) {
                               return py::array_t<std::uint64_t>(
                                   static_cast<py::ssize_t>(r.frame_steps().size()),
                                   r.frame_steps().data());
                             })
      .def("frame", frame_of)
      .def_property_readonly("columns",
                             [](const RecordingReader& r) {
                               py::dict columns;
                               columns["step"] = py::make_tuple("", "number of the step");
                               columns["time"] = py::make_tuple("s", "at its end");
                               for (const DiagnosticColumn& c : r.header().columns) {
                                 columns[py::str(c.name)] = py::make_tuple(c.unit, c.description);
                               }
                               return columns;
                             })
      .def("column", column_of)
      .def_property_readonly("event_count", &RecordingReader::event_count)
      .def("events", event_rows, py::arg("first"), py::arg("count"));
  module.def("page", page_of, py::arg("paths"), py::arg("max_megabytes") = 50.0,
             "One HTML page, complete in itself, that shows recordings on one clock.");
}

}  // namespace carom::python
