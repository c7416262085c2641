// Binary glTF: a node per body that is no vertex, a mesh that changes its form per surface.
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string>

#include "carom/core/error.h"
#include "carom/recording/detail/drawn_mesh.h"
#include "carom/recording/detail/glb_document.h"
#include "carom/recording/detail/glb_surfaces.h"
#include "carom/recording/detail/output_file.h"
#include "carom/recording/detail/shape_surfaces.h"
#include "carom/recording/export.h"
#include "carom/recording/solids.h"
#include "carom/recording/surfaces.h"

namespace carom {
namespace {

using detail::DrawnMesh;
using detail::DrawnShape;
using detail::GlbDocument;
using detail::MorphingPart;
using Json = GlbDocument::Json;
using Sides = GlbDocument::Sides;

// Neighbouring numbers get hues far apart: each turns by the golden angle.
std::array<double, 3> colour_of(std::size_t number, double lightness) {
  const double hue = 0.55 + 2.399963229728653 * static_cast<double>(number);
  std::array<double, 3> rgb{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double phase = hue - 2.0 * std::numbers::pi / 3.0 * static_cast<double>(k);
    rgb[k] = lightness * (0.5 + 0.4 * std::cos(phase));
  }
  return rgb;
}

constexpr std::array<double, 3> kWallColour = {0.6, 0.62, 0.65};
constexpr std::array<double, 3> kObstacleColour = {0.35, 0.38, 0.42};
constexpr double kLight = 1.0;
constexpr double kDark = 0.3;

// The poses of all frames, body by body, as animations want them.
struct Tracks {
  std::vector<float> times;                      ///< s since the first frame; grow
  std::vector<std::vector<float>> translations;  ///< three per frame
  std::vector<std::vector<float>> rotations;  ///< four per frame (x, y, z, w); of bodies that turn
  std::vector<std::uint64_t> steps;           ///< of the frames
};

void append_rotation(const RecordedFrame& frame, std::size_t body, std::vector<float>& track) {
  const double* turn = &frame.orientations[4 * body];
  Quaternion q = normalized(Quaternion{turn[0], turn[1], turn[2], turn[3]});
  // A quaternion and its negative mean the same; programs go straight from one to the next.
  if (!track.empty()) {
    const float* before = &track[track.size() - 4];
    if (q.x * before[0] + q.y * before[1] + q.z * before[2] + q.w * before[3] < 0.0) {
      q = {-q.w, -q.x, -q.y, -q.z};
    }
  }
  for (const double x : {q.x, q.y, q.z, q.w}) track.push_back(static_cast<float>(x));
}

// A body that is not there keeps its pose; it is not to be seen.
void stay(std::size_t body, Tracks& tracks) {
  const auto repeat = [](std::vector<float>& track, std::initializer_list<float> first) {
    const std::vector<float> last(
        track.empty() ? first.begin() : track.data() + (track.size() - first.size()),
        track.empty() ? first.end() : track.data() + track.size());
    track.insert(track.end(), last.begin(), last.end());
  };
  repeat(tracks.translations[body], {0.0F, 0.0F, 0.0F});
  repeat(tracks.rotations[body], {0.0F, 0.0F, 0.0F, 1.0F});
}

// Frames that 32-bit times cannot tell apart are left out.
Tracks read_tracks(const RecordingReader& recording, std::size_t every) {
  const std::size_t bodies = recording.header().body_count();
  const std::size_t numbers = recording.header().any_turns() ? 7 : 3;
  const std::size_t frames = recording.frame_count() / every;
  std::size_t vertices = 0;
  std::size_t surfaces = 0;
  for (const RecordedSurface& surface : recorded_surfaces(recording.header())) {
    vertices += surface.count;
    ++surfaces;
  }
  // Of vertices places and normals; of surfaces a weight per frame and form.
  GlbDocument::demand_size(sizeof(float) * frames *
                           (numbers * (bodies - vertices) + 6 * vertices + surfaces * frames));
  Tracks tracks;
  tracks.translations.resize(bodies);
  tracks.rotations.resize(bodies);
  RecordedFrame frame;
  for (std::size_t number = 0; number < recording.frame_count(); number += every) {
    const auto time =
        static_cast<float>(recording.frame_times()[number] - recording.frame_times()[0]);
    if (!tracks.times.empty() && !(time > tracks.times.back())) continue;
    recording.read_frame(number, frame);
    tracks.times.push_back(time);
    tracks.steps.push_back(frame.step);
    for (std::size_t body = 0; body < bodies; ++body) {
      if (!recording.header().is_there(body, frame.step)) {
        stay(body, tracks);
        continue;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const auto place = static_cast<float>(frame.positions[3 * body + k]);
        if (!std::isfinite(place)) {
          throw InputError({"", 0, 0, "--format glb"},
                           "body '" + recording.header().body_names[body] +
                               "' is at a place that "
                               "32 bits cannot hold, at time " +
                               std::to_string(recording.frame_times()[number]) + " s");
        }
        tracks.translations[body].push_back(place);
      }
      const bool turns =
          recording.header().any_turns() && recording.header().solids[body] != kNoSolid;
      if (turns) append_rotation(frame, body, tracks.rotations[body]);
    }
  }
  return tracks;
}

// Whether all frames have the same `size` numbers.
bool is_constant(const std::vector<float>& track, std::size_t size) {
  for (std::size_t k = size; k < track.size(); ++k) {
    if (track[k] != track[k - size]) return false;
  }
  return true;
}

class GlbExport {
 public:
  GlbExport(const RecordingReader& recording, const ExportOptions& options)
      : header_(recording.header()),
        solids_(recorded_solids(header_)),
        surfaces_(recorded_surfaces(header_)),
        begin_(recording.frame_count() == 0 ? 0.0 : recording.frame_times()[0]),
        tracks_(read_tracks(recording, options.every)) {
    document_.set_root(header_.scene_name, upright(options.up));
    if (!tracks_.times.empty()) {
      const std::vector<bool> is_vertex = vertices_among(surfaces_, header_.body_count());
      for (std::size_t body = 0; body < header_.body_count(); ++body) {
        if (!is_vertex[body]) add_body(body);
      }
      for (std::size_t k = 0; k < surfaces_.size(); ++k) add_surface(k);
    }
    for (const DrawnShape& shape : detail::drawn_shapes(recording, options.every)) {
      add_shape(shape);
    }
  }

