// [[track]] and [[spiral]]: rails on which balls roll, as shapes that stand.

#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {
namespace {

using std::numbers::pi;

/// Up, and two directions at right angles to it: angles are counted from the first to the second.
struct Level {
  Vec3 first = {1, 0, 0};
  Vec3 second = {0, 1, 0};
  Vec3 up = {0, 0, 1};
};

Level level_of(const Vec3& gravity) {
  Level level;
  if (gravity != Vec3{}) level.up = (-1.0 / norm(gravity)) * gravity;
  const Vec3 wanted = std::abs(level.up.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 first = wanted - dot(wanted, level.up) * level.up;
  level.first = (1.0 / norm(first)) * first;
  level.second = cross(level.up, level.first);
  return level;
}

/// One rail as it is seen along the track: how far to its left, and how far above its middle line.
struct Rail {
  std::string name;
  double left = 0.0;
  double above = 0.0;
};

/// What the rails of a track are like.
struct RailSettings {
  double gauge = 0.0;
  double rail_radius = 0.0;
  double bank = 0.0;  ///< radians; positive: the left rail is the higher one
  double wall_gauge = 0.0;
  double wall_height = 0.0;
  Index material = 0;

  [[nodiscard]] std::vector<Rail> rails() const {
    const auto rail = [&](const char* name, double left, double above) {
      return Rail{name, left * std::cos(bank) - above * std::sin(bank),
                  left * std::sin(bank) + above * std::cos(bank)};
    };
    std::vector<Rail> all = {rail("left", 0.5 * gauge, 0.0), rail("right", -0.5 * gauge, 0.0)};
    if (wall_gauge > 0.0) {
      all.push_back(rail("left-wall", 0.5 * wall_gauge, wall_height));
      all.push_back(rail("right-wall", -0.5 * wall_gauge, wall_height));
    }
    return all;
  }
};

/// Where a track ends, so that another can go on from there.
struct TrackEnd {
  Vec3 place;
  Vec3 direction;  ///< unit
  RailSettings settings;
};

class TrackReader {
 public:
  TrackReader(TableReader& root, SceneBuilder& builder)
      : builder_(builder),
        level_(level_of(builder.simulation().forces.gravity)),
        tracks_(root.subtables("track")),
        spirals_(root.subtables("spiral")) {}

  void read() {
    for (std::vector<TableReader>* tables : {&tracks_, &spirals_}) {
      for (TableReader& table : *tables) announce(table, tables == &spirals_);
    }
    // A track is read after the one that it goes on from.
    std::vector<char> is_read(announced_.size(), 0);
    for (std::size_t left = announced_.size(); left > 0;) {
      const std::size_t before = left;
      for (std::size_t k = 0; k < announced_.size(); ++k) {
        if (is_read[k] != 0 || !is_ready(announced_[k])) continue;
        read_one(announced_[k]);
        is_read[k] = 1;
        --left;
      }
      if (left < before) continue;
      for (std::size_t k = 0; k < announced_.size(); ++k) {
        if (is_read[k] == 0) refuse_after(announced_[k]);
      }
    }
  }

 private:
  struct Announced {
    TableReader* table;
    bool is_spiral = false;
    std::string name;
    std::optional<std::string> after;
  };

  void announce(TableReader& table, bool is_spiral) {
    if (builder_.dimension() == 2) {
      throw InputError(table.place(""), "tracks and spirals need three dimensions");
    }
    const std::string otherwise =
        std::string(is_spiral ? "spiral-" : "track-") +
        std::to_string(1 + (is_spiral ? spiral_count_++ : track_count_++));
    Announced entry{&table, is_spiral, read_name(table, builder_, otherwise), table.text("after")};
    announced_.push_back(std::move(entry));
  }

  [[nodiscard]] bool is_ready(const Announced& entry) const {
    return !entry.after || ends_.contains(*entry.after);
  }

  [[noreturn]] void refuse_after(const Announced& entry) const {
    std::vector<std::string> names;
    for (const Announced& other : announced_) {
      if (other.name == *entry.after) {
        entry.table->refuse("after",
                            "this track and " + in_quotes(*entry.after) + " go on from each other");
      }
      if (other.name != entry.name) names.push_back(other.name);
    }
    entry.table->refuse("after", unknown_name_message("track", printable(*entry.after), names));
  }

  [[nodiscard]] RailSettings read_settings(TableReader& table, const TrackEnd* before) {
    RailSettings settings = before != nullptr ? before->settings : RailSettings{};
    const auto length = [&](std::string_view key, double& value, const char* what) {
      if (const std::optional<double> given = read_positive(table, key)) value = *given;
      if (!(value > 0.0)) table.refuse_missing(key, what);
    };
    length("gauge", settings.gauge, "the distance of the middle lines of its two rails");
    length("rail_radius", settings.rail_radius, "the radius of its rails");
    if (!(settings.gauge > 2.0 * settings.rail_radius)) {
      table.refuse("gauge", "the two rails overlap; must be above 2 rail_radius");
    }
    if (const std::optional<double> bank = table.number("bank")) {
      settings.bank = *bank * pi / 180.0;
      if (!(std::abs(*bank) < 90.0)) table.refuse("bank", "must be between -90 and 90 degrees");
    } else {
      settings.bank = 0.0;
    }
    if (std::optional<TableReader> walls = table.subtable("walls")) {
      length_of_walls(*walls, "gauge", settings.wall_gauge);
      length_of_walls(*walls, "height", settings.wall_height);
      walls->finish();
    }
    if (before == nullptr || table.has("material")) {
      settings.material = read_material(table, builder_);
    }
    return settings;
  }

  static void length_of_walls(TableReader& walls, std::string_view key, double& value) {
    const std::optional<double> given = read_positive(walls, key);
    if (!given) walls.refuse_missing(key, "of the two rails above those that carry");
    value = *given;
  }

  void read_one(Announced& entry) {
    const TrackEnd* before = entry.after ? &ends_.at(*entry.after) : nullptr;
    const TrackEnd end = entry.is_spiral ? read_spiral(*entry.table, entry.name, before)
                                         : read_straight(*entry.table, entry.name, before);
    entry.table->finish();
    ends_.emplace(entry.name, end);
  }

  // ----- Straight tracks

  TrackEnd read_straight(TableReader& table, const std::string& name, const TrackEnd* before) {
    const RailSettings settings = read_settings(table, before);
    Vec3 from;
    Vec3 to;
    if (before != nullptr) {
      for (const char* key : {"from", "to"}) {
        if (table.has(key)) table.refuse(key, "give after and length, or from and to");
      }
      const std::optional<double> length = read_positive(table, "length");
      if (!length) table.refuse_missing("length", "how far it goes on");
      from = before->place;
      to = from + *length * before->direction;
    } else {
      from = required_vector(table, "from", builder_, "where its middle line begins");
      to = required_vector(table, "to", builder_, "where its middle line ends");
      if (table.has("length")) table.refuse("length", "give after and length, or from and to");
    }
    const Vec3 onward = to - from;
    const Vec3 aside = cross(level_.up, onward);
    if (!(norm(aside) > 1e-9 * norm(onward))) {
      table.refuse("to", "a track cannot stand upright or have no length");
    }
    const double length = norm(onward);
    const Vec3 along = (1.0 / length) * onward;
    const Vec3 left = (1.0 / norm(aside)) * aside;
    const Vec3 above = cross(along, left);
    const auto rod = add_solid(table, CapsuleSolid{settings.rail_radius, 0.5 * length});
    const Quaternion turned = quaternion_of(transposed({{left, above, along}}));
    for (const Rail& rail : settings.rails()) {
      const Vec3 middle = 0.5 * from + 0.5 * to + rail.left * left + rail.above * above;
      add_shape(name + "-" + rail.name, settings.material, rod, {middle, turned});
    }
    return {to, along, settings};
  }

  // ----- Spirals

  TrackEnd read_spiral(TableReader& table, const std::string& name, const TrackEnd* before) {
    RailSettings settings = read_settings(table, before);
    const std::optional<double> radius = read_positive(table, "radius");
    if (!radius) table.refuse_missing("radius", "from its axis to its middle line");
    const std::optional<double> pitch = table.number("pitch");
    if (!pitch) table.refuse_missing("pitch", "what it falls by in a turn");
    const std::optional<double> turns = table.number("turns");
    if (!turns) {
      table.refuse_missing("turns", "how many, anticlockwise seen from above; negative: clockwise");
    }
    if (*turns == 0.0 || !std::isfinite(*turns)) table.refuse("turns", "must not be 0");
    // The left of who walks anticlockwise is the inside.
    const double sign = *turns > 0.0 ? 1.0 : -1.0;
    if (!table.has("bank")) settings.bank = 0.0;
    settings.bank *= -sign;  // a positive bank lifts the outside
    double start = 0.0;
    Vec3 center;
    if (before != nullptr) {
      for (const char* key : {"center", "start"}) {
        if (table.has(key)) table.refuse(key, "follows from the track that it goes on from");
      }
      const Vec3 along = before->direction - dot(before->direction, level_.up) * level_.up;
      const Vec3 left = (1.0 / norm(along)) * cross(level_.up, along);
      center = before->place + (sign * *radius) * left;
      const Vec3 outward = before->place - center;
      start = std::atan2(dot(outward, level_.second), dot(outward, level_.first));
    } else {
      center = required_vector(table, "center", builder_,
                               "the place on its axis at the height where it begins");
      start = table.number("start").value_or(0.0);
    }
    const double count = std::abs(*turns);
    for (const Rail& rail : settings.rails()) {
      const double bend = *radius - sign * rail.left;
      if (!(bend > settings.rail_radius)) table.refuse("radius", "its inner rail has no room");
      // A rod goes anticlockwise: that of a clockwise spiral begins where the spiral ends.
      const double begin = sign > 0.0 ? start : start - 2.0 * pi * count;
      const double height = rail.above - (sign > 0.0 ? 0.0 : *pitch * count);
      const auto rod =
          add_solid(table, HelixSolid{settings.rail_radius, bend, -sign * *pitch, count});
      const Vec3 from = std::cos(begin) * level_.first + std::sin(begin) * level_.second;
      const Vec3 aside = cross(level_.up, from);
      const Quaternion turned = quaternion_of(transposed({{from, aside, level_.up}}));
      const Vec3 origin = center + height * level_.up;
      const Vec3 middle =
          origin +
          matrix_of(turned) * builder_.simulation().world.bodies.solids[rod]->mass().center;
      add_shape(name + "-" + rail.name, settings.material, rod, {middle, turned});
    }
    return spiral_end(center, start, {*radius, *pitch, *turns}, settings);
  }

  struct SpiralSize {
    double radius = 0.0;
    double pitch = 0.0;
    double turns = 0.0;
  };
  [[nodiscard]] TrackEnd spiral_end(const Vec3& center, double start, const SpiralSize& size,
                                    RailSettings settings) const {
    const double angle = start + 2.0 * pi * size.turns;
    const Vec3 outward = std::cos(angle) * level_.first + std::sin(angle) * level_.second;
    const Vec3 around = (size.turns > 0.0 ? 1.0 : -1.0) * cross(level_.up, outward);
    const Vec3 direction = (2.0 * pi * size.radius) * around - size.pitch * level_.up;
    settings.bank = 0.0;
    return {center + size.radius * outward - (size.pitch * std::abs(size.turns)) * level_.up,
            (1.0 / norm(direction)) * direction, settings};
  }

  // ----- What comes out

  struct Standing {
    Vec3 position;  ///< of the centre of mass
    Quaternion orientation;
  };

  Index add_solid(const TableReader& table, const SolidDefinition& definition) {
    std::vector<std::shared_ptr<const Solid>>& solids = builder_.simulation().world.bodies.solids;
    try {
      solids.push_back(std::make_shared<const Solid>(definition, builder_.dimension()));
    } catch (const InputError& error) {
      table.rethrow(error);
    }
    return static_cast<Index>(solids.size() - 1);
  }

  void add_shape(std::string name, Index material, Index solid, const Standing& at) {
    const std::shared_ptr<const Solid>& of = builder_.simulation().world.bodies.solids[solid];
    PlacedShape placed;
    placed.name = std::move(name);
    placed.material = material;
    placed.shape = SolidObstacle{of, solid_pose(*of, at.position, at.orientation), at.orientation};
    builder_.simulation().world.shapes.push_back(std::move(placed));
  }

  SceneBuilder& builder_;
  Level level_;
  std::vector<TableReader> tracks_;
  std::vector<TableReader> spirals_;
  std::size_t track_count_ = 0;
  std::size_t spiral_count_ = 0;
  std::vector<Announced> announced_;
  std::map<std::string, TrackEnd> ends_;
};

}  // namespace

void read_tracks(TableReader& root, SceneBuilder& builder) { TrackReader(root, builder).read(); }

}  // namespace carom::detail
