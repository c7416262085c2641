// Rigid bodies of SCISim: their geometries, and where they are.
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>

#include "carom/core/names.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/mesh_file.h"
#include "carom/scene/detail/placement.h"
#include "carom/scene/detail/scisim_importer.h"
#include "carom/scene/detail/table_reader.h"
#include "carom/scene/detail/xml_values.h"

namespace carom::detail {
namespace {

// A cylinder that holds bodies is this many half-planes that touch it.
constexpr std::uint64_t kSides = 128;

double positive_of(const XmlElement& element, std::string_view name, double value) {
  if (!(value > 0.0)) {
    xml::refuse(xml::required(element, name).place,
                "must be positive, found " + number_text(value));
  }
  return value;
}

SolidDefinition read_box(const XmlElement& element, int dimension) {
  const Vec3 half = xml::vector(element, "r", dimension);
  static_cast<void>(positive_of(element, "r", half.x));
  static_cast<void>(positive_of(element, "r", half.y));
  if (dimension == 3) static_cast<void>(positive_of(element, "r", half.z));
  return BoxSolid{half};
}

SolidDefinition read_mesh_geometry(const XmlElement& element, const std::string& scene_file) {
  const XmlAttribute& name = xml::required(element, "filename");
  const std::filesystem::path path = std::filesystem::path(scene_file).parent_path() / name.value;
  if (path.extension() == ".h5") {
    xml::refuse(name.place,
                "meshes in SCISim's own HDF5 files cannot be read; write the mesh as "
                "OBJ, PLY or STL and name that file");
  }
  try {
    return MeshSolid{read_mesh(path)};
  } catch (const InputError& error) {
    xml::refuse(name.place, error.what());
  }
}

// The axis times the angle, as SCISim has it.
Quaternion rotation_of(const XmlElement& element, int dimension) {
  if (dimension == 2) {
    return rotation_about({0.0, 0.0, 1.0}, xml::number(element, "theta"));
  }
  if (element.attribute("R") == nullptr) return {};
  const Vec3 turn = xml::vector(element, "R", 3);
  const double angle = norm(turn);
  return angle > 0.0 ? rotation_about(turn, angle) : Quaternion();
}

}  // namespace

// Its inside, without ends.
void ScisimImporter::read_cylinder(const XmlElement& element) {
  const Vec3 middle = xml::vector(element, "x", 3);
  const Vec3 axis = direction_of(xml::vector(element, "axis", 3)).unit;
  if (axis == Vec3{}) xml::refuse(xml::required(element, "axis").place, "has no length");
  const double radius = xml::positive(element, "R");
  const Vec3 helper = std::abs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 u = direction_of(cross(axis, helper)).unit;
  const Vec3 v = cross(axis, u);
  const std::string name = "cylinder-" + std::to_string(++cylinders_);
  for (std::uint64_t k = 0; k < kSides; ++k) {
    const Vec3 turn = turn_direction(k, kSides);
    const Vec3 outwards = direction_of(turn.x * u + turn.y * v).unit;
    scene_.simulation.world.shapes.push_back(
        {HalfPlane{middle + radius * outwards, -1.0 * outwards},
         {},
         0,
         name + "-side-" + std::to_string(k + 1)});
  }
  const double share = 1.0 / std::cos(std::numbers::pi / static_cast<double>(kSides)) - 1.0;
  notes_.push_back(in_quotes(name) + " is a prism of " + std::to_string(kSides) +
                   " half-planes that touch it: up to " + number_text(share) +
                   " of its radius wider at their edges.");
}

void ScisimImporter::read_geometry(const XmlElement& element) {
  Simulation& simulation = scene_.simulation;
  const int dimension = simulation.world.dimension;
  const XmlAttribute& type = xml::required(element, "type");
  const std::string round = dimension == 2 ? "circle" : "sphere";
  std::vector<std::string> known = {round, "box"};
  if (dimension == 3) known.emplace_back("mesh");
  Geometry geometry;
  SolidDefinition definition;
  if (type.value == round) {
    geometry.radius = xml::positive(element, "r");
    definition = SphereSolid{geometry.radius};
  } else if (type.value == "box") {
    definition = read_box(element, dimension);
  } else if (type.value == "mesh" && dimension == 3) {
    definition = read_mesh_geometry(element, scene_.file);
  } else if (type.value == "staple") {
    xml::refuse(type.place, "Carom does not have staples; the scene cannot be imported with them");
  } else {
    xml::refuse(type.place, unknown_name_message("geometry", printable(type.value), known));
  }
  std::vector<std::shared_ptr<const Solid>>& solids = simulation.world.bodies.solids;
  geometry.solid = static_cast<Index>(solids.size());
  try {
    solids.push_back(std::make_shared<const Solid>(std::move(definition), dimension));
  } catch (const InputError& error) {
    xml::refuse(element.place, error.what());
  }
  geometry_.push_back(geometry);
}

const ScisimImporter::Geometry& ScisimImporter::geometry_of(const XmlElement& element) const {
  const double number = xml::number(element, "geo_idx");
  if (!(number >= 0.0) || number != std::floor(number) ||
      !(number < static_cast<double>(geometry_.size()))) {
    xml::refuse(xml::required(element, "geo_idx").place,
                "expected the number of a geometry before it, 0 to " +
                    number_text(static_cast<double>(geometry_.size()) - 1.0) + ", found " +
                    number_text(number));
  }
  return geometry_[static_cast<std::size_t>(number)];
}

void ScisimImporter::add_fixed(const XmlElement& element, std::string name,
                               const Geometry& geometry, const Quaternion& orientation) {
  const int dimension = scene_.simulation.world.dimension;
  const bool turns = dimension == 2 ? xml::number(element, "omega") != 0.0
                                    : xml::vector(element, "omega", 3) != Vec3{};
  if (turns || xml::vector(element, "v", dimension) != Vec3{}) {
    xml::refuse(xml::required(element, "fixed").place,
                "a fixed body with a velocity is not possible");
  }
  const Vec3 place = xml::vector(element, "x", dimension);
  PlacedShape placed;
  placed.name = std::move(name);
  const std::shared_ptr<const Solid>& solid = scene_.simulation.world.bodies.solids[geometry.solid];
  if (geometry.radius > 0.0) {
    placed.shape = SphereOutside{place, geometry.radius};
  } else {
    const Vec3 center = place + matrix_of(orientation) * solid->mass().center;
    placed.shape = SolidObstacle{solid, Pose{center, matrix_of(orientation) * solid->mass().axes},
                                 orientation};
  }
  scene_.simulation.world.shapes.push_back(std::move(placed));
}

void ScisimImporter::read_rigid_body(const XmlElement& element) {
  Simulation& simulation = scene_.simulation;
  BodySet& bodies = simulation.world.bodies;
  const int dimension = simulation.world.dimension;
  std::string name = "body-" + std::to_string(++bodies_);
  const Geometry& geometry = geometry_of(element);
  const Quaternion orientation = rotation_of(element, dimension);
  const double density = xml::positive(element, "rho");
  if (element.attribute("fixed") != nullptr && xml::flag(element, "fixed")) {
    add_fixed(element, std::move(name), geometry, orientation);
    return;
  }
  const Solid& solid = *bodies.solids[geometry.solid];
  const MassProperties& mass = solid.mass();
  bodies.solid.push_back(geometry.solid);
  bodies.mass.push_back(density * mass.volume);
  bodies.radius.push_back(solid.bounding_radius());
  bodies.material.push_back(0);
  bodies.name.push_back(name);
  simulation.start.position.push_back(xml::vector(element, "x", dimension) +
                                      matrix_of(orientation) * mass.center);
  simulation.start.velocity.push_back(xml::vector(element, "v", dimension));
  simulation.start.orientation.push_back(
      mass.axes == Mat3() ? orientation : normalized(orientation * quaternion_of(mass.axes)));
  simulation.start.angular_velocity.push_back(dimension == 2
                                                  ? Vec3{0.0, 0.0, xml::number(element, "omega")}
                                                  : xml::vector(element, "omega", 3));
  places_.push_back(element.place);
}

}  // namespace carom::detail
