#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "carom/recording/reader.h"

namespace carom {

struct ExportOptions {
  std::filesystem::path directory = ".";  ///< created when missing
  std::string prefix = "carom";           ///< how the names of the files begin
  std::size_t every = 1;                  ///< every n-th frame, from the first; at least 1
  /// Lower and upper corner of the box that a LAMMPS dump states, m; by default it just holds
  /// every exported ball.
  std::optional<std::array<std::array<double, 3>, 2>> box;
  /// Where a world repeats itself: [0] where the first copy begins, [1] the length of the period,
  /// 0 along axes that have none. Along the others it is the box of a LAMMPS dump, m.
  std::array<std::array<double, 3>, 2> period{};
  /// What a glTF file shows upwards, e.g. against gravity; zero: y.
  std::array<double, 3> up{};
  /// Files that Carom did not make may be replaced too, of whatever kind they are.
  bool replace_others = false;
};

/// Each returns the files it wrote, the one to open first. Numbers are written with as many digits
/// as it takes to read the same bits back. Throw RecordingError when there is no room, InputError
/// when the directory cannot be used, `every` is 0, or a file that Carom did not make is in the
/// way.

/// PREFIX.frames.csv, PREFIX.diagnostics.csv and, where events were recorded, PREFIX.events.csv.
std::vector<std::filesystem::path> export_csv(const RecordingReader& recording,
                                              const ExportOptions& options);
/// PREFIX.lammpstrj, a text dump (id type x y z vx vy vz radius mass, and quaternions and angular
/// velocities where bodies turn); OVITO opens it.
std::vector<std::filesystem::path> export_lammps(const RecordingReader& recording,
                                                 const ExportOptions& options);
/// PREFIX.pvd and one PREFIX_NNNNNN.vtp per frame; ParaView opens the .pvd. Balls are points, other
/// solids and surfaces triangles, chains lines.
std::vector<std::filesystem::path> export_vtk(const RecordingReader& recording,
                                              const ExportOptions& options);

/// PREFIX.glb, binary glTF 2.0 with one animation, for Blender, three.js and others. Numbers are
/// rounded to 32 bits, as the format has them; frames that cannot be told apart then are left out.
/// Needs memory for all exported poses.
std::vector<std::filesystem::path> export_glb(const RecordingReader& recording,
                                              const ExportOptions& options);

/// PREFIX_NNNNNN.obj, one per frame: triangles of surfaces, solids and shapes, and chains as lines;
/// balls are left out. Throws InputError where there is no frame.
std::vector<std::filesystem::path> export_obj(const RecordingReader& recording,
                                              const ExportOptions& options);

}  // namespace carom
