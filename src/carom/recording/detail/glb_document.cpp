// A glTF document with its numbers, in one file.
#include "carom/recording/detail/glb_document.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/core/version.h"

namespace carom::detail {
namespace {

using nlohmann::json;

// Numbers of the format.
constexpr int kFloat = 5126;
constexpr int kUnsignedInt = 5125;
constexpr int kVertices = 34962;
constexpr int kCorners = 34963;
constexpr int kNoTarget = 0;
constexpr int kLines = 1;
constexpr std::uint32_t kMagic = 0x46546C67U;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534AU;  // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942U;

static_assert(std::endian::native == std::endian::little);

template <typename Number>
void write_numbers(OutputFile& out, std::initializer_list<Number> numbers) {
  out.write(std::as_bytes(std::span(numbers.begin(), numbers.size())));
}

json bound_of(std::span<const std::array<float, 3>> points, bool upper) {
  std::array<float, 3> bound = points.front();
  for (const std::array<float, 3>& point : points) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bound[axis] = upper ? std::max(bound[axis], point[axis]) : std::min(bound[axis], point[axis]);
    }
  }
  return bound;
}

}  // namespace

GlbDocument::GlbDocument() {
  document_ = {{"asset", {{"version", "2.0"}, {"generator", std::string("Carom ") + kVersion}}},
               {"scene", 0},
               {"scenes", {{{"nodes", {0}}}}},
               {"nodes", {{{"children", json::array()}}}}};
}

std::size_t GlbDocument::add_material(const std::string& name, const std::array<double, 3>& linear,
                                      Sides sides) {
  json& materials = document_["materials"];
  materials.push_back({{"name", name},
                       {"doubleSided", sides == Sides::both},
                       {"pbrMetallicRoughness",
                        {{"baseColorFactor", {linear[0], linear[1], linear[2], 1.0}},
                         {"metallicFactor", 0.0},
                         {"roughnessFactor", 0.6}}}});
  return materials.size() - 1;
}

std::size_t GlbDocument::add_mesh(const std::string& name, std::span<const DrawnMesh> parts,
                                  std::span<const std::size_t> materials) {
  CAROM_DEMAND(parts.size() == materials.size());
  json primitives = json::array();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const DrawnMesh& part = parts[k];
    const std::size_t positions = add_vectors(part.positions, true);
    const std::size_t normals = add_vectors(part.normals, false);
    const std::size_t corners =
        add_accessor(add_view(std::as_bytes(std::span(part.corners)), kCorners), kUnsignedInt,
                     part.corners.size(), "SCALAR");
    primitives.push_back({{"attributes", {{"POSITION", positions}, {"NORMAL", normals}}},
                          {"indices", corners},
                          {"material", materials[k]}});
  }
  json& meshes = document_["meshes"];
  meshes.push_back({{"name", name}, {"primitives", primitives}});
  return meshes.size() - 1;
}

std::size_t GlbDocument::add_vectors(std::span<const std::array<float, 3>> vectors,
                                     bool states_bounds) {
  const std::size_t accessor =
      add_accessor(add_view(std::as_bytes(vectors), kVertices), kFloat, vectors.size(), "VEC3");
  if (states_bounds) {
    document_["accessors"][accessor]["min"] = bound_of(vectors, false);
    document_["accessors"][accessor]["max"] = bound_of(vectors, true);
  }
  return accessor;
}

// Of the first frame as they are, of the others what they add to the first.
json GlbDocument::attributes_of(const MorphingPart& part, std::size_t frame) {
  const auto added = [frame](const std::vector<MorphingPart::Frame>& frames) {
    MorphingPart::Frame vectors = frames[frame];
    for (std::size_t k = 0; frame > 0 && k < vectors.size(); ++k) {
      for (std::size_t axis = 0; axis < 3; ++axis) vectors[k][axis] -= frames[0][k][axis];
    }
    return vectors;
  };
  json attributes = {{"POSITION", add_vectors(added(part.positions), true)}};
  if (!part.normals.empty()) attributes["NORMAL"] = add_vectors(added(part.normals), false);
  return attributes;
}

