// Simulations that Python drives: steps, views, edits, callbacks.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <pybind11/stl.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/geometry/solid.h"
#include "carom/live/live_simulation.h"
#include "carom/runs/diagnostics.h"

#include "bindings.h"

namespace carom::python {
namespace {

/// One contact of the last step, as a row of a structured array.
struct ContactRow {
  double time;
  std::int64_t body_a;
  std::int64_t body_b;
  std::int64_t shape;
  double normal[3];
  double impulse;
  double tangential[3];
  double point[3];
};

std::int64_t number_or_minus_one(Index i) { return i == kNone ? -1 : static_cast<std::int64_t>(i); }

py::array_t<ContactRow> rows_of(std::span<const ContactImpulse> contacts) {
  py::array_t<ContactRow> rows(static_cast<py::ssize_t>(contacts.size()));
  ContactRow* row = rows.mutable_data();
  for (const ContactImpulse& c : contacts) {
    const Vec3& n = c.contact.normal;
    *row++ = {c.time,
              number_or_minus_one(c.contact.body_a),
              number_or_minus_one(c.contact.body_b),
              number_or_minus_one(c.contact.shape),
              {n.x, n.y, n.z},
              c.normal,
              {c.tangential.x, c.tangential.y, c.tangential.z},
              {c.point.x, c.point.y, c.point.z}};
  }
  return rows;
}

enum class Quantity : std::uint8_t { position, velocity, orientation, angular_velocity };
constexpr std::size_t kQuantities = 4;

/// Bytes of one quantity of a state.
std::span<double> numbers_of(State& state, Quantity quantity) {
  const auto span_of = [](auto& values) -> std::span<double> {
    // Vec3 and Quaternion are three and four doubles without gaps.
    return {reinterpret_cast<double*>(values.data()),
            values.size() * sizeof(values[0]) / sizeof(double)};
  };
  switch (quantity) {
    case Quantity::position:
      return span_of(state.position);
    case Quantity::velocity:
      return span_of(state.velocity);
    case Quantity::orientation:
      return span_of(state.orientation);
    case Quantity::angular_velocity:
      return span_of(state.angular_velocity);
  }
  return {};
}
static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Quaternion) == 4 * sizeof(double));

/// A state as arrays that numpy owns: nothing can dangle, whoever keeps them.
class Arrays {
 public:
  /// The array of a quantity, and a view of it that callers see.
  py::array get(const State& state, Quantity quantity, int dimension, bool writable) {
    py::object& shown = shown_[static_cast<std::size_t>(quantity)];
    py::object& whole = whole_[static_cast<std::size_t>(quantity)];
    const std::span<double> numbers = numbers_of(const_cast<State&>(state), quantity);
    const py::ssize_t width = quantity == Quantity::orientation ? 4 : 3;
    const auto count = static_cast<py::ssize_t>(numbers.size()) / width;
    if (shown && py::reinterpret_borrow<py::array>(whole).shape(0) == count) {
      return py::reinterpret_borrow<py::array>(shown);
    }
    py::array_t<double> made({count, width});
    std::copy(numbers.begin(), numbers.end(), made.mutable_data());
    whole = made;
    const bool is_flat = dimension == 2 && width == 3 && quantity != Quantity::angular_velocity;
    shown = made[py::make_tuple(py::ellipsis(), py::slice(0, is_flat ? 2 : width, 1))];
    shown.attr("flags").attr("writeable") = writable;
    return py::reinterpret_borrow<py::array>(shown);
  }

  /// Takes over what the state is now. Arrays of another number of bodies keep what they had.
  void refresh(const State& state) {
    for (std::size_t k = 0; k < kQuantities; ++k) {
      if (!whole_[k]) continue;
      auto array = py::reinterpret_borrow<py::array_t<double>>(whole_[k]);
      const auto numbers = numbers_of(const_cast<State&>(state), static_cast<Quantity>(k));
      if (static_cast<std::size_t>(array.size()) == numbers.size()) {
        std::copy(numbers.begin(), numbers.end(), array.mutable_data());
      } else {
        forget(k);
      }
    }
  }

