// A sequence of OBJ files: surfaces, chains, solids and shapes of each frame.
#include <array>
#include <string>
#include <vector>

#include "carom/core/error.h"
#include "carom/recording/detail/output_file.h"
#include "carom/recording/detail/shape_surfaces.h"
#include "carom/recording/export.h"
#include "carom/recording/place.h"
#include "carom/recording/solids.h"
#include "carom/recording/surfaces.h"

namespace carom {
namespace {

// A name of one word: what stands behind a space would be another.
std::string word_of(const std::string& name) {
  std::string word = name;
  for (char& letter : word) {
    if (static_cast<unsigned char>(letter) <= ' ') letter = '_';
  }
  return word.empty() ? "unnamed" : word;
}

// One file. Vertices are counted from 1 through the whole of it.
class ObjFile {
 public:
  explicit ObjFile(const std::filesystem::path& path) : out_(path) {
    out_ << "# " << kMadeByCarom << '\n';
  }

  void add(const std::string& name, const TriangleMesh& mesh,
           const std::vector<std::array<Index, 2>>& lines = {}) {
    out_ << "o " << word_of(name) << '\n';
    for (const Vec3& v : mesh.vertices) {
      out_ << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
    }
    for (const TriangleMesh::Triangle& t : mesh.triangles) {
      out_ << "f " << first_ + t.a << ' ' << first_ + t.b << ' ' << first_ + t.c << '\n';
    }
    for (const auto& [a, b] : lines) out_ << "l " << first_ + a << ' ' << first_ + b << '\n';
    first_ += mesh.vertices.size();
  }

  void add_posed(const std::string& name, TriangleMesh mesh, const Pose& pose) {
    for (Vec3& v : mesh.vertices) v = pose.to_world(v);
    add(name, mesh);
  }

  void close() { out_.close(); }

 private:
  detail::OutputFile out_;
  std::size_t first_ = 1;
};

std::string suffix_of(std::size_t number) {
  const std::string digits = std::to_string(number);
  return "_" + std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits + ".obj";
}

}  // namespace

std::vector<std::filesystem::path> export_obj(const RecordingReader& recording,
                                              const ExportOptions& options) {
  const RecordingHeader& header = recording.header();
  const std::vector<RecordedSolid> solids = recorded_solids(header);
  const std::vector<RecordedSurface> surfaces = recorded_surfaces(header);
  std::vector<std::vector<std::array<Index, 2>>> chains;
  for (const RecordedSurface& surface : surfaces) chains.push_back(chain_of(surface));
  static_cast<void>(detail::export_path(options, ""));  // checks the options
  const std::vector<detail::DrawnShape> shapes = detail::drawn_shapes(recording, options.every);
  std::vector<std::filesystem::path> files;
  RecordedFrame frame;
  for (std::size_t number = 0; number < recording.frame_count(); number += options.every) {
    recording.read_frame(number, frame);
    files.push_back(detail::export_path(options, suffix_of(number)));
    ObjFile file(files.back());
    for (std::size_t k = 0; k < surfaces.size(); ++k) {
      file.add(surfaces[k].name, mesh_in(surfaces[k], frame), chains[k]);
    }
    for (std::size_t body = 0; body < header.solids.size(); ++body) {
      const std::uint32_t solid = header.solids[body];
      if (!header.is_there(body, frame.step)) continue;
      if (solid == kNoSolid || solids[solid].is_ball()) continue;
      file.add_posed(header.body_names[body], solids[solid].surface, pose_of(frame, body));
    }
    for (const detail::DrawnShape& shape : shapes) {
      const RecordedObstacle& obstacle = shape.obstacle;
      file.add_posed(obstacle.name, obstacle.surface,
                     {obstacle.position + detail::offset_of(obstacle, frame.time),
                      matrix_of(obstacle.orientation)});
    }
    file.close();
  }
  if (files.empty()) throw InputError({}, "the recording has no frames to export");
  return files;
}

}  // namespace carom
