// Simulations that Python drives: steps, views, callbacks.
#include "live.h"

#include <algorithm>
#include <memory>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/runs/diagnostics.h"

namespace carom::python {
namespace {

Simulation with_forces(Simulation simulation, const py::list& forces,
                       const std::shared_ptr<ForceFault>& fault) {
  for (const py::handle& force : forces) {
    simulation.forces.functions.push_back(force_of(py::reinterpret_borrow<py::object>(force),
                                                   simulation.world.dimension,
                                                   simulation.start.position, fault));
  }
  return simulation;
}

void demand_callable(const py::object& callback, const char* what) {
  if (callback.is_none() || PyCallable_Check(callback.ptr()) != 0) return;
  throw InputError({"", 0, 0, what}, "must be a function, or None, found " +
                                         py::repr(py::type::of(callback)).cast<std::string>());
}

/// The GIL is held again when this ends: it is made before that is released.
template <class End>
struct AtEnd {
  End end;
  ~AtEnd() { end(); }
};
template <class End>
AtEnd(End) -> AtEnd<End>;

}  // namespace

PySimulation::PySimulation(py::object scene, Simulation simulation, const py::list& forces)
    : scene_(std::move(scene)),
      live_(with_forces(std::move(simulation), forces, fault_)),
      forces_(live_.simulation().forces.functions) {
  fault_->tell();
  live_.on_step([this](LiveSimulation&) { return stepped(); });
  live_.watch([this] { return keeps_going(); });
}

PySimulation::Use::Use(PySimulation& simulation)
    : simulation_(&simulation), before_(simulation.user_) {
  if (before_ != std::thread::id() && before_ != std::this_thread::get_id()) {
    throw InputError({}, "the simulation is in use by another thread");
  }
  simulation.user_ = std::this_thread::get_id();
}

StepReport PySimulation::step() {
  const Use use(*this);
  demand_no_edit("step");
  const AtEnd refreshing{[this] { refresh(); }};
  StepReport report;
  {
    const py::gil_scoped_release no_gil;
    report = live_.step();
  }
  tell_faults();
  return report;
}

std::string PySimulation::run(const py::object& until, const py::object& progress) {
  const Use use(*this);
  demand_no_edit("run");
  const double time =
      until.is_none() ? live_.simulation().time.duration : number_of(until, "until");
  progress_ = progress;
  goal_ = time;
  const AtEnd ending{[this] {
    progress_ = py::none();
    refresh();
  }};
  RunStop stop = RunStop::reached;
  {
    const py::gil_scoped_release no_gil;
    stop = live_.run_until(time);
  }
  tell_faults();
  return std::string(to_string(stop));
}

void PySimulation::set_on_step(const py::object& callback) {
  demand_callable(callback, "on_step");
  on_step_ = callback;
}

void PySimulation::set_on_impact(const py::object& callback) {
  demand_callable(callback, "on_impact");
  on_impact_ = callback;
  if (callback.is_none()) {
    live_.on_impact({});
    return;
  }
  live_.on_impact([this](LiveSimulation&, std::span<const ContactImpulse> contacts) {
    const py::gil_scoped_acquire gil;
    refresh();
    const py::object call = on_impact_;  // it may put another in its place
    if (!call.is_none()) {
      call(py::cast(this, py::return_value_policy::reference), rows_of(contacts));
    }
  });
}

void PySimulation::demand_no_edit(const std::string& what) const {
  if (edit_ != nullptr) throw InputError({}, what + " is not possible inside `with sim.edit()`");
}

void PySimulation::apply(LiveEdit edit) {
  const Use use(*this);
  {
    const py::gil_scoped_release no_gil;
    live_.apply(std::move(edit));
  }
  forces_ = live_.simulation().forces.functions;
  refresh();
  fault_->tell();
}

int PySimulation::traverse(visitproc visit, void* arg) const {
  Py_VISIT(on_step_.ptr());
  Py_VISIT(on_impact_.ptr());
  for (const auto& force : forces_) {
    if (const int stop = visit_force(*force, visit, arg); stop != 0) return stop;
  }
  return 0;
}

void PySimulation::clear() {
  on_step_ = py::none();
  on_impact_ = py::none();
  for (const auto& force : forces_) clear_force(*force);
}

// Within steps that take long, without the GIL and from any thread. Python looks at signals in its
// main thread only; in others this does nothing.
bool PySimulation::keeps_going() {
  const py::gil_scoped_acquire gil;
  try {
    check_signals();
  } catch (py::error_already_set&) {
    interrupted_ = std::current_exception();
  }
  return interrupted_ == nullptr;
}

void PySimulation::tell_faults() {
  if (interrupted_) std::rethrow_exception(std::exchange(interrupted_, nullptr));
  fault_->tell();
}

// After every step, without the GIL.
bool PySimulation::stepped() {
  const auto now = std::chrono::steady_clock::now();
  const bool is_time = now - looked_ > std::chrono::milliseconds(100);
  if (!is_time && on_step_.is_none()) return true;
  const py::gil_scoped_acquire gil;
  if (is_time) {
    looked_ = now;
    check_signals();
    if (!progress_.is_none()) progress_(live_.state().time, goal_);
  }
  if (on_step_.is_none()) return true;
  refresh();
  const py::object call = on_step_;  // it may put another in its place
  const py::object answer = call(py::cast(this, py::return_value_policy::reference));
  return answer.ptr() != Py_False;
}

namespace {

void bind_step_report(py::module_& module) {
  py::class_<StepReport>(module, "StepReport", "What happened in one step.")
      .def_readonly("step", &StepReport::step, "Number of the step that ended, from 1.")
      .def_readonly("time", &StepReport::time, "At its end, s.")
      .def_property_readonly(
          "status", [](const StepReport& r) { return to_string(r.status); },
          "'resolved', or what else happened.")
      .def_readonly("message", &StepReport::message, "Why the run cannot go on; empty otherwise.")
      .def_property_readonly("can_go_on", &StepReport::can_go_on,
                             "False: the step was left undone; message says why.")
      .def_property_readonly(
          "kinetic", [](const StepReport& r) { return r.totals.kinetic; },
          "J, at the end of the step.")
      .def_property_readonly(
          "potential", [](const StepReport& r) { return r.totals.potential; }, "J.")
      .def_property_readonly(
          "energy", [](const StepReport& r) { return r.totals.energy(); },
          "Kinetic and potential, J.")
      .def_property_readonly(
          "momentum", [](const StepReport& r) { return tuple_of(r.totals.momentum); },
          "kg m/s, three numbers.")
      .def_property_readonly(
          "angular_momentum",
          [](const StepReport& r) { return tuple_of(r.totals.angular_momentum); },
          "About the origin, three numbers.")
      .def_readonly("rows", &StepReport::rows, "Active rows.")
      .def_readonly("components", &StepReport::components, "Connected groups of active rows.")
      .def_readonly("impulses", &StepReport::impulses, "Rows that got an impulse.")
      .def_readonly("applications", &StepReport::applications,
                    "Of the operator; the most of any component.")
      .def_property_readonly(
          "penetration", [](const StepReport& r) { return r.penetration.relative; },
          "Deepest overlap, in radii of the smaller body.")
      .def_readonly("external_work", &StepReport::external_work,
                    "Of moving shapes and of forces without a potential, J.")
      .def_readonly("dissipated", &StepReport::dissipated,
                    "By restitution, friction and damping, J.")
      .def("__repr__", [](const StepReport& r) {
        return "<step " + std::to_string(r.step) + ", time " + number_text(r.time) + ": " +
               std::string(to_string(r.status)) + ", " + std::to_string(r.impulses) +
               " impulses, energy " + number_text(r.totals.energy()) +
               (r.message.empty() ? "" : "; " + r.message) + ">";
      });
  py::class_<LiveLedger>(module, "EnergyLedger", "Where the energy went since the beginning, in J.")
      .def_readonly("start", &LiveLedger::start, "At the beginning.")
      .def_readonly("now", &LiveLedger::now, "Kinetic and potential energy.")
      .def_readonly("external_work", &LiveLedger::external_work,
                    "Of moving shapes and of forces without a potential.")
      .def_readonly("dissipated", &LiveLedger::dissipated, "By restitution, friction and damping.")
      .def_readonly("edited", &LiveLedger::edited, "Brought in by edits.")
      .def_property_readonly("drift", &LiveLedger::drift, "What no entry explains.")
      .def("__repr__", [](const LiveLedger& l) {
        return "<energy " + number_text(l.now) + " J: start " + number_text(l.start) + ", work " +
               number_text(l.external_work) + ", dissipated " + number_text(l.dissipated) +
               ", edited " + number_text(l.edited) + ", drift " + number_text(l.drift()) + ">";
      });
}

/// A property that looks at the simulation, which nobody else may use meanwhile.
template <class Look>
auto looking(Look look) {
  return [look](PySimulation& simulation) {
    const PySimulation::Use use(simulation);
    return look(simulation.live());
  };
}

bool is_made(PyObject* self) {
  return reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder().holder_constructed();
}

// Callbacks may hold the simulation that holds them: the collector has to know.
void let_collect(PyHeapTypeObject* heap_type) {
  PyTypeObject* type = &heap_type->ht_type;
  type->tp_flags |= Py_TPFLAGS_HAVE_GC;
  type->tp_traverse = [](PyObject* self, visitproc visit, void* arg) -> int {
    if (!is_made(self)) return 0;
    auto& simulation = py::cast<PySimulation&>(py::handle(self));
    Py_VISIT(Py_TYPE(self));
    return simulation.traverse(visit, arg);
  };
  type->tp_clear = [](PyObject* self) -> int {
    if (!is_made(self)) return 0;
    py::cast<PySimulation&>(py::handle(self)).clear();
    return 0;
  };
}

}  // namespace

void bind_live(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(ContactRow, time, body_a, body_b, shape, normal, impulse, tangential, point);
  bind_step_report(module);
  py::class_<PySimulation> type(module, "Simulation", py::custom_type_setup(let_collect),
                                "A simulation between two steps. It starts by scene.start().");
  bind_edit(module, type);
  bind_quantities(type);
  bind_live_recording(module, type);
  type.def(py::init([](const py::object& scene, const std::string& impact_operator,
                       unsigned threads, const py::list& forces) {
             Simulation simulation = scene.cast<const Scene&>().simulation;
             if (!impact_operator.empty()) simulation.impact.impact_operator = impact_operator;
             simulation.threads = threads;
             return std::make_unique<PySimulation>(scene, std::move(simulation), forces);
           }),
           py::arg("scene"), py::kw_only(), py::arg("operator") = "", py::arg("threads") = 1,
           py::arg("forces") = py::list())
      .def("step", &PySimulation::step, "One step; returns its report.")
      .def("_run", &PySimulation::run, py::arg("until"), py::arg("progress"))
      .def_property_readonly("time",
                             looking([](const LiveSimulation& s) { return s.state().time; }), "s.")
      .def_property_readonly("step_number",
                             looking([](const LiveSimulation& s) { return s.state().step; }),
                             "How many steps have been.")
      .def_property_readonly("dimension", &PySimulation::dimension, "2 or 3.")
      .def_property_readonly(
          "ids", looking([](const LiveSimulation& s) {
            return py::array_t<BodyId>(static_cast<py::ssize_t>(s.ids().size()), s.ids().data());
          }),
          "Of each body, by number. Ids stay; numbers become smaller when bodies before them go.")
      .def(
          "number_of",
          [](PySimulation& s, const py::object& body) {
            const PySimulation::Use use(s);
            return s.live().number_of(id_of(body, s.live().simulation(), s.live().ids()));
          },
          py::arg("body"), "Row of the body with this id, or this name, for now.")
      .def_property_readonly("names", looking([](const LiveSimulation& s) {
                               return s.simulation().world.bodies.name.texts();
                             }),
                             "Of the bodies, by number.")
      .def_property_readonly("masses", looking([](const LiveSimulation& s) {
                               return array_of(s.simulation().world.bodies.mass);
                             }),
                             "kg, by number.")
      .def_property_readonly("radii", looking([](const LiveSimulation& s) {
                               return array_of(s.simulation().world.bodies.radius);
                             }),
                             "m, by number; of a solid that of the ball about it.")
      .def_property_readonly("shapes", looking([](const LiveSimulation& s) {
                               std::vector<std::string> names;
                               for (const PlacedShape& shape : s.simulation().world.shapes)
                                 names.push_back(shape.name);
                               return names;
                             }),
                             "Names of the shapes.")
      .def_property_readonly("report", looking([](const LiveSimulation& s) { return s.report(); }),
                             "Of the last step.")
      .def_property_readonly("ledger", looking([](const LiveSimulation& s) { return s.ledger(); }),
                             "Where the energy went since the beginning.")
      .def_property_readonly(
          "contacts", looking([](const LiveSimulation& s) { return rows_of(s.contacts()); }),
          "What contacts did in the last step: a structured array; body_b or shape is -1.")
      .def_property_readonly("state_hash",
                             looking([](const LiveSimulation& s) { return state_hash(s.state()); }),
                             "64 bits of positions and velocities: equal states have equal hashes.")
      .def_property("on_step", &PySimulation::on_step, &PySimulation::set_on_step,
                    "Called as on_step(sim) after every step; False ends run().")
      .def_property(
          "on_impact", &PySimulation::on_impact, &PySimulation::set_on_impact,
          "Called as on_impact(sim, contacts) for every moment of a step at which contacts "
          "collided.")
      .def("__len__", looking([](const LiveSimulation& s) { return s.ids().size(); }))
      .def("__repr__", looking([](const LiveSimulation& s) {
             return "<Simulation: " + std::to_string(s.ids().size()) + " bodies, time " +
                    number_text(s.state().time) + " s, " + s.scheme().name + " with " +
                    s.simulation().impact.impact_operator + ">";
           }));
}

}  // namespace carom::python
