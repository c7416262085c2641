// The numbers that `carom sweep --measure` can take from a run.
#include "carom/measures/measure.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/geometry/direction.h"
#include "carom/runs/scene_check.h"

namespace carom {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kDegrees = 180.0 / std::numbers::pi;

// ----- Of the run -------------------------------------------------------------------------------

struct RunQuantity {
  const char* name;
  const char* unit;  // "" of shares and counts
  double (*value)(const Scene&, const MemoryRun&);
};

double as_expected(const Scene& scene, const MemoryRun& run) {
  const SceneExpectation* expectation =
      expectation_for(scene, scene.simulation.impact.impact_operator);
  if (expectation == nullptr) return kNothing;
  const std::vector<Claim> claims = judge_run(*expectation, *run.record);
  return std::all_of(claims.begin(), claims.end(), [](const Claim& c) { return c.passed; }) ? 1.0
                                                                                            : 0.0;
}

using S = Scene;
using R = MemoryRun;
constexpr std::array<RunQuantity, 14> kRunQuantities = {{
    {"energy", "J",
     [](const S&, const R& r) { return r.summary.statistics.last().totals.energy(); }},
    {"kinetic", "J",
     [](const S&, const R& r) { return r.summary.statistics.last().totals.kinetic; }},
    {"potential", "J",
     [](const S&, const R& r) { return r.summary.statistics.last().totals.potential; }},
    {"energy_change", "",
     [](const S&, const R& r) { return r.summary.statistics.energy_change(); }},
    {"energy_drift", "", [](const S&, const R& r) { return r.summary.statistics.energy_drift(); }},
    {"energy_lost", "", [](const S&, const R& r) { return r.summary.statistics.energy_lost(); }},
    {"momentum_change", "",
     [](const S&, const R& r) { return r.summary.statistics.momentum_change(); }},
    {"penetration", "m", [](const S&, const R& r) { return r.summary.statistics.penetration(); }},
    {"time", "s", [](const S&, const R& r) { return r.summary.statistics.time(); }},
    {"steps", "",
     [](const S&, const R& r) { return static_cast<double>(r.summary.statistics.steps()); }},
    {"collisions", "",
     [](const S&, const R& r) { return static_cast<double>(r.summary.statistics.impulses()); }},
    {"impact_steps", "",
     [](const S&, const R& r) { return static_cast<double>(r.summary.statistics.impacts()); }},
    {"applications_most", "",
     [](const S&, const R& r) {
       return static_cast<double>(r.summary.statistics.applications_most());
     }},
    {"expected", "", as_expected},
}};

// ----- Of a body --------------------------------------------------------------------------------

struct BodyEnds {
  Vec3 position_before;
  Vec3 position;
  Vec3 velocity;
  bool turns = false;
  Quaternion turned;  // from the first orientation to the last, in the world
  Vec3 angular_velocity;
  Vec3 up;  // against gravity
};

double angle_between(const Vec3& a, const Vec3& b) {
  return kDegrees * std::atan2(norm(cross(a, b)), dot(a, b));
}

struct BodyQuantity {
  const char* name;
  const char* unit;
  double (*value)(const BodyEnds&);
};
constexpr std::array<BodyQuantity, 13> kBodyQuantities = {{
    {"x", "m", [](const BodyEnds& b) { return b.position.x; }},
    {"y", "m", [](const BodyEnds& b) { return b.position.y; }},
    {"z", "m", [](const BodyEnds& b) { return b.position.z; }},
    {"vx", "m/s", [](const BodyEnds& b) { return b.velocity.x; }},
    {"vy", "m/s", [](const BodyEnds& b) { return b.velocity.y; }},
    {"vz", "m/s", [](const BodyEnds& b) { return b.velocity.z; }},
    {"wx", "rad/s", [](const BodyEnds& b) { return b.turns ? b.angular_velocity.x : kNothing; }},
    {"wy", "rad/s", [](const BodyEnds& b) { return b.turns ? b.angular_velocity.y : kNothing; }},
    {"wz", "rad/s", [](const BodyEnds& b) { return b.turns ? b.angular_velocity.z : kNothing; }},
    {"speed", "m/s", [](const BodyEnds& b) { return norm(b.velocity); }},
    {"moved", "m", [](const BodyEnds& b) { return norm(b.position - b.position_before); }},
    {"turned", "degrees",
     [](const BodyEnds& b) {
       const Vec3 axis = {b.turned.x, b.turned.y, b.turned.z};
       return b.turns ? kDegrees * 2.0 * std::atan2(norm(axis), std::abs(b.turned.w)) : kNothing;
     }},
    {"tilt", "degrees",
     [](const BodyEnds& b) {
       return b.turns ? angle_between(matrix_of(b.turned) * b.up, b.up) : kNothing;
     }},
}};

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

template <class Table>
auto find_in(const Table& table, std::string_view name) {
  return std::find_if(table.begin(), table.end(),
                      [&](const auto& entry) { return entry.name == name; });
}

Vec3 triple(const std::vector<double>& numbers, std::size_t body) {
  return {numbers[3 * body], numbers[3 * body + 1], numbers[3 * body + 2]};
}

Quaternion quadruple(const std::vector<double>& numbers, std::size_t body) {
  const double* q = numbers.data() + 4 * body;
  return {q[0], q[1], q[2], q[3]};
}

Vec3 up_of(const Simulation& simulation) {
  const Vec3 down = direction_of(simulation.forces.gravity).unit;
  if (down != Vec3{}) return -down;
  return simulation.world.dimension == 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
}

// The first frame and the last.
struct Ends {
  RecordedFrame first;
  RecordedFrame last;