  void write(detail::OutputFile& out) { document_.write(out); }

 private:
  // The rotation (x, y, z, w) that brings `up` to y, which is upwards in glTF.
  static std::array<double, 4> upright(const std::array<double, 3>& up) {
    const double length = std::hypot(up[0], up[1], up[2]);
    if (!(length > 0.0)) return {0.0, 0.0, 0.0, 1.0};
    const Vec3 unit = {up[0] / length, up[1] / length, up[2] / length};
    if (unit.y < -1.0 + 1e-12) return {1.0, 0.0, 0.0, 0.0};
    const Vec3 axis = cross(unit, {0.0, 1.0, 0.0});
    const Quaternion q = normalized(Quaternion{1.0 + unit.y, axis.x, axis.y, axis.z});
    return {q.x, q.y, q.z, q.w};
  }

  void add_body(std::size_t body) {
    const std::uint32_t solid = header_.any_turns() ? header_.solids[body] : kNoSolid;
    const std::vector<float>& translation = tracks_.translations[body];
    const std::vector<float>& rotation = tracks_.rotations[body];
    Json node = {{"name", header_.body_names[body]},
                 {"translation", {translation[0], translation[1], translation[2]}}};
    if (solid == kNoSolid) {
      node["mesh"] = plain_ball(header_.materials[body]);
      node["scale"] =
          std::array<double, 3>{header_.radii[body], header_.radii[body], header_.radii[body]};
    } else {
      node["mesh"] = mesh_of(solid);
      node["rotation"] = {rotation[0], rotation[1], rotation[2], rotation[3]};
    }
    const std::size_t number = document_.add_node(std::move(node));
    if (!is_constant(translation, 3)) {
      document_.animate(number, "translation", times(), translation);
    }
    if (!is_constant(rotation, 4)) document_.animate(number, "rotation", times(), rotation);
    if (!header_.presence.empty()) show_while_there(body, number);
  }

  // A body that is not there has no size.
  void show_while_there(std::size_t body, std::size_t node) {
    const bool is_plain = !header_.any_turns() || header_.solids[body] == kNoSolid;
    const float size = is_plain ? static_cast<float>(header_.radii[body]) : 1.0F;
    std::vector<float> scales;
    for (const std::uint64_t step : tracks_.steps) {
      scales.insert(scales.end(), 3, header_.is_there(body, step) ? size : 0.0F);
    }
    document_.set_scale(node, scales[0]);
    if (!is_constant(scales, 3)) document_.animate(node, "scale", times(), scales);
  }

  void add_surface(std::size_t number) {
    const RecordedSurface& surface = surfaces_[number];
    const std::vector<MorphingPart> parts = detail::morphing_parts(
        surface, std::span(tracks_.translations).subspan(surface.first, surface.count),
        document_.add_material(surface.name, colour_of(header_.body_count() + number, kLight)));
    if (parts.empty()) return;
    const std::size_t mesh = document_.add_morphing_mesh(surface.name, parts);
    const std::size_t node = document_.add_node({{"name", surface.name}, {"mesh", mesh}});
    if (tracks_.times.size() > 1) {
      document_.animate(node, "weights", times(), detail::weights_of(tracks_.times.size()));
    }
  }

