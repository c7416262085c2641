// Free rotation of a rigid body over one step.
#include "carom/integrators/free_rotation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/types.h"

namespace carom {
namespace {

// Beyond this angle (radians) a step is done in parts.
constexpr double kLargestTurn = 0.25;
// A body that turns by more than this many parts, thousands of radians, in one step has lost any
// relation to its step: it is followed with parts that are too large, but it does not stop the run.
constexpr double kMostParts = 1e4;
// Newton's method doubles the digits; from the first guess four rounds reach round-off.
constexpr int kMostNewtonSteps = 12;

Vec3 divided(const Vec3& a, const Vec3& b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }

Vec3 body_momentum(const Vec3& moments, const Mat3& rotation, const Vec3& angular_velocity) {
  const Vec3 omega = transposed_times(rotation, angular_velocity);
  return {moments.x * omega.x, moments.y * omega.y, moments.z * omega.z};
}

// (4) to (6)
Vec3 preprocessed(const Vec3& moments, const Vec3& y, double step) {
  const double product = moments.x * moments.y * moments.z;
  const double energy = 0.5 * dot(y, divided(y, moments));
  const double casimir = 0.5 * norm_squared(y);
  const double t = (moments.x + moments.y + moments.z) / (6.0 * product);
  const double inverse_sum = 1.0 / moments.x + 1.0 / moments.y + 1.0 / moments.z;
  const double square = step * step;
  const double s = square * (t * casimir - inverse_sum * energy / 3.0);
  const double d = square * (t * energy - casimir / (3.0 * product));
  return {moments.x / (1.0 + s + d * moments.x), moments.y / (1.0 + s + d * moments.y),
          moments.z / (1.0 + s + d * moments.z)};
}

Vec3 solved(const Mat3& m, const Vec3& right) {
  const Vec3 c0 = cross(m.row[1], m.row[2]);
  const Vec3 c1 = cross(m.row[2], m.row[0]);
  const Vec3 c2 = cross(m.row[0], m.row[1]);
  const double scale = 1.0 / dot(m.row[0], c0);
  return scale * (right.x * c0 + right.y * c1 + right.z * c2);
}

Quaternion exact_turn(const Vec3& angular_velocity, double step) {
  const double speed = norm(angular_velocity);
  if (!(speed > 0.0)) return {};
  return rotation_about(angular_velocity, speed * step);
}

// Solves (1) for the vector part of e by Newton's method, e_0 = sqrt(1 - |e|^2).
Quaternion step_rotation(const Vec3& moments, const Vec3& y, double step) {
  const Vec3 target = 0.5 * step * y;
  const Vec3 differences = {moments.z - moments.y, moments.x - moments.z, moments.y - moments.x};
  Vec3 e = divided(target, moments);
  // Too large a part: (1) may have no solution, a turn about the axis of the moment always has.
  if (!(norm_squared(e) < 0.5)) return exact_turn(divided(y, moments), step);
  double e0 = std::sqrt(std::max(0.0, 1.0 - norm_squared(e)));
  double last = kInfinity;
  for (int round = 0; round < kMostNewtonSteps; ++round) {
    const Vec3 residual = {moments.x * e0 * e.x + differences.x * e.y * e.z - target.x,
                           moments.y * e0 * e.y + differences.y * e.z * e.x - target.y,
                           moments.z * e0 * e.z + differences.z * e.x * e.y - target.z};
    // derivative of e_0 by e is -e / e_0
    const Vec3 slope = (-1.0 / e0) * e;
    const Mat3 jacobian = {
        {Vec3{moments.x * (e0 + slope.x * e.x), moments.x * slope.y * e.x + differences.x * e.z,
              moments.x * slope.z * e.x + differences.x * e.y},
         Vec3{moments.y * slope.x * e.y + differences.y * e.z, moments.y * (e0 + slope.y * e.y),
              moments.y * slope.z * e.y + differences.y * e.x},
         Vec3{moments.z * slope.x * e.z + differences.z * e.y,
              moments.z * slope.y * e.z + differences.z * e.x, moments.z * (e0 + slope.z * e.z)}}};
    const Vec3 change = solved(jacobian, residual);
    e -= change;
    e0 = std::sqrt(std::max(0.0, 1.0 - norm_squared(e)));
    const double size = norm_squared(change);
    // At round-off the changes stop shrinking.
    if (!(size < 0.25 * last) || size == 0.0) break;
    last = size;
  }
  return normalized({e0, e.x, e.y, e.z});
}

}  // namespace

std::string_view to_string(RotationScheme scheme) {
  return scheme == RotationScheme::moser_veselov ? "moser_veselov" : "moser_veselov_4";
}

std::vector<std::string> rotation_scheme_names() {
  return {std::string(to_string(RotationScheme::moser_veselov)),
          std::string(to_string(RotationScheme::moser_veselov_4))};
}

RotationScheme rotation_scheme(std::string_view name) {
  for (const RotationScheme scheme :
       {RotationScheme::moser_veselov, RotationScheme::moser_veselov_4}) {
    if (to_string(scheme) == name) return scheme;
  }
  throw InputError({}, unknown_name_message("rotation scheme", name, rotation_scheme_names()));
}

Turning free_rotation(const Vec3& moments, const Turning& start, double step,
                      RotationScheme scheme) {
  if (start.angular_velocity == Vec3{}) return start;
  if (moments.x == moments.y && moments.y == moments.z) {
    return {normalized(exact_turn(start.angular_velocity, step) * start.orientation),
            start.angular_velocity};
  }
  const Mat3 begin = matrix_of(start.orientation);
  Vec3 y = body_momentum(moments, begin, start.angular_velocity);
  const double smallest = std::min({moments.x, moments.y, moments.z});
  // The body's own speed varies; this is its bound.
  const double turn = std::abs(step) * norm(y) / smallest;
  const auto parts =
      static_cast<std::uint32_t>(std::clamp(std::ceil(turn / kLargestTurn), 1.0, kMostParts));
  const double part = step / parts;
  const Vec3 used =
      scheme == RotationScheme::moser_veselov ? moments : preprocessed(moments, y, part);
  const Vec3 spatial = begin * y;
  Quaternion orientation = start.orientation;
  for (std::uint32_t k = 0; k < parts; ++k) {
    const Quaternion e = step_rotation(used, y, part);  // (1)
    orientation = normalized(orientation * e);          // (2)
    y = transposed_times(matrix_of(e), y);              // (3)
  }
  const Mat3 end = matrix_of(orientation);
  Vec3 omega = end * divided(transposed_times(end, spatial), moments);
  // The next step computes the momentum in just this way: without the correction round-off would
  // have a direction, and add up over a million steps.
  const Vec3 lost = spatial - end * body_momentum(moments, end, omega);
  omega += end * divided(transposed_times(end, lost), moments);
  return {orientation, omega};
}

Turning free_rotation_2d(const Turning& start, double step) {
  if (start.angular_velocity.z == 0.0) return start;
  const double half = 0.5 * step * start.angular_velocity.z;
  const Quaternion turn = {std::cos(half), 0.0, 0.0, std::sin(half)};
  return {normalized(turn * start.orientation), start.angular_velocity};
}

}  // namespace carom