  /// Writes what was written into the arrays, and lets go of them: nobody can write any more.
  void give_back(State& state) {
    for (std::size_t k = 0; k < kQuantities; ++k) {
      if (!whole_[k]) continue;
      const auto array = py::reinterpret_borrow<py::array_t<double>>(whole_[k]);
      const std::span<double> numbers = numbers_of(state, static_cast<Quantity>(k));
      std::copy(array.data(), array.data() + numbers.size(), numbers.begin());
      shown_[k].attr("flags").attr("writeable") = false;
      forget(k);
    }
  }
  void lock() {
    for (std::size_t k = 0; k < kQuantities; ++k) {
      if (!whole_[k]) continue;
      shown_[k].attr("flags").attr("writeable") = false;
      forget(k);
    }
  }

 private:
  void forget(std::size_t k) {
    whole_[k] = py::object();
    shown_[k] = py::object();
  }
  std::array<py::object, kQuantities> whole_;
  std::array<py::object, kQuantities> shown_;
};

class PyEdit;

/// A simulation with what Python wants to see of it.
class PySimulation {
 public:
  explicit PySimulation(Simulation simulation) : live_(std::move(simulation)) {
    live_.on_step([this](LiveSimulation&) { return stepped(); });
  }

  /// For as long as one call lasts; the GIL is held where it begins and ends.
  class Use {
   public:
    explicit Use(PySimulation& simulation) : simulation_(&simulation), before_(simulation.user_) {
      if (before_ != std::thread::id() && before_ != std::this_thread::get_id()) {
        throw InputError({}, "the simulation is in use by another thread");
      }
      simulation.user_ = std::this_thread::get_id();
    }
    ~Use() { simulation_->user_ = before_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    PySimulation* simulation_;
    std::thread::id before_;
  };

  StepReport step() {
    const Use use(*this);
    demand_no_edit("step");
    const Refreshing refreshing{this};
    const py::gil_scoped_release no_gil;
    return live_.step();
  }

  std::string run(const py::object& until, const py::object& progress) {
    const Use use(*this);
    demand_no_edit("run");
    const double time = until.is_none() ? live_.simulation().time.duration : until.cast<double>();
    const Refreshing refreshing{this};
    progress_ = progress;
    goal_ = time;
    struct Ending {
      PySimulation* simulation;
      ~Ending() { simulation->progress_ = py::none(); }
    };
    const Ending ending{this};
    const py::gil_scoped_release no_gil;
    return std::string(to_string(live_.run_until(time)));
  }

  py::array quantity(Quantity quantity);
  [[nodiscard]] LiveSimulation& live() { return live_; }
  [[nodiscard]] const LiveSimulation& live() const { return live_; }
  [[nodiscard]] int dimension() const { return live_.simulation().world.dimension; }

  void set_on_step(py::object callback) { on_step_ = std::move(callback); }
  void set_on_impact(const py::object& callback) {
    on_impact_ = callback;
    if (callback.is_none()) {
      live_.on_impact({});
      return;
    }
    live_.on_impact([this](LiveSimulation&, std::span<const ContactImpulse> contacts) {
      const py::gil_scoped_acquire gil;
      arrays_.refresh(live_.state());
      on_impact_(py::cast(this, py::return_value_policy::reference), rows_of(contacts));
    });
  }
  [[nodiscard]] const py::object& on_step() const { return on_step_; }
  [[nodiscard]] const py::object& on_impact() const { return on_impact_; }
  void refresh() { arrays_.refresh(live_.state()); }
  void demand_no_edit(const std::string& what) const {
    if (edit_ != nullptr) throw InputError({}, what + " is not possible inside `with sim.edit()`");
  }
  void set_edit(PyEdit* edit) { edit_ = edit; }
  [[nodiscard]] PyEdit* open_edit() const { return edit_; }

 private:
  /// The GIL is held again when this ends: it is made before that is released.
  struct Refreshing {
    PySimulation* simulation;
    ~Refreshing() { simulation->refresh(); }
  };

  // After every step, without the GIL.
  bool stepped() {
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
    arrays_.refresh(live_.state());
    const py::object answer = on_step_(py::cast(this, py::return_value_policy::reference));
    return answer.ptr() != Py_False;
  }

