// Frames as a LAMMPS dump.
#include <algorithm>
#include <limits>
#include <string>

#include "carom/recording/detail/body_changes.h"
#include "carom/recording/detail/output_file.h"
#include "carom/recording/export.h"

namespace carom {
namespace {

using Box = std::array<std::array<double, 3>, 2>;

// The smallest box that holds every ball of every exported frame, so that the camera stays still.
Box box_of_balls(const RecordingReader& recording, std::size_t every) {
  constexpr double kFar = std::numeric_limits<double>::max();
  Box box = {{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}}};
  const std::vector<double>& radii = recording.header().radii;
  RecordedFrame frame;
  for (std::size_t number = 0; number < recording.frame_count(); number += every) {
    recording.read_frame(number, frame);
    for (std::size_t body = 0; body < radii.size(); ++body) {
      if (!recording.header().is_there(body, frame.step)) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const double at = frame.positions[3 * body + k];
        box[0][k] = std::min(box[0][k], at - radii[body]);
        box[1][k] = std::max(box[1][k], at + radii[body]);
      }
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(box[0][k] < box[1][k])) {  // nothing there, or points in a plane
      const double at = box[0][k] == kFar ? 0.0 : box[0][k];
      box[0][k] = at - 0.5;
      box[1][k] = at + 0.5;
    }
  }
  return box;
}

// The sides of the box, one word per axis: p periodic, f fixed.
struct Sides {
  Box box;
  std::string words;
};

Sides sides_of(const RecordingReader& recording, const ExportOptions& options) {
  Sides sides{options.box ? *options.box : box_of_balls(recording, options.every), ""};
  for (std::size_t k = 0; k < 3; ++k) {
    const bool periodic = options.period[1][k] > 0.0;
    if (periodic) {
      sides.box[0][k] = options.period[0][k];
      sides.box[1][k] = options.period[0][k] + options.period[1][k];
    }
    sides.words += periodic ? " pp" : " ff";
  }
  return sides;
}

}  // namespace

std::vector<std::filesystem::path> export_lammps(const RecordingReader& recording,
                                                 const ExportOptions& options) {
  const std::filesystem::path path = detail::export_path(options, ".lammpstrj");
  const RecordingHeader& header = recording.header();
  const Sides sides = sides_of(recording, options);
  detail::OutputFile out(path);
  RecordedFrame frame;
  for (std::size_t number = 0; number < recording.frame_count(); number += options.every) {
    recording.read_frame(number, frame);
    out << "ITEM: TIMESTEP\n"
        << frame.step << "\nITEM: NUMBER OF ATOMS\n"
        << detail::bodies_there(header, frame.step);
    out << "\nITEM: BOX BOUNDS" << sides.words << '\n';
    for (std::size_t k = 0; k < 3; ++k) out << sides.box[0][k] << ' ' << sides.box[1][k] << '\n';
    out << "ITEM: ATOMS id type x y z vx vy vz radius mass";
    if (header.any_turns()) out << " quatw quati quatj quatk omegax omegay omegaz";
    out << '\n';
    for (std::size_t body = 0; body < header.body_count(); ++body) {
      if (!header.is_there(body, frame.step)) continue;
      out << body + 1 << ' ' << std::uint64_t{header.materials[body]} + 1;
      for (std::size_t k = 0; k < 3; ++k) out << ' ' << frame.positions[3 * body + k];
      for (std::size_t k = 0; k < 3; ++k) out << ' ' << frame.velocities[3 * body + k];
      out << ' ' << header.radii[body] << ' ' << header.masses[body];
      if (header.any_turns()) {
        for (std::size_t k = 0; k < 4; ++k) out << ' ' << frame.orientations[4 * body + k];
        for (std::size_t k = 0; k < 3; ++k) out << ' ' << frame.angular_velocities[3 * body + k];
      }
      out << '\n';
    }
  }
  out.close();
  return {path};
}

}  // namespace carom
