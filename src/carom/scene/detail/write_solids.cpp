// Solids of a scene as text, parts of compounds before them.
#include "carom/scene/detail/write_solids.h"

#include <map>
#include <utility>
#include <variant>

#include "carom/scene/detail/scene_lines.h"
#include "carom/scene/detail/write_surfaces.h"

namespace carom::detail {
namespace {

// The quaternion as it was given where it is that of the matrix.
Quaternion quaternion_for(const Quaternion& given, const Mat3& rotation) {
  return matrix_of(given) == rotation ? given : quaternion_of(rotation);
}

class SolidWriter : private SceneLines {
 public:
  explicit SolidWriter(int dimension) : SceneLines(dimension) {}

  [[nodiscard]] std::string write(std::span<const std::shared_ptr<const Solid>> solids);

 private:
  void write_definition(const SolidDefinition& definition);
  void write_compound(const CompoundSolid& compound);
  void write_part(const CompoundSolid::Part& part, const std::string& name);
  [[nodiscard]] std::string definition_text(const SolidDefinition& definition);

  std::map<const CompoundSolid::Part*, std::string> part_names_;
  std::map<std::string, std::string> names_by_text_;  ///< solids by what is written of them
};

void SolidWriter::write_compound(const CompoundSolid& compound) {
  for (const CompoundSolid::Part& part : compound.parts) {
    header("[[solid.part]]");
    line("solid", quote(part_names_.at(&part)));
    line("position", vector(part.pose.position));
    orientation("orientation", quaternion_for(part.orientation, part.pose.rotation));
    number("density", part.density);
  }
}

void SolidWriter::write_definition(const SolidDefinition& definition) {
  line("type", quote(solid_type_name(definition)));
  if (const auto* sphere = std::get_if<SphereSolid>(&definition)) {
    number("radius", sphere->radius);
  } else if (const auto* box = std::get_if<BoxSolid>(&definition)) {
    line("size", vector(2.0 * box->half));
  } else if (const auto* capsule = std::get_if<CapsuleSolid>(&definition)) {
    number("radius", capsule->radius);
    number("length", 2.0 * capsule->half_length);
  } else if (const auto* cylinder = std::get_if<CylinderSolid>(&definition)) {
    number("radius", cylinder->radius);
    number("length", 2.0 * cylinder->half_length);
  } else if (const auto* helix = std::get_if<HelixSolid>(&definition)) {
    number("radius", helix->radius);
    number("bend_radius", helix->bend_radius);
    number("pitch", helix->pitch);
    number("turns", helix->turns);
  } else if (const auto* hull = std::get_if<HullSolid>(&definition)) {
    std::string points;
    for (const Vec3& point : hull->points) points += (points.empty() ? "" : ", ") + vector(point);
    line("points", "[" + points + "]");
  } else if (const auto* mesh = std::get_if<MeshSolid>(&definition)) {
    add(mesh_values(mesh->mesh, "\n") + "\n");
  } else {
    write_compound(*std::get<std::shared_ptr<const CompoundSolid>>(definition));
  }
}

// A part that is like an earlier solid refers to that one; others become solids of their own.
void SolidWriter::write_part(const CompoundSolid::Part& part, const std::string& name) {
  const std::string text = definition_text(part.solid);
  const auto [at, is_new] = names_by_text_.emplace(text, name);
  part_names_.emplace(&part, at->second);
  if (!is_new) return;
  header("[[solid]]");
  line("name", quote(name));
  add(text);
}

std::string SolidWriter::definition_text(const SolidDefinition& definition) {
  const std::string before = take();
  write_definition(definition);
  std::string text = take();
  add(before);
  return text;
}

std::string SolidWriter::write(std::span<const std::shared_ptr<const Solid>> solids) {
  for (std::size_t number = 0; number < solids.size(); ++number) {
    const SolidDefinition& definition = solids[number]->definition();
    if (const auto* compound = std::get_if<std::shared_ptr<const CompoundSolid>>(&definition)) {
      for (const CompoundSolid::Part& part : (*compound)->parts) {
        write_part(part, solid_name(number) + "-part-" + std::to_string(part_names_.size() + 1));
      }
    }
    const std::string text = definition_text(definition);
    names_by_text_.emplace(text, solid_name(number));
    header("[[solid]]");
    line("name", quote(solid_name(number)));
    add(text);
  }
  return take();
}

}  // namespace

std::string solid_name(std::size_t number) { return "solid-" + std::to_string(number + 1); }

std::string solids_text(std::span<const std::shared_ptr<const Solid>> solids, int dimension) {
  return SolidWriter(dimension).write(solids);
}

}  // namespace carom::detail