  LiveSimulation live_;
  Arrays arrays_;
  py::object on_step_ = py::none();
  py::object on_impact_ = py::none();
  py::object progress_ = py::none();
  double goal_ = 0.0;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  std::thread::id user_;
  PyEdit* edit_ = nullptr;  ///< that is open
};

struct BodyArguments {
  py::object velocity;
  py::object mass;
  double density;
  std::string name;
  py::object material;
  py::object orientation;
  py::object angular_velocity;
};

Index material_of(const MaterialTable& materials, const py::object& name) {
  if (name.is_none()) return 0;
  std::vector<std::string> names;
  for (Index i = 0; i < materials.size(); ++i) {
    if (materials.material(i).name == name.cast<std::string>()) return i;
    names.push_back(materials.material(i).name);
  }
  throw InputError({"", 0, 0, "material"},
                   unknown_name_message("material", name.cast<std::string>(), names));
}

/// `with sim.edit() as edit:`
class PyEdit {
 public:
  explicit PyEdit(py::object simulation)
      : owner_(std::move(simulation)), simulation_(&owner_.cast<PySimulation&>()) {}
  ~PyEdit() {
    if (edit_) simulation_->set_edit(nullptr);
  }
  PyEdit(const PyEdit&) = delete;
  PyEdit& operator=(const PyEdit&) = delete;

  PyEdit& enter() {
    const PySimulation::Use use(*simulation_);
    if (edit_) throw InputError({}, "this edit is open already");
    simulation_->demand_no_edit("another edit");
    edit_.emplace(simulation_->live().edit());
    simulation_->set_edit(this);
    return *this;
  }

  void exit(const py::object& type) {
    LiveEdit edit = std::move(get());
    simulation_->set_edit(nullptr);
    edit_.reset();
    if (!type.is_none()) {
      arrays_.lock();
      return;
    }
    arrays_.give_back(edit.state());
    const PySimulation::Use use(*simulation_);
    {
      const py::gil_scoped_release no_gil;
      simulation_->live().apply(std::move(edit));
    }
    simulation_->refresh();
  }

  py::array quantity(Quantity quantity) {
    return arrays_.get(get().state(), quantity, simulation_->dimension(), true);
  }

  BodyId add(const std::optional<SolidDefinition>& solid, double radius, const py::object& position,
             const BodyArguments& given) {
    LiveEdit& edit = get();
    const int dimension = simulation_->dimension();
    NewBody body;
    body.position = vector_of(position, "position");
    if (!given.velocity.is_none()) body.velocity = vector_of(given.velocity, "velocity");
    body.name = given.name;
    body.radius = radius;
    body.material = material_of(edit.simulation().world.materials, given.material);
    if (solid) body.solid = std::make_shared<const Solid>(*solid, dimension);
    if (!given.mass.is_none()) {
      body.mass = given.mass.cast<double>();
    } else if (body.solid) {
      body.mass = given.density * body.solid->mass().volume;
    }
    if (!given.orientation.is_none()) {
      const std::vector<double> q = list_of_doubles(given.orientation, "orientation");
      if (q.size() != 4)
        throw InputError({"", 0, 0, "orientation"}, "must be four numbers w, x, y, z");
      body.orientation = {q[0], q[1], q[2], q[3]};
    }
    if (!given.angular_velocity.is_none()) {
      body.angular_velocity =
          PyFloat_Check(given.angular_velocity.ptr()) || PyLong_Check(given.angular_velocity.ptr())
              ? Vec3{0.0, 0.0, given.angular_velocity.cast<double>()}
              : vector_of(given.angular_velocity, "angular_velocity");
    }
    arrays_.give_back(edit.state());
    return edit.add(body);
  }
  void remove(BodyId id) {
    arrays_.give_back(get().state());
    get().remove(id);
  }
  [[nodiscard]] LiveEdit& get() {
    if (!edit_) throw InputError({}, "the edit is not open: use it as `with sim.edit() as edit:`");
    return *edit_;
  }

