#include <string>
#include <utility>

#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {
namespace {

// A body that nothing moves is a round obstacle.
void add_fixed(TableReader& body, SceneBuilder& builder, std::string name, const Vec3& position) {
  for (const char* key : {"mass", "density", "velocity"}) {
    if (body.has(key)) body.refuse(key, "a body that is fixed has none; leave it out");
  }
  PlacedShape placed;
  placed.shape = SphereOutside{position, *read_positive(body, "radius")};
  placed.material = read_material(body, builder);
  placed.name = std::move(name);
  builder.simulation().shapes.push_back(std::move(placed));
}

}  // namespace

void read_balls(TableReader& root, SceneBuilder& builder) {
  std::size_t number = 0;
  for (TableReader& body : root.subtables("body")) {
    ++number;
    check_ball_count(body, "", builder, 1.0);
    const std::string name = read_name(body, builder, "body-" + std::to_string(number));
    const bool fixed = body.boolean("fixed").value_or(false);
    // Both kinds of body know the same keys, so that a message can suggest any of them.
    for (const char* key : {"position", "velocity", "mass", "density", "radius", "material"}) {
      static_cast<void>(body.find(key));
    }
    body.finish();
    BallStart start;
    start.position = required_vector(body, "position", builder, "the place of the centre");
    const std::optional<double> radius = read_positive(body, "radius");
    if (!radius) body.refuse_missing("radius", "a length");
    if (fixed) {
      add_fixed(body, builder, name, start.position);
      continue;
    }
    start.velocity = read_vector(body, "velocity", builder).value_or(Vec3{});
    const BallProperties properties = read_ball_properties(body, builder);
    start.radius = *radius;
    start.mass = properties.mass_of(*radius, builder.dimension());
    start.material = properties.material;
    builder.sources.push_back({builder.simulation().bodies.size(), body.place("")});
    add_ball(builder, name, start);
  }
}

}  // namespace carom::detail
