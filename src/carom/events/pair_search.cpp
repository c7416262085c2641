// The earliest collision of a ball with those near it, four at a time.
#include "carom/events/detail/pair_search.h"

#include <cmath>
#include <cstdint>

#include "carom/core/wide.h"
#include "carom/events/touch_time.h"

#define CAROM_INLINE inline __attribute__((always_inline))

namespace carom::detail {
namespace {

constexpr std::size_t kLanes = 4;
using Numbers __attribute__((vector_size(32))) = double;
using Flags __attribute__((vector_size(32))) = std::int64_t;

struct Vectors {
  Numbers x;
  Numbers y;
  Numbers z;
};

CAROM_INLINE Numbers all(double value) { return Numbers{value, value, value, value}; }
CAROM_INLINE Vectors all(const Vec3& v) { return {all(v.x), all(v.y), all(v.z)}; }

/// Four balls, number by number.
struct FourBalls {
  Vectors position;
  Vectors velocity;
  Numbers clock;
  Numbers radius;
};

struct Half {
  Numbers a;
  Numbers b;
  Numbers c;
  Numbers d;
};

// The first or the second four numbers of four balls, transposed.
CAROM_INLINE void transpose(const double* one, const double* two, const double* three,
                            const double* four, Half& out) {
  Numbers r0;
  Numbers r1;
  Numbers r2;
  Numbers r3;
  __builtin_memcpy(&r0, one, sizeof r0);
  __builtin_memcpy(&r1, two, sizeof r1);
  __builtin_memcpy(&r2, three, sizeof r2);
  __builtin_memcpy(&r3, four, sizeof r3);
  const Numbers low01 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6);
  const Numbers high01 = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
  const Numbers low23 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6);
  const Numbers high23 = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
  out.a = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
  out.b = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
  out.c = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
  out.d = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

static_assert(sizeof(FlyingBall) == 8 * sizeof(double));

CAROM_INLINE FourBalls load(const FlyingBall* balls, const Index* numbers) {
  const double* first = &balls[numbers[0]].position.x;
  const double* second = &balls[numbers[1]].position.x;
  const double* third = &balls[numbers[2]].position.x;
  const double* fourth = &balls[numbers[3]].position.x;
  Half low = {};
  Half high = {};
  transpose(first, second, third, fourth, low);
  transpose(first + 4, second + 4, third + 4, fourth + 4, high);
  return {{low.a, low.b, low.c}, {low.d, high.a, high.b}, high.c, high.d};
}

CAROM_INLINE Numbers dot(const Vectors& a, const Vectors& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

CAROM_INLINE Numbers square_root(Numbers v) {
  return Numbers{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
}

CAROM_INLINE Numbers shifted(Numbers difference, double length) {
  const Numbers down = difference > all(0.5 * length) ? all(length) : all(0.0);
  const Numbers up = difference < all(-0.5 * length) ? all(length) : all(0.0);
  return difference - down + up;
}

struct Pairs {
  Numbers b;  ///< difference . velocity; negative: approaching
  Numbers c;  ///< squared distance less that of a touch
  Numbers squared;
  Numbers reach_squared;
};

template <bool kGravity, bool kCopies>
CAROM_INLINE Pairs look(const PairSearch& search, const FourBalls& there) {
  const Numbers passed = all(search.now) - there.clock;
  const Vectors from = all(search.position);
  const Vectors at = all(search.velocity);
  Vectors away = {there.position.x + passed * there.velocity.x - from.x,
                  there.position.y + passed * there.velocity.y - from.y,
                  there.position.z + passed * there.velocity.z - from.z};
  Vectors speed = {there.velocity.x - at.x, there.velocity.y - at.y, there.velocity.z - at.z};
  if constexpr (kGravity) {
    const Numbers fall = all(0.5) * passed * passed;
    const Vectors gravity = all(search.gravity);
    away = {away.x + fall * gravity.x, away.y + fall * gravity.y, away.z + fall * gravity.z};
    speed = {speed.x + passed * gravity.x, speed.y + passed * gravity.y,
             speed.z + passed * gravity.z};
  }
  if constexpr (kCopies) {
    away = {shifted(away.x, search.period.x), shifted(away.y, search.period.y),
            shifted(away.z, search.period.z)};
  }
  const Numbers reach = all(search.radius) + there.radius;
  Pairs pairs = {};
  pairs.reach_squared = reach * reach;
  pairs.b = dot(away, speed);
  pairs.c = dot(away, away) - pairs.reach_squared;
  pairs.squared = pairs.b * pairs.b - dot(speed, speed) * pairs.c;
  return pairs;
}

// A pair that overlaps by round-off and approaches: at once, unless it only seems to.
double time_of_overlapping(const PairSearch& search, Index other, double b) {
  const FlyingBall& there = search.balls[other];
  const double noise = speed_noise(norm(search.velocity) + norm(there.velocity));
  return b < -noise * (search.radius + there.radius) ? 0.0 : kInfinity;
}

template <bool kGravity, bool kCopies>
CAROM_INLINE PairFound search_pairs(const PairSearch& search) {
  const std::size_t count = search.near.size();
  Numbers first = all(kInfinity);
  Flags who = {-1, -1, -1, -1};
  Flags touching = {};
  PairFound overlapping;
  for (std::size_t k = 0; k < count; k += kLanes) {
    // The last four may look at one ball several times: that changes nothing.
    Index numbers[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      numbers[lane] = search.near[k + lane < count ? k + lane : count - 1];
    }
    const Pairs pairs = look<kGravity, kCopies>(search, load(search.balls, numbers));
    const Flags number = {numbers[0], numbers[1], numbers[2], numbers[3]};
    const Flags meet = (pairs.b < all(0.0)) & (pairs.squared > all(0.0));
    const Numbers time = pairs.c / (square_root(meet ? pairs.squared : all(1.0)) - pairs.b);
    const Flags sooner = meet & (pairs.c > all(0.0)) & (time < first);
    first = sooner ? time : first;
    who = sooner ? number : who;
    const std::int64_t partner = search.partner;
    touching |= (pairs.c <= all(search.touch) * pairs.reach_squared) &
                (number != Flags{partner, partner, partner, partner});
    const Flags inside = meet & (pairs.c <= all(0.0));
    if ((inside[0] | inside[1] | inside[2] | inside[3]) != 0) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (inside[lane] == 0 || numbers[lane] >= overlapping.ball) continue;
        if (time_of_overlapping(search, numbers[lane], pairs.b[lane]) == 0.0) {
          overlapping.time = 0.0;
          overlapping.ball = numbers[lane];
        }
      }
    }
  }
  PairFound found = overlapping;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto ball = static_cast<Index>(who[lane]);
    if (first[lane] < found.time || (first[lane] == found.time && ball < found.ball)) {
      found.time = first[lane];
      found.ball = ball;
    }
    found.touching = found.touching || touching[lane] != 0;
  }
  return found;
}

}  // namespace

CAROM_WIDE PairFound find_first_pair(const PairSearch& search) {
  return search_pairs<false, false>(search);
}

CAROM_WIDE PairFound find_first_copy(const PairSearch& search) {
  return search_pairs<false, true>(search);
}

CAROM_WIDE PairFound find_first_pair_general(const PairSearch& search) {
  return search_pairs<true, true>(search);
}

}  // namespace carom::detail
