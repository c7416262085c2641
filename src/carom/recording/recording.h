#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "carom/core/name_list.h"

namespace carom {

// What a recording holds. docs/recording-format.md describes the file; writer.h writes it, reader.h
// reads it, export.h turns it into files of other programs. Units are the scene's; the names here
// are those of SI. Positions and velocities always have three numbers per body, z = 0 in 2D.

enum class ColumnType : std::uint32_t { real, integer };

/// One column of the diagnostics. The columns "step" and "time" come first in every recording and
/// are not listed; a scheme adds its own columns without a change of the format.
struct DiagnosticColumn {
  std::string name;  ///< not empty, without '/'; not "step" or "time"
  ColumnType type = ColumnType::real;
  std::string unit;  ///< e.g. "J"; "" for a count
  std::string description;

  bool operator==(const DiagnosticColumn&) const = default;
};

/// A number of each body that the frames of a scheme have beside place and velocity.
struct BodyColumn {
  std::string name;  ///< as of a DiagnosticColumn; not that of another dataset of the frames
  std::string unit;
  std::string description;

  bool operator==(const BodyColumn&) const = default;
};

/// double for a real column, std::uint64_t for an integer one.
using DiagnosticValue = std::variant<double, std::uint64_t>;

/// Of a body that stays until the end.
inline constexpr std::uint64_t kStays = std::numeric_limits<std::uint64_t>::max();

/// When a body is there, where bodies come and go: in the states after the steps `first_step` to
/// `last_step`, before whatever was changed between two steps.
struct BodyPresence {
  std::uint64_t id = 0;  ///< the program's; grows with the number of the body
  std::uint64_t first_step = 0;
  std::uint64_t last_step = kStays;

  bool operator==(const BodyPresence&) const = default;
};

/// What a program changed between two steps, as far as a recording holds it.
struct BodyChanges {
  std::uint64_t step = 0;           ///< after which
  std::vector<std::uint64_t> left;  ///< numbers of bodies
  // One entry for each body that joins; their numbers go on behind those that there are.
  std::vector<std::uint64_t> ids;  ///< rising
  std::vector<std::string> names;
  std::vector<double> masses;
  std::vector<double> radii;
  std::vector<std::uint32_t> materials;
  std::vector<std::uint32_t> solids;  ///< kNoSolid: a ball that does not turn
  std::string solids_json;            ///< of all so far; "" where no body turned yet
};

/// Of a body that does not turn.
inline constexpr std::uint32_t kNoSolid = 0xffffffffU;

/// Written once, when a recording is created. The texts are opaque here.
struct RecordingHeader {
  std::string scene_name;     ///< title or file name
  std::string scene_text;     ///< the scene file as it was run, with overrides applied
  std::string shapes_json;    ///< static and scripted shapes, for viewers
  std::string settings_json;  ///< everything else that the run was given
  std::string carom_version;
  std::string build;  ///< compiler, flags, build type
  std::string impact_operator;
  int dimension = 3;  ///< 2 or 3
  double step = 0.0;  ///< length of a time step, s; 0 when there is none

  // One entry per body.
  NameList body_names;
  std::vector<double> masses;            ///< kg
  std::vector<double> radii;             ///< m
  std::vector<std::uint32_t> materials;  ///< numbers of materials, as the scene counts them
  /// Number in `solids_json` of each body that turns, kNoSolid for balls that do not; empty where
  /// no body turns.
  std::vector<std::uint32_t> solids;
  std::string solids_json;  ///< surfaces of the solids, for viewers; "" where there are none
  /// Deformable surfaces and chains, whose vertices are bodies (surfaces.h); "" where there are
  /// none.
  std::string surfaces_json;

  std::vector<DiagnosticColumn> columns;
  std::vector<BodyColumn> body_columns;

  /// One entry for each body where some come or go; empty: all are there from the first step to the
  /// last, and their ids are their numbers.
  std::vector<BodyPresence> presence;
  /// The first step that the scene alone does not give, since a program changed something before
  /// it; none: the run is that of its scene.
  std::optional<std::uint64_t> driven_from;

  /// All that there ever are.
  [[nodiscard]] std::size_t body_count() const { return masses.size(); }
  [[nodiscard]] bool any_turns() const { return !solids.empty(); }
  [[nodiscard]] bool is_there(std::size_t body, std::uint64_t at) const {
    return presence.empty() || (presence[body].first_step <= at && at <= presence[body].last_step);
  }
  bool operator==(const RecordingHeader&) const = default;
};

/// The bodies after a step, as it is given to the writer: those that are there, in the order of
/// their numbers.
struct Frame {
  std::uint64_t step = 0;
  double time = 0.0;                   ///< s
  std::span<const double> positions;   ///< m, three per body
  std::span<const double> velocities;  ///< m/s, three per body
  // Empty where no body that is there turns.
  std::span<const double> orientations = {};        ///< quaternions w, x, y, z: four per body
  std::span<const double> angular_velocities = {};  ///< rad/s, three per body
  /// One per body column and body, column after column.
  std::span<const double> body_numbers = {};
};

/// The same, as it is read: every body has its place; the numbers of those that are not there
/// (RecordingHeader::is_there()) are NaN.
struct RecordedFrame {
  std::uint64_t step = 0;
  double time = 0.0;
  std::vector<double> positions;
  std::vector<double> velocities;
  std::vector<double> orientations = {};
  std::vector<double> angular_velocities = {};
  std::vector<double> body_numbers = {};
};

[[nodiscard]] bool has_body_column(const RecordingHeader& header, std::string_view name);
/// The numbers of a column that is there, one per body.
[[nodiscard]] std::vector<double> body_column(const RecordingHeader& header,
                                              const RecordedFrame& frame, std::string_view name);

/// One contact that transmitted an impulse.
struct ContactEvent {
  std::uint64_t step = 0;
  double time = 0.0;        ///< s
  std::int64_t body_a = 0;  ///< number of a body, or event_shape(number of a shape)
  std::int64_t body_b = 0;
  std::array<double, 3> normal{};   ///< unit vector from b to a
  std::array<double, 3> impulse{};  ///< N s, acting on a; b receives its opposite
  std::array<double, 3> point{};    ///< m

  bool operator==(const ContactEvent&) const = default;
};

/// How an event names a shape where a body could stand: -1 - shape, so that no body has its number.
[[nodiscard]] constexpr std::int64_t event_shape(std::uint32_t shape) {
  return -1 - static_cast<std::int64_t>(shape);
}

/// A moment from which a run can be continued to the same bits. The state is made and understood
/// by the stepper alone.
struct Checkpoint {
  std::uint64_t step = 0;
  double time = 0.0;  ///< s
  std::uint64_t state_hash = 0;
  std::vector<std::byte> state;
};

enum class RunStatus : std::uint32_t {
  finished,     ///< reached its end
  interrupted,  ///< was stopped and said so; it can be resumed
  crashed,      ///< ended without a word (kill, power, disk full)
  failed,       ///< stopped by itself, for the reason that is recorded
  running       ///< goes on: what is read is what has been written so far; in no file
};

[[nodiscard]] std::string_view to_string(RunStatus status);

/// How a run ended.
struct RunEnd {
  RunStatus status = RunStatus::finished;
  std::string reason;         ///< why, for `failed`; may be empty
  double wall_seconds = 0.0;  ///< how long it took; the only number that differs between two runs
};

}  // namespace carom
