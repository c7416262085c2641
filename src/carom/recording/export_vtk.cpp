// Series of PolyData files: balls as points, solids, surfaces and chains as polygons and lines.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "carom/recording/detail/output_file.h"
#include "carom/recording/detail/shape_surfaces.h"
#include "carom/recording/detail/vtp_writer.h"
#include "carom/recording/export.h"
#include "carom/recording/solids.h"
#include "carom/recording/surfaces.h"

namespace carom {
namespace {

using detail::array_of;
using detail::DrawnShape;
using detail::kVtpBegin;
using detail::VtpWriter;

// What is the same in every frame with the same bodies: balls are points with a vertex cell, in the
// order of their bodies; behind them stand the vertices and triangles of all other solids, and then
// the vertices of surfaces and chains.
struct Layout {
  std::vector<std::size_t> owners;          ///< the body of each point
  std::vector<Vec3> places;                 ///< of each point, in body coordinates
  std::vector<std::int64_t> balls;          ///< numbers of their points
  std::vector<std::int64_t> ball_ends;      ///< where each vertex cell ends: 1, 2, ...
  std::vector<std::int64_t> corners;        ///< three points per triangle
  std::vector<std::int64_t> triangle_ends;  ///< 3, 6, ...
  std::vector<std::int64_t> links;          ///< two points per edge of a chain
  std::vector<std::int64_t> link_ends;      ///< 2, 4, ...
  // Of each point.
  std::vector<std::int64_t> ids;
  std::vector<double> radii;  ///< 0 for vertices of solids, so that no glyph is drawn there
  std::vector<double> masses;
  std::vector<std::uint32_t> materials;
  // Of each point, where there are surfaces at all.
  std::vector<std::int64_t> surfaces;  ///< number of the surface; -1: of none
  std::vector<double> thicknesses;     ///< m; 0 elsewhere

