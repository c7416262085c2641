// Which operations of the square map a start onto itself.
#include "carom/steps/detail/symmetry_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/steps/detail/symmetric_things.h"

namespace carom::detail {
namespace {

// Numbers of a start that agree to this many units of round-off, relative to the largest, are
// equal.
constexpr double kSame = 32.0 * kRoundOff;

double largest_coordinate(const std::vector<Vec3>& vectors) {
  double largest = 0.0;
  for (const Vec3& v : vectors) largest = std::max({largest, std::abs(v.x), std::abs(v.y)});
  return largest;
}

// Which body stands at a place. Cells are so small that none holds two centres.
class PlaceTable {
 public:
  PlaceTable(const Simulation& simulation, double tolerance)
      : simulation_(&simulation), tolerance_(tolerance) {
    const std::vector<double>& radius = simulation.world.bodies.radius;
    cell_ = *std::min_element(radius.begin(), radius.end());
    for (Index i = 0; i < radius.size(); ++i) {
      entries_.emplace_back(key(simulation.start.position[i]), i);
    }
    std::sort(entries_.begin(), entries_.end());
  }

  [[nodiscard]] Index body_at(const Vec3& place) const {
    const Periodicity& periodicity = simulation_->world.periodicity;
    // All cells that a place within the tolerance may be in.
    std::array<Key, 4> keys;
    std::size_t count = 0;
    for (const double x : {place.x - tolerance_, place.x + tolerance_}) {
      for (const double y : {place.y - tolerance_, place.y + tolerance_}) {
        const Key corner = key(wrapped(periodicity, {x, y, 0.0}));
        if (std::find(keys.begin(), keys.begin() + count, corner) != keys.begin() + count) continue;
        keys[count++] = corner;
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      const auto at = std::lower_bound(entries_.begin(), entries_.end(), Entry{keys[k], 0});
      if (at == entries_.end() || at->first != keys[k]) continue;
      const Vec3 between =
          nearest_image(periodicity, place - simulation_->start.position[at->second]);
      if (std::abs(between.x) <= tolerance_ && std::abs(between.y) <= tolerance_) return at->second;
    }
    return kNone;
  }

 private:
  using Key = std::pair<double, double>;
  using Entry = std::pair<Key, Index>;

  [[nodiscard]] Key key(const Vec3& place) const {
    return {std::floor(place.x / cell_), std::floor(place.y / cell_)};
  }

  const Simulation* simulation_;
  double tolerance_;
  double cell_ = 1.0;
  std::vector<Entry> entries_;
};

// How far a wrong symmetry came before it failed.
struct Mismatch {
  std::size_t matched = 0;  ///< bodies, then one more for each further kind of thing
  std::string text;
};

class SymmetrySearch {
 public:
  explicit SymmetrySearch(const Simulation& simulation)
      : simulation_(simulation),
        extent_(largest_coordinate(simulation.start.position)),
        place_tolerance_(kSame * extent_),
        speed_tolerance_(kSame * largest_coordinate(simulation.start.velocity)),
        table_(simulation, place_tolerance_) {}

  SymmetryGroup run() {
    const std::vector<Vec3> centers = candidates();
    SymmetryGroup best;
    for (const Vec3& center : centers) {
      SymmetryGroup group = group_about(center);
      if (group.operations.size() > best.operations.size()) best = std::move(group);
    }
    if (best.operations.size() == 1) refuse(centers);
    return best;
  }

 private:
  // Spacing of numbers four times as large as the farthest coordinate.
  [[nodiscard]] double grid() const {
    return extent_ > 0.0 ? std::ldexp(kRoundOff, std::ilogb(extent_) + 2) : kRoundOff;
  }

  [[nodiscard]] std::vector<Vec3> candidates() const {
    const std::vector<Vec3>& places = simulation_.start.position;
    Vec3 lower = places.front();
    Vec3 upper = places.front();
    for (const Vec3& q : places) {
      lower = {std::min(lower.x, q.x), std::min(lower.y, q.y), 0.0};
      upper = {std::max(upper.x, q.x), std::max(upper.y, q.y), 0.0};
    }
    const Periodicity& p = simulation_.world.periodicity;
    std::vector<Vec3> centers;
    for (Vec3 center : {Vec3{}, 0.5 * (lower + upper)}) {
      if (p.length.x > 0.0) center.x = p.lower.x + 0.5 * p.length.x;
      if (p.length.y > 0.0) center.y = p.lower.y + 0.5 * p.length.y;
      center = {grid() * std::nearbyint(center.x / grid()),
                grid() * std::nearbyint(center.y / grid()), 0.0};
      if (centers.empty() || center != centers.front()) centers.push_back(center);
    }
    return centers;
  }

  SymmetryGroup group_about(const Vec3& center) const {
    SymmetryGroup group;
    group.center = center;
    group.grid = center == Vec3{} ? 0.0 : grid();
    for (const SquareOperation operation : kSquareOperations) {
      std::vector<Index> bodies;
      std::vector<Index> shapes;
      if (match(operation, center, bodies, shapes)) {
        group.operations.push_back(operation);
        group.body_image.push_back(std::move(bodies));
        group.shape_image.push_back(std::move(shapes));
      }
    }
    close(group);
    return group;
  }