 private:
  py::object owner_;
  PySimulation* simulation_;
  std::optional<LiveEdit> edit_;
  Arrays arrays_;
};

py::array PySimulation::quantity(Quantity quantity) {
  if (edit_ != nullptr) return edit_->quantity(quantity);
  const Use use(*this);
  return arrays_.get(live_.state(), quantity, dimension(), false);
}

py::tuple tuple_of(const Vec3& v) { return py::make_tuple(v.x, v.y, v.z); }

void bind_step_report(py::module_& module) {
  py::class_<StepReport>(module, "StepReport", "What happened in one step.")
      .def_readonly("step", &StepReport::step)
      .def_readonly("time", &StepReport::time)
      .def_property_readonly("status", [](const StepReport& r) { return to_string(r.status); })
      .def_readonly("message", &StepReport::message)
      .def_property_readonly("can_go_on", &StepReport::can_go_on)
      .def_property_readonly("kinetic", [](const StepReport& r) { return r.totals.kinetic; })
      .def_property_readonly("potential", [](const StepReport& r) { return r.totals.potential; })
      .def_property_readonly("energy", [](const StepReport& r) { return r.totals.energy(); })
      .def_property_readonly("momentum",
                             [](const StepReport& r) { return tuple_of(r.totals.momentum); })
      .def_property_readonly(
          "angular_momentum",
          [](const StepReport& r) { return tuple_of(r.totals.angular_momentum); })
      .def_readonly("rows", &StepReport::rows)
      .def_readonly("components", &StepReport::components)
      .def_readonly("impulses", &StepReport::impulses)
      .def_readonly("applications", &StepReport::applications)
      .def_property_readonly(
          "penetration", [](const StepReport& r) { return r.penetration.relative; },
          "Deepest overlap, in radii of the smaller body.")
      .def_readonly("external_work", &StepReport::external_work)
      .def_readonly("dissipated", &StepReport::dissipated)
      .def("__repr__", [](const StepReport& r) {
        return "<step " + std::to_string(r.step) + ", time " + number_text(r.time) + ": " +
               std::string(to_string(r.status)) + ", " + std::to_string(r.impulses) +
               " impulses, energy " + number_text(r.totals.energy()) +
               (r.message.empty() ? "" : "; " + r.message) + ">";
      });
  py::class_<LiveLedger>(module, "EnergyLedger", "Where the energy went since the beginning, in J.")
      .def_readonly("start", &LiveLedger::start)
      .def_readonly("now", &LiveLedger::now)
      .def_readonly("external_work", &LiveLedger::external_work)
      .def_readonly("dissipated", &LiveLedger::dissipated)
      .def_readonly("edited", &LiveLedger::edited)
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

template <class Class>
void bind_quantities(Class& type) {
  using Holder = typename Class::type;
  type.def_property_readonly(
          "positions", [](Holder& s) { return s.quantity(Quantity::position); },
          "Of the centres of mass, one row for each body, m.")
      .def_property_readonly("velocities", [](Holder& s) { return s.quantity(Quantity::velocity); })
      .def_property_readonly(
          "orientations", [](Holder& s) { return s.quantity(Quantity::orientation); },
          "Quaternions w, x, y, z; no rows where no body turns.")
      .def_property_readonly("angular_velocities",
                             [](Holder& s) { return s.quantity(Quantity::angular_velocity); });
}

void bind_edit(py::module_& module) {
  py::class_<PyEdit> type(module, "Edit",
                          "Changes between two steps, taken together when the `with` ends: then "
                          "everything is checked, and refused as a whole or taken as a whole.");
  bind_quantities(type);
  type.def("__enter__", &PyEdit::enter, py::return_value_policy::reference)
      .def("__exit__",
           [](PyEdit& edit, const py::object& error, const py::object&, const py::object&) {
             edit.exit(error);
             return false;
           })
      .def(
          "add_ball",
          [](PyEdit& edit, const py::object& position, double radius, const py::object& velocity,
             double mass, const std::string& name, const py::object& material) {
            return edit.add(
                std::nullopt, radius, position,
                {velocity, py::float_(mass), 1.0, name, material, py::none(), py::none()});
          },
          py::arg("position"), py::kw_only(), py::arg("radius"), py::arg("velocity") = py::none(),
          py::arg("mass") = 1.0, py::arg("name") = "", py::arg("material") = py::none(),
          "A ball that does not turn; returns its id.")
      .def(
          "add_box",
          [](PyEdit& edit, const py::object& position, const py::object& size,
             const py::object& velocity, const py::object& mass, double density,
             const std::string& name, const py::object& material, const py::object& orientation,
             const py::object& angular_velocity) {
            const Vec3 edges = vector_of(size, "size");
            return edit.add(
                SolidDefinition(BoxSolid{0.5 * edges}), 0.0, position,
                {velocity, mass, density, name, material, orientation, angular_velocity});
          },
          py::arg("position"), py::kw_only(), py::arg("size"), py::arg("velocity") = py::none(),
          py::arg("mass") = py::none(), py::arg("density") = 1.0, py::arg("name") = "",
          py::arg("material") = py::none(), py::arg("orientation") = py::none(),
          py::arg("angular_velocity") = py::none(), "A box that turns; returns its id.")
      .def("remove", &PyEdit::remove, py::arg("id"),
           "Removes a body, with its springs, forces and motions.")
      .def_property(
          "gravity", [](PyEdit& edit) { return tuple_of(edit.get().simulation().forces.gravity); },
          [](PyEdit& edit, const py::object& gravity) {
            edit.get().forces().gravity = vector_of(gravity, "gravity");
          })
      .def_property(
          "operator", [](PyEdit& edit) { return edit.get().simulation().impact.impact_operator; },
          [](PyEdit& edit, const std::string& name) { edit.get().impact().impact_operator = name; })
      .def(
          "set_material",
          [](PyEdit& edit, const std::string& name, const py::object& restitution,
             const py::object& friction) {
            const Index number =
                material_of(edit.get().simulation().world.materials, py::str(name));
            Material material = edit.get().simulation().world.materials.material(number);
            if (!restitution.is_none()) material.restitution = restitution.cast<double>();
            if (!friction.is_none()) material.friction = friction.cast<double>();
            edit.get().materials().replace(number, material);
          },
          py::arg("name") = "default", py::kw_only(), py::arg("restitution") = py::none(),
          py::arg("friction") = py::none());
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
    Py_VISIT(simulation.on_step().ptr());
    Py_VISIT(simulation.on_impact().ptr());
    Py_VISIT(Py_TYPE(self));
    return 0;
  };
  type->tp_clear = [](PyObject* self) -> int {
    if (!is_made(self)) return 0;
    auto& simulation = py::cast<PySimulation&>(py::handle(self));
    simulation.set_on_step(py::none());
    simulation.set_on_impact(py::none());
    return 0;
  };
}

}  // namespace

