#pragma once

#include "carom/geometry/rotation.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// What a symmetric matrix is in its own axes: matrix = axes diagonal(values) axes'.
struct PrincipalAxes {
  Vec3 values;
  Mat3 axes;  ///< a proper rotation; columns are the axes
};
/// Eigenvectors by Jacobi's rotations. Of the 24 ways to number and direct the axes, the one
/// nearest to the identity. Off-diagonal elements below 1e-13 of the trace count as round-off and
/// as zero: a symmetric body keeps its own coordinates instead of turning by chance.
[[nodiscard]] PrincipalAxes principal_axes(const Mat3& symmetric);

}  // namespace carom
