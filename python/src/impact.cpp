// Instants: impact problems as matrices or body by body, and what came of them.
#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/long_work.h"
#include "carom/core/names.h"
#include "carom/impact/resolve.h"
#include "carom/runs/instant_run.h"
#include "carom/scene/instant.h"

#include "bindings.h"
#include "matrices.h"

namespace carom::python {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

/// One application, as it was.
struct Traced {
  Index component = 0;
  std::uint64_t application = 0;
  bool restarted = false;
  std::vector<Index> violated;
  std::vector<Index> rows;
  std::vector<double> impulses;
  std::vector<double> velocities;
};

/// Keeps what is asked for, and lets Ctrl-C through.
class Watch final : public ImpactObserver, private WorkObserver {
 public:
  explicit Watch(bool traces) : traces_(traces) {}
  bool on_application(const Event& event) override {
    if (traces_) {
      trace_.push_back({event.component,
                        event.application,
                        event.restarted_without_lineality,
                        {event.violated_rows.begin(), event.violated_rows.end()},
                        {event.impulse_rows.begin(), event.impulse_rows.end()},
                        {event.impulses.begin(), event.impulses.end()},
                        {event.velocities.begin(), event.velocities.end()}});
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return true;
    last_ = now;
    return keeps_going();
  }
  /// For applications that take long.
  [[nodiscard]] LongWork* work() { return &work_; }
  /// Throws what a signal raised.
  void tell() {
    if (interrupted_) std::rethrow_exception(std::exchange(interrupted_, nullptr));
  }
  [[nodiscard]] std::vector<Traced> take() { return std::move(trace_); }

 private:
  bool on_work(const Work& /*work*/) override { return keeps_going(); }
  // From any thread, without the GIL; Python looks at signals in its main thread only.
  bool keeps_going() {
    const py::gil_scoped_acquire gil;
    try {
      check_signals();
    } catch (py::error_already_set&) {
      interrupted_ = std::current_exception();
    }
    return interrupted_ == nullptr;
  }

  bool traces_;
  std::exception_ptr interrupted_;
  LongWork work_{*this};
  std::vector<Traced> trace_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct Outcome {
  ImpactResult result;
  std::vector<Traced> trace;
  std::string impact_operator;
};

Outcome resolve(const ImpactProblem& problem, ImpactSettings settings, bool traces) {
  Watch watch(traces);
  constexpr Index kSmall = 64;  // rows whose impact is over before anyone could press a key
  if (traces || problem.row_count() > kSmall) {
    settings.observer = &watch;
    settings.work = watch.work();
  }
  Outcome outcome;
  outcome.impact_operator = settings.impact_operator;
  {
    const py::gil_scoped_release no_gil;
    outcome.result = resolve_impacts(problem, settings);
  }
  watch.tell();
  outcome.trace = watch.take();
  return outcome;
}

template <class Value>
Value named(const std::string& key, const std::string& name,
            std::initializer_list<std::pair<const char*, Value>> known) {
  std::vector<std::string> names;
  for (const auto& [text, value] : known) {
    if (name == text) return value;
    names.emplace_back(text);
  }
  throw InputError({"", 0, 0, key}, unknown_name_message(key, name, names));
}

ImpactSettings settings_of(const std::string& impact_operator, const py::kwargs& options) {
  ImpactSettings settings;
  settings.impact_operator = impact_operator;
  const std::vector<std::string> known = {
      "restitution_model", "friction_model",    "tolerance",   "max_applications",
      "certificate",       "energy_correction", "anti_locking"};
  for (const auto& [key_object, value] : options) {
    const auto key = key_object.cast<std::string>();
    try {
      if (key == "restitution_model") {
        settings.restitution_model = value.cast<std::string>();
      } else if (key == "friction_model") {
        settings.friction_model = value.cast<std::string>();
      } else if (key == "tolerance") {
        settings.tolerance = value.cast<double>();
      } else if (key == "max_applications") {
        settings.max_applications = value.cast<std::uint64_t>();
      } else if (key == "certificate") {
        settings.certificate = value.cast<bool>();
      } else if (key == "energy_correction") {
        settings.energy_correction = named<EnergyCorrection>(
            key, value.cast<std::string>(),
            {{"impulse_scaling", EnergyCorrection::impulse_scaling},
             {"velocity_renormalisation", EnergyCorrection::velocity_renormalisation},
             {"none", EnergyCorrection::none}});
      } else if (key == "anti_locking") {
        settings.anti_locking = named<AntiLocking>(key, value.cast<std::string>(),
                                                   {{"lazy", AntiLocking::lazy},
                                                    {"eager", AntiLocking::eager},
                                                    {"off", AntiLocking::off}});
      } else {
        refuse(key, unknown_name_message("option", key, known));
      }
    } catch (const py::cast_error&) {
      refuse(key, "cannot be " + py::repr(value).cast<std::string>());
    }
  }
  return settings;
}

Outcome resolve_matrices(const py::object& M, const py::object& N, const py::object& v,
                         const py::object& e, const py::object& mu,
                         const std::string& impact_operator, const py::object& w,
                         const py::object& T, const std::optional<std::vector<std::size_t>>& bodies,
                         bool trace, const py::kwargs& options) {
  ImpactSettings settings = settings_of(impact_operator, options);
  const MatrixProblem made = problem_of({M, N, v, e, mu, w, T, bodies});
  if (made.rubs && !options.contains("friction_model")) settings.friction_model = "slip";
  return resolve(made.problem, settings, trace);
}

std::string number(double value) {
  char text[32];
  static_cast<void>(std::snprintf(text, sizeof text, "%.6g", value));
  return text;
}

std::string list_text(const std::vector<double>& values) {
  constexpr std::size_t kMost = 8;
  std::string text = "[";
  for (std::size_t k = 0; k < std::min(values.size(), kMost); ++k) {
    text += (k > 0 ? ", " : "") + number(values[k]);
  }
  return text +
         (values.size() > kMost ? ", ... " + std::to_string(values.size()) + " in all]" : "]");
}

std::string text_of(const Outcome& outcome) {
  const ImpactReport& report = outcome.result.report;
  return std::string(to_string(outcome.result.status)) + " by " + outcome.impact_operator + " in " +
         std::to_string(report.applications) +
         (report.applications == 1 ? " application" : " applications") + "\n  velocities " +
         list_text(outcome.result.velocities) + "\n  impulses   " +
         list_text(outcome.result.impulses) + "\n  residuals: energy " + number(report.energy) +
         ", momentum " + number(report.momentum_linear) + ", closing " + number(report.feasibility);
}

py::list trace_of(const Outcome& outcome) {
  py::list list;
  const auto numbers = [](const std::vector<Index>& rows) {
    return py::array_t<Index>(static_cast<py::ssize_t>(rows.size()), rows.data());
  };
  for (const Traced& traced : outcome.trace) {
    py::dict entry;
    entry["component"] = traced.component;
    entry["application"] = traced.application;
    entry["restarted"] = traced.restarted;
    entry["violated"] = numbers(traced.violated);
    entry["rows"] = numbers(traced.rows);
    entry["impulses"] = array_of(traced.impulses);
    entry["velocities"] = array_of(traced.velocities);
    list.append(entry);
  }
  return list;
}

Numbers numbers_of(const py::handle& value, const std::string& what) {
  return Numbers(std::span<const double>(list_of_doubles(value, what)));
}

void bind_report(py::module_& module) {
  py::class_<ComponentReport>(module, "ComponentReport",
                              "What happened in one connected component.")
      .def_property_readonly(
          "status", [](const ComponentReport& r) { return to_string(r.status); },
          "As that of the result.")
      .def_readonly("bodies", &ComponentReport::bodies, "Numbers of its bodies.")
      .def_readonly("rows", &ComponentReport::rows, "Numbers of its rows.")
      .def_readonly("applications", &ComponentReport::applications, "Of the operator.")
      .def_readonly("free", &ComponentReport::free,
                    "Touches nothing fixed or scripted: momentum is judged.")
      .def_readonly("speed_scale", &ComponentReport::speed_scale,
                    "u: speeds are judged in units of it.")
      .def_readonly("momentum_linear", &ComponentReport::momentum_linear,
                    "Change over the sum of |m v|, in the component's frame.")
      .def_readonly(
          "energy", &ComponentReport::energy,
          "Gain over the kinetic energy before, without what anti-locking took; negative: lost.")
      .def_readonly("feasibility", &ComponentReport::feasibility,
                    "Largest closing speed that is left, in units of u.")
      .def_readonly("lineality_rows", &ComponentReport::lineality_rows,
                    "Rows found to be implicit equalities.")
      .def_readonly("margin", &ComponentReport::margin,
                    "rho of the lineality test, where it was computed; else None.")
      .def_readonly("application_bound", &ComponentReport::application_bound,
                    "A priori, from the margin; else None.");
  py::class_<ImpactReport>(module, "ImpactReport",
                           "Relative residuals of the laws, measured on the given problem; 0 is "
                           "perfect. The worst of the components.")
      .def_property_readonly(
          "status", [](const ImpactReport& r) { return to_string(r.status); },
          "The worst of the components.")
      .def_readonly("applications", &ImpactReport::applications, "The largest of the components.")
      .def_readonly("applications_total", &ImpactReport::applications_total, "Of all components.")
      .def_readonly("momentum_linear", &ImpactReport::momentum_linear,
                    "Worst change of linear momentum, relative.")
      .def_readonly("momentum_angular", &ImpactReport::momentum_angular,
                    "The same of angular momentum; None where places are not known.")
      .def_readonly(
          "energy", &ImpactReport::energy,
          "Gain of the component with the largest absolute value, relative; negative: lost.")
      .def_readonly("lineality_energy", &ImpactReport::lineality_energy,
                    "Largest relative energy that anti-locking took.")
      .def_readonly("one_sided", &ImpactReport::one_sided,
                    "Largest pull, relative to the largest impulse; 0: none.")
      .def_readonly("feasibility", &ImpactReport::feasibility,
                    "Largest closing speed that is left, relative; 0: none.")
      .def_readonly("components", &ImpactReport::components,
                    "A report of each connected component.")
      .def_readonly("seconds", &ImpactReport::seconds, "Wall time.")
      .def("__repr__", [](const ImpactReport& r) {
        return "<" + std::string(to_string(r.status)) + ", " + std::to_string(r.applications) +
               " applications, energy " + number(r.energy) + ", momentum " +
               number(r.momentum_linear) + ", closing " + number(r.feasibility) + ">";
      });
}

void bind_result(py::module_& module) {
  py::class_<Outcome>(module, "ImpactResult", py::dynamic_attr(), "What came of an impact.")
      .def_property_readonly(
          "status", [](const Outcome& o) { return to_string(o.result.status); },
          "'resolved', or what else happened.")
      .def_property_readonly(
          "resolved", [](const Outcome& o) { return o.result.status == ImpactStatus::resolved; },
          "Whether the status says so.")
      .def_property_readonly(
          "velocities", [](const Outcome& o) { return array_of(o.result.velocities); },
          "After the impact, in the order of those before.")
      .def_property_readonly(
          "impulses", [](const Outcome& o) { return array_of(o.result.impulses); },
          "Of each row, along its normal.")
      .def_property_readonly(
          "friction_impulses",
          [](const Outcome& o) {
            const auto count = static_cast<py::ssize_t>(o.result.impulses.size());
            return array_of(o.result.friction_impulses).reshape({count, py::ssize_t{2}});
          },
          "Two for each row: along its first and second tangent.")
      .def_property_readonly(
          "report", [](const Outcome& o) { return o.result.report; },
          "Residuals of the laws, and what it took.")
      .def_property_readonly("trace", trace_of,
                             "Every application, where trace=True was asked for.")
      .def_readonly("operator", &Outcome::impact_operator, "The name it was resolved with.")
      .def("__repr__", text_of);
}

void bind_problem(py::module_& module) {
  py::class_<ImpactProblem>(module, "ImpactProblem",
                            "Bodies and touching rows at one frozen instant. Adding checks every "
                            "number at once.")
      .def(py::init<>())
      .def(
          "add_body",
          [](ImpactProblem& problem, const py::object& velocity, double mass,
             const py::object& inertia, const py::object& position, const std::string& name) {
            BodyDefinition body;
            body.velocity = numbers_of(velocity, "velocity");
            body.mass = mass;
            body.name = name;
            if (!position.is_none()) body.position = numbers_of(position, "position");
            if (!inertia.is_none()) {
              const Doubles given = Doubles::ensure(inertia);
              if (!given) throw py::error_already_set();
              body.inertia.assign(given.data(), given.data() + given.size());
              body.kind = given.size() == 1 ? BodyKind::rigid_2d : BodyKind::rigid_3d;
            }
            return problem.add_body(body);
          },
          py::arg("velocity"), py::kw_only(), py::arg("mass") = 1.0,
          py::arg("inertia") = py::none(), py::arg("position") = py::none(), py::arg("name") = "",
          "A body that impulses can move; returns its number. `inertia`: none for a ball, one "
          "number "
          "in the plane, 3 x 3 in space, in world axes; then `position` is needed.")
      .def(
          "add_contact",
          [](ImpactProblem& problem, Index body_a, const std::optional<Index>& body_b,
             const py::object& normal, const py::object& point, double restitution, double friction,
             double offset, const std::string& name) {
            ContactDefinition contact;
            contact.body_a = body_a;
            contact.body_b = body_b.value_or(kNone);
            contact.normal = numbers_of(normal, "normal");
            if (!point.is_none()) contact.point = numbers_of(point, "point");
            contact.restitution = restitution;
            contact.friction = friction;
            contact.offset = offset;
            contact.name = name;
            return problem.add_contact(contact);
          },
          py::arg("body_a"), py::arg("body_b") = py::none(), py::kw_only(), py::arg("normal"),
          py::arg("point") = py::none(), py::arg("restitution") = 1.0, py::arg("friction") = 0.0,
          py::arg("offset") = 0.0, py::arg("name") = "",
          "A contact; the normal points from b to a. Without `body_b`: with something fixed.")
      .def(
          "set_velocity",
          [](ImpactProblem& problem, Index body, const py::object& velocity) {
            if (body >= problem.body_count())
              refuse("body", "there is no body " + std::to_string(body));
            problem.set_velocity(body, list_of_doubles(velocity, "velocity"));
          },
          py::arg("body"), py::arg("velocity"), "Gives a body another velocity.")
      .def_property_readonly("bodies", &ImpactProblem::body_count, "How many.")
      .def_property_readonly("rows", &ImpactProblem::row_count,
                             "How many; a contact with friction is one.")
      .def_property_readonly(
          "velocities",
          [](const ImpactProblem& problem) {
            const auto v = problem.velocities();
            return py::array_t<double>(static_cast<py::ssize_t>(v.size()), v.data());
          },
          "Of all bodies, one behind the other.")
      .def(
          "resolve",
          [](const ImpactProblem& problem, const std::string& impact_operator, bool trace,
             const py::kwargs& options) {
            return resolve(problem, settings_of(impact_operator, options), trace);
          },
          py::arg("operator") = "gr", py::kw_only(), py::arg("trace") = false,
          "Resolves all impacts. Options: restitution_model, friction_model, tolerance, "
          "max_applications, certificate, energy_correction, anti_locking.")
      .def("__repr__", [](const ImpactProblem& problem) {
        return "<ImpactProblem: " + std::to_string(problem.body_count()) + " bodies, " +
               std::to_string(problem.row_count()) + " rows>";
      });
}

}  // namespace

void bind_impact(py::module_& module) {
  bind_report(module);
  bind_result(module);
  bind_problem(module);
  module.def("resolve", resolve_matrices, py::arg("M"), py::arg("N"), py::arg("v"),
             py::arg("e") = 1.0, py::arg("mu") = 0.0, py::arg("operator") = "gr", py::kw_only(),
             py::arg("w") = 0.0, py::arg("T") = py::none(), py::arg("bodies") = py::none(),
             py::arg("trace") = false);
}

}  // namespace carom::python
