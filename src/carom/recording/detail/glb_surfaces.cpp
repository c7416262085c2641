// Surfaces and chains as glTF has them: one mesh whose morph targets are the frames of the run.
#include "carom/recording/detail/glb_surfaces.h"

#include <cmath>

namespace carom::detail {
namespace {

using Frame = MorphingPart::Frame;

std::vector<Frame> frames_of(std::span<const std::vector<float>> tracks) {
  std::vector<Frame> frames(tracks.empty() ? 0 : tracks[0].size() / 3);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    for (const std::vector<float>& track : tracks) {
      frames[k].push_back({track[3 * k], track[3 * k + 1], track[3 * k + 2]});
    }
  }
  return frames;
}

Vec3 place_of(const std::array<float, 3>& point) { return {point[0], point[1], point[2]}; }

// Sums of the triangles' normals around each vertex, weighted by their areas; along z where they
// have no direction.
Frame normals_of(const Frame& places, const std::vector<TriangleMesh::Triangle>& triangles) {
  std::vector<Vec3> sums(places.size());
  for (const TriangleMesh::Triangle& t : triangles) {
    const Vec3 a = place_of(places[t.a]);
    const Vec3 area = cross(place_of(places[t.b]) - a, place_of(places[t.c]) - a);
    for (const Index corner : {t.a, t.b, t.c}) sums[corner] = sums[corner] + area;
  }
  Frame normals;
  for (const Vec3& sum : sums) {
    const double length = std::sqrt(dot(sum, sum));
    const Vec3 unit = length > 0.0 ? (1.0 / length) * sum : Vec3{0.0, 0.0, 1.0};
    normals.push_back(
        {static_cast<float>(unit.x), static_cast<float>(unit.y), static_cast<float>(unit.z)});
  }
  return normals;
}

}  // namespace

std::vector<MorphingPart> morphing_parts(const RecordedSurface& surface,
                                         std::span<const std::vector<float>> tracks,
                                         std::size_t material) {
  std::vector<MorphingPart> parts;
  const std::vector<Frame> frames = frames_of(tracks);
  if (!surface.triangles.empty()) {
    MorphingPart sheet{frames, {}, {}, material};
    for (const Frame& places : frames) {
      sheet.normals.push_back(normals_of(places, surface.triangles));
    }
    for (const TriangleMesh::Triangle& t : surface.triangles) {
      sheet.corners.insert(sheet.corners.end(), {t.a, t.b, t.c});
    }
    parts.push_back(std::move(sheet));
  }
  MorphingPart chain{frames, {}, {}, material};
  for (const auto& [a, b] : chain_of(surface)) {
    chain.corners.insert(chain.corners.end(), {a, b});
  }
  if (!chain.corners.empty()) parts.push_back(std::move(chain));
  return parts;
}

std::vector<float> weights_of(std::size_t frames) {
  const std::size_t targets = frames - 1;
  std::vector<float> weights(frames * targets, 0.0F);
  for (std::size_t k = 1; k < frames; ++k) weights[k * targets + k - 1] = 1.0F;
  return weights;
}

}  // namespace carom::detail
