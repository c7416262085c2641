// [[shape]]: walls and obstacles.

#include <string>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {
namespace {

double required_radius(TableReader& table) {
  const std::optional<double> radius = read_positive(table, "radius");
  if (!radius) table.refuse_missing("radius", "a length");
  return *radius;
}

Shape read_half_plane(TableReader& table, const SceneBuilder& builder) {
  const Vec3 point = required_vector(table, "point", builder, "a place on the surface");
  const Vec3 normal =
      required_vector(table, "normal", builder, "the direction towards the free side");
  return HalfPlane{point, read_direction(table, "normal", normal)};
}

Shape read_segment(TableReader& table, const SceneBuilder& builder) {
  const Vec3 a = required_vector(table, "a", builder, "one end of the segment");
  const Vec3 b = required_vector(table, "b", builder, "the other end of the segment");
  if (a == b) table.refuse("b", "the two ends coincide");
  return Segment{a, b};
}

template <class Sphere>
Shape read_sphere(TableReader& table, const SceneBuilder& builder) {
  const Vec3 center = required_vector(table, "center", builder, "the place of the centre");
  return Sphere{center, required_radius(table)};
}

Shape read_box(TableReader& table, const SceneBuilder& builder) {
  const Vec3 lower = required_vector(table, "lower", builder, "the lowest corner");
  const Vec3 upper = required_vector(table, "upper", builder, "the highest corner");
  const bool ordered =
      lower.x < upper.x && lower.y < upper.y && (builder.dimension() == 2 || lower.z < upper.z);
  if (!ordered) table.refuse("upper", "must be above lower along every axis");
  return BoxInside{lower, upper};
}

Shape read_solid(TableReader& table, const SceneBuilder& builder) {
  const Index number = read_solid_name(table, builder);
  const std::shared_ptr<const Solid>& solid = builder.scene.simulation.world.bodies.solids[number];
  const Quaternion orientation = read_orientation(table, builder);
  const Vec3 position = read_solid_place(table, builder, number, orientation);
  return SolidObstacle{solid, solid_pose(*solid, position, orientation), orientation};
}

struct ShapeType {
  std::string name;
  Shape (*read)(TableReader&, const SceneBuilder&);
};

const std::vector<ShapeType>& shape_types() {
  static const std::vector<ShapeType> types = {
      {"half_plane", read_half_plane},
      {"segment", read_segment},
      {"sphere_inside", read_sphere<SphereInside>},
      {"sphere_outside", read_sphere<SphereOutside>},
      {"box_inside", read_box},
      {"solid", read_solid},
  };
  return types;
}

Shape read_shape(TableReader& table, const SceneBuilder& builder) {
  const std::optional<std::string> type = table.text("type");
  std::vector<std::string> names;
  for (const ShapeType& known : shape_types()) {
    if (type && known.name == *type) return known.read(table, builder);
    names.push_back(known.name);
  }
  if (!type) table.refuse_missing("type", "a type of shape, e.g. \"half_plane\"");
  table.refuse("type", unknown_name_message("type of shape", printable(*type), names));
}

// In two dimensions a number, in three a vector.
Vec3 read_spin(TableReader& table, const SceneBuilder& builder) {
  if (builder.dimension() == 3) return read_vector(table, "spin", builder).value_or(Vec3{});
  return {0.0, 0.0, table.number("spin").value_or(0.0)};
}

}  // namespace

void read_shapes(TableReader& root, SceneBuilder& builder) {
  std::size_t number = 0;
  for (TableReader& table : root.subtables("shape")) {
    ++number;
    PlacedShape placed;
    placed.name = read_name(table, builder, "shape-" + std::to_string(number));
    placed.material = read_material(table, builder);
    placed.shape = read_shape(table, builder);
    placed.motion = read_motion(table, builder);
    placed.spin = read_spin(table, builder);
    table.finish();
    builder.simulation().world.shapes.push_back(std::move(placed));
  }
}

}  // namespace carom::detail
