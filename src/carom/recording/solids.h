#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/geometry/rotation.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"
#include "carom/recording/recording.h"

namespace carom {

// The forms of what turns, as recordings hold them (docs/recording-format.md): texts in JSON that
// every program reads. Pages and exports get their triangles here.

/// One entry of RecordingHeader::solids_json.
struct RecordedSolid {
  std::string type;      ///< "box"
  double radius = 0.0;   ///< of a ball, m; 0: it has a surface
  TriangleMesh surface;  ///< in body coordinates, m; empty for a ball

  [[nodiscard]] bool is_ball() const { return radius > 0.0; }
};
/// "" is an empty list. Throws InputError where the text is not such a list; `key` names the text.
[[nodiscard]] std::vector<RecordedSolid> read_solids(std::string_view text, const std::string& key);

/// Those of a recording, with every body's number among them; throws InputError otherwise.
[[nodiscard]] std::vector<RecordedSolid> recorded_solids(const RecordingHeader& header);

/// Where a body of a frame is, and how it is turned; unturned where no body turns.
[[nodiscard]] Pose pose_of(const RecordedFrame& frame, std::size_t body);

/// A solid that stands still or follows a script: a shape of the type "solid".
struct RecordedObstacle {
  std::string name;
  TriangleMesh surface;  ///< in the obstacle's own coordinates, m
  Vec3 position;
  Quaternion orientation;
  /// What is added to the position at these times, linearly in between; empty: it stands still.
  std::vector<double> times;
  std::vector<Vec3> offsets;
};
/// The obstacles among the shapes of RecordingHeader::shapes_json, in their order.
[[nodiscard]] std::vector<RecordedObstacle> read_obstacles(std::string_view text,
                                                           const std::string& key);

}  // namespace carom
