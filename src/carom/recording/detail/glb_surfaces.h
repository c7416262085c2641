#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/recording/detail/glb_document.h"
#include "carom/recording/surfaces.h"

namespace carom::detail {

/// The triangles and the chains of a surface, each where it has some, with a shape for each frame.
/// `tracks`: of each vertex its places, three numbers per frame.
[[nodiscard]] std::vector<MorphingPart> morphing_parts(const RecordedSurface& surface,
                                                       std::span<const std::vector<float>> tracks,
                                                       std::size_t material);

/// Weights of the morph targets for each frame: none in the first, then one after the other. In
/// between, places go straight from one frame to the next.
[[nodiscard]] std::vector<float> weights_of(std::size_t frames);

}  // namespace carom::detail
