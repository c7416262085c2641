#pragma once

#include <array>
#include <chrono>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/live/live_simulation.h"

#include "bindings.h"
#include "forces.h"

namespace carom::python {

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
[[nodiscard]] py::array_t<ContactRow> rows_of(std::span<const ContactImpulse> contacts);

/// What a state has of every body.
enum class Quantity : std::uint8_t { position, velocity, orientation, angular_velocity };
constexpr std::size_t kQuantities = 4;

/// A state as arrays that numpy owns: nothing can dangle, whoever keeps them.
class Arrays {
 public:
  /// The array of a quantity, and a view of it that callers see.
  py::array get(const State& state, Quantity quantity, int dimension, bool writable);
  /// Takes over what the state is now. Arrays of another number of bodies keep what they had.
  void refresh(const State& state);
  /// Writes what was written into the arrays, and lets go of them: nobody can write any more.
  void give_back(State& state);
  /// Lets go of them without.
  void lock();

 private:
  void forget(std::size_t k);
  std::array<py::object, kQuantities> whole_;
  std::array<py::object, kQuantities> shown_;
};

class PyEdit;

/// A simulation with what Python wants to see of it.
class PySimulation {
 public:
  /// `scene`: a Scene, which stays as it is; `forces`: a list, as for force_of().
  PySimulation(py::object scene, Simulation simulation, const py::list& forces);

  /// For as long as one call lasts; the GIL is held where it begins and ends.
  class Use {
   public:
    explicit Use(PySimulation& simulation);
    ~Use() { simulation_->user_ = before_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    PySimulation* simulation_;
    std::thread::id before_;
  };

  StepReport step();
  std::string run(const py::object& until, const py::object& progress);
  py::array quantity(Quantity quantity);
  [[nodiscard]] LiveSimulation& live() { return live_; }
  /// What it was started from.
  [[nodiscard]] const Scene& scene() const { return scene_.cast<const Scene&>(); }
  [[nodiscard]] int dimension() const { return live_.simulation().world.dimension; }
  [[nodiscard]] const std::shared_ptr<ForceFault>& fault() const { return fault_; }

  void set_on_step(const py::object& callback);
  void set_on_impact(const py::object& callback);
  [[nodiscard]] const py::object& on_step() const { return on_step_; }
  [[nodiscard]] const py::object& on_impact() const { return on_impact_; }

  void demand_no_edit(const std::string& what) const;
  void set_edit(PyEdit* edit) { edit_ = edit; }
  /// Takes an edit over, without the GIL.
  void apply(LiveEdit edit);
  int traverse(visitproc visit, void* arg) const;
  void clear();

 private:
  void refresh() { arrays_.refresh(live_.state()); }
  bool stepped();
  bool keeps_going();
  void tell_faults();

  py::object scene_;
  std::exception_ptr interrupted_;  ///< by a signal, within a step
  std::shared_ptr<ForceFault> fault_ = std::make_shared<ForceFault>();
  LiveSimulation live_;
  /// Those of live_, for the garbage collector, which comes at any time.
  std::vector<std::shared_ptr<const PositionForce>> forces_;
  Arrays arrays_;
  py::object on_step_ = py::none();
  py::object on_impact_ = py::none();
  py::object progress_ = py::none();
  double goal_ = 0.0;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  std::thread::id user_;
  PyEdit* edit_ = nullptr;  ///< that is open
};

/// The quantities of a state as properties, of what has a function quantity().
template <class Class>
void bind_quantities(Class& type) {
  using Holder = typename Class::type;
  type.def_property_readonly(
          "positions", [](Holder& s) { return s.quantity(Quantity::position); },
          "Of the centres of mass, one row for each body, m.")
      .def_property_readonly(
          "velocities", [](Holder& s) { return s.quantity(Quantity::velocity); },
          "Of the centres of mass, m/s.")
      .def_property_readonly(
          "orientations", [](Holder& s) { return s.quantity(Quantity::orientation); },
          "Quaternions w, x, y, z; no rows where no body turns.")
      .def_property_readonly(
          "angular_velocities", [](Holder& s) { return s.quantity(Quantity::angular_velocity); },
          "rad/s, three numbers in world coordinates.");
}

[[nodiscard]] inline py::tuple tuple_of(const Vec3& v) { return py::make_tuple(v.x, v.y, v.z); }
/// The body with this id or this name, among the bodies of `simulation` by number.
[[nodiscard]] BodyId id_of(const py::object& body, const Simulation& simulation,
                           const std::vector<BodyId>& ids);
/// `record()` of simulations.
void bind_live_recording(py::module_& module, py::class_<PySimulation>& simulation);
/// The class Edit, and `edit()` of simulations.
void bind_edit(py::module_& module, py::class_<PySimulation>& simulation);

}  // namespace carom::python
