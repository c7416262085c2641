#pragma once

#include <array>
#include <cmath>

#include "carom/geometry/vec3.h"

namespace carom {

/// Three by three numbers, row by row.
struct Mat3 {
  std::array<Vec3, 3> row{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

  friend bool operator==(const Mat3&, const Mat3&) = default;

  [[nodiscard]] static Mat3 diagonal(const Vec3& d) {
    return {{Vec3{d.x, 0, 0}, Vec3{0, d.y, 0}, Vec3{0, 0, d.z}}};
  }
  [[nodiscard]] static Mat3 zero() { return diagonal({}); }
  [[nodiscard]] Vec3 column(int k) const {
    const auto at = [k](const Vec3& v) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
    return {at(row[0]), at(row[1]), at(row[2])};
  }
};

[[nodiscard]] inline Vec3 operator*(const Mat3& m, const Vec3& v) {
  return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
[[nodiscard]] inline Mat3 transposed(const Mat3& m) {
  return {{m.column(0), m.column(1), m.column(2)}};
}
/// m' v, without forming the transpose.
[[nodiscard]] inline Vec3 transposed_times(const Mat3& m, const Vec3& v) {
  return v.x * m.row[0] + v.y * m.row[1] + v.z * m.row[2];
}
[[nodiscard]] inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  return {{transposed_times(b, a.row[0]), transposed_times(b, a.row[1]),
           transposed_times(b, a.row[2])}};
}
[[nodiscard]] inline Mat3 operator+(const Mat3& a, const Mat3& b) {
  return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
}
[[nodiscard]] inline Mat3 operator*(double factor, const Mat3& m) {
  return {{factor * m.row[0], factor * m.row[1], factor * m.row[2]}};
}
[[nodiscard]] inline double determinant(const Mat3& m) {
  return dot(m.row[0], cross(m.row[1], m.row[2]));
}

/// A rotation as a unit quaternion w + xi + yj + zk; q and -q are the same rotation.
struct Quaternion {
  double w = 1.0;
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

/// First b, then a.
[[nodiscard]] inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
[[nodiscard]] inline Quaternion conjugate(const Quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }
[[nodiscard]] inline double norm_squared(const Quaternion& q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}
[[nodiscard]] inline Quaternion normalized(const Quaternion& q) {
  const double length = std::sqrt(norm_squared(q));
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}
[[nodiscard]] inline bool is_finite(const Quaternion& q) {
  return std::isfinite(q.w) && is_finite(Vec3{q.x, q.y, q.z});
}

/// The matrix that turns body coordinates into world coordinates; orthogonal to round-off also
/// where the quaternion's length is not quite 1.
[[nodiscard]] inline Mat3 matrix_of(const Quaternion& q) {
  const double s = 2.0 / norm_squared(q);
  const double xx = s * q.x * q.x;
  const double yy = s * q.y * q.y;
  const double zz = s * q.z * q.z;
  const double xy = s * q.x * q.y;
  const double xz = s * q.x * q.z;
  const double yz = s * q.y * q.z;
  const double wx = s * q.w * q.x;
  const double wy = s * q.w * q.y;
  const double wz = s * q.w * q.z;
  return {{Vec3{1.0 - (yy + zz), xy - wz, xz + wy}, Vec3{xy + wz, 1.0 - (xx + zz), yz - wx},
           Vec3{xz - wy, yz + wx, 1.0 - (xx + yy)}}};
}

/// The rotation of a proper orthogonal matrix.
[[nodiscard]] Quaternion quaternion_of(const Mat3& rotation);
/// By an angle (radians) about an axis of any length but zero.
[[nodiscard]] Quaternion rotation_about(const Vec3& axis, double angle);

/// Where a body is, and how it is turned.
struct Pose {
  Vec3 position;
  Mat3 rotation;  ///< body coordinates to world coordinates

  friend bool operator==(const Pose&, const Pose&) = default;

  [[nodiscard]] Vec3 to_world(const Vec3& place) const { return position + rotation * place; }
  [[nodiscard]] Vec3 to_body(const Vec3& place) const {
    return transposed_times(rotation, place - position);
  }
};

/// First b, then a.
[[nodiscard]] inline Pose operator*(const Pose& a, const Pose& b) {
  return {a.to_world(b.position), a.rotation * b.rotation};
}

}  // namespace carom
