#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/measures/patterns.h"
#include "carom/runs/run_record.h"
#include "carom/scene/scene.h"

namespace carom {

/// A quantity at the frames of a run.
struct MeasuredSeries {
  std::string name;  ///< "granular temperature"
  std::string unit;
  std::string plot;  ///< series with the same word belong together
  std::vector<double> values;
};

/// What the scene's [measure] asks for, at every frame of a recorded run. It follows from the
/// places and velocities of the frames, so that a recording holds nothing twice and a resumed run
/// is measured as an uninterrupted one.
[[nodiscard]] std::vector<MeasuredSeries> measure_run(const RunRecord& record, const Scene& scene);

/// Mean square of one component of the velocity about the mean velocity, bodies counted alike:
/// a speed squared.
[[nodiscard]] double granular_temperature(std::span<const Vec3> velocity, int dimension);

/// Bodies in layers of equal numbers, the lowest first.
class LayerMarkers {
 public:
  /// `up` need not be a unit vector; where it is zero layers are along the last axis.
  LayerMarkers(std::span<const Vec3> position, Index layers, const Vec3& up, int dimension);

  /// The layer of each body.
  [[nodiscard]] const std::vector<Index>& layer_of() const { return layer_of_; }
  /// How far each layer's bodies have risen since they were marked, on average.
  [[nodiscard]] std::vector<double> risen(std::span<const Vec3> position) const;

 private:
  [[nodiscard]] double height(const Vec3& place) const { return dot(up_, place); }

  Vec3 up_;
  Index layers_;
  std::vector<Index> layer_of_;
  std::vector<double> start_;  ///< height of each body when it was marked
};

/// The height map that a scene's [measure] describes, which it must have.
[[nodiscard]] HeightField measured_heights(const Scene& scene, std::span<const Vec3> position,
                                           double time);
/// The same of a recorded frame.
[[nodiscard]] HeightField measured_heights(const Scene& scene, const RecordedFrame& frame);
/// Waves shorter than the layer's depth are those of single grains, and a layer whose heights vary
/// by less than a twentieth of it is flat.
[[nodiscard]] PatternLimits pattern_limits(const HeightsMeasure& heights);

}  // namespace carom
