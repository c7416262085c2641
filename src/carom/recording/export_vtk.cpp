#include <cmath>
#include <numeric>
#include <string>

#include "carom/recording/detail/output_file.h"
#include "carom/recording/export.h"

namespace carom {
namespace {

// One array of a .vtp file: its XML element and its bytes in the appended block.
struct DataArray {
  std::string name;
  std::string type;
  int components = 1;
  std::span<const std::byte> bytes;
};

template <typename T>
DataArray array_of(const std::string& name, const std::string& type, const std::vector<T>& values,
                   int components = 1) {
  return {name, type, components, std::as_bytes(std::span(values))};
}

// Writes the elements first, with the places that the arrays will have, and then the arrays.
class VtpWriter {
 public:
  explicit VtpWriter(detail::OutputFile& out) : out_(out) {}

  void element(const DataArray& array) {
    out_ << "<DataArray type=\"" << array.type << "\" Name=\"" << array.name
         << "\" NumberOfComponents=\"" << array.components << "\" format=\"appended\" offset=\""
         << offset_ << "\"/>\n";
    offset_ += sizeof(std::uint64_t) + array.bytes.size();
    arrays_.push_back(array.bytes);
  }

  void appended() {
    out_ << "<AppendedData encoding=\"raw\">\n_";
    for (const std::span<const std::byte> bytes : arrays_) {
      const std::uint64_t size = bytes.size();
      out_.write(std::as_bytes(std::span(&size, 1)));
      out_.write(bytes);
    }
    out_ << "\n</AppendedData>\n";
  }

 private:
  detail::OutputFile& out_;
  std::uint64_t offset_ = 0;
  std::vector<std::span<const std::byte>> arrays_;
};

std::vector<double> speeds_of(const std::vector<double>& velocities) {
  std::vector<double> speeds;
  speeds.reserve(velocities.size() / 3);
  for (std::size_t k = 0; k < velocities.size(); k += 3) {
    speeds.push_back(std::hypot(velocities[k], velocities[k + 1], velocities[k + 2]));
  }
  return speeds;
}

void write_frame(const RecordingHeader& header, const RecordedFrame& frame,
                 detail::OutputFile& out) {
  const std::size_t count = header.body_count();
  std::vector<std::int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  std::vector<std::int64_t> ends(count);
  std::iota(ends.begin(), ends.end(), std::int64_t{1});
  const std::vector<double> speeds = speeds_of(frame.velocities);

  VtpWriter vtp(out);
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
         "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n"
         "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
         "format=\"ascii\">"
      << frame.time << "</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"" << count
      << "\" NumberOfVerts=\"" << count
      << "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n"
         "<PointData Scalars=\"speed\" Vectors=\"velocity\">\n";
  vtp.element(array_of("velocity", "Float64", frame.velocities, 3));
  vtp.element(array_of("speed", "Float64", speeds));
  vtp.element(array_of("radius", "Float64", header.radii));
  vtp.element(array_of("mass", "Float64", header.masses));
  vtp.element(array_of("material", "UInt32", header.materials));
  vtp.element(array_of("id", "Int64", numbers));
  out << "</PointData>\n<Points>\n";
  vtp.element(array_of("position", "Float64", frame.positions, 3));
  out << "</Points>\n<Verts>\n";
  vtp.element(array_of("connectivity", "Int64", numbers));
  vtp.element(array_of("offsets", "Int64", ends));
  out << "</Verts>\n</Piece>\n</PolyData>\n";
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

std::string frame_suffix(std::size_t number) {
  const std::string digits = std::to_string(number);
  return "_" + std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits + ".vtp";
}

}  // namespace

std::vector<std::filesystem::path> export_vtk(const RecordingReader& recording,
                                              const ExportOptions& options) {
  std::vector<std::filesystem::path> files = {detail::export_path(options, ".pvd")};
  detail::OutputFile series(files[0]);
  series << "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
            "byte_order=\"LittleEndian\">\n<Collection>\n";
  RecordedFrame frame;
  for (std::size_t number = 0; number < recording.frame_count(); number += options.every) {
    recording.read_frame(number, frame);
    files.push_back(detail::export_path(options, frame_suffix(number)));
    detail::OutputFile file(files.back());
    write_frame(recording.header(), frame, file);
    series << "<DataSet timestep=\"" << frame.time << "\" part=\"0\" file=\""
           << xml_text(files.back().filename().string()) << "\"/>\n";
  }
  series << "</Collection>\n</VTKFile>\n";
  series.close();
  return files;
}

}  // namespace carom