  [[nodiscard]] std::size_t point_count() const { return owners.size(); }
};

void add_point(const RecordingHeader& header, std::size_t body, const Vec3& place, bool is_ball,
               Layout& layout) {
  layout.owners.push_back(body);
  layout.places.push_back(place);
  layout.ids.push_back(static_cast<std::int64_t>(body));
  layout.radii.push_back(is_ball ? header.radii[body] : 0.0);
  layout.masses.push_back(header.masses[body]);
  layout.materials.push_back(header.materials[body]);
}

void add_cell(std::int64_t first, std::initializer_list<Index> vertices,
              std::vector<std::int64_t>& points, std::vector<std::int64_t>& ends) {
  for (const Index vertex : vertices) points.push_back(first + vertex);
  ends.push_back(static_cast<std::int64_t>(points.size()));
}

void add_triangles(const RecordingHeader& header, std::size_t body, const TriangleMesh& surface,
                   Layout& layout) {
  const auto first = static_cast<std::int64_t>(layout.point_count());
  for (const Vec3& vertex : surface.vertices) add_point(header, body, vertex, false, layout);
  for (const TriangleMesh::Triangle& t : surface.triangles) {
    add_cell(first, {t.a, t.b, t.c}, layout.corners, layout.triangle_ends);
  }
}

void add_surfaces(const RecordingHeader& header, const std::vector<RecordedSurface>& surfaces,
                  Layout& layout) {
  if (surfaces.empty()) return;
  layout.surfaces.assign(layout.point_count(), -1);
  layout.thicknesses.assign(layout.point_count(), 0.0);
  for (std::size_t number = 0; number < surfaces.size(); ++number) {
    const RecordedSurface& surface = surfaces[number];
    const auto first = static_cast<std::int64_t>(layout.point_count());
    for (std::size_t k = 0; k < surface.count; ++k) {
      add_point(header, surface.first + k, {}, false, layout);
      layout.surfaces.push_back(static_cast<std::int64_t>(number));
      layout.thicknesses.push_back(surface.thickness);
    }
    for (const TriangleMesh::Triangle& t : surface.triangles) {
      add_cell(first, {t.a, t.b, t.c}, layout.corners, layout.triangle_ends);
    }
    for (const auto& [a, b] : chain_of(surface)) {
      add_cell(first, {a, b}, layout.links, layout.link_ends);
    }
  }
}

Layout layout_of(const RecordingHeader& header, std::uint64_t step) {
  const std::vector<RecordedSolid> solids = recorded_solids(header);
  const std::vector<RecordedSurface> surfaces = recorded_surfaces(header);
  const std::vector<bool> is_vertex = vertices_among(surfaces, header.body_count());
  Layout layout;
  std::vector<std::size_t> others;
  for (std::size_t body = 0; body < header.body_count(); ++body) {
    if (is_vertex[body] || !header.is_there(body, step)) continue;
    const bool has_surface = header.any_turns() && header.solids[body] != kNoSolid &&
                             !solids[header.solids[body]].is_ball();
    if (has_surface) {
      others.push_back(body);
      continue;
    }
    layout.balls.push_back(static_cast<std::int64_t>(layout.point_count()));
    add_point(header, body, {}, true, layout);
    layout.ball_ends.push_back(static_cast<std::int64_t>(layout.balls.size()));
  }
  for (const std::size_t body : others) {
    add_triangles(header, body, solids[header.solids[body]].surface, layout);
  }
  add_surfaces(header, surfaces, layout);
  return layout;
}

// `count` numbers per body, given to each of its points.
std::vector<double> spread(const Layout& layout, const std::vector<double>& numbers,
                           std::size_t count) {
  std::vector<double> all;
  all.reserve(count * layout.point_count());
  for (const std::size_t body : layout.owners) {
    for (std::size_t k = 0; k < count; ++k) all.push_back(numbers[count * body + k]);
  }
  return all;
}

std::vector<double> positions_of(const Layout& layout, const RecordedFrame& frame) {
  if (frame.orientations.empty()) return spread(layout, frame.positions, 3);
  std::vector<double> positions;
  positions.reserve(3 * layout.point_count());
  for (std::size_t point = 0; point < layout.point_count(); ++point) {
    const std::size_t body = layout.owners[point];
    const Vec3 place = pose_of(frame, body).to_world(layout.places[point]);
    positions.insert(positions.end(), {place.x, place.y, place.z});
  }
  return positions;
}

std::vector<double> speeds_of(const std::vector<double>& velocities) {
  std::vector<double> speeds;
  speeds.reserve(velocities.size() / 3);
  for (std::size_t k = 0; k < velocities.size(); k += 3) {
    speeds.push_back(std::hypot(velocities[k], velocities[k + 1], velocities[k + 2]));
  }
  return speeds;
}

void write_frame(const RecordingHeader& header, const Layout& layout, const RecordedFrame& frame,
                 detail::OutputFile& out) {
  const std::vector<double> positions = positions_of(layout, frame);
  const std::vector<double> velocities = spread(layout, frame.velocities, 3);
  const std::vector<double> speeds = speeds_of(velocities);
  std::vector<double> orientations;
  std::vector<double> angular;
  std::vector<std::vector<double>> own;

  VtpWriter vtp(out);
  out << kVtpBegin
      << "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
         "format=\"ascii\">"
      << frame.time << "</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\""
      << layout.point_count() << "\" NumberOfVerts=\"" << layout.balls.size()
      << "\" NumberOfLines=\"" << layout.link_ends.size()
      << "\" NumberOfStrips=\"0\" NumberOfPolys=\"" << layout.triangle_ends.size()
      << "\">\n<PointData Scalars=\"speed\" Vectors=\"velocity\">\n";
  vtp.element(array_of("velocity", "Float64", velocities, 3));
  vtp.element(array_of("speed", "Float64", speeds));
  vtp.element(array_of("radius", "Float64", layout.radii));
  vtp.element(array_of("mass", "Float64", layout.masses));
  vtp.element(array_of("material", "UInt32", layout.materials));
  vtp.element(array_of("id", "Int64", layout.ids));
  if (!layout.surfaces.empty()) {
    vtp.element(array_of("surface", "Int64", layout.surfaces));
    vtp.element(array_of("thickness", "Float64", layout.thicknesses));
  }
  if (!frame.orientations.empty()) {
    orientations = spread(layout, frame.orientations, 4);
    angular = spread(layout, frame.angular_velocities, 3);
    vtp.element(array_of("orientation", "Float64", orientations, 4));
    vtp.element(array_of("angular_velocity", "Float64", angular, 3));
  }
  own.reserve(header.body_columns.size());
  for (const BodyColumn& column : header.body_columns) {
    own.push_back(spread(layout, body_column(header, frame, column.name), 1));
    vtp.element(array_of(column.name, "Float64", own.back()));
  }
  out << "</PointData>\n<Points>\n";
  vtp.element(array_of("position", "Float64", positions, 3));
  out << "</Points>\n<Verts>\n";
  vtp.element(array_of("connectivity", "Int64", layout.balls));
  vtp.element(array_of("offsets", "Int64", layout.ball_ends));
  out << "</Verts>\n";
  if (!layout.links.empty()) {
    out << "<Lines>\n";
    vtp.element(array_of("connectivity", "Int64", layout.links));
    vtp.element(array_of("offsets", "Int64", layout.link_ends));
    out << "</Lines>\n";
  }
  if (!layout.corners.empty()) {
    out << "<Polys>\n";
    vtp.element(array_of("connectivity", "Int64", layout.corners));
    vtp.element(array_of("offsets", "Int64", layout.triangle_ends));
    out << "</Polys>\n";
  }
  out << "</Piece>\n</PolyData>\n";
  vtp.appended();
  out << "</VTKFile>\n";
  out.close();
}

std::string xml_text(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += letter;
    }
  }
  return safe;
}

