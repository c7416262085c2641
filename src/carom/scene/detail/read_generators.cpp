// [[grid]], [[ring]] and the other regular generators of balls.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/core/random.h"
#include "carom/scene/detail/generator_form.h"
#include "carom/scene/detail/placement.h"
#include "carom/scene/detail/random_generator.h"
#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {
namespace {

std::uint64_t read_size(TableReader& table, std::string_view key, const std::string& what) {
  const std::optional<std::uint64_t> count = table.count(key);
  if (!count) table.refuse_missing(key, what);
  if (*count == 0) table.refuse(key, "must be at least 1");
  return *count;
}

// What all regular generators say about their balls.
class Pattern {
 public:
  Pattern(TableReader& table, SceneBuilder& builder, const std::string& otherwise)
      : builder_(&builder),
        name_(read_name(table, builder, otherwise)),
        properties_(read_ball_properties(table, builder)),
        velocity_(read_vector(table, "velocity", builder).value_or(Vec3{})),
        velocity_random_(read_not_negative(table, "velocity_random").value_or(0.0)),
        jitter_(read_not_negative(table, "jitter").value_or(0.0)),
        form_(table, builder, read_positive(table, "radius")),
        random_(table.count("seed").value_or(1)) {
    builder.sources.push_back({builder.simulation().world.bodies.size(), table.place("")});
  }

  [[nodiscard]] double radius() const { return form_.radius(); }
  [[nodiscard]] const std::string& name() const { return name_; }

  // Draws only where something is random, so that a velocity of 0 leaves the jitter as it was.
  void add(const std::string& numbers, const Vec3& place, const Vec3& further_velocity = {}) {
    const int dimension = builder_->dimension();
    BallStart start;
    start.position = place;
    start.velocity = velocity_ + further_velocity;
    if (jitter_ > 0.0) start.position += random_in_ball(random_, dimension, jitter_);
    if (velocity_random_ > 0.0) {
      start.velocity += random_in_ball(random_, dimension, velocity_random_);
    }
    form_.shape(start, form_.radius(), properties_, random_);
    add_ball(*builder_, name_ + numbers, start);
  }

 private:
  SceneBuilder* builder_;
  std::string name_;
  BallProperties properties_;
  Vec3 velocity_;
  double velocity_random_;
  double jitter_;
  GeneratorForm form_;
  Random random_;
};

std::string numbered(std::uint64_t number) { return "-" + std::to_string(number + 1); }

// Along each axis from `origin` on, or around `center`.
struct Lattice {
  std::array<std::uint64_t, 3> counts = {1, 1, 1};
  Vec3 spacing;
  std::optional<Vec3> origin;
  Vec3 center;

  [[nodiscard]] Vec3 place(std::uint64_t i, std::uint64_t j, std::uint64_t k) const {
    if (origin) {
      return {origin->x + static_cast<double>(i) * spacing.x,
              origin->y + static_cast<double>(j) * spacing.y,
              origin->z + static_cast<double>(k) * spacing.z};
    }
    return {center.x + offset_from_middle(i, counts[0], spacing.x),
            center.y + offset_from_middle(j, counts[1], spacing.y),
            center.z + offset_from_middle(k, counts[2], spacing.z)};
  }
};

void read_place(TableReader& table, const SceneBuilder& builder, std::optional<Vec3>& origin,
                Vec3& center) {
  origin = read_vector(table, "origin", builder);
  if (origin && table.has("center")) table.refuse("center", "give origin or center, not both");
  center = read_vector(table, "center", builder).value_or(Vec3{});
}

std::array<std::uint64_t, 3> read_counts(TableReader& table, const SceneBuilder& builder) {
  std::array<std::uint64_t, 3> counts = {1, 1, 1};
  const std::optional<Numbers> given = table.numbers("counts");
  if (!given) table.refuse_missing("counts", "how many balls there are along each axis");
  static_cast<void>(to_vector(table, "counts", *given, builder));
  double product = 1.0;
  for (std::size_t axis = 0; axis < given->size(); ++axis) {
    const double count = (*given)[axis];
    if (count < 1.0 || count != std::floor(count)) {
      table.refuse("counts", "expected whole numbers above 0, found " + number_text(count));
    }
    product *= count;
    check_ball_count(table, "counts", builder, product);
    counts[axis] = static_cast<std::uint64_t>(count);
  }
  return counts;
}

// One number for all axes, or one per axis.
Vec3 read_spacings(TableReader& table, const SceneBuilder& builder, double otherwise) {
  const std::optional<Numbers> given = table.numbers("spacing");
  if (!given) return {otherwise, otherwise, builder.dimension() == 3 ? otherwise : 0.0};
  for (const double spacing : *given) {
    if (!(spacing > 0.0))
      table.refuse("spacing", "must be positive, found " + number_text(spacing));
  }
  if (given->size() != 1) return to_vector(table, "spacing", *given, builder);
  const double spacing = (*given)[0];
  return {spacing, spacing, builder.dimension() == 3 ? spacing : 0.0};
}

void add_grid(TableReader& table, SceneBuilder& builder, const std::string& otherwise) {
  Pattern pattern(table, builder, otherwise);
  Lattice lattice;
  lattice.counts = read_counts(table, builder);
  lattice.spacing = read_spacings(table, builder, 2.0 * pattern.radius());
  read_place(table, builder, lattice.origin, lattice.center);
  table.finish();
  for (std::uint64_t k = 0; k < lattice.counts[2]; ++k) {
    for (std::uint64_t j = 0; j < lattice.counts[1]; ++j) {
      for (std::uint64_t i = 0; i < lattice.counts[0]; ++i) {
        const std::string depth = builder.dimension() == 3 ? numbered(k) : "";
        pattern.add(numbered(i) + numbered(j) + depth, lattice.place(i, j, k));
      }
    }
  }
}

void add_rack(TableReader& table, SceneBuilder& builder, const std::string& otherwise) {
  Pattern pattern(table, builder, otherwise);
  const std::uint64_t rows = read_size(table, "rows", "the number of rows");
  check_ball_count(table, "rows", builder,
                   0.5 * static_cast<double>(rows) * (static_cast<double>(rows) + 1.0));
  const double spacing = read_positive(table, "spacing").value_or(2.0 * pattern.radius());
  const Vec3 apex = read_vector(table, "apex", builder).value_or(Vec3{});
  const Vec3 given = read_vector(table, "direction", builder).value_or(Vec3{1.0, 0.0, 0.0});
  const Vec3 along = read_direction(table, "direction", given);
  if (along.z != 0.0) table.refuse("direction", "a rack lies in the x-y plane; z must be 0");
  table.finish();
  const Vec3 across = {0.0 - along.y, along.x, 0.0};
  const double row_distance = 0.5 * std::sqrt(3.0) * spacing;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t i = 0; i <= row; ++i) {
      const Vec3 forward = (static_cast<double>(row) * row_distance) * along;
      const Vec3 sideways = offset_from_middle(i, row + 1, spacing) * across;
      pattern.add(numbered(row) + numbered(i), apex + (forward + sideways));
    }
  }
}

