// The axes in which a symmetric matrix is diagonal, by Jacobi's rotations.
#include "carom/geometry/principal_axes.h"

#include <array>
#include <cmath>

#include "carom/core/types.h"

namespace carom {
namespace {

using Rows = std::array<std::array<double, 3>, 3>;

Rows rows_of(const Mat3& m) {
  Rows rows{};
  for (std::size_t i = 0; i < 3; ++i) rows[i] = {m.row[i].x, m.row[i].y, m.row[i].z};
  return rows;
}

// One rotation in the plane of axes p and q, by at most an eighth of a turn, that makes a[p][q]
// zero.
void rotate(Rows& a, Rows& axes, std::size_t p, std::size_t q) {
  const double slope = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
  const double t = std::copysign(1.0, slope) / (std::abs(slope) + std::hypot(1.0, slope));
  const double c = 1.0 / std::hypot(1.0, t);
  const double s = t * c;
  for (std::size_t k = 0; k < 3; ++k) {
    const double akp = a[k][p];
    const double akq = a[k][q];
    a[k][p] = c * akp - s * akq;
    a[k][q] = s * akp + c * akq;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const double apk = a[p][k];
    const double aqk = a[q][k];
    a[p][k] = c * apk - s * aqk;
    a[q][k] = s * apk + c * aqk;
    const double vkp = axes[k][p];
    const double vkq = axes[k][q];
    axes[k][p] = c * vkp - s * vkq;
    axes[k][q] = s * vkp + c * vkq;
  }
}

}  // namespace

PrincipalAxes principal_axes(const Mat3& symmetric) {
  // Each sweep squares what is left off the diagonal; six are enough for doubles, the rest is
  // spare.
  constexpr int kSweeps = 32;
  constexpr double kNegligible = 1e-13;
  constexpr std::array<std::array<std::size_t, 2>, 3> kPlanes = {{{0, 1}, {0, 2}, {1, 2}}};

  Rows a = rows_of(symmetric);
  Rows axes = rows_of(Mat3{});
  const double scale = std::abs(a[0][0]) + std::abs(a[1][1]) + std::abs(a[2][2]);
  double threshold = kNegligible * scale;  // of the given matrix; later sweeps go on to the end
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool rotated = false;
    for (const auto& [p, q] : kPlanes) {
      if (std::abs(a[p][q]) <= threshold) continue;
      rotate(a, axes, p, q);
      rotated = true;
    }
    if (!rotated) break;
    threshold = 0.25 * kRoundOff * scale;
  }

  constexpr std::array<std::array<std::size_t, 3>, 6> kOrders = {
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  PrincipalAxes best;
  double best_trace = -kInfinity;
  for (const auto& order : kOrders) {
    const auto column = [&](std::size_t k) {
      return Vec3{axes[0][order[k]], axes[1][order[k]], axes[2][order[k]]};
    };
    for (const double sign_x : {1.0, -1.0}) {
      for (const double sign_y : {1.0, -1.0}) {
        const Vec3 x = sign_x * column(0);
        const Vec3 y = sign_y * column(1);
        Vec3 z = column(2);
        if (dot(cross(x, y), z) < 0.0) z = -z;
        const double trace = x.x + y.y + z.z;
        // A tie within round-off goes to the earlier one.
        if (!(trace > best_trace + 1e-12)) continue;
        best_trace = trace;
        best.axes = transposed({{x, y, z}});
        best.values = {a[order[0]][order[0]], a[order[1]][order[1]], a[order[2]][order[2]]};
      }
    }
  }
  return best;
}

}  // namespace carom
