#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"
#include "carom/impact/resolve.h"
#include "carom/scene/measures.h"
#include "carom/scene/parameters.h"
#include "carom/stepping/simulation.h"

namespace carom {

/// What a run writes down.
struct RecordSettings {
  std::uint64_t every = 1;  ///< steps from one frame to the next; > 0
  bool impulses = false;    ///< also every contact's impulse
  /// Steps from one checkpoint to the next; 0: only at the end and when interrupted.
  std::uint64_t checkpoint_every = 1000;
};

/// A map of space onto itself that the run should respect.
struct SymmetryExpectation {
  enum class Kind : std::uint8_t { mirror, rotation };
  Kind kind = Kind::mirror;
  Vec3 center;  ///< a place that stays where it is
  /// Unit: the mirror's normal, or the axis of the rotation (z in two dimensions).
  Vec3 axis;
  double angle = 0.0;  ///< of the rotation, radians
  /// Largest distance between the image of a ball and its partner, the ball that was at that place
  /// at the start (or nearest to it); a length.
  std::optional<double> error_at_most;
  std::optional<double> error_at_least;
  std::optional<double> time;  ///< s; without it the end
  bool whole_run = false;      ///< the largest over all times instead
};
[[nodiscard]] std::string_view to_string(SymmetryExpectation::Kind kind);

/// Where balls should be, and how fast, at one time.
struct StateExpectation {
  std::optional<double> time;  ///< s; without it the end
  struct Value {
    Index body = 0;
    Vec3 value;
  };
  std::vector<Value> positions;
  std::vector<Value> velocities;
  std::vector<Value> angular_velocities;  ///< of bodies that turn
  double tolerance = 1e-9;                ///< largest absolute difference of a component
};

/// What a file expects of one run. Only what it says is judged.
struct SceneExpectation {
  std::optional<std::string> status;          ///< of the run, e.g. "completed"
  std::optional<ImpactStatus> impact_status;  ///< the worst of all instants
  /// Largest relative |E - E0 - work| over the run.
  std::optional<double> energy_drift;
  std::optional<double> energy_drift_at_least;
  /// Largest |p - p0| over the run, relative to the sum of all |m v| at the start.
  std::optional<double> momentum_drift;
  std::optional<double> penetration;  ///< largest, in radii of the smaller ball
  std::optional<double> penetration_at_least;
  std::optional<std::uint64_t> applications_at_most;  ///< in any one instant
  std::vector<StateExpectation> states;
  std::vector<SymmetryExpectation> symmetries;

  [[nodiscard]] bool empty() const;
};

/// A file of kind "scene": balls, walls and forces, how to run them, and what should come out.
/// docs/scene-format.md describes the file.
struct Scene {
  std::string file;  ///< as given to the reader; for messages
  /// The file's text with the overrides inside: reads back as the same scene.
  std::string text;
  std::string title;
  std::string description;
  std::string figure;     ///< where the experiment is printed, e.g. "GR Fig. 5"
  Simulation simulation;  ///< its impact operator is the first of `operators`
  std::vector<std::string> operators = {"gr"};
  /// One per operator, in the same order.
  std::vector<SceneExpectation> expectations = {SceneExpectation{}};
  RecordSettings record;
  MeasureSettings measure;
  /// A registered check of the gallery; "" for none.
  std::string check;
  Parameters parameters;       ///< of the check
  Parameters slow_parameters;  ///< instead of those, in a slow run
};

/// Above these a file is refused before memory is used.
struct SceneLimits {
  std::uint64_t balls = 50'000'000;
};

/// Throws InputError on anything that is not a valid scene. `file` stands in the messages. Each of
/// `overrides`, "table.key=value", replaces or adds one value before the file is read; a fault in
/// it is told with the option instead of a line.
[[nodiscard]] Scene read_scene(std::string_view text, const std::string& file = "",
                               std::span<const std::string> overrides = {},
                               const SceneLimits& limits = {});
[[nodiscard]] Scene read_scene_file(const std::filesystem::path& path,
                                    std::span<const std::string> overrides = {});

/// The keys of the seeds of all generators of a scene, as overrides name them: "random[0].seed".
[[nodiscard]] std::vector<std::string> generator_seed_keys(std::string_view text,
                                                           const std::string& file = "");

/// What a file says it is: "instant" or "scene". Throws InputError on any other.
[[nodiscard]] std::string file_kind(std::string_view text, const std::string& file = "");
[[nodiscard]] std::string file_kind_of(const std::filesystem::path& path);

/// Kinds of status that [expect] can name.
[[nodiscard]] const std::vector<std::string>& run_status_names();

}  // namespace carom
