// Scene files as Python reads them.
#include "carom/scene/scene.h"

#include <chrono>
#include <exception>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <string>
#include <utility>
#include <vector>

#include "carom/runs/scene_run.h"
#include "carom/scene/write_scene.h"
#include "carom/schemes/registry.h"

#include "bindings.h"

namespace carom::python {
namespace {

std::vector<std::string> parameter_free(const py::object& overrides) {
  return overrides.is_none() ? std::vector<std::string>()
                             : overrides.cast<std::vector<std::string>>();
}

/// Lets Ctrl-C through, and tells how far a run is.
class Watch final : public RunObserver {
 public:
  explicit Watch(py::object progress) : progress_(std::move(progress)) {}
  bool on_step(const RunProgress& now) override {
    constexpr double kOften = 0.1;  // s
    if (now.wall_seconds - last_ < kOften) return true;
    last_ = now.wall_seconds;
    const py::gil_scoped_acquire gil;
    return answers([&] {
      if (!progress_.is_none()) progress_(now.statistics->steps(), now.steps_total);
    });
  }
  bool on_work(const StepWork& /*work*/) override {
    const py::gil_scoped_acquire gil;
    return answers([] {});
  }
  bool within_step(const StepProgress& /*inside*/, const RunProgress& /*progress*/) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < std::chrono::milliseconds(100)) return true;
    looked_ = now;
    const py::gil_scoped_acquire gil;
    return answers([] {});
  }
  /// Throws what a signal or the progress raised.
  void tell() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  }

 private:
  template <class Show>
  bool answers(const Show& show) {
    try {
      check_signals();
      show();
    } catch (py::error_already_set&) {
      raised_ = std::current_exception();
    }
    return raised_ == nullptr;
  }

  std::exception_ptr raised_;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  py::object progress_;
  double last_ = 0.0;
};

py::dict summary_of(const RunSummary& summary) {
  py::dict result;
  result["status"] = std::string(to_string(summary.end.status));
  result["reason"] = summary.end.reason;
  result["steps"] = summary.statistics.steps();
  result["energy_drift"] = summary.statistics.energy_drift();
  result["momentum_change"] = summary.statistics.momentum_change();
  result["penetration"] = summary.statistics.penetration_relative();
  result["seconds"] = summary.wall_seconds;
  return result;
}

template <class Run>
py::dict watched(const py::object& progress, unsigned threads, const std::string& impact_operator,
                 const Run& run) {
  Watch watch(progress);
  RunOptions options;
  options.impact_operator = impact_operator;
  options.threads = threads;
  options.observer = &watch;
  RunSummary summary;
  {
    const py::gil_scoped_release no_gil;
    summary = run(options);
  }
  watch.tell();
  return summary_of(summary);
}

}  // namespace

void bind_scene(py::module_& module) {
  py::class_<Scene>(module, "SceneFile", "A scene as the library reads it.")
      .def(py::init(
               [](const std::string& text, const std::string& file, const py::object& overrides) {
                 return read_scene(text, file, parameter_free(overrides));
               }),
           py::arg("text"), py::arg("file") = "", py::arg("overrides") = py::none())
      .def_static(
          "read",
          [](const std::filesystem::path& path, const py::object& overrides) {
            return read_scene_file(path, parameter_free(overrides));
          },
          py::arg("path"), py::arg("overrides") = py::none())
      .def_readonly("text", &Scene::text)
      .def_readonly("file", &Scene::file)
      .def_readonly("title", &Scene::title)
      .def_readonly("operators", &Scene::operators)
      .def_property_readonly("dimension",
                             [](const Scene& s) { return s.simulation.world.dimension; })
      .def_property_readonly("scheme", [](const Scene& s) { return s.simulation.time.scheme; })
      .def_property_readonly("step", [](const Scene& s) { return s.simulation.time.step; })
      .def_property_readonly("duration", [](const Scene& s) { return s.simulation.time.duration; })
      .def_property_readonly("bodies",
                             [](const Scene& s) { return s.simulation.world.bodies.size(); })
      .def_property_readonly("names",
                             [](const Scene& s) { return s.simulation.world.bodies.name.texts(); })
      .def("write", [](const Scene& s) { return write_scene(s); })
      .def(
          "record",
          [](const Scene& scene, const std::filesystem::path& path,
             const std::string& impact_operator, unsigned threads, const py::object& progress) {
            return watched(progress, threads, impact_operator, [&](const RunOptions& options) {
              return record_scene(scene, path, options);
            });
          },
          py::arg("path"), py::kw_only(), py::arg("operator") = "", py::arg("threads") = 1,
          py::arg("progress") = py::none());
  module.def(
      "resume",
      [](const std::filesystem::path& path, unsigned threads, const py::object& progress) {
        return watched(progress, threads, "",
                       [&](const RunOptions& options) { return resume_recording(path, options); });
      },
      py::arg("path"), py::kw_only(), py::arg("threads") = 1, py::arg("progress") = py::none(),
      "Continues a recording from its last checkpoint, to the same bits as an uninterrupted run.");
  module.def(
      "schemes",
      [] {
        py::dict schemes;
        for (const std::string& name : scheme_names())
          schemes[py::str(name)] = scheme_info(name).summary;
        return schemes;
      },
      "The registered ways through time: name and summary.");
}

}  // namespace carom::python
