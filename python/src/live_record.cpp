// A simulation that Python drives, recorded.
#include <cmath>
#include <filesystem>
#include <memory>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <string>
#include <utility>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/runs/live_recording.h"

#include "live.h"

namespace carom::python {
namespace {

/// Keeps its simulation alive, as that keeps what records it.
class PyLiveRecording {
 public:
  PyLiveRecording(py::object owner, std::shared_ptr<LiveRecording> recording)
      : owner_(std::move(owner)), recording_(std::move(recording)) {}

  void flush() {
    const PySimulation::Use use(simulation());
    const py::gil_scoped_release no_gil;
    recording_->flush();
  }

  bool finish(bool interrupted) {
    PySimulation& simulation = this->simulation();
    const PySimulation::Use use(simulation);
    simulation.demand_no_edit("finish");
    const py::gil_scoped_release no_gil;
    return recording_->finish(simulation.live(),
                              interrupted ? RunStatus::interrupted : RunStatus::finished);
  }

  [[nodiscard]] bool goes_on() { return simulation().live().witness() == recording_; }

 private:
  [[nodiscard]] PySimulation& simulation() { return owner_.cast<PySimulation&>(); }

  py::object owner_;
  std::shared_ptr<LiveRecording> recording_;
};

std::unique_ptr<PyLiveRecording> record(const py::object& self, const std::filesystem::path& path,
                                        const py::object& every, const py::object& impulses) {
  auto& simulation = self.cast<PySimulation&>();
  const PySimulation::Use use(simulation);
  simulation.demand_no_edit("record");
  Scene scene = simulation.scene();
  if (!every.is_none()) {
    const double steps = number_of(every, "every");
    if (!(steps >= 1.0 && steps < 1e15) || steps != std::floor(steps)) {
      throw InputError({"", 0, 0, "every"},
                       "must be a number of steps, 1 or more, found " + number_text(steps));
    }
    scene.record.every = static_cast<std::uint64_t>(steps);
  }
  if (!impulses.is_none()) scene.record.impulses = impulses.cast<bool>();
  // What is recorded is said in the scene, which is written anew then.
  if (!every.is_none() || !impulses.is_none()) scene.text.clear();
  std::shared_ptr<LiveRecording> recording;
  {
    const py::gil_scoped_release no_gil;
    recording = LiveRecording::begin(simulation.live(), scene, path);
  }
  return std::make_unique<PyLiveRecording>(self, std::move(recording));
}

}  // namespace

void bind_live_recording(py::module_& module, py::class_<PySimulation>& simulation) {
  py::class_<PyLiveRecording>(module, "LiveRecordingFile", "A recording that is being written.")
      .def("flush", &PyLiveRecording::flush)
      .def("finish", &PyLiveRecording::finish, py::arg("interrupted"))
      .def_property_readonly("goes_on", &PyLiveRecording::goes_on);
  simulation.def("_record", &record, py::arg("path"), py::arg("every"), py::arg("impulses"));
}

}  // namespace carom::python
