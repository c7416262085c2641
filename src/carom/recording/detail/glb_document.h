#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "carom/recording/detail/drawn_mesh.h"
#include "carom/recording/detail/output_file.h"

namespace carom::detail {

/// What moves vertex by vertex: frames of places, and of normals where it has triangles.
struct MorphingPart {
  using Frame = std::vector<std::array<float, 3>>;
  std::vector<Frame> positions;
  std::vector<Frame> normals;          ///< one per frame; none: `corners` are pairs, of lines
  std::vector<std::uint32_t> corners;  ///< three per triangle, or two per line
  std::size_t material = 0;
};

/// A glTF 2.0 document with its binary part, as it grows. Indices are those of glTF.
class GlbDocument {
 public:
  using Json = nlohmann::json;
  enum class Sides { front, both };  ///< from which a surface is seen

  GlbDocument();

  /// Opaque, without metal; `linear`: red, green and blue, 0 to 1, linear.
  std::size_t add_material(const std::string& name, const std::array<double, 3>& linear,
                           Sides sides = Sides::both);
  /// One mesh of several parts, each with the material of the same place.
  std::size_t add_mesh(const std::string& name, std::span<const DrawnMesh> parts,
                       std::span<const std::size_t> materials);
  /// The same of parts that have one shape per frame: the first, and morph targets for the others.
  std::size_t add_morphing_mesh(const std::string& name, std::span<const MorphingPart> parts);
  /// The node's index; it stands below the root.
  std::size_t add_node(Json node);
  /// Turns everything.
  void set_root(const std::string& name, const std::array<double, 4>& rotation);

  /// Seconds, growing, from 0 on.
  std::size_t add_times(std::span<const float> times);
  /// Lets "translation" or "scale" (three numbers per time), "rotation" (four: x, y, z, w) or
  /// "weights" (one per morph target) of a node follow these values, linearly in between; a scale
  /// jumps.
  void set_scale(std::size_t node, float scale);
  void animate(std::size_t node, const std::string& path, std::size_t times,
               std::span<const float> values);

  void write(OutputFile& out);
  /// Throws InputError where a file of this many bytes would not fit into the format's 4 GB.
  static void demand_size(std::uint64_t bytes);

 private:
  std::size_t add_vectors(std::span<const std::array<float, 3>> vectors, bool states_bounds);
  Json attributes_of(const MorphingPart& part, std::size_t frame);
  std::size_t add_view(std::span<const std::byte> bytes, int target);
  std::size_t add_accessor(std::size_t view, int component_type, std::size_t count,
                           const char* type);

  Json document_;
  std::vector<std::byte> binary_;
};

}  // namespace carom::detail
