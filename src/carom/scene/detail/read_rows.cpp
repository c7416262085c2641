// [[contact]] and [[row]] of an instant.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "carom/scene/detail/instant_parts.h"

namespace carom::detail {
namespace {

// What [defaults] sets for every contact and row that does not say.
struct Defaults {
  double restitution = 1.0;
  double friction = 0.0;
  double stiffness = 1.0;
};

Defaults read_defaults(TableReader& root) {
  Defaults defaults;
  std::optional<TableReader> section = root.subtable("defaults");
  if (!section) return defaults;
  defaults.restitution = section->number("restitution").value_or(defaults.restitution);
  defaults.friction = section->number("friction").value_or(defaults.friction);
  defaults.stiffness = section->number("stiffness").value_or(defaults.stiffness);
  if (defaults.restitution < 0.0 || defaults.restitution > 1.0) {
    section->refuse("restitution", "must be between 0 and 1");
  }
  if (defaults.friction < 0.0) section->refuse("friction", "must not be negative");
  if (defaults.stiffness <= 0.0) section->refuse("stiffness", "must be positive");
  section->finish();
  return defaults;
}

struct Pair {
  Index a = kNone;
  Index b = kNone;
};

Pair read_pair(TableReader& row, const InstantBuilder& builder) {
  const std::optional<std::vector<std::string>> names = row.texts("bodies");
  const std::string expected = "one or two names of bodies";
  if (!names) row.refuse_missing("bodies", expected);
  if (names->empty() || names->size() > 2) {
    row.refuse("bodies", "expected " + expected + ", found " + std::to_string(names->size()));
  }
  Pair pair;
  pair.a = find_body(builder, names->front(), row, "bodies");
  if (names->size() == 2) pair.b = find_body(builder, names->back(), row, "bodies");
  if (pair.a == pair.b)
    row.refuse("bodies", "a body cannot touch itself: " + in_quotes(names->back()));
  return pair;
}

std::string read_row_name(TableReader& row, InstantBuilder& builder) {
  const std::optional<std::string> name = row.text("name");
  if (!name) return "";
  if (name->empty()) row.refuse("name", "must not be empty");
  if (!builder.rows.emplace(*name, builder.instant.problem.row_count()).second) {
    row.refuse("name", in_quotes(*name) + " is the name of an earlier contact or row");
  }
  return *name;
}

// Where two balls have positions the normal is along the line of centres.
Numbers central_normal(const TableReader& contact, const ImpactProblem& problem, const Pair& pair) {
  const bool possible = pair.b != kNone && problem.body(pair.a).kind == BodyKind::ball &&
                        problem.body(pair.b).kind == BodyKind::ball &&
                        problem.body(pair.a).has_position && problem.body(pair.b).has_position &&
                        problem.body(pair.a).size == problem.body(pair.b).size;
  if (!possible) {
    contact.refuse_missing("normal",
                           "a vector from the second body to the first (only for two balls with "
                           "positions can it be left out)");
  }
  const std::size_t size = problem.body(pair.a).size;
  Numbers normal = Numbers::zeros(size);
  bool zero = true;
  for (std::size_t k = 0; k < size; ++k) {
    normal[k] = problem.body(pair.a).position[k] - problem.body(pair.b).position[k];
    zero = zero && normal[k] == 0.0;
  }
  if (zero) contact.refuse("bodies", "the two positions coincide: give a normal");
  return normal;
}

// Fields that contacts and rows share.
template <class Definition>
void read_common(TableReader& row, const Defaults& defaults, InstantBuilder& builder,
                 Definition& definition) {
  const Pair pair = read_pair(row, builder);
  definition.name = read_row_name(row, builder);
  definition.body_a = pair.a;
  definition.body_b = pair.b;
  definition.restitution = row.number("restitution").value_or(defaults.restitution);
  definition.friction = row.number("friction").value_or(defaults.friction);
  definition.stiffness = row.number("stiffness").value_or(defaults.stiffness);
  definition.offset = row.number("offset").value_or(0.0);
}

void add_contact(TableReader& contact, const Defaults& defaults, InstantBuilder& builder) {
  ImpactProblem& problem = builder.instant.problem;
  ContactDefinition definition;
  read_common(contact, defaults, builder, definition);
  const std::optional<Numbers> normal = contact.numbers("normal");
  definition.point = contact.numbers("point");
  contact.finish();
  definition.normal =
      normal ? *normal : central_normal(contact, problem, {definition.body_a, definition.body_b});
  try {
    problem.add_contact(definition);
  } catch (const InputError& error) {
    contact.rethrow(error);
  }
}

// One list per body: gradient = [[1.0, 0.0], [-1.0, 0.0]].
std::pair<Numbers, Numbers> sides(const TableReader& row, const std::vector<Numbers>& lists,
                                  bool two_bodies, std::string_view key) {
  const std::size_t expected = two_bodies ? 2 : 1;
  if (lists.size() != expected) {
    row.refuse(key, "expected " + std::to_string(expected) + " lists, one per body, found " +
                        std::to_string(lists.size()));
  }
  return {lists[0], two_bodies ? lists[1] : Numbers{}};
}

// tangents = [[[0.0, 1.0], [0.0, -1.0]], ...]: like a gradient, one per tangent.
std::vector<RowDefinition::Tangent> read_tangents(TableReader& row, bool two_bodies) {
  std::vector<RowDefinition::Tangent> tangents;
  const toml::node* node = row.find("tangents");
  const std::vector<double> offsets =
      row.number_list("tangent_offsets").value_or(std::vector<double>{});
  if (node != nullptr) {
    const toml::array* array = node->as_array();
    if (array == nullptr) row.refuse("tangents", "expected lists, found " + describe_node(*node));
    if (array->size() > 2) row.refuse("tangents", "at most two are possible");
    for (const toml::node& item : *array) {
      const toml::array* pair = item.as_array();
      if (pair == nullptr) row.refuse("tangents", "expected lists, found " + describe_node(item));
      std::vector<Numbers> lists;
      for (const toml::node& side : *pair) {
        lists.push_back(row.numbers_of(side, row.key_path("tangents")));
      }
      RowDefinition::Tangent tangent;
      std::tie(tangent.gradient_a, tangent.gradient_b) = sides(row, lists, two_bodies, "tangents");
      tangents.push_back(tangent);
    }
  }
  if (!offsets.empty() && offsets.size() != tangents.size()) {
    row.refuse("tangent_offsets", "expected one number per tangent, " +
                                      std::to_string(tangents.size()) + ", found " +
                                      std::to_string(offsets.size()));
  }
  for (std::size_t k = 0; k < offsets.size(); ++k) tangents[k].offset = offsets[k];
  return tangents;
}

void add_row(TableReader& row, const Defaults& defaults, InstantBuilder& builder) {
  RowDefinition definition;
  read_common(row, defaults, builder, definition);
  const bool two_bodies = definition.body_b != kNone;
  const std::optional<std::vector<Numbers>> gradient = row.number_lists("gradient");
  definition.tangents = read_tangents(row, two_bodies);
  row.finish();
  if (!gradient) row.refuse_missing("gradient", "a list of numbers per body");
  std::tie(definition.gradient_a, definition.gradient_b) =
      sides(row, *gradient, two_bodies, "gradient");
  try {
    builder.instant.problem.add_row(definition);
  } catch (const InputError& error) {
    row.rethrow(error);
  }
}

}  // namespace

void read_rows(TableReader& root, InstantBuilder& builder) {
  const Defaults defaults = read_defaults(root);
  for (TableReader& contact : root.subtables("contact")) add_contact(contact, defaults, builder);
  for (TableReader& row : root.subtables("row")) add_row(row, defaults, builder);
}

}  // namespace carom::detail
