// [[body]] of a scene, and what every generator says about its balls.
#include <string>
#include <utility>

#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {
namespace {

// What the file says about one body.
struct Entry {
  std::string name;
  Vec3 position;
  std::optional<double> radius;  ///< of a ball
  Index solid = kNone;           ///< of a body that turns
  Quaternion orientation;
};

// A body that nothing moves is an obstacle.
void add_fixed(TableReader& body, SceneBuilder& builder, Entry entry) {
  for (const char* key : {"mass", "density", "velocity", "angular_velocity", "turns"}) {
    if (body.has(key)) body.refuse(key, "a body that is fixed has none; leave it out");
  }
  PlacedShape placed;
  if (entry.solid == kNone) {
    placed.shape = SphereOutside{entry.position, *entry.radius};
  } else {
    const std::shared_ptr<const Solid>& solid =
        builder.simulation().world.bodies.solids[entry.solid];
    placed.shape = SolidObstacle{solid, solid_pose(*solid, entry.position, entry.orientation),
                                 entry.orientation};
  }
  placed.material = read_material(body, builder);
  placed.name = std::move(entry.name);
  builder.simulation().world.shapes.push_back(std::move(placed));
}

Entry read_entry(TableReader& body, SceneBuilder& builder, const std::string& otherwise) {
  Entry entry;
  entry.name = read_name(body, builder, otherwise);
  entry.radius = read_positive(body, "radius");
  const bool turns = body.boolean("turns").value_or(false);
  if (body.has("solid")) {
    if (entry.radius) body.refuse("radius", "give radius or solid, not both");
    entry.solid = read_solid_name(body, builder);
  } else if (!entry.radius) {
    body.refuse_missing("radius", "a length, or solid = the name of a [[solid]]");
  } else if (turns) {
    entry.solid = sphere_solid(builder, *entry.radius);
  }
  if (entry.solid != kNone) {
    entry.orientation = read_orientation(body, builder);
    entry.position = read_solid_place(body, builder, entry.solid, entry.orientation);
  } else {
    entry.position = required_vector(body, "position", builder, "the place of the centre");
    for (const char* key :
         {"orientation", "turned", "angular_velocity", "origin", "body_orientation"}) {
      if (body.has(key)) body.refuse(key, "a ball does not turn unless turns = true");
    }
  }
  return entry;
}

}  // namespace

void read_balls(TableReader& root, SceneBuilder& builder) {
  std::size_t number = 0;
  for (TableReader& body : root.subtables("body")) {
    ++number;
    check_ball_count(body, "", builder, 1.0);
    // All kinds of body know the same keys, so that a message can suggest any of them.
    for (const char* key :
         {"name", "position", "velocity", "mass", "density", "radius", "material", "solid", "turns",
          "orientation", "turned", "angular_velocity", "origin", "body_orientation"}) {
      static_cast<void>(body.find(key));
    }
    const bool fixed = body.boolean("fixed").value_or(false);
    body.finish();
    Entry entry = read_entry(body, builder, "body-" + std::to_string(number));
    if (fixed) {
      add_fixed(body, builder, std::move(entry));
      continue;
    }
    BallStart start;
    start.position = entry.position;
    start.velocity = read_vector(body, "velocity", builder).value_or(Vec3{});
    const BallProperties properties = read_ball_properties(body, builder);
    start.material = properties.material;
    start.solid = entry.solid;
    start.orientation = entry.orientation;
    if (entry.solid != kNone) {
      start.angular_velocity = read_angular_velocity(body, builder);
      start.body_orientation = read_quaternion(body, "body_orientation");
      if (start.body_orientation && (body.has("orientation") || body.has("turned"))) {
        body.refuse("body_orientation", "give it, orientation or turned, not two of them");
      }
      start.mass = properties.mass_of(*builder.simulation().world.bodies.solids[entry.solid]);
    } else {
      start.radius = *entry.radius;
      start.mass = properties.mass_of(*entry.radius, builder.dimension());
    }
    builder.sources.push_back({builder.simulation().world.bodies.size(), body.place("")});
    add_ball(builder, entry.name, start);
  }
}

}  // namespace carom::detail
