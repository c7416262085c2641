// Quantities and patterns over the frames of a run.
#include "carom/measures/measurements.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "carom/core/assert.h"

namespace carom {
namespace {

std::vector<Vec3> vectors(const std::vector<double>& numbers) {
  std::vector<Vec3> list(numbers.size() / 3);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
  }
  return list;
}

// Of bodies that are there: of others a frame has NaN.
std::vector<Vec3> there(std::vector<Vec3> list) {
  std::erase_if(list, [](const Vec3& v) { return std::isnan(v.x); });
  return list;
}

double share_above(std::span<const Vec3> position, const SidesMeasure& sides) {
  const auto above = std::count_if(position.begin(), position.end(), [&](const Vec3& q) {
    const double place = sides.axis == 0 ? q.x : sides.axis == 1 ? q.y : q.z;
    return place > sides.at;
  });
  return static_cast<double>(above) / static_cast<double>(position.size());
}

// One series for each number of a pattern's report.
class PatternSeries {
 public:
  void add(const PatternReport& report, double depth) {
    const double values[] = {report.amplitude, report.wavelength / depth, report.in_ring,
                             report.twofold,   report.fourfold,           report.sixfold,
                             report.triads};
    for (std::size_t k = 0; k < series_.size(); ++k) series_[k].values.push_back(values[k]);
  }
  void move_to(std::vector<MeasuredSeries>& all) {
    for (MeasuredSeries& series : series_) all.push_back(std::move(series));
  }

 private:
  std::vector<MeasuredSeries> series_ = {
      {"height, root mean square", "m", "heights", {}},
      {"wavelength, in depths of the layer", "", "wavelength", {}},
      {"share of the strongest ring of waves", "", "pattern", {}},
      {"twofold order", "", "pattern", {}},
      {"fourfold order", "", "pattern", {}},
      {"sixfold order", "", "pattern", {}},
      {"triads of waves", "", "pattern", {}},
  };
};

// One series for each layer; before bodies are marked there is nothing.
class LayerSeries {
 public:
  LayerSeries(const LayersMeasure& settings, const Simulation& simulation)
      : settings_(settings), simulation_(&simulation) {
    for (Index layer = 0; layer < settings.count; ++layer) {
      const std::string place = layer == 0                    ? " (bottom)"
                                : layer + 1 == settings.count ? " (top)"
                                                              : "";
      series_.push_back({"layer " + std::to_string(layer + 1) + place, "m", "layers", {}});
    }
  }

  void add(std::span<const Vec3> position, double time) {
    if (!markers_ && time >= settings_.from) {
      markers_.emplace(position, settings_.count, -1.0 * simulation_->forces.gravity,
                       simulation_->world.dimension);
    }
    const std::vector<double> risen =
        markers_ ? markers_->risen(position) : std::vector<double>(settings_.count, 0.0);
    for (Index layer = 0; layer < settings_.count; ++layer) {
      series_[layer].values.push_back(risen[layer]);
    }
  }
  void move_to(std::vector<MeasuredSeries>& all) {
    for (MeasuredSeries& series : series_) all.push_back(std::move(series));
  }

 private:
  LayersMeasure settings_;
  const Simulation* simulation_;
  std::optional<LayerMarkers> markers_;
  std::vector<MeasuredSeries> series_;
};

}  // namespace

double granular_temperature(std::span<const Vec3> velocity, int dimension) {
  if (velocity.empty()) return 0.0;
  const auto count = static_cast<double>(velocity.size());
  Vec3 mean;
  for (const Vec3& v : velocity) mean += (1.0 / count) * v;
  double sum = 0.0;
  for (const Vec3& v : velocity) sum += norm_squared(v - mean);
  return sum / (dimension * count);
}

