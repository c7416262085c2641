#include "rigid/scene.h"

#include <memory>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/geometry/mesh_file.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom::bench {
namespace {

SolidDefinition definition_of(const std::string& name, const std::string& mesh) {
  if (name == "boxes") return BoxSolid{{0.5, 0.4, 0.3}};
  if (name == "spheres") return SphereSolid{0.5};
  if (name == "bunnies") return MeshSolid{scaled(read_mesh(mesh), 0.1)};
  const std::vector<std::string> known = {"boxes", "spheres", "bunnies"};
  throw InputError({}, unknown_name_message("scene", name, known));
}

}  // namespace

RigidScene make_rigid_scene(const std::string& name, Index side, const std::string& mesh,
                            const std::string& friction_model) {
  constexpr double kSpacing = 1.6;
  RigidScene scene;
  scene.name = name;
  Simulation& s = scene.simulation;
  s.world.dimension = 3;
  s.forces.gravity = {0, 0, -10};
  s.time.step = 0.01;
  s.world.materials.replace(0, {"default", 0.5, 0.5, 1.0});
  s.impact.friction_model = friction_model;
  const double width = kSpacing * (static_cast<double>(side) + 1.0);
  scene.lower = {-0.5 * width, -0.5 * width, 0.0};
  scene.upper = {0.5 * width, 0.5 * width, 4.0 * width};
  PlacedShape& box = s.world.shapes.emplace_back();
  box.shape = BoxInside{scene.lower, scene.upper};
  box.name = "box";
  s.world.bodies.solids.push_back(std::make_shared<const Solid>(definition_of(name, mesh), 3));
  const Solid& solid = *s.world.bodies.solids.front();
  const Quaternion axes = quaternion_of(solid.mass().axes);
  for (Index layer = 0; layer < side; ++layer) {
    const double aside = layer % 2 == 0 ? 0.25 : -0.25;
    for (Index row = 0; row < side; ++row) {
      for (Index place = 0; place < side; ++place) {
        const double middle = 0.5 * (static_cast<double>(side) - 1.0);
        const double x = kSpacing * (static_cast<double>(place) - middle);
        const double y = kSpacing * (static_cast<double>(row) - middle + aside);
        // Staggered away from the mirror on both sides of it.
        const double outward = x > 0.0 ? 0.5 : x < 0.0 ? -0.5 : 0.0;
        const double shifted = x + outward * aside;
        s.world.bodies.mass.push_back(solid.mass().volume);
        s.world.bodies.radius.push_back(solid.bounding_radius());
        s.world.bodies.material.push_back(0);
        s.world.bodies.name.push_back("body-" + std::to_string(s.world.bodies.mass.size()));
        s.world.bodies.solid.push_back(0);
        s.start.position.push_back({shifted, y, kSpacing * (static_cast<double>(layer) + 1.0)});
        s.start.velocity.emplace_back();
        s.start.orientation.push_back(axes);
        s.start.angular_velocity.emplace_back();
      }
    }
  }
  return scene;
}

}  // namespace carom::bench
