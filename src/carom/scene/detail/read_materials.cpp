// [[material]] and [[pair]].
#include <string>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {
namespace {

double read_coefficient(TableReader& table, std::string_view key, double otherwise) {
  const double value = table.number(key).value_or(otherwise);
  if (value >= 0.0 && value <= 1.0) return value;
  table.refuse(key, "must be between 0 and 1, found " + number_text(value));
}

// A number, or a law that says how restitution falls with the closing speed.
template <class Coefficients>
void read_restitution(TableReader& table, Coefficients& coefficients) {
  const toml::node* node = table.find("restitution");
  if (node == nullptr) return;
  if (!node->is_table()) {
    coefficients.restitution = read_coefficient(table, "restitution", coefficients.restitution);
    coefficients.restitution_speed = 0.0;
    return;
  }
  std::optional<TableReader> law = table.subtable("restitution");
  const std::optional<std::string> name = law->text("law");
  const std::vector<std::string> known = {"bizon"};
  if (!name) law->refuse_missing("law", "the name of a law, \"bizon\"");
  if (*name != known.front()) {
    law->refuse("law", unknown_name_message("law", printable(*name), known));
  }
  if (!law->has("least")) law->refuse_missing("least", "the coefficient of fast impacts");
  coefficients.restitution = read_coefficient(*law, "least", 1.0);
  const std::optional<double> speed = read_positive(*law, "speed");
  if (!speed) law->refuse_missing("speed", "the closing speed at which it is reached");
  coefficients.restitution_speed = *speed;
  law->finish();
}

// Materials and pairs have the same four coefficients, with the same bounds.
template <class Coefficients>
void read_coefficients(TableReader& table, Coefficients& coefficients) {
  read_restitution(table, coefficients);
  coefficients.friction = read_not_negative(table, "friction").value_or(coefficients.friction);
  coefficients.stiffness = read_positive(table, "stiffness").value_or(coefficients.stiffness);
  coefficients.rolling = read_not_negative(table, "rolling").value_or(coefficients.rolling);
}

void add_material(TableReader& table, SceneBuilder& builder) {
  MaterialTable& materials = builder.simulation().world.materials;
  const std::optional<std::string> name = table.text("name");
  if (!name) table.refuse_missing("name", "the name of the material");
  if (name->empty()) table.refuse("name", "must not be empty");
  Material material;
  material.name = *name;
  read_coefficients(table, material);
  table.finish();
  // "default" is there from the beginning, and may be described once.
  const bool is_default = *name == materials.material(0).name;
  if (!builder.materials.emplace(*name, is_default ? 0 : materials.size()).second) {
    table.refuse("name", in_quotes(*name) + " is the name of an earlier material");
  }
  if (is_default) {
    materials.replace(0, material);
  } else {
    static_cast<void>(materials.add(material));
  }
}

Index find_material(const TableReader& pair, const SceneBuilder& builder, const std::string& name) {
  const auto found = builder.materials.find(name);
  if (found != builder.materials.end()) return found->second;
  std::vector<std::string> names;
  const MaterialTable& materials = builder.scene.simulation.world.materials;
  for (Index i = 0; i < materials.size(); ++i) names.push_back(materials.material(i).name);
  pair.refuse("materials", unknown_name_message("material", printable(name), names));
}

void add_pair(TableReader& table, SceneBuilder& builder) {
  MaterialTable& materials = builder.simulation().world.materials;
  const std::optional<std::vector<std::string>> names = table.texts("materials");
  if (!names) table.refuse_missing("materials", "the names of two materials");
  if (names->size() != 2) {
    table.refuse("materials",
                 "expected the names of two materials, found " + std::to_string(names->size()));
  }
  const Index a = find_material(table, builder, (*names)[0]);
  const Index b = find_material(table, builder, (*names)[1]);
  for (const MaterialTable::Pair& pair : materials.pairs()) {
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) {
      table.refuse("materials", "this pair is described by an earlier [[pair]]");
    }
  }
  // What the pair does not say comes from the rules.
  PairCoefficients coefficients = materials.coefficients(a, b);
  read_coefficients(table, coefficients);
  table.finish();
  materials.set_pair(a, b, coefficients);
}

CombineRule read_rule(TableReader& combine, std::string_view key, CombineRule otherwise) {
  const std::optional<std::string> name = combine.text(key);
  if (!name) return otherwise;
  for (const CombineRule rule : {CombineRule::minimum, CombineRule::maximum, CombineRule::mean,
                                 CombineRule::product, CombineRule::geometric_mean}) {
    if (to_string(rule) == *name) return rule;
  }
  combine.refuse(key, unknown_name_message("rule", printable(*name), combine_rule_names()));
}

}  // namespace

void read_materials(TableReader& root, SceneBuilder& builder) {
  MaterialTable& materials = builder.simulation().world.materials;
  for (TableReader& table : root.subtables("material")) add_material(table, builder);
  builder.materials.emplace(materials.material(0).name, 0);
  if (std::optional<TableReader> combine = root.subtable("combine")) {
    const CombineRule restitution =
        read_rule(*combine, "restitution", materials.restitution_rule());
    const CombineRule friction = read_rule(*combine, "friction", materials.friction_rule());
    const CombineRule stiffness = read_rule(*combine, "stiffness", materials.stiffness_rule());
    combine->finish();
    materials.set_rules(restitution, friction, stiffness);
  }
  for (TableReader& table : root.subtables("pair")) add_pair(table, builder);
}

}  // namespace carom::detail
