// The skin of a neighbour list that makes steps like the present one cheapest.
#include "carom/contact/detail/skin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace carom::detail {
namespace {

/// Speeds of a few balls in radii per step, relative to their median, rising.
class Speeds {
 public:
  Speeds(const StepMotion& motion, const BodySet& bodies) {
    const std::size_t stride = std::max<std::size_t>(1, motion.begin.size() / kSample);
    for (std::size_t i = 0; i < motion.begin.size(); i += stride) {
      const Vec3 way = motion.end[i] - motion.begin[i];
      if (!is_finite(way)) continue;
      ways_[count_] = way;
      radii_[count_] = bodies.radius[i];
      ++count_;
    }
    if (count_ == 0) return;
    const Vec3 shared = {median(&Vec3::x), median(&Vec3::y), median(&Vec3::z)};
    for (std::size_t i = 0; i < count_; ++i) speeds_[i] = norm(ways_[i] - shared) / radii_[i];
    std::sort(rising().begin(), rising().end());
  }

  /// The part of the balls that have left their skin after so many steps.
  [[nodiscard]] double loose_part(double skin, double steps) {
    if (count_ == 0 || steps == 0.0) return 0.0;
    const auto first = std::upper_bound(rising().begin(), rising().end(), skin / steps);
    return static_cast<double>(rising().end() - first) / static_cast<double>(count_);
  }

 private:
  static constexpr std::size_t kSample = 256;  // and at most twice as many

  [[nodiscard]] std::span<double> rising() { return std::span(speeds_).first(count_); }
  [[nodiscard]] double median(double Vec3::*axis) {
    for (std::size_t i = 0; i < count_; ++i) speeds_[i] = ways_[i].*axis;
    const auto middle = rising().begin() + static_cast<std::ptrdiff_t>(count_ / 2);
    std::nth_element(rising().begin(), middle, rising().end());
    return *middle;
  }

  std::size_t count_ = 0;
  std::array<Vec3, 2 * kSample> ways_{};
  std::array<double, 2 * kSample> radii_{};
  std::array<double, 2 * kSample> speeds_{};
};

// Pairs per ball of a dense heap.
double pairs_in_list(double skin, int dimension) {
  const double reach = 1.0 + skin;
  return dimension == 2 ? 2.0 + 1.6 * (reach * reach - 1.0)
                        : 4.0 + 2.4 * (reach * reach * reach - 1.0);
}

}  // namespace

SkinChoice choose_skin(const StepMotion& motion, const BodySet& bodies, int dimension,
                       bool from_begin) {
  constexpr int kLongestLife = 64;
  Speeds speeds(motion, bodies);
  double cheapest = kInfinity;
  SkinChoice best;
  for (const double skin : {0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, kThickestSkin}) {
    const double pairs = kPairWork * pairs_in_list(skin, dimension);
    double loose = 0.0;
    for (int life = 1; life <= kLongestLife; ++life) {
      loose += kLooseWork * speeds.loose_part(skin, from_begin ? life : life - 1);
      const double work = pairs + (list_work(skin) + loose) / life;
      if (work < cheapest) {
        cheapest = work;
        best = {skin, life};
      }
    }
  }
  return best;
}

}  // namespace carom::detail