  // Two operations that hold to the tolerance may have a product that misses it by a little.
  static void close(SymmetryGroup& group) {
    const auto held = [&](SquareOperation operation) {
      return std::find(group.operations.begin(), group.operations.end(), operation) !=
             group.operations.end();
    };
    for (std::size_t a = 1; a < group.operations.size(); ++a) {
      for (std::size_t b = 1; b <= a; ++b) {
        for (const auto& [second, first] : {std::pair{a, b}, std::pair{b, a}}) {
          const SquareOperation both = product(group.operations[second], group.operations[first]);
          if (held(both)) continue;
          group.operations.push_back(both);
          group.body_image.push_back(composed(group.body_image[second], group.body_image[first]));
          group.shape_image.push_back(
              composed(group.shape_image[second], group.shape_image[first]));
        }
      }
    }
  }

  static std::vector<Index> composed(const std::vector<Index>& second,
                                     const std::vector<Index>& first) {
    std::vector<Index> both;
    both.reserve(first.size());
    for (const Index i : first) both.push_back(second[i]);
    return both;
  }

  bool match(SquareOperation operation, const Vec3& center, std::vector<Index>& bodies,
             std::vector<Index>& shapes) const {
    const Index count = simulation_.world.bodies.size();
    bodies.reserve(count);
    for (Index i = 0; i < count; ++i) {
      bodies.push_back(partner(operation, center, i));
      if (bodies.back() == kNone) return false;
    }
    return match_surroundings(operation, center, bodies, shapes) == nullptr;
  }

  // Everything but the bodies; a name of what does not fit, or nothing.
  const char* match_surroundings(SquareOperation operation, const Vec3& center,
                                 const std::vector<Index>& bodies,
                                 std::vector<Index>& shapes) const {
    const Placement placement{operation, center, place_tolerance_};
    if (!match_shapes(simulation_.world.shapes, placement, shapes)) return "the shapes";
    const Vec3& period = simulation_.world.periodicity.length;
    const Vec3 turned = image(operation, period);
    if (std::abs(turned.x) != period.x || std::abs(turned.y) != period.y) return "the periods";
    const Vec3& gravity = simulation_.forces.gravity;
    if (image(operation, gravity) != gravity) return "gravity";
    if (!match_springs(simulation_.forces.springs, placement, bodies)) return "the springs";
    if (!match_centers(simulation_.forces.centers, placement)) return "the central forces";
    return nullptr;
  }

  [[nodiscard]] Index partner(SquareOperation operation, const Vec3& center, Index body) const {
    const BodySet& bodies = simulation_.world.bodies;
    const State& start = simulation_.start;
    const Index other = table_.body_at(center + image(operation, start.position[body] - center));
    if (other == kNone || bodies.mass[other] != bodies.mass[body] ||
        bodies.radius[other] != bodies.radius[body] ||
        bodies.material[other] != bodies.material[body]) {
      return kNone;
    }
    const Vec3 change = image(operation, start.velocity[body]) - start.velocity[other];
    const bool same =
        std::abs(change.x) <= speed_tolerance_ && std::abs(change.y) <= speed_tolerance_;
    return same ? other : kNone;
  }

  [[nodiscard]] Mismatch mismatch(SquareOperation operation, const Vec3& center) const {
    Mismatch found;
    std::vector<Index> partners;
    for (Index i = 0; i < simulation_.world.bodies.size(); ++i) {
      partners.push_back(partner(operation, center, i));
      if (partners.back() != kNone) {
        ++found.matched;
      } else if (found.text.empty()) {
        found.text = "body '" + simulation_.world.bodies.name[i] + "' has no partner";
      }
    }
    if (!found.text.empty()) return found;
    std::vector<Index> shapes;
    found.text = std::string(match_surroundings(operation, center, partners, shapes)) +
                 " would not be the same";
    return found;
  }

  [[noreturn]] void refuse(const std::vector<Vec3>& centers) const {
    Mismatch nearest;
    for (const Vec3& center : centers) {
      for (const SquareOperation operation : kSquareOperations) {
        if (operation == SquareOperation::identity) continue;
        Mismatch found = mismatch(operation, center);
        if (!nearest.text.empty() && found.matched <= nearest.matched) continue;
        nearest.matched = found.matched;
        nearest.text = std::string(to_string(operation)) + " about (" + number_text(center.x) +
                       ", " + number_text(center.y) + "), where " + found.text;
      }
    }
    throw InputError({"", 0, 0, "world.symmetry"},
                     "the start has no symmetry to keep: no mirror in an axis or a diagonal, no "
                     "half or quarter turn maps it onto itself; nearest is the " +
                         nearest.text);
  }

  const Simulation& simulation_;
  double extent_;
  double place_tolerance_;
  double speed_tolerance_;
  PlaceTable table_;
};

}  // namespace

SymmetryGroup find_symmetry(const Simulation& simulation) {
  if (simulation.world.bodies.size() == 0) {
    throw InputError({"", 0, 0, "world.symmetry"}, "there are no bodies to be symmetric");
  }
  return SymmetrySearch(simulation).run();
}

}  // namespace carom::detail
