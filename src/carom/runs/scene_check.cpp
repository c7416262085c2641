// The expectations of a scene, judged from what was recorded.
#include "carom/runs/scene_check.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/runs/diagnostics.h"
#include "carom/runs/scene_run.h"

namespace carom {
namespace {

Vec3 body_vector(const std::vector<double>& numbers, std::size_t body) {
  return {numbers[3 * body], numbers[3 * body + 1], numbers[3 * body + 2]};
}

// Rodrigues' formula, or the reflection.
Vec3 image(const SymmetryExpectation& symmetry, const Vec3& place) {
  const Vec3 line = place - symmetry.center;
  const Vec3& axis = symmetry.axis;
  if (symmetry.kind == SymmetryExpectation::Kind::mirror) {
    return symmetry.center + (line - 2.0 * dot(axis, line) * axis);
  }
  const double c = std::cos(symmetry.angle);
  const double s = std::sin(symmetry.angle);
  return symmetry.center + c * line + s * cross(axis, line) + (1.0 - c) * dot(axis, line) * axis;
}

// The ball that stands nearest to the image of each ball, by sorting along x: racks of tens of
// thousands are matched in reasonable time.
std::vector<std::size_t> partners(const SymmetryExpectation& symmetry, const RecordedFrame& start) {
  const std::size_t count = start.positions.size() / 3;
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  const auto x = [&](std::size_t i) { return start.positions[3 * i]; };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return x(a) < x(b) || (x(a) == x(b) && a < b); });
  std::vector<std::size_t> partner(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 target = image(symmetry, body_vector(start.positions, i));
    double best = kInfinity;
    const auto consider = [&](std::size_t j) {
      const double distance = norm(body_vector(start.positions, j) - target);
      if (distance < best || (distance == best && j < partner[i])) {
        best = distance;
        partner[i] = j;
      }
    };
    const auto middle = std::lower_bound(order.begin(), order.end(), target.x,
                                         [&](std::size_t j, double value) { return x(j) < value; });
    for (auto it = middle; it != order.end() && x(*it) - target.x <= best; ++it) consider(*it);
    for (auto it = middle; it != order.begin();) {
      --it;
      if (target.x - x(*it) > best) break;
      consider(*it);
    }
  }
  return partner;
}

double symmetry_error_with(const SymmetryExpectation& symmetry,
                           const std::vector<std::size_t>& partner, const RecordedFrame& frame) {
  double worst = 0.0;
  for (std::size_t i = 0; i < partner.size(); ++i) {
    const Vec3 target = image(symmetry, body_vector(frame.positions, i));
    worst = std::max(worst, norm(body_vector(frame.positions, partner[i]) - target));
  }
  return worst;
}

std::size_t last_frame_until(const RunRecord& record, const std::optional<double>& time) {
  const std::vector<double>& times = record.frame_times();
  if (times.empty()) throw InputError({}, "the recording holds no frames");
  if (!time) return times.size() - 1;
  const double tolerance = 0.5 * record.header().step;
  const auto after = std::upper_bound(times.begin(), times.end(), *time + tolerance);
  return after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
}

std::size_t frame_at(const RunRecord& record, const std::optional<double>& time) {
  const std::size_t number = last_frame_until(record, time);
  const double found = record.frame_times()[number];
  if (time && std::abs(found - *time) > 0.5 * record.header().step) {
    throw InputError({"", 0, 0, "expect"}, "no frame was recorded at time " + number_text(*time) +
                                               "; the nearest before it is at " +
                                               number_text(found));
  }
  return number;
}

std::string run_status_text(const RunEnd& end) {
  switch (end.status) {
    case RunStatus::finished:
      return "completed";
    case RunStatus::failed:
      return "stopped";
    case RunStatus::running:
      return "not yet ended";
    case RunStatus::interrupted:
    case RunStatus::crashed:
      break;
  }
  return "interrupted";
}

void judge_numbers(const SceneExpectation& expectation, const RunRecord& record,
                   std::vector<Claim>& claims) {
  const RunStatistics statistics = recorded_statistics(record);
  if (expectation.energy_drift) {
    claims.push_back(
        claim_at_most("energy drift", statistics.energy_drift(), *expectation.energy_drift));
  }
  if (expectation.energy_drift_at_least) {
    claims.push_back(claim_at_least("energy drift", statistics.energy_drift(),
                                    *expectation.energy_drift_at_least));
  }
  if (expectation.momentum_drift) {
    const RecordedFrame start = record.frame(0);
    double scale = 0.0;
    for (std::size_t i = 0; i < record.header().body_count(); ++i) {
      scale += record.header().masses[i] * norm(body_vector(start.velocities, i));
    }
    const double change = statistics.momentum_change();
    claims.push_back(claim_at_most("momentum drift", scale > 0.0 ? change / scale : change,
                                   *expectation.momentum_drift));
  }
  if (expectation.penetration) {
    claims.push_back(claim_at_most("penetration in radii", statistics.penetration_relative(),
                                   *expectation.penetration));
  }
  if (expectation.penetration_at_least) {
    claims.push_back(claim_at_least("penetration in radii", statistics.penetration_relative(),
                                    *expectation.penetration_at_least));
  }
  if (expectation.applications_at_most) {
    claims.push_back(claim_at_most("applications",
                                   static_cast<double>(statistics.applications_most()),
                                   static_cast<double>(*expectation.applications_at_most)));
  }
  if (expectation.impact_status) {
    claims.push_back(
        claim_true("worst status is " + std::string(to_string(*expectation.impact_status)) +
                       (statistics.worst_status() == *expectation.impact_status
                            ? ""
                            : ", found " + std::string(to_string(statistics.worst_status()))),
                   statistics.worst_status() == *expectation.impact_status));
  }
}

