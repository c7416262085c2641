#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "carom/scene/detail/table_reader.h"
#include "carom/scene/scene.h"

// The sections of a scene file, one function each. All throw InputError.
namespace carom::detail {

/// The scene so far, the names in it, and where its parts stand in the file.
struct SceneBuilder {
  Scene scene;
  SceneLimits limits;
  /// Written names of bodies, shapes and generators.
  std::unordered_map<std::string, InputPlace> names;
  std::unordered_map<std::string, Index> materials;
  std::map<std::string, Index> solids;  ///< named ones, by their number in the bodies' solids
  std::map<double, Index> spheres;      ///< of balls that turn, by radius
  /// Values that came from elsewhere, and what stands for them in the scene's text.
  struct Embedded {
    toml::source_region where;
    std::string text;
  };
  std::vector<Embedded> embedded;
  /// An override changes [time]: what the file expects may then lie beyond the end.
  bool other_time = false;
  /// All balls; filled when it is first needed, because scenes may have millions.
  std::unordered_map<std::string, Index> balls;
  /// The balls from `first` on come from the table at `place`.
  struct Source {
    Index first = 0;
    InputPlace place;
  };
  std::vector<Source> sources;
  /// Bodies whose motion is prescribed, and where that stands.
  struct Lead {
    Motion motion;
    InputPlace place;
  };
  std::map<Index, Lead> led;

  [[nodiscard]] Simulation& simulation() { return scene.simulation; }
  [[nodiscard]] int dimension() const { return scene.simulation.world.dimension; }
};

/// The text with some of its values replaced; they stand below its root.
[[nodiscard]] std::string text_with_values(std::string_view text,
                                           std::vector<SceneBuilder::Embedded> values);

/// [world]: dimension, gravity, drag, periodic
void read_world(TableReader& root, SceneBuilder& builder);
/// [time], [detection] and [record]
void read_settings(TableReader& root, SceneBuilder& builder);
/// [[material]], [[pair]] and [combine]
void read_materials(TableReader& root, SceneBuilder& builder);
/// [[solid]]
void read_solids(TableReader& root, SceneBuilder& builder);
/// [[shape]]
void read_shapes(TableReader& root, SceneBuilder& builder);
/// [[track]] and [[spiral]]: shapes that balls roll on
void read_tracks(TableReader& root, SceneBuilder& builder);
/// [[body]]
void read_balls(TableReader& root, SceneBuilder& builder);
/// [[grid]], [[rack]], [[line]], [[ring]] and [[random]]
void read_generators(TableReader& root, SceneBuilder& builder);
/// [[surface]], with [[surface.lead]] and [[surface.force]]
void read_surfaces(TableReader& root, SceneBuilder& builder);
/// [[lead]] and [[force]]; puts all leads and forces in the order of their bodies
void read_leads(TableReader& root, SceneBuilder& builder);
/// [[spring]] and [[central]]
void read_forces(TableReader& root, SceneBuilder& builder);
/// [measure]
void read_measures(TableReader& root, SceneBuilder& builder);
/// [expect], [expect.<operator>], [[expect.symmetry]], [[expect.at]]
void read_scene_expectations(TableReader& root, SceneBuilder& builder);

/// A vector with as many numbers as the world has dimensions; z is 0 in two.
[[nodiscard]] std::optional<Vec3> read_vector(TableReader& table, std::string_view key,
                                              const SceneBuilder& builder);
[[nodiscard]] Vec3 required_vector(TableReader& table, std::string_view key,
                                   const SceneBuilder& builder, const std::string& expected);
/// The same of a list that is no direct value.
[[nodiscard]] Vec3 to_vector(const TableReader& table, std::string_view key, const Numbers& numbers,
                             const SceneBuilder& builder);
/// A number above 0.
[[nodiscard]] std::optional<double> read_positive(TableReader& table, std::string_view key);
/// A number not below 0.
[[nodiscard]] std::optional<double> read_not_negative(TableReader& table, std::string_view key);
/// Unit length; a vector that has it already keeps its bits.
[[nodiscard]] Vec3 read_direction(TableReader& table, std::string_view key, const Vec3& given);

/// The table's name, or `otherwise`; refuses one that is taken or empty.
[[nodiscard]] std::string read_name(TableReader& table, SceneBuilder& builder,
                                    const std::string& otherwise);
/// The table's material; "default" where it names none.
[[nodiscard]] Index read_material(TableReader& table, const SceneBuilder& builder);

/// `orientation` (a quaternion) or `turned` (an axis and an angle); the identity without either.
[[nodiscard]] Quaternion read_orientation(TableReader& table, const SceneBuilder& builder);
/// Of unit length.
[[nodiscard]] std::optional<Quaternion> read_quaternion(TableReader& table, std::string_view key);
/// `motion`; none where the table has none.
[[nodiscard]] Motion read_motion(TableReader& table, const SceneBuilder& builder);
/// In two dimensions one number.
[[nodiscard]] Vec3 read_angular_velocity(TableReader& table, const SceneBuilder& builder);
/// The solid that the table names; its number in the bodies' solids.
[[nodiscard]] Index read_solid_name(TableReader& table, const SceneBuilder& builder);
/// Where its centre of mass is: `position`, or `origin`, the place of the solid's own coordinates.
[[nodiscard]] Vec3 read_solid_place(TableReader& table, const SceneBuilder& builder, Index solid,
                                    const Quaternion& orientation);
/// The solid of balls that turn.
[[nodiscard]] Index sphere_solid(SceneBuilder& builder, double radius);
/// Where the centre of mass and the principal axes are when the definition is turned so.
[[nodiscard]] Pose solid_pose(const Solid& solid, const Vec3& center,
                              const Quaternion& orientation);

/// What the balls of one table have in common.
struct BallProperties {
  std::optional<double> mass;
  std::optional<double> density;  ///< mass per area in two dimensions, per volume in three
  Index material = 0;

  [[nodiscard]] double mass_of(double radius, int dimension) const;
  [[nodiscard]] double mass_of(const Solid& solid) const;
};
/// mass or density, material
[[nodiscard]] BallProperties read_ball_properties(TableReader& table, const SceneBuilder& builder);

struct BallStart {
  Vec3 position;
  Vec3 velocity;
  double mass = 1.0;
  double radius = 1.0;
  Index material = 0;
  Index solid = kNone;                         ///< of a body that turns; then the radius is its own
  Quaternion orientation;                      ///< the definition's coordinates to the world's
  std::optional<Quaternion> body_orientation;  ///< instead: that of the principal axes
  Vec3 angular_velocity;
};
void add_ball(SceneBuilder& builder, std::string name, const BallStart& start);
/// Refuses at `key` when there would be more balls than the limits allow. `count` may be any
/// number.
void check_ball_count(const TableReader& table, std::string_view key, const SceneBuilder& builder,
                      double count);

/// The name in a key of the start check such as "body 'cue' mass" or "surface[cloth].yield", or ""
/// where it has another prefix.
[[nodiscard]] std::string name_in_fault(const std::string& key, std::string_view prefix);

/// The ball of that name; refuses at `key` with the nearest name.
[[nodiscard]] Index find_ball(SceneBuilder& builder, const std::string& name,
                              const TableReader& table, std::string_view key);

}  // namespace carom::detail