  // Those of the frames, once something moves.
  std::size_t times() {
    if (!times_) times_ = document_.add_times(tracks_.times);
    return *times_;
  }

  // Balls that do not turn: one of radius 1 for each material, made larger or smaller by its nodes.
  std::size_t plain_ball(std::uint32_t material) {
    const auto known = plain_balls_.find(material);
    if (known != plain_balls_.end()) return known->second;
    const std::string name = "ball of material " + std::to_string(material);
    const std::size_t paint = document_.add_material(name, colour_of(material, kLight));
    const std::array<DrawnMesh, 2> parts = {detail::ball_octants(1.0, true),
                                            detail::ball_octants(1.0, false)};
    const std::array<std::size_t, 2> paints = {paint, paint};
    return plain_balls_[material] = document_.add_mesh(name, parts, paints);
  }

  std::size_t mesh_of(std::uint32_t number) {
    const auto known = meshes_.find(number);
    if (known != meshes_.end()) return known->second;
    const RecordedSolid& solid = solids_[number];
    const std::string name = solid.type + " " + std::to_string(number);
    std::vector<DrawnMesh> parts;
    std::vector<std::size_t> paints = {document_.add_material(name, colour_of(number, kLight))};
    if (solid.is_ball()) {
      parts = {detail::ball_octants(solid.radius, true), detail::ball_octants(solid.radius, false)};
      paints.push_back(document_.add_material(name + ", dark", colour_of(number, kDark)));
    } else {
      parts = {detail::drawn_mesh(solid.surface)};
    }
    return meshes_[number] = document_.add_mesh(name, parts, paints);
  }

  // Walls are not seen from behind, where they would hide what they hold.
  std::size_t shape_paint(bool is_wall) {
    std::optional<std::size_t>& paint = is_wall ? wall_paint_ : obstacle_paint_;
    if (!paint) {
      paint = is_wall ? document_.add_material("wall", kWallColour, Sides::front)
                      : document_.add_material("obstacle", kObstacleColour);
    }
    return *paint;
  }

  void add_shape(const DrawnShape& shape) {
    const RecordedObstacle& obstacle = shape.obstacle;
    const std::array<DrawnMesh, 1> parts = {detail::drawn_mesh(obstacle.surface)};
    const std::array<std::size_t, 1> paints = {shape_paint(shape.is_wall)};
    const Quaternion& q = obstacle.orientation;
    std::vector<float> times;
    std::vector<float> places;
    for (std::size_t k = 0; k < obstacle.times.size(); ++k) {
      const auto time = static_cast<float>(obstacle.times[k] - begin_);
      if (time < 0.0F || (!times.empty() && !(time > times.back()))) continue;
      times.push_back(time);
      const Vec3 place = obstacle.position + obstacle.offsets[k];
      for (const double x : {place.x, place.y, place.z}) places.push_back(static_cast<float>(x));
    }
    const Vec3 first =
        obstacle.offsets.empty() ? obstacle.position : obstacle.position + obstacle.offsets[0];
    const std::size_t node =
        document_.add_node({{"name", obstacle.name},
                            {"mesh", document_.add_mesh(obstacle.name, parts, paints)},
                            {"translation", {first.x, first.y, first.z}},
                            {"rotation", {q.x, q.y, q.z, q.w}}});
    if (!is_constant(places, 3)) {
      document_.animate(node, "translation", document_.add_times(times), places);
    }
  }

  const RecordingHeader& header_;
  std::vector<RecordedSolid> solids_;
  std::vector<RecordedSurface> surfaces_;
  double begin_;  ///< time of the first frame, s
  Tracks tracks_;
  GlbDocument document_;
  std::optional<std::size_t> times_;
  std::map<std::uint32_t, std::size_t> plain_balls_;  ///< by material
  std::map<std::uint32_t, std::size_t> meshes_;       ///< by solid
  std::optional<std::size_t> obstacle_paint_;
  std::optional<std::size_t> wall_paint_;
};

}  // namespace

std::vector<std::filesystem::path> export_glb(const RecordingReader& recording,
                                              const ExportOptions& options) {
  const std::filesystem::path path = detail::export_path(options, ".glb");
  GlbExport glb(recording, options);
  detail::OutputFile out(path);
  glb.write(out);
  out.close();
  return {path};
}

}  // namespace carom
