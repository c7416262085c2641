// `with sim.edit() as edit:` changes between two steps, taken together.
#include <array>
#include <memory>
#include <optional>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/geometry/solid.h"

#include "live.h"

namespace carom::python {

namespace {

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

MeshSolid mesh_of(const py::object& vertices, const py::object& faces) {
  const Doubles places = doubles(vertices, "vertices", 2);
  const Doubles corners = doubles(faces, "faces", 2);
  if (places.shape(1) != 3) throw InputError({"", 0, 0, "vertices"}, "must be rows of 3 numbers");
  if (corners.shape(1) != 3) throw InputError({"", 0, 0, "faces"}, "must be rows of 3 numbers");
  MeshSolid solid;
  for (py::ssize_t k = 0; k < places.shape(0); ++k) {
    solid.mesh.vertices.push_back({places.at(k, 0), places.at(k, 1), places.at(k, 2)});
  }
  for (py::ssize_t k = 0; k < corners.shape(0); ++k) {
    std::array<Index, 3> triangle{};
    for (py::ssize_t c = 0; c < 3; ++c) {
      const double number = corners.at(k, c);
      if (!(number >= 0.0 && number < static_cast<double>(places.shape(0))) ||
          number != static_cast<double>(static_cast<Index>(number))) {
        throw InputError({"", 0, 0, "faces"}, "must be numbers of vertices, 0 to " +
                                                  std::to_string(places.shape(0) - 1) + ", found " +
                                                  number_text(number));
      }
      triangle[static_cast<std::size_t>(c)] = static_cast<Index>(number);
    }
    solid.mesh.triangles.push_back({triangle[0], triangle[1], triangle[2]});
  }
  return solid;
}

}  // namespace

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
    simulation_->apply(std::move(edit));
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
      body.mass = number_of(given.mass, "mass");
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
  void remove(const py::object& body) {
    LiveEdit& edit = get();
    const BodyId id = id_of(body, edit.simulation(), edit.moment().ids);
    arrays_.give_back(edit.state());
    edit.remove(id);
  }
  void add_force(const py::object& function, const py::object& potential) {
    LiveEdit& edit = get();
    const py::object given =
        potential.is_none() ? function : py::object(py::make_tuple(function, potential));
    arrays_.give_back(edit.state());
    edit.forces().functions.push_back(
        force_of(given, simulation_->dimension(), edit.state().position, simulation_->fault()));
  }
  void move_shape(const std::string& name, const py::object& velocity) {
    get().move_shape(name, vector_of(velocity, "velocity"));
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

void bind_edit(py::module_& module, py::class_<PySimulation>& simulation) {
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
      .def(
          "add_mesh",
          [](PyEdit& edit, const py::object& vertices, const py::object& faces,
             const py::object& position, const py::object& velocity, const py::object& mass,
             double density, const std::string& name, const py::object& material,
             const py::object& orientation, const py::object& angular_velocity) {
            return edit.add(
                SolidDefinition(mesh_of(vertices, faces)), 0.0, position,
                {velocity, mass, density, name, material, orientation, angular_velocity});
          },
          py::arg("vertices"), py::arg("faces"), py::kw_only(), py::arg("position"),
          py::arg("velocity") = py::none(), py::arg("mass") = py::none(), py::arg("density") = 1.0,
          py::arg("name") = "", py::arg("material") = py::none(),
          py::arg("orientation") = py::none(), py::arg("angular_velocity") = py::none(),
          "What a closed mesh encloses, in space; `position` is that of its centre of mass, "
          "`orientation` turns its principal axes. Returns its id.")
      .def("add_force", &PyEdit::add_force, py::arg("function"), py::arg("potential") = py::none(),
           "A force of your own from now on: function(positions) -> forces, one row for each body. "
           "With potential(positions) -> J its energy is known; otherwise what it does is work "
           "from outside. Also what has an `address`, see Scene.start().")
      .def(
          "clear_forces", [](PyEdit& edit) { edit.get().forces().functions.clear(); },
          "Takes all forces of your own away.")
      .def("move_shape", &PyEdit::move_shape, py::arg("name"), py::arg("velocity"),
           "From now on the shape moves with this velocity, from where it is.")
      .def("remove", &PyEdit::remove, py::arg("body"),
           "Removes a body, by its id or its name, with its springs, forces and motions.")
      .def_property(
          "gravity", [](PyEdit& edit) { return tuple_of(edit.get().simulation().forces.gravity); },
          [](PyEdit& edit, const py::object& gravity) {
            const bool is_number = PyFloat_Check(gravity.ptr()) || PyLong_Check(gravity.ptr());
            const bool is_flat = edit.get().simulation().world.dimension == 2;
            edit.get().forces().gravity = is_number && is_flat
                                              ? Vec3{0.0, -gravity.cast<double>(), 0.0}
                                              : vector_of(gravity, "gravity");
          },
          "m/s^2; in the plane also a number, downwards along y.")
      .def_property(
          "operator", [](PyEdit& edit) { return edit.get().simulation().impact.impact_operator; },
          [](PyEdit& edit, const std::string& name) { edit.get().impact().impact_operator = name; },
          "The impact operator's name.")
      .def(
          "set_material",
          [](PyEdit& edit, const std::string& name, const py::object& restitution,
             const py::object& friction) {
            const Index number =
                material_of(edit.get().simulation().world.materials, py::str(name));
            Material material = edit.get().simulation().world.materials.material(number);
            if (!restitution.is_none())
              material.restitution = number_of(restitution, "restitution");
            if (!friction.is_none()) material.friction = number_of(friction, "friction");
            edit.get().materials().replace(number, material);
          },
          py::arg("name") = "default", py::kw_only(), py::arg("restitution") = py::none(),
          py::arg("friction") = py::none(), "Other coefficients of a material that is there.");
  simulation.def(
      "edit", [](const py::object& self) { return std::make_unique<PyEdit>(self); },
      "`with sim.edit() as edit:` what is written to positions and velocities, added and removed "
      "inside is checked and taken when it ends.");
}

}  // namespace carom::python
