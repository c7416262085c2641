// The first root of a polynomial of degree four: when two balls in free flight touch.
#include "carom/events/touch_time.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace carom {
namespace {

double value(std::span<const double> c, double t) {
  double sum = 0.0;
  for (std::size_t k = c.size(); k > 0; --k) sum = sum * t + c[k - 1];
  return sum;
}

struct Bracket {
  double low = 0.0;
  double high = 0.0;
};

// The root in a bracket at whose ends the polynomial has different signs: Newton's steps, halving
// where they leave the bracket or are slow. Gives the last place before the sign changes.
double root_in(std::span<const double> c, std::span<const double> derivative, Bracket bracket) {
  constexpr int kMostHalvings = 2200;  // from the largest to the smallest double
  const bool rising = value(c, bracket.low) < 0.0;
  double t = 0.5 * bracket.low + 0.5 * bracket.high;
  for (int k = 0; k < kMostHalvings; ++k) {
    const double f = value(c, t);
    ((f < 0.0) == rising && f != 0.0 ? bracket.low : bracket.high) = t;
    const double middle = 0.5 * bracket.low + 0.5 * bracket.high;
    if (middle <= bracket.low || middle >= bracket.high) break;
    const double width = bracket.high - bracket.low;
    const double newton = t - f / value(derivative, t);
    const bool inside = newton > bracket.low && newton < bracket.high;
    // Newton's steps come from one side and leave the bracket wide: every third step halves.
    if (!inside || k % 3 == 2) {
      t = middle;
    } else if (std::abs(newton - t) < 1e-3 * width) {
      // Step over the root, so that the bracket closes from the other side.
      const double over = newton + (newton - t) + (newton > t ? 1.0 : -1.0) * kRoundOff * newton;
      t = over > bracket.low && over < bracket.high ? over : newton;
    } else {
      t = newton;
    }
  }
  return bracket.low;
}

struct Roots {
  std::array<double, 4> place{};
  std::size_t count = 0;

  void add(double root) { place[count++] = root; }
};

std::array<double, 4> derivative_of(std::span<const double> c) {
  std::array<double, 4> derivative{};
  for (std::size_t k = 1; k < c.size(); ++k) derivative[k - 1] = static_cast<double>(k) * c[k];
  return derivative;
}

// Where the polynomial changes its sign inside (low, high), rising.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the degree
Roots sign_changes(std::span<const double> c, const Bracket& range) {
  Roots roots;
  if (c.size() < 2) return roots;
  if (c.size() == 2) {
    const double root = -c[0] / c[1];
    if (root > range.low && root < range.high) roots.add(root);
    return roots;
  }
  const std::array<double, 4> all = derivative_of(c);
  const std::span<const double> derivative(all.data(), c.size() - 1);
  const Roots turns = sign_changes(derivative, range);
  double low = range.low;
  for (std::size_t k = 0; k <= turns.count; ++k) {
    const double high = k < turns.count ? turns.place[k] : range.high;
    const double at_low = value(c, low);
    const double at_high = value(c, high);
    if ((at_low < 0.0 && at_high >= 0.0) || (at_low > 0.0 && at_high <= 0.0)) {
      if (roots.count < roots.place.size()) roots.add(root_in(c, derivative, {low, high}));
    }
    low = high;
  }
  return roots;
}

// No root lies beyond it (Fujiwara's bound).
double last_root_bound(std::span<const double> c) {
  double bound = 0.0;
  const std::size_t degree = c.size() - 1;
  for (std::size_t k = 0; k < degree; ++k) {
    const double ratio = std::abs(c[k] / c[degree]);
    bound = std::max(bound, std::pow(ratio, 1.0 / static_cast<double>(degree - k)));
  }
  return 2.0 * bound;
}

Quartic squared_distance(const RelativeFlight& flight, double distance) {
  const auto& [r, v, a] = flight;
  const double length = norm(r);
  return {(length - distance) * (length + distance), 2.0 * dot(r, v), norm_squared(v) + dot(r, a),
          dot(v, a), 0.25 * norm_squared(a)};
}

// The squared distance's own way through zero, where it must not be mistaken by round-off: `f` is
// positive where the pair is apart.
double time_of_fall(Quartic f, double distance, double horizon, double noise) {
  const double slow = 2.0 * distance * noise;
  if (f[0] <= 0.0 && f[1] < -slow) return 0.0;
  if (f[0] <= 0.0 && std::abs(f[1]) <= slow) {
    if (f[2] < 0.0) return 0.0;
    f[1] = 0.0;
  }
  return first_fall(f, horizon);
}

}  // namespace

