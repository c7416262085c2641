// Writing an instant.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "carom/scene/detail/quote.h"
#include "carom/scene/instant.h"
#include "carom/scene/settings.h"

namespace carom {
namespace {

using detail::quote;

std::string list(std::span<const double> numbers) {
  std::string out = "[";
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    out += (k == 0 ? "" : ", ") + exact_number(numbers[k]);
  }
  return out + "]";
}

void write_settings(const Instant& instant, std::string& out) {
  const ImpactSettings standard;
  std::string section;
  if (instant.operators.size() > 1) {
    std::string names;
    for (const std::string& name : instant.operators) {
      names += (names.empty() ? "" : ", ") + quote(name);
    }
    section += "operators = [" + names + "]\n";
  }
  for (const ImpactSettingInfo& info : impact_setting_registry()) {
    if (info.key == "operator" && instant.operators.size() > 1) continue;
    const std::string text = impact_setting_text(instant.settings, info.key);
    if (text != impact_setting_text(standard, info.key)) section += info.key + " = " + text + "\n";
  }
  if (!section.empty()) out += "\n[impact]\n" + section;
}

void write_mass(const ImpactProblem& problem, Index index, std::string& out) {
  const ImpactProblem::Body& body = problem.body(index);
  const std::span<const double> block = problem.mass_matrix(index);
  if (!body.plain_mass) {
    out += "mass_matrix = " + list(block) + "\n";
    return;
  }
  out += "mass = " + exact_number(body.mass) + "\n";
  if (body.kind == BodyKind::rigid_2d) out += "inertia = " + exact_number(block[8]) + "\n";
  if (body.kind == BodyKind::rigid_3d) {
    std::array<double, 9> inertia{};
    for (std::size_t k = 0; k < 9; ++k) inertia[k] = block[(3 + k / 3) * 6 + 3 + k % 3];
    out += "inertia = " + list(inertia) + "\n";
  }
}

// One name per body: a file must tell them apart.
std::vector<std::string> unique_names(const ImpactProblem& problem) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (Index i = 0; i < problem.body_count(); ++i) {
    std::string name = problem.body(i).name;
    if (name.empty()) name = "body-" + std::to_string(i + 1);
    while (!taken.insert(name).second) name += "-" + std::to_string(i + 1);
    names.push_back(std::move(name));
  }
  return names;
}

void write_body(const ImpactProblem& problem, Index index, const std::string& name,
                std::string& out) {
  const ImpactProblem::Body& body = problem.body(index);
  out += "\n[[body]]\nname = " + quote(name) + "\n";
  if (body.kind != BodyKind::ball) out += "kind = " + quote(to_string(body.kind)) + "\n";
  if (body.scripted) {
    out += "scripted = true\n";
  } else {
    write_mass(problem, index, out);
  }
  out += "velocity = " + list(problem.velocity(index)) + "\n";
  if (body.has_position) {
    const std::size_t space = body.kind == BodyKind::rigid_2d   ? 2
                              : body.kind == BodyKind::rigid_3d ? 3
                                                                : body.size;
    out += "position = " + list(std::span(body.position).first(space)) + "\n";
  }
}

std::string sides(std::span<const double> a, std::span<const double> b, bool two) {
  return "[" + list(a) + (two ? ", " + list(b) : "") + "]";
}

void write_row(const ImpactProblem& problem, Index index, const std::vector<std::string>& names,
               std::string& out) {
  const ImpactProblem::Row& row = problem.row(index);
  const bool two = row.body_b != kNone;
  out += "\n[[row]]\n";
  if (!row.name.empty()) out += "name = " + quote(row.name) + "\n";
  out += "bodies = [" + quote(names[row.body_a]) + (two ? ", " + quote(names[row.body_b]) : "") +
         "]\n";
  out += "gradient = " + sides(problem.gradient_a(index), problem.gradient_b(index), two) + "\n";
  if (row.offset != 0.0) out += "offset = " + exact_number(row.offset) + "\n";
  if (row.restitution != 1.0) out += "restitution = " + exact_number(row.restitution) + "\n";
  if (row.friction != 0.0) out += "friction = " + exact_number(row.friction) + "\n";
  if (row.stiffness != 1.0) out += "stiffness = " + exact_number(row.stiffness) + "\n";
  if (row.tangent_count == 0) return;
  std::string tangents;
  std::vector<double> offsets;
  for (Index t = 0; t < row.tangent_count; ++t) {
    tangents +=
        (t == 0 ? "" : ", ") + sides(problem.tangent_a(index, t), problem.tangent_b(index, t), two);
    offsets.push_back(problem.tangent_offset(index, t));
  }
  out += "tangents = [" + tangents + "]\n";
  const bool moving =
      std::any_of(offsets.begin(), offsets.end(), [](double w) { return w != 0.0; });
  if (moving) out += "tangent_offsets = " + list(offsets) + "\n";
}

}  // namespace

std::string write_instant(const Instant& instant) {
  std::string out = "kind = \"instant\"\n";
  if (!instant.title.empty()) out += "title = " + quote(instant.title) + "\n";
  if (!instant.description.empty()) out += "description = " + quote(instant.description) + "\n";
  if (!instant.figure.empty()) out += "figure = " + quote(instant.figure) + "\n";
  write_settings(instant, out);
  const ImpactProblem& problem = instant.problem;
  const std::vector<std::string> names = unique_names(problem);
  for (Index i = 0; i < problem.body_count(); ++i) write_body(problem, i, names[i], out);
  for (Index i = 0; i < problem.row_count(); ++i) write_row(problem, i, names, out);
  return out;
}

}  // namespace carom
