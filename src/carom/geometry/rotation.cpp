// Quaternions and matrices of rotations.
#include "carom/geometry/rotation.h"

#include "carom/geometry/direction.h"

namespace carom {

// Divides by the largest of the four components, which is at least a half.
Quaternion quaternion_of(const Mat3& rotation) {
  const Mat3& m = rotation;
  const double trace = m.row[0].x + m.row[1].y + m.row[2].z;
  const double ww = 1.0 + trace;
  const double xx = 1.0 + 2.0 * m.row[0].x - trace;
  const double yy = 1.0 + 2.0 * m.row[1].y - trace;
  const double zz = 1.0 + 2.0 * m.row[2].z - trace;
  const double yz = m.row[2].y + m.row[1].z;
  const double xz = m.row[0].z + m.row[2].x;
  const double xy = m.row[1].x + m.row[0].y;
  const double wx = m.row[2].y - m.row[1].z;
  const double wy = m.row[0].z - m.row[2].x;
  const double wz = m.row[1].x - m.row[0].y;
  if (ww >= xx && ww >= yy && ww >= zz) return normalized({ww, wx, wy, wz});
  if (xx >= yy && xx >= zz) return normalized({wx, xx, xy, xz});
  if (yy >= zz) return normalized({wy, xy, yy, yz});
  return normalized({wz, xz, yz, zz});
}

Quaternion rotation_about(const Vec3& axis, double angle) {
  const Vec3 along = std::sin(0.5 * angle) * direction_of(axis).unit;
  return {std::cos(0.5 * angle), along.x, along.y, along.z};
}

}  // namespace carom
