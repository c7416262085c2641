#include "carom/contact/detail/skin.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom::detail {
namespace {

// Speeds of a few balls in radii per step, relative to their median, rising.
std::vector<double> sample_speeds(const StepMotion& motion, const BodySet& bodies) {
  constexpr std::size_t kSample = 256;
  const std::size_t stride = std::max<std::size_t>(1, motion.begin.size() / kSample);
  std::vector<Vec3> ways;
  std::vector<double> radii;
  for (std::size_t i = 0; i < motion.begin.size(); i += stride) {
    const Vec3 way = motion.end[i] - motion.begin[i];
    if (!is_finite(way)) continue;
    ways.push_back(way);
    radii.push_back(bodies.radius[i]);
  }
  const auto median = [&](double Vec3::*axis) {
    std::vector<double> values;
    for (const Vec3& way : ways) values.push_back(way.*axis);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  std::vector<double> speeds;
  if (ways.empty()) return speeds;
  const Vec3 shared = {median(&Vec3::x), median(&Vec3::y), median(&Vec3::z)};
  for (std::size_t i = 0; i < ways.size(); ++i) speeds.push_back(norm(ways[i] - shared) / radii[i]);
  std::sort(speeds.begin(), speeds.end());
  return speeds;
}

// The part of the balls that have left their skin after so many steps.
double loose_part(const std::vector<double>& speeds, double skin, double steps) {
  if (speeds.empty() || steps == 0.0) return 0.0;
  const auto first = std::upper_bound(speeds.begin(), speeds.end(), skin / steps);
  return static_cast<double>(speeds.end() - first) / static_cast<double>(speeds.size());
}

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
  const std::vector<double> speeds = sample_speeds(motion, bodies);
  double cheapest = kInfinity;
  SkinChoice best;
  for (const double skin : {0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, kThickestSkin}) {
    const double pairs = kPairWork * pairs_in_list(skin, dimension);
    double loose = 0.0;
    for (int life = 1; life <= kLongestLife; ++life) {
      loose += kLooseWork * loose_part(speeds, skin, from_begin ? life : life - 1);
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
