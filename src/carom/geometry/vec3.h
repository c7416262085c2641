#pragma once

#include <cmath>

namespace carom {

/// A point or a direction of space. In two dimensions z is 0 and stays exactly 0.
struct Vec3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  friend bool operator==(const Vec3&, const Vec3&) = default;

  Vec3& operator+=(const Vec3& other) {
    x += other.x;
    y += other.y;
    z += other.z;
    return *this;
  }
  Vec3& operator-=(const Vec3& other) {
    x -= other.x;
    y -= other.y;
    z -= other.z;
    return *this;
  }
  Vec3& operator*=(double factor) {
    x *= factor;
    y *= factor;
    z *= factor;
    return *this;
  }
};

[[nodiscard]] inline Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
[[nodiscard]] inline Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
[[nodiscard]] inline Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
[[nodiscard]] inline Vec3 operator*(double factor, Vec3 a) { return a *= factor; }
[[nodiscard]] inline double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double norm_squared(const Vec3& a) { return dot(a, a); }
[[nodiscard]] inline double norm(const Vec3& a) { return std::sqrt(norm_squared(a)); }
[[nodiscard]] inline bool is_finite(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace carom
