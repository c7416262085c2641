#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/types.h"

namespace carom {

/// A quantity over time, drawn below the scene.
struct PageSeries {
  std::string name;    ///< "total energy"
  std::string unit;    ///< "J"; may be empty
  std::string plot;    ///< series with the same word share one plot; empty: a plot of its own
  double scale = 0.0;  ///< what variation is measured against, in `unit`; 0: the largest |value|
  bool whole = false;  ///< counts something: the axis shows whole numbers only
  bool logarithmic = false;    ///< on an axis of powers of ten at first; needs a value above 0
  std::vector<double> times;   ///< s, never decreasing
  std::vector<double> values;  ///< one per time; a NaN leaves a hole
};

/// One impulse at one contact.
struct PageArrow {
  double time = 0.0;                ///< s
  std::array<double, 3> point{};    ///< where the bodies touch, m
  std::array<double, 3> impulse{};  ///< on body_a, N s; body_b receives the opposite
  Index body_a = kNone;
  Index body_b = kNone;            ///< kNone: a shape
  std::array<double, 3> normal{};  ///< of the contact, towards body_a; zero: along the impulse
};

/// A spring, drawn as one.
struct PageSpring {
  Index body_a = kNone;
  Index body_b = kNone;           ///< kNone: the other end is `point`
  std::array<double, 3> point{};  ///< m
  double length = 0.0;            ///< at rest, m
};

/// A map of heights over the x-y plane, drawn beside the scene from the places of the bodies.
struct PageHeights {
  double cell = 0.0;               ///< edge of a cell, at most, m
  std::array<double, 2> lower{};   ///< of the window, m
  std::array<double, 2> length{};  ///< of its edges, m
  Index floor = kNone;  ///< number of the shape that heights are measured from; kNone: z = 0
};

/// One recorded run, as the page needs it.
struct PageRun {
  std::string title;            ///< "55-ball break"
  std::string impact_operator;  ///< "gr"; empty where the scheme resolves no impacts
  std::string method;           ///< instead: "asynchronous, harmon layers, anchored friction"
  std::string scene_name;       ///< file name, shown small
  std::string description;      ///< what the scene's file says of itself; may be empty
  std::string figure;           ///< where the experiment is printed; may be empty
  int dimension = 2;            ///< 2: seen flat, third coordinates are ignored; 3: with orbit
  /// In space, what is shown upwards, e.g. against gravity; zero: the first half-plane's normal,
  /// else y.
  std::array<double, 3> up{};
  double time_step = 0.0;  ///< s, of the simulation; 0: not shown
  /// The lengths after which a periodic world repeats itself, 0 along other axes: a ball that
  /// leaves on one side and comes in on the other has not crossed the picture.
  std::array<double, 3> period{};

  /// One per body, m; of a solid: how far it reaches; of a vertex: half the thickness, may be 0.
  std::vector<double> radii;
  std::vector<std::string> names;  ///< one per body, or none: "body 0", "body 1", ...
  /// One per body, or none where no body turns: its number in `solids_json`, kNoSolid for a ball
  /// that does not turn.
  std::vector<std::uint32_t> solids;
  std::string solids_json;    ///< as in recordings (recording/solids.h)
  std::string surfaces_json;  ///< likewise (recording/surfaces.h); "" where there are none

  std::vector<double> times;                   ///< one per frame, s, increasing
  std::vector<std::vector<double>> positions;  ///< per frame, three numbers per body, m
  /// Per frame, three numbers per body, m/s; or no frame at all: nothing is coloured by speed.
  std::vector<std::vector<double>> velocities;
  /// Per frame, quaternions w, x, y, z of all bodies; no frame at all where no body turns.
  std::vector<std::vector<double>> orientations;
  /// The first time and the last at which each body is shown, s; {1, 0} of one that never is; none
  /// where all are there all the while. Where a body is not there its numbers are not looked at.
  std::vector<std::array<double, 2>> presence;
  /// Per frame, the deepest layer of contact that acts on each body; no frame at all: nothing is
  /// coloured by it.
  std::vector<std::vector<std::uint32_t>> layers;
  /// How the run ended or what else it came to, where that is not as planned, for its panel and the
  /// header: "interrupted at 0.25 s of 1 s"; empty: as planned.
  std::string end;
  std::size_t recorded_frames = 0;  ///< of the recording, where these are only some; 0: all

  /// A JSON array of objects; vectors are arrays of three numbers:
  ///   {"type": "half_plane", "point": p, "normal": n}
  ///   {"type": "segment", "a": p, "b": p}
  ///   {"type": "sphere_inside" or "sphere_outside", "center": p, "radius": r}
  ///   {"type": "box_inside", "lower": p, "upper": p}
  ///   {"type": "solid", "surface": {"vertices": [p, ...], "triangles": [[0, 1, 2], ...]},
  ///    "position": p, "orientation": [w, x, y, z]}
  /// Each may have a "name", and a "motion": {"times": [...], "offsets": [p, ...]} that is added to
  /// the shape and interpolated linearly. In the plane a sphere is a circle.
  std::string shapes_json = "[]";

  std::optional<PageHeights> heights;  ///< in space only
  std::vector<PageSeries> series;
  std::vector<PageArrow> arrows;  ///< in the order of time
  std::vector<PageSpring> springs;
};

struct PageSettings {
  double max_megabytes = 50.0;  ///< of the whole file, 10^6 bytes each
  /// Largest error of a shown coordinate over the largest extent of the run.
  double position_error = 1e-6;
  /// The same where that keeps every frame of a page that would otherwise be too large; where it
  /// does not, frames are dropped.
  double coarsest_position_error = 1e-5;
  std::size_t max_series_points = 4000;  ///< longer series are thinned; extremes stay
};

struct PageResult {
  std::string html;
  double position_error = 0.0;  ///< bound on every shown coordinate at a kept frame, m
  double speed_error = 0.0;     ///< bound on every shown speed at a kept frame, m/s
  /// Bound on the angle between shown and given orientations at a kept frame, rad; 0: none turn.
  double orientation_error = 0.0;
  std::size_t frame_stride = 1;  ///< every frame_stride-th frame is kept, and the last one
  std::size_t frames_kept = 0;   ///< over all runs
  std::size_t frames_given = 0;
  std::size_t arrows_kept = 0;  ///< over all runs; the strongest of each moment stay
  std::size_t arrows_given = 0;
};

/// One self-contained HTML file that shows the runs on one clock. `page_template` is the viewer
/// (viewer/), which holds kPageDataMark exactly once.
///
/// Coordinates become whole multiples of a quantum and are stored as their second differences over
/// the frames, which free flight keeps near zero: about one byte per number. Components of
/// quaternions are stored alike, with 16 bits. Throws InputError
/// where the parts of a run do not fit together, runs differ in their dimension, a number is not
/// finite, or not even two frames fit into max_megabytes.
[[nodiscard]] PageResult make_page(std::string_view page_template, std::span<const PageRun> runs,
                                   const PageSettings& settings = {});

/// Where the data stand in the template.
inline constexpr std::string_view kPageDataMark = "{{carom-data}}";

}  // namespace carom