void add_line(TableReader& table, SceneBuilder& builder, const std::string& otherwise) {
  Pattern pattern(table, builder, otherwise);
  const std::uint64_t count = read_size(table, "count", "the number of balls");
  check_ball_count(table, "count", builder, static_cast<double>(count));
  const double spacing = read_positive(table, "spacing").value_or(2.0 * pattern.radius());
  const Vec3 given = read_vector(table, "direction", builder).value_or(Vec3{1.0, 0.0, 0.0});
  const Vec3 direction = read_direction(table, "direction", given);
  std::optional<Vec3> origin;
  Vec3 center;
  read_place(table, builder, origin, center);
  table.finish();
  for (std::uint64_t i = 0; i < count; ++i) {
    const double offset =
        origin ? static_cast<double>(i) * spacing : offset_from_middle(i, count, spacing);
    pattern.add(numbered(i), origin.value_or(center) + offset * direction);
  }
}

void add_ring(TableReader& table, SceneBuilder& builder, const std::string& otherwise) {
  Pattern pattern(table, builder, otherwise);
  const std::uint64_t count = read_size(table, "count", "the number of balls");
  check_ball_count(table, "count", builder, static_cast<double>(count));
  const std::optional<double> ring_radius = read_positive(table, "ring_radius");
  if (!ring_radius) {
    table.refuse_missing("ring_radius", "from the ring's centre to the centres of the balls");
  }
  const Vec3 center = read_vector(table, "center", builder).value_or(Vec3{});
  const double phase = table.number("phase").value_or(0.0);
  const double radial = table.number("radial_velocity").value_or(0.0);
  const double tangential = table.number("tangential_velocity").value_or(0.0);
  table.finish();
  for (std::uint64_t i = 0; i < count; ++i) {
    const Vec3 outward = ring_direction(i, count, phase);
    const Vec3 onward = {0.0 - outward.y, outward.x, 0.0};
    pattern.add(numbered(i), center + *ring_radius * outward,
                radial * outward + tangential * onward);
  }
}

using AddGenerator = void (*)(TableReader&, SceneBuilder&, const std::string&);

void read_kind(TableReader& root, SceneBuilder& builder, const std::string& kind,
               AddGenerator add) {
  std::vector<TableReader> tables = root.subtables(kind);
  for (TableReader& table : tables) {
    // Two that both count from 1 need names of their own.
    if (tables.size() > 1 && !table.has("name")) {
      table.refuse_missing("name", "a name, because there are several [[" + kind + "]]");
    }
    add(table, builder, kind);
  }
}

}  // namespace

void read_generators(TableReader& root, SceneBuilder& builder) {
  read_kind(root, builder, "grid", add_grid);
  read_kind(root, builder, "rack", add_rack);
  read_kind(root, builder, "line", add_line);
  read_kind(root, builder, "ring", add_ring);
  read_kind(root, builder, "random", add_random);
}

}  // namespace carom::detail