double end_time(const RunRecord& record) {
  const std::vector<double> times = record.real_column("time");
  return times.empty() ? 0.0 : times.back();
}

bool is_reached(const std::optional<double>& time, double end, const RunRecord& record) {
  return !time || *time <= end + 0.5 * record.header().step;
}

// The claim about a time that the run did not come to.
Claim claim_beyond(const std::string& text, double end, const RunRecord& record) {
  if (record.end().status == RunStatus::failed) {
    return claim_true(text + ", where the run stopped at " + number_text(end), false);
  }
  return claim_unjudged(text, "not reached, the run ends at " + number_text(end));
}

void judge_state(const StateExpectation& state, const RunRecord& record,
                 std::vector<Claim>& claims) {
  const double end = end_time(record);
  std::optional<RecordedFrame> frame;
  if (is_reached(state.time, end, record)) frame = record.frame(frame_at(record, state.time));
  const auto judge = [&](const char* what, const std::vector<StateExpectation::Value>& values,
                         const std::vector<double> RecordedFrame::*numbers) {
    for (const StateExpectation::Value& expected : values) {
      const std::string text = std::string(what) + " of " +
                               record.header().body_names[expected.body] + " at time " +
                               number_text(frame ? frame->time : *state.time);
      if (!frame) {
        claims.push_back(claim_beyond(text, end, record));
        continue;
      }
      const Vec3 off = body_vector((*frame).*numbers, expected.body) - expected.value;
      const double error = std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)});
      claims.push_back(claim_at_most(text + ", error", error, state.tolerance));
    }
  };
  judge("position", state.positions, &RecordedFrame::positions);
  judge("velocity", state.velocities, &RecordedFrame::velocities);
  judge("angular velocity", state.angular_velocities, &RecordedFrame::angular_velocities);
}

void judge_symmetry(const SymmetryExpectation& symmetry, const RunRecord& record,
                    std::vector<Claim>& claims) {
  const std::string text = std::string(to_string(symmetry.kind)) + " error";
  const double end = end_time(record);
  if (!is_reached(symmetry.time, end, record)) {
    claims.push_back(claim_beyond(text + " at time " + number_text(*symmetry.time), end, record));
    return;
  }
  const RecordedFrame start = record.frame(0);
  const std::vector<std::size_t> partner = partners(symmetry, start);
  const std::size_t last = last_frame_until(record, symmetry.time);
  double error = 0.0;
  for (std::size_t k = symmetry.whole_run ? 0 : last; k <= last; ++k) {
    error = std::max(error, symmetry_error_with(symmetry, partner, record.frame(k)));
  }
  if (symmetry.error_at_most) claims.push_back(claim_at_most(text, error, *symmetry.error_at_most));
  if (symmetry.error_at_least) {
    claims.push_back(claim_at_least(text, error, *symmetry.error_at_least));
  }
}

}  // namespace

std::vector<Claim> judge_run(const SceneExpectation& expectation, const RunRecord& record) {
  std::vector<Claim> claims;
  if (expectation.status) {
    const std::string found = run_status_text(record.end());
    const bool same = found == *expectation.status;
    claims.push_back(
        claim_true("the run is " + *expectation.status + (same ? "" : ", found " + found), same));
  }
  judge_numbers(expectation, record, claims);
  for (const StateExpectation& state : expectation.states) judge_state(state, record, claims);
  for (const SymmetryExpectation& symmetry : expectation.symmetries) {
    judge_symmetry(symmetry, record, claims);
  }
  return claims;
}

const SceneExpectation* expectation_for(const Scene& scene, const std::string& impact_operator) {
  for (std::size_t k = 0; k < scene.operators.size(); ++k) {
    if (scene.operators[k] == impact_operator) return &scene.expectations[k];
  }
  return nullptr;
}

double symmetry_error(const SymmetryExpectation& symmetry, const RecordedFrame& start,
                      const RecordedFrame& frame) {
  return symmetry_error_with(symmetry, partners(symmetry, start), frame);
}

std::vector<double> symmetry_errors(const SymmetryExpectation& symmetry, const RunRecord& record) {
  std::vector<double> errors;
  const std::size_t count = record.frame_times().size();
  if (count == 0) return errors;
  const std::vector<std::size_t> partner = partners(symmetry, record.frame(0));
  errors.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    errors.push_back(symmetry_error_with(symmetry, partner, record.frame(k)));
  }
  return errors;
}

std::vector<SymmetryExpectation> symmetries_of(const Scene& scene) {
  std::vector<SymmetryExpectation> list;
  for (const SceneExpectation& expectation : scene.expectations) {
    for (const SymmetryExpectation& symmetry : expectation.symmetries) {
      const bool known = std::any_of(list.begin(), list.end(), [&](const auto& other) {
        return other.kind == symmetry.kind && other.center == symmetry.center &&
               other.axis == symmetry.axis && other.angle == symmetry.angle;
      });
      if (!known) list.push_back(symmetry);
    }
  }
  return list;
}

}  // namespace carom