// The shapes, where they are at a time. Points carry the number by which events name their shape.
void write_shapes(const std::vector<DrawnShape>& shapes, double time, detail::OutputFile& out) {
  std::vector<double> positions;
  std::vector<std::int64_t> corners;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> ids;
  for (const DrawnShape& shape : shapes) {
    const RecordedObstacle& obstacle = shape.obstacle;
    const Pose pose = {obstacle.position + detail::offset_of(obstacle, time),
                       matrix_of(obstacle.orientation)};
    const auto first = static_cast<std::int64_t>(ids.size());
    for (const Vec3& vertex : obstacle.surface.vertices) {
      const Vec3 place = pose.to_world(vertex);
      positions.insert(positions.end(), {place.x, place.y, place.z});
      ids.push_back(event_shape(static_cast<std::uint32_t>(shape.number)));
    }
    for (const TriangleMesh::Triangle& triangle : obstacle.surface.triangles) {
      for (const Index corner : {triangle.a, triangle.b, triangle.c}) {
        corners.push_back(first + corner);
      }
      ends.push_back(static_cast<std::int64_t>(corners.size()));
    }
  }
  VtpWriter vtp(out);
  out << kVtpBegin << "<Piece NumberOfPoints=\"" << ids.size()
      << "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\""
      << ends.size() << "\">\n<PointData>\n";
  vtp.element(array_of("id", "Int64", ids));
  out << "</PointData>\n<Points>\n";
  vtp.element(array_of("position", "Float64", positions, 3));
  out << "</Points>\n<Polys>\n";
  vtp.element(array_of("connectivity", "Int64", corners));
  vtp.element(array_of("offsets", "Int64", ends));
  out << "</Polys>\n</Piece>\n</PolyData>\n";
  vtp.appended();
  out << "</VTKFile>\n";
  out.close();
}

std::string frame_suffix(const std::string& part, std::size_t number) {
  const std::string digits = std::to_string(number);
  return part + "_" + std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits + ".vtp";
}

class VtkExport {
 public:
  VtkExport(const RecordingReader& recording, const ExportOptions& options)
      : recording_(recording),
        options_(options),
        files_{detail::export_path(options, ".pvd")},
        series_(files_[0]),
        shapes_(detail::drawn_shapes(recording, options.every)) {
    shapes_move_ = std::any_of(shapes_.begin(), shapes_.end(), [](const DrawnShape& shape) {
      return !shape.obstacle.times.empty();
    });
  }

  std::vector<std::filesystem::path> run() {
    series_ << "<?xml version=\"1.0\"?>\n<!-- made by Carom -->\n<VTKFile type=\"Collection\" "
               "version=\"1.0\" "
               "byte_order=\"LittleEndian\">\n<Collection>\n";
    lay_out(0);
    RecordedFrame frame;
    for (std::size_t number = 0; number < recording_.frame_count(); number += options_.every) {
      recording_.read_frame(number, frame);
      files_.push_back(detail::export_path(options_, frame_suffix("", number)));
      detail::OutputFile file(files_.back());
      lay_out(frame.step);
      write_frame(recording_.header(), layout_, frame, file);
      add_to_series(frame.time, 0, files_.back());
      if (!shapes_.empty()) add_shapes(number, frame.time);
    }
    series_ << "</Collection>\n</VTKFile>\n";
    series_.close();
    return files_;
  }

 private:
  void lay_out(std::uint64_t step) {
    const RecordingHeader& header = recording_.header();
    std::vector<bool> there(header.body_count());
    for (std::size_t body = 0; body < there.size(); ++body) {
      there[body] = header.is_there(body, step);
    }
    if (there == laid_out_) return;
    layout_ = layout_of(header, step);
    laid_out_ = std::move(there);
  }

  void add_to_series(double time, int part, const std::filesystem::path& file) {
    series_ << "<DataSet timestep=\"" << time << "\" part=\"" << part << "\" file=\""
            << xml_text(file.filename().string()) << "\"/>\n";
  }

  // Shapes that stand still are written once, for all frames.
  void add_shapes(std::size_t number, double time) {
    if (shapes_move_ || number == 0) {
      shape_file_ = detail::export_path(
          options_, shapes_move_ ? frame_suffix("_shapes", number) : "_shapes.vtp");
      files_.push_back(shape_file_);
      detail::OutputFile file(shape_file_);
      write_shapes(shapes_, time, file);
    }
    add_to_series(time, 1, shape_file_);
  }

  const RecordingReader& recording_;
  const ExportOptions& options_;
  std::vector<std::filesystem::path> files_;
  detail::OutputFile series_;
  Layout layout_;
  std::vector<bool> laid_out_;  ///< which bodies `layout_` has
  std::vector<DrawnShape> shapes_;
  bool shapes_move_ = false;
  std::filesystem::path shape_file_;
};

}  // namespace

std::vector<std::filesystem::path> export_vtk(const RecordingReader& recording,
                                              const ExportOptions& options) {
  return VtkExport(recording, options).run();
}

}  // namespace carom
