// [[body]] of an instant.
#include <string>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/instant_parts.h"

namespace carom::detail {
namespace {

const std::vector<std::string> kKindNames = {"ball", "rigid_2d", "rigid_3d"};

BodyKind read_kind(TableReader& body) {
  const std::string name = body.text("kind").value_or("ball");
  for (const BodyKind kind : {BodyKind::ball, BodyKind::rigid_2d, BodyKind::rigid_3d}) {
    if (to_string(kind) == name) return kind;
  }
  body.refuse("kind", unknown_name_message("kind of body", printable(name), kKindNames));
}

std::string read_name(TableReader& body, InstantBuilder& builder) {
  const Index index = builder.instant.problem.body_count();
  std::string name = body.text("name").value_or("body-" + std::to_string(index + 1));
  if (name.empty()) body.refuse("name", "must not be empty");
  if (!builder.bodies.emplace(name, index).second) {
    body.refuse("name", in_quotes(name) + " is the name of an earlier body");
  }
  return name;
}

// rigid_2d: one number. rigid_3d: three (a diagonal) or nine, also written as three lists.
std::vector<double> read_inertia(TableReader& body, BodyKind kind) {
  std::optional<std::vector<double>> given = body.number_list("inertia");
  if (!given) {
    if (kind == BodyKind::rigid_2d)
      body.refuse_missing("inertia", "one number for a rigid_2d body");
    if (kind == BodyKind::rigid_3d) {
      body.refuse_missing("inertia", "3 numbers (a diagonal) or 9 for a rigid_3d body");
    }
    return {};
  }
  if (kind == BodyKind::rigid_3d && given->size() == 3) {
    return {(*given)[0], 0, 0, 0, (*given)[1], 0, 0, 0, (*given)[2]};
  }
  return *given;
}

void add_movable(TableReader& body, BodyKind kind, std::string name, ImpactProblem& problem) {
  BodyDefinition definition;
  definition.kind = kind;
  definition.name = std::move(name);
  definition.position = body.numbers("position");
  const std::optional<Numbers> velocity = body.numbers("velocity");
  const std::optional<double> mass = body.number("mass");
  if (std::optional<std::vector<double>> matrix = body.number_list("mass_matrix")) {
    if (mass) body.refuse("mass", "give mass or mass_matrix, not both");
    if (body.has("inertia")) body.refuse("inertia", "give inertia or mass_matrix, not both");
    if (matrix->empty()) body.refuse("mass_matrix", "must not be empty");
    definition.mass_matrix = std::move(*matrix);
  } else {
    definition.mass = mass.value_or(1.0);
    definition.inertia = read_inertia(body, kind);
  }
  if (!velocity) body.refuse_missing("velocity", "the velocity before the impact");
  definition.velocity = *velocity;
  try {
    problem.add_body(definition);
  } catch (const InputError& error) {
    body.rethrow(error);
  }
}

// How many velocity numbers an immovable body has that does not say: those of its kind; a ball's
// are those of its position, else of the first ball of the file that gives any.
std::size_t velocity_size(TableReader& body, BodyKind kind, const std::optional<Numbers>& position,
                          const std::vector<TableReader>& all) {
  if (kind == BodyKind::rigid_2d) return 3;
  if (kind == BodyKind::rigid_3d) return 6;
  if (position) return position->size();
  for (TableReader other : all) {
    const bool ball = other.text("kind").value_or("ball") == "ball";
    for (const char* key : {"velocity", "position"}) {
      if (!ball) continue;
      if (const std::optional<Numbers> numbers = other.numbers(key)) return numbers->size();
    }
  }
  body.refuse_missing("position", "a position or a velocity, to know the dimension");
}

void add_immovable(TableReader& body, BodyKind kind, std::string name,
                   const std::vector<TableReader>& all, ImpactProblem& problem) {
  const bool fixed = body.boolean("fixed").value_or(false);
  for (const char* key : {"mass", "inertia", "mass_matrix"}) {
    if (body.has(key)) {
      body.refuse(key, std::string("a body that is ") + (fixed ? "fixed" : "scripted") +
                           " has none; leave it out");
    }
  }
  ScriptedDefinition definition;
  definition.kind = kind;
  definition.name = std::move(name);
  definition.position = body.numbers("position");
  const std::optional<Numbers> velocity = body.numbers("velocity");
  if (!fixed && !velocity) body.refuse_missing("velocity", "the velocity of the scripted body");
  definition.velocity =
      velocity ? *velocity : Numbers::zeros(velocity_size(body, kind, definition.position, all));
  for (const double number : definition.velocity) {
    if (fixed && number != 0.0)
      body.refuse("velocity", "a fixed body has none; use scripted = true");
  }
  try {
    problem.add_scripted(definition);
  } catch (const InputError& error) {
    body.rethrow(error);
  }
}

}  // namespace

void read_bodies(TableReader& root, InstantBuilder& builder) {
  ImpactProblem& problem = builder.instant.problem;
  std::vector<TableReader> bodies = root.subtables("body");
  const std::vector<TableReader> all = bodies;
  for (TableReader& body : bodies) {
    std::string name = read_name(body, builder);
    const BodyKind kind = read_kind(body);
    const bool fixed = body.boolean("fixed").value_or(false);
    const bool scripted = body.boolean("scripted").value_or(false);
    if (fixed && scripted) body.refuse("scripted", "give fixed or scripted, not both");
    // Both kinds of body know the same keys, so that a message can suggest any of them.
    for (const char* key : {"mass", "velocity", "position", "inertia", "mass_matrix"}) {
      static_cast<void>(body.find(key));
    }
    body.finish();
    if (fixed || scripted) {
      add_immovable(body, kind, std::move(name), all, problem);
    } else {
      add_movable(body, kind, std::move(name), problem);
    }
  }
}

Index find_body(const InstantBuilder& builder, const std::string& name, const TableReader& reader,
                std::string_view key) {
  const auto found = builder.bodies.find(name);
  if (found != builder.bodies.end()) return found->second;
  std::vector<std::string> names;
  for (Index i = 0; i < builder.instant.problem.body_count(); ++i) {
    names.push_back(builder.instant.problem.body(i).name);
  }
  constexpr std::size_t kMostNames = 20;  // of thousands, the nearest and the first are enough
  if (names.size() > kMostNames) {
    const std::string near = nearest_name(name, names);
    names.resize(kMostNames);
    if (!near.empty()) names.back() = near;
  }
  reader.refuse(key, unknown_name_message("body", printable(name), names));
}

}  // namespace carom::detail
