// Frames, diagnostics and events as CSV.
#include <string>

#include "carom/recording/detail/output_file.h"
#include "carom/recording/export.h"

namespace carom {
namespace {

// RFC 4180: a field with a separator, a quote or a line break is quoted, its quotes doubled.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

void write_frames(const RecordingReader& recording, const ExportOptions& options,
                  detail::OutputFile& out) {
  const RecordingHeader& header = recording.header();
  std::vector<std::string> names;
  for (const std::string& name : header.body_names) names.push_back(csv_field(name));
  out << "step,time,body,name,x,y,z,vx,vy,vz,radius";
  if (header.any_turns()) out << ",qw,qx,qy,qz,wx,wy,wz";
  for (const BodyColumn& column : header.body_columns) out << ',' << csv_field(column.name);
  out << '\n';
  RecordedFrame frame;
  for (std::size_t number = 0; number < recording.frame_count(); number += options.every) {
    recording.read_frame(number, frame);
    for (std::size_t body = 0; body < names.size(); ++body) {
      if (!header.is_there(body, frame.step)) continue;
      out << frame.step << ',' << frame.time << ',' << body << ',' << names[body];
      for (std::size_t k = 0; k < 3; ++k) out << ',' << frame.positions[3 * body + k];
      for (std::size_t k = 0; k < 3; ++k) out << ',' << frame.velocities[3 * body + k];
      out << ',' << header.radii[body];
      if (header.any_turns()) {
        for (std::size_t k = 0; k < 4; ++k) out << ',' << frame.orientations[4 * body + k];
        for (std::size_t k = 0; k < 3; ++k) out << ',' << frame.angular_velocities[3 * body + k];
      }
      for (std::size_t k = 0; k < header.body_columns.size(); ++k) {
        out << ',' << frame.body_numbers[k * names.size() + body];
      }
      out << '\n';
    }
  }
  out.close();
}

void write_diagnostics(const RecordingReader& recording, detail::OutputFile& out) {
  const std::vector<DiagnosticColumn>& columns = recording.header().columns;
  std::vector<std::vector<double>> reals(columns.size());
  std::vector<std::vector<std::uint64_t>> integers(columns.size());
  out << "step,time";
  for (std::size_t k = 0; k < columns.size(); ++k) {
    out << ',' << csv_field(columns[k].name);
    if (columns[k].type == ColumnType::real) {
      reals[k] = recording.real_column(columns[k].name);
    } else {
      integers[k] = recording.integer_column(columns[k].name);
    }
  }
  out << '\n';
  const std::vector<std::uint64_t> steps = recording.integer_column("step");
  const std::vector<double> times = recording.real_column("time");
  for (std::size_t row = 0; row < steps.size(); ++row) {
    out << steps[row] << ',' << times[row];
    for (std::size_t k = 0; k < columns.size(); ++k) {
      out << ',';
      if (columns[k].type == ColumnType::real) {
        out << reals[k][row];
      } else {
        out << integers[k][row];
      }
    }
    out << '\n';
  }
  out.close();
}

void write_events(const RecordingReader& recording, detail::OutputFile& out) {
  constexpr std::size_t kBlock = 4096;
  out << "step,time,body_a,body_b,normal_x,normal_y,normal_z,impulse_x,impulse_y,impulse_z,"
         "point_x,point_y,point_z\n";
  const std::size_t count = recording.event_count();
  for (std::size_t first = 0; first < count; first += kBlock) {
    for (const ContactEvent& event : recording.events(first, std::min(kBlock, count - first))) {
      out << event.step << ',' << event.time << ',' << event.body_a << ',' << event.body_b;
      for (const auto* vector : {&event.normal, &event.impulse, &event.point}) {
        for (const double value : *vector) out << ',' << value;
      }
      out << '\n';
    }
  }
  out.close();
}

}  // namespace

std::vector<std::filesystem::path> export_csv(const RecordingReader& recording,
                                              const ExportOptions& options) {
  std::vector<std::filesystem::path> files = {detail::export_path(options, ".frames.csv"),
                                              detail::export_path(options, ".diagnostics.csv")};
  detail::OutputFile frames(files[0]);
  write_frames(recording, options, frames);
  detail::OutputFile diagnostics(files[1]);
  write_diagnostics(recording, diagnostics);
  if (recording.event_count() > 0) {
    files.push_back(detail::export_path(options, ".events.csv"));
    detail::OutputFile events(files.back());
    write_events(recording, events);
  }
  return files;
}

}  // namespace carom