void bind_live(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(ContactRow, time, body_a, body_b, shape, normal, impulse, tangential, point);
  bind_step_report(module);
  bind_edit(module);
  py::class_<PySimulation> type(module, "Simulation", py::custom_type_setup(let_collect),
                                "A simulation between two steps. It starts by scene.start().");
  bind_quantities(type);
  type.def(py::init([](const Scene& scene, const std::string& impact_operator, unsigned threads) {
             Simulation simulation = scene.simulation;
             if (!impact_operator.empty()) simulation.impact.impact_operator = impact_operator;
             simulation.threads = threads;
             return std::make_unique<PySimulation>(std::move(simulation));
           }),
           py::arg("scene"), py::kw_only(), py::arg("operator") = "", py::arg("threads") = 1)
      .def("step", &PySimulation::step, "One step; returns its report.")
      .def("_run", &PySimulation::run, py::arg("until"), py::arg("progress"))
      .def(
          "edit", [](const py::object& self) { return std::make_unique<PyEdit>(self); },
          "`with sim.edit() as edit:` what is written to positions and velocities, added and "
          "removed inside is checked and taken when it ends.")
      .def_property_readonly("time",
                             looking([](const LiveSimulation& s) { return s.state().time; }))
      .def_property_readonly("step_number",
                             looking([](const LiveSimulation& s) { return s.state().step; }))
      .def_property_readonly("dimension", &PySimulation::dimension)
      .def_property_readonly(
          "ids", looking([](const LiveSimulation& s) {
            return py::array_t<BodyId>(static_cast<py::ssize_t>(s.ids().size()), s.ids().data());
          }),
          "Of each body, by number. Ids stay; numbers become smaller when bodies before them go.")
      .def(
          "number_of",
          [](PySimulation& s, BodyId id) {
            const PySimulation::Use use(s);
            return s.live().number_of(id);
          },
          py::arg("id"))
      .def_property_readonly("names", looking([](const LiveSimulation& s) {
                               return s.simulation().world.bodies.name;
                             }))
      .def_property_readonly("masses", looking([](const LiveSimulation& s) {
                               return array_of(s.simulation().world.bodies.mass);
                             }))
      .def_property_readonly("radii", looking([](const LiveSimulation& s) {
                               return array_of(s.simulation().world.bodies.radius);
                             }))
      .def_property_readonly("shapes", looking([](const LiveSimulation& s) {
                               std::vector<std::string> names;
                               for (const PlacedShape& shape : s.simulation().world.shapes)
                                 names.push_back(shape.name);
                               return names;
                             }))
      .def_property_readonly("report", looking([](const LiveSimulation& s) { return s.report(); }),
                             "Of the last step.")
      .def_property_readonly("ledger", looking([](const LiveSimulation& s) { return s.ledger(); }))
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
