// What the bodies of a generator are and how they lie.

#include "carom/scene/detail/generator_form.h"

#include "carom/scene/detail/placement.h"

namespace carom::detail {

GeneratorForm::GeneratorForm(TableReader& table, SceneBuilder& builder,
                             std::optional<double> radius)
    : builder_(&builder) {
  const bool turns = table.boolean("turns").value_or(false);
  if (table.has("solid")) {
    if (radius) table.refuse("radius", "give radius or solid, not both");
    is_solid_ = true;
    solid_ = read_solid_name(table, builder);
    radius_ = builder.simulation().world.bodies.solids[solid_]->bounding_radius();
  } else {
    if (!radius) table.refuse_missing("radius", "the radius of the balls, or solid = ...");
    radius_ = *radius;
    if (turns) solid_ = sphere_solid(builder, radius_);
  }
  turns_ = solid_ != kNone;
  for (const char* key : {"orientation", "turned", "angular_velocity", "random_orientation"}) {
    if (table.has(key) && !turns_) table.refuse(key, "balls do not turn unless turns = true");
  }
  if (!turns_) return;
  orientation_ = read_orientation(table, builder);
  angular_velocity_ = read_angular_velocity(table, builder);
  random_orientation_ = table.boolean("random_orientation").value_or(false);
}

void GeneratorForm::shape(BallStart& start, double radius, const BallProperties& properties,
                          Random& random) {
  const int dimension = builder_->dimension();
  start.radius = is_solid_ ? radius_ : radius;
  start.material = properties.material;
  if (!turns_) {
    start.mass = properties.mass_of(start.radius, dimension);
    return;
  }
  start.solid = start.radius == radius_ ? solid_ : sphere_solid(*builder_, start.radius);
  start.mass = properties.mass_of(*builder_->simulation().world.bodies.solids[start.solid]);
  start.orientation = random_orientation_ ? random_rotation(random, dimension) : orientation_;
  start.angular_velocity = angular_velocity_;
}

}  // namespace carom::detail