double first_fall(const Quartic& polynomial, double horizon) {
  std::span<const double> c(polynomial);
  while (c.size() > 1 && c.back() == 0.0) c = c.first(c.size() - 1);
  if (c.size() == 1) return kInfinity;
  if (horizon == kInfinity) {
    horizon = last_root_bound(c);
    const std::array<double, 4> slopes = derivative_of(c);
    if (c.size() > 2) {
      horizon = std::max(horizon, last_root_bound(std::span(slopes).first(c.size() - 1)));
    }
    horizon = std::min(2.0 * horizon, 1e300);
  }
  const std::array<double, 4> all = derivative_of(c);
  const std::span<const double> slopes(all.data(), c.size() - 1);
  const Roots turns = sign_changes(slopes, {0.0, horizon});
  double low = 0.0;
  for (std::size_t k = 0; k <= turns.count; ++k) {
    const double high = k < turns.count ? turns.place[k] : horizon;
    // Which way it goes between two turns is clearest in the middle.
    if (value(slopes, 0.5 * low + 0.5 * high) < 0.0) {
      if (value(c, low) <= 0.0) return low;
      if (value(c, high) <= 0.0) return root_in(c, slopes, {low, high});
    }
    low = high;
  }
  return kInfinity;
}

double time_to_touch(const StraightGap& motion, double noise) {
  const auto& [gap, u, a] = motion;
  if (gap <= 0.0) {
    if (u < -noise) return 0.0;
    if (u <= noise) return a < 0.0 ? 0.0 : kInfinity;
    if (!(a < 0.0)) return kInfinity;
    // It rises and comes back, or turns before it has come out of the round-off.
    const double squared = u * u - 2.0 * a * gap;
    return squared > 0.0 ? (u + std::sqrt(squared)) / -a : u / -a;
  }
  if (a == 0.0) return u < 0.0 ? gap / -u : kInfinity;
  const double squared = u * u - 2.0 * a * gap;
  if (a < 0.0 && u >= 0.0) return (u + std::sqrt(squared)) / -a;
  if (u >= 0.0 || squared < 0.0) return kInfinity;
  return 2.0 * gap / (-u + std::sqrt(squared));
}

double time_to_come_near(const RelativeFlight& flight, double distance, double horizon,
                         double noise) {
  const auto& [r, v, a] = flight;
  if (a != Vec3{}) {
    return time_of_fall(squared_distance(flight, distance), distance, horizon, noise);
  }
  const double b = dot(r, v);
  if (b >= -distance * noise) return kInfinity;
  const double length = norm(r);
  const double c = (length - distance) * (length + distance);
  if (c <= 0.0) return 0.0;
  const double squared = b * b - norm_squared(v) * c;
  return squared > 0.0 ? c / (-b + std::sqrt(squared)) : kInfinity;
}

double time_to_go_far(const RelativeFlight& flight, double distance, double horizon, double noise) {
  const auto& [r, v, a] = flight;
  if (a != Vec3{}) {
    Quartic f = squared_distance(flight, distance);
    for (double& coefficient : f) coefficient = -coefficient;
    return time_of_fall(f, distance, horizon, noise);
  }
  const double squared_speed = norm_squared(v);
  if (squared_speed == 0.0) return kInfinity;
  const double b = dot(r, v);
  const double length = norm(r);
  const double c = (length - distance) * (length + distance);
  if (c >= 0.0 && b > distance * noise) return 0.0;
  // Along the wall to round-off: the wall bends towards the flight.
  if (c >= 0.0 && b >= -distance * noise) return 0.0;
  const double root = std::sqrt(std::max(b * b - squared_speed * c, 0.0));
  return b > 0.0 ? -c / (b + root) : (-b + root) / squared_speed;
}

}  // namespace carom
