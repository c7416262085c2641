// [expect] of an instant.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/instant_parts.h"
#include "carom/scene/detail/sections.h"

namespace carom::detail {
namespace {

// SYM, BRK and WAV compare several problems, so one resolution cannot show them.
Law read_law(const TableReader& table, const std::string& name) {
  std::vector<std::string> names;
  for (const Law law : {Law::one, Law::mom, Law::kin, Law::feas, Law::fin, Law::imp}) {
    if (to_string(law) == name) return law;
    names.emplace_back(to_string(law));
  }
  table.refuse("laws", unknown_name_message("law", printable(name), names));
}

std::pair<double, double> read_energy(TableReader& table, double tolerance) {
  const Numbers given = *table.numbers("energy");
  if (given.size() == 1) return {given[0] - tolerance, given[0] + tolerance};
  if (given.size() != 2) {
    table.refuse("energy", "expected one number, or two: the least and the most");
  }
  if (given[0] > given[1]) table.refuse("energy", "the least is larger than the most");
  return {given[0], given[1]};
}

void read_velocities(TableReader& velocities, const InstantBuilder& builder,
                     Expectation& expectation) {
  const ImpactProblem& problem = builder.instant.problem;
  for (const auto& [key, node] : velocities.table()) {
    const std::string name(key.str());
    const Index body = find_body(builder, name, velocities, name);
    const Numbers value = *velocities.numbers(name);
    if (value.size() != problem.body(body).size) {
      velocities.refuse(name, "expected " + std::to_string(problem.body(body).size) +
                                  " numbers, as the body has, found " +
                                  std::to_string(value.size()));
    }
    std::erase_if(expectation.velocities, [&](const auto& old) { return old.body == body; });
    expectation.velocities.push_back({body, value});
  }
}

void read_impulses(TableReader& impulses, const InstantBuilder& builder, Expectation& expectation) {
  for (const auto& [key, node] : impulses.table()) {
    const std::string name(key.str());
    const auto found = builder.rows.find(name);
    if (found == builder.rows.end()) {
      std::vector<std::string> names;
      for (const auto& [known, row] : builder.rows) names.push_back(known);
      std::sort(names.begin(), names.end());
      impulses.refuse(name,
                      unknown_name_message("name of a contact or row", printable(name), names));
    }
    const Index row = found->second;
    std::erase_if(expectation.impulses, [&](const auto& old) { return old.row == row; });
    expectation.impulses.push_back({row, *impulses.number(name)});
  }
}

// Reads over what the expectation already says: an operator's own table replaces the general one.
void read_expectation(TableReader& table, const InstantBuilder& builder, Expectation& expectation) {
  if (const auto name = table.text("status")) {
    expectation.status = read_impact_status(table, "status", *name);
  }
  if (const auto tolerance = table.number("tolerance")) {
    if (!(*tolerance > 0.0)) table.refuse("tolerance", "must be positive");
    expectation.tolerance = *tolerance;
  }
  if (const auto n = table.count("applications")) expectation.applications = n;
  if (const auto n = table.count("applications_at_most")) expectation.applications_at_most = n;
  if (const auto n = table.count("lineality_rows")) expectation.lineality_rows = n;
  if (table.has("energy")) expectation.energy = read_energy(table, expectation.tolerance);
  if (const auto names = table.texts("laws")) {
    expectation.laws.clear();
    for (const std::string& name : *names) expectation.laws.push_back(read_law(table, name));
  }
  if (auto velocities = table.subtable("velocity")) {
    read_velocities(*velocities, builder, expectation);
  }
  if (auto impulses = table.subtable("impulse")) read_impulses(*impulses, builder, expectation);
}

}  // namespace

void read_expectations(TableReader& root, InstantBuilder& builder) {
  Instant& instant = builder.instant;
  instant.expectations.assign(instant.operators.size(), Expectation{});
  std::optional<TableReader> section = root.subtable("expect");
  if (!section) return;
  Expectation general;
  read_expectation(*section, builder, general);
  for (std::size_t k = 0; k < instant.operators.size(); ++k) {
    instant.expectations[k] = general;
    if (auto own = section->subtable(instant.operators[k])) {
      read_expectation(*own, builder, instant.expectations[k]);
      own->finish();
    }
  }
  section->finish();
}

}  // namespace carom::detail