LayerMarkers::LayerMarkers(std::span<const Vec3> position, Index layers, const Vec3& up,
                           int dimension)
    : layers_(layers), layer_of_(position.size()), start_(position.size()) {
  CAROM_DEMAND(layers > 0);
  const Vec3 last = dimension == 2 ? Vec3{0.0, 1.0, 0.0} : Vec3{0.0, 0.0, 1.0};
  up_ = up == Vec3{} ? last : (1.0 / norm(up)) * up;
  for (std::size_t i = 0; i < position.size(); ++i) start_[i] = height(position[i]);
  std::vector<std::size_t> order(position.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return start_[a] < start_[b]; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    layer_of_[order[k]] = static_cast<Index>(k * layers / order.size());
  }
}

std::vector<double> LayerMarkers::risen(std::span<const Vec3> position) const {
  CAROM_DEMAND(position.size() == start_.size());
  std::vector<double> sum(layers_, 0.0);
  std::vector<double> count(layers_, 0.0);
  for (std::size_t i = 0; i < position.size(); ++i) {
    sum[layer_of_[i]] += height(position[i]) - start_[i];
    count[layer_of_[i]] += 1.0;
  }
  for (Index layer = 0; layer < layers_; ++layer) {
    if (count[layer] > 0.0) sum[layer] /= count[layer];
  }
  return sum;
}

HeightField measured_heights(const Scene& scene, std::span<const Vec3> position, double time) {
  CAROM_DEMAND(scene.measure.heights.has_value());
  const HeightsMeasure& heights = *scene.measure.heights;
  const Simulation& simulation = scene.simulation;
  FieldWindow window{heights.lower, heights.length, heights.cell, HeightKind::mean};
  if (heights.floor != kNone) {
    const PlacedShape& floor = simulation.world.shapes[heights.floor];
    window.lower.z = offset_at(floor.motion, time).z;
    if (const auto* plane = std::get_if<HalfPlane>(&floor.shape)) window.lower.z += plane->point.z;
  }
  return height_field(position, simulation.world.bodies.radius, window);
}

HeightField measured_heights(const Scene& scene, const RecordedFrame& frame) {
  return measured_heights(scene, there(vectors(frame.positions)), frame.time);
}

PatternLimits pattern_limits(const HeightsMeasure& heights) {
  PatternLimits limits;
  limits.flat_below = 0.05 * heights.depth;
  limits.shortest = heights.depth;
  return limits;
}

std::vector<MeasuredSeries> measure_run(const RunRecord& record, const Scene& scene) {
  const MeasureSettings& measure = scene.measure;
  std::vector<MeasuredSeries> all;
  if (!measure.any()) return all;
  MeasuredSeries temperature{"granular temperature", "m\u00b2/s\u00b2", "granular temperature", {}};
  MeasuredSeries sides{"share on the upper side", "", "sides", {}};
  if (measure.sides) {
    sides.name = std::string("share with ") + "xyz"[measure.sides->axis] + " above the wall";
  }
  std::optional<LayerSeries> layers;
  // Layers are those of the bodies of the scene, which have to stay.
  if (measure.layers && record.header().presence.empty())
    layers.emplace(*measure.layers, scene.simulation);
  PatternSeries pattern;
  for (std::size_t k = 0; k < record.frame_times().size(); ++k) {
    const RecordedFrame frame = record.frame(k);
    const std::vector<Vec3> position = there(vectors(frame.positions));
    if (measure.temperature) {
      temperature.values.push_back(
          granular_temperature(there(vectors(frame.velocities)), scene.simulation.world.dimension));
    }
    if (measure.sides) sides.values.push_back(share_above(position, *measure.sides));
    if (layers) layers->add(position, frame.time);
    if (!measure.heights) continue;
    const Spectrum spectrum = spectrum_of(measured_heights(scene, position, frame.time));
    pattern.add(classify_pattern(spectrum, pattern_limits(*measure.heights)),
                measure.heights->depth);
  }
  if (measure.temperature) all.push_back(std::move(temperature));
  if (measure.sides) all.push_back(std::move(sides));
  if (layers) layers->move_to(all);
  if (measure.heights) pattern.move_to(all);
  return all;
}

}  // namespace carom