std::size_t GlbDocument::add_morphing_mesh(const std::string& name,
                                           std::span<const MorphingPart> parts) {
  json primitives = json::array();
  for (const MorphingPart& part : parts) {
    json primitive = {{"attributes", attributes_of(part, 0)}, {"material", part.material}};
    primitive["indices"] = add_accessor(add_view(std::as_bytes(std::span(part.corners)), kCorners),
                                        kUnsignedInt, part.corners.size(), "SCALAR");
    if (part.normals.empty()) primitive["mode"] = kLines;
    for (std::size_t frame = 1; frame < part.positions.size(); ++frame) {
      primitive["targets"].push_back(attributes_of(part, frame));
    }
    primitives.push_back(std::move(primitive));
  }
  json& meshes = document_["meshes"];
  meshes.push_back({{"name", name}, {"primitives", primitives}});
  return meshes.size() - 1;
}

std::size_t GlbDocument::add_node(Json node) {
  json& nodes = document_["nodes"];
  nodes.push_back(std::move(node));
  nodes[0]["children"].push_back(nodes.size() - 1);
  return nodes.size() - 1;
}

void GlbDocument::set_root(const std::string& name, const std::array<double, 4>& rotation) {
  document_["nodes"][0]["name"] = name;
  document_["nodes"][0]["rotation"] = rotation;
}

std::size_t GlbDocument::add_times(std::span<const float> times) {
  const std::size_t accessor =
      add_accessor(add_view(std::as_bytes(times), kNoTarget), kFloat, times.size(), "SCALAR");
  document_["accessors"][accessor]["min"] = {times.front()};
  document_["accessors"][accessor]["max"] = {times.back()};
  return accessor;
}

void GlbDocument::set_scale(std::size_t node, float scale) {
  document_["nodes"][node]["scale"] = {scale, scale, scale};
}

void GlbDocument::animate(std::size_t node, const std::string& path, std::size_t times,
                          std::span<const float> values) {
  const bool is_vector = path == "translation" || path == "scale";
  const std::size_t size = path == "rotation" ? 4 : is_vector ? 3 : 1;
  const char* type = size == 4 ? "VEC4" : size == 3 ? "VEC3" : "SCALAR";
  const std::size_t output =
      add_accessor(add_view(std::as_bytes(values), kNoTarget), kFloat, values.size() / size, type);
  json& animation = document_["animations"][0];
  animation["name"] = "run";
  animation["samplers"].push_back({{"input", times},
                                   {"output", output},
                                   {"interpolation", path == "scale" ? "STEP" : "LINEAR"}});
  animation["channels"].push_back({{"sampler", animation["samplers"].size() - 1},
                                   {"target", {{"node", node}, {"path", path}}}});
}

void GlbDocument::write(OutputFile& out) {
  if (!binary_.empty()) document_["buffers"] = {{{"byteLength", binary_.size()}}};
  if (document_["nodes"][0]["children"].empty()) document_["nodes"][0].erase("children");
  std::string text = document_.dump(-1, ' ', false, json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const std::size_t total = 12 + 8 + text.size() + (binary_.empty() ? 0 : 8 + binary_.size());
  demand_size(total);
  write_numbers<std::uint32_t>(out, {kMagic, 2, static_cast<std::uint32_t>(total)});
  write_numbers<std::uint32_t>(out, {static_cast<std::uint32_t>(text.size()), kJsonChunk});
  out << text;
  if (binary_.empty()) return;
  write_numbers<std::uint32_t>(out, {static_cast<std::uint32_t>(binary_.size()), kBinaryChunk});
  out.write(binary_);
}

void GlbDocument::demand_size(std::uint64_t bytes) {
  if (bytes <= std::numeric_limits<std::uint32_t>::max()) return;
  throw InputError({"", 0, 0, "every"}, "the file would have " +
                                            std::to_string(bytes / 1000000000) +
                                            " GB, and the format holds 4: take fewer frames");
}

// Everything has numbers of four bytes, so that nothing needs to be aligned.
std::size_t GlbDocument::add_view(std::span<const std::byte> bytes, int target) {
  json view = {{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", bytes.size()}};
  if (target != kNoTarget) view["target"] = target;
  binary_.insert(binary_.end(), bytes.begin(), bytes.end());
  json& views = document_["bufferViews"];
  views.push_back(std::move(view));
  return views.size() - 1;
}

std::size_t GlbDocument::add_accessor(std::size_t view, int component_type, std::size_t count,
                                      const char* type) {
  json& accessors = document_["accessors"];
  accessors.push_back(
      {{"bufferView", view}, {"componentType", component_type}, {"count", count}, {"type", type}});
  return accessors.size() - 1;
}

}  // namespace carom::detail