  explicit Ends(const RunRecord& record)
      : first(record.frame(0)), last(record.frame(record.frame_times().size() - 1)) {}
};

BodyEnds ends_of(const Scene& scene, const Ends& frames, std::size_t body) {
  const auto& [first, last] = frames;
  BodyEnds ends;
  ends.position_before = triple(first.positions, body);
  ends.position = triple(last.positions, body);
  ends.velocity = triple(last.velocities, body);
  ends.up = up_of(scene.simulation);
  ends.turns = scene.simulation.world.bodies.turns(static_cast<Index>(body));
  if (ends.turns) {
    ends.turned =
        quadruple(last.orientations, body) * conjugate(quadruple(first.orientations, body));
    ends.angular_velocity = triple(last.angular_velocities, body);
  }
  return ends;
}

// Whether a name fits a pattern in which each star stands for any text.
bool fits(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= name.size(); ++at) {
    if (fits(name.substr(at), rest)) return true;
  }
  return false;
}

const std::vector<std::string> kAggregates = {"count", "sum", "mean", "min", "max"};

double aggregate_of(const std::string& aggregate, const std::vector<double>& values) {
  if (aggregate == "count") return static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) sum += value;
  if (aggregate == "sum") return sum;
  if (values.empty()) return kNothing;
  if (aggregate == "mean") return sum / static_cast<double>(values.size());
  return aggregate == "min" ? *std::min_element(values.begin(), values.end())
                            : *std::max_element(values.begin(), values.end());
}

}  // namespace

std::vector<std::string> run_quantity_names() { return names_of(kRunQuantities); }
std::vector<std::string> body_quantity_names() { return names_of(kBodyQuantities); }

Measure::Measure(std::string text) : text_(std::move(text)) {
  const std::string_view all = text_;
  const std::size_t open = all.find('(');
  if (open != std::string_view::npos) {
    aggregate_ = all.substr(0, open);
    if (std::find(kAggregates.begin(), kAggregates.end(), aggregate_) == kAggregates.end()) {
      refuse(unknown_name_message("summary", aggregate_, kAggregates));
    }
    if (all.back() != ')') refuse("expected ) at the end");
    parse_bodies(all.substr(open + 1, all.size() - open - 2));
  } else if (all.find('.') != std::string_view::npos) {
    parse_bodies(all);
    if (comparison_ != 0) refuse("a comparison stands inside count( )");
  } else {
    run_quantity_ = text_;
    if (find_in(kRunQuantities, all) == kRunQuantities.end()) {
      refuse(unknown_name_message("quantity", all, run_quantity_names()) +
             "; a body's is NAME.QUANTITY");
    }
  }
}

void Measure::parse_bodies(std::string_view text) {
  const std::size_t compares = text.find_first_of("<>");
  if (compares != std::string_view::npos) {
    comparison_ = text[compares];
    const std::string_view number = text.substr(compares + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), bound_);
    if (error != std::errc{} || end != number.data() + number.size()) {
      refuse("expected a number behind " + std::string(1, comparison_));
    }
    text = text.substr(0, compares);
  }
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) refuse("expected NAME.QUANTITY");
  pattern_ = text.substr(0, dot);
  quantity_ = text.substr(dot + 1);
  if (find_in(kBodyQuantities, quantity_) == kBodyQuantities.end()) {
    refuse(unknown_name_message("quantity", quantity_, body_quantity_names()));
  }
}

void Measure::refuse(const std::string& message) const {
  throw InputError({"", 0, 0, "--measure " + text_}, message);
}

std::string Measure::unit() const {
  if (!run_quantity_.empty()) return find_in(kRunQuantities, run_quantity_)->unit;
  return aggregate_ == "count" ? "" : find_in(kBodyQuantities, quantity_)->unit;
}

double Measure::of(const Scene& scene, const MemoryRun& run) const {
  if (!run_quantity_.empty()) return find_in(kRunQuantities, run_quantity_)->value(scene, run);
  const NameList& names = run.record->header().body_names;
  const auto value = find_in(kBodyQuantities, quantity_)->value;
  const Ends frames(*run.record);
  std::vector<double> values;
  bool any = false;
  for (std::size_t body = 0; body < names.size(); ++body) {
    if (!fits(names[body], pattern_)) continue;
    any = true;
    const double each = value(ends_of(scene, frames, body));
    if (comparison_ == '<' && !(each < bound_)) continue;
    if (comparison_ == '>' && !(each > bound_)) continue;
    values.push_back(each);
    if (aggregate_.empty()) return each;
  }
  if (!any) refuse(unknown_name_message("body", pattern_, names.texts()));
  return aggregate_of(aggregate_, values);
}

}  // namespace carom
