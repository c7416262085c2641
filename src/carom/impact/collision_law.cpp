// The course of one collision with friction, from touch to separation.
#include "carom/impact/collision_law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/types.h"
#include "carom/impact/detail/slip_series.h"

namespace carom {
namespace {

constexpr double kForEver = std::numeric_limits<double>::infinity();

// Slip this small beside the whole velocity is none: its direction would be round-off.
constexpr double kNoSlip = 1e-14;
// Rates this small beside their terms are zero.
constexpr double kNoRate = 4e-15;
// Turning slip needs a few dozen steps; this many are used up only where it creeps along a double
// root of g, and straight on is as good as exact there.
constexpr unsigned kSteps = 2000;
// Places within a step at which events are looked for.
constexpr int kLooks = 4;

// Smaller root q > 0 of rate q^2 / 2 + speed q = amount, amount >= 0, speed >= 0.
double when_worked(double amount, double speed, double rate) {
  if (amount == 0.0) return 0.0;
  const double root = speed * speed + 2.0 * rate * amount;
  if (root < 0.0) return kForEver;
  const double sum = speed + std::sqrt(root);
  return sum > 0.0 ? 2.0 * amount / sum : kForEver;
}

class CollisionCourse {
 public:
  explicit CollisionCourse(const Collision& collision) : collision_(collision) {
    const std::array<double, 9>& k = collision.mobility;
    // A power of two, so that no power of K overflows or vanishes in a series.
    unit_ = std::ldexp(1.0, std::ilogb(std::max({k[0], k[4], k[8]})));
    equations_ = {k[0] / unit_,
                  0.5 * (k[1] + k[3]) / unit_,
                  k[4] / unit_,
                  0.5 * (k[2] + k[6]) / unit_,
                  0.5 * (k[5] + k[7]) / unit_,
                  k[8] / unit_,
                  collision.friction};
    const std::array<double, 3>& u = collision.velocity;
    state_.normal = u[2];
    const double slip = std::hypot(u[0], u[1]);
    if (slip > kNoSlip * std::hypot(slip, u[2])) {
      state_.speed = slip;
      state_.x = u[0] / slip;
      state_.y = u[1] / slip;
    }
  }

  CollisionOutcome run() {
    outcome_.velocity = collision_.velocity;
    if (!(state_.normal < 0.0)) return outcome_;
    if (collision_.friction > 0.0) {
      outcome_.course = SlipCourse::slides;
      slide();
      if (!ended_ && outcome_.course != SlipCourse::jams) leave_rest();
    } else {
      outcome_.course = state_.speed > 0.0 ? SlipCourse::slides : SlipCourse::sticks;
      go_straight({0.0, 0.0}, equations_.nn, kForEver);
    }
    if (outcome_.course == SlipCourse::jams) answer_without_friction();
    conclude();
    return outcome_;
  }

 private:
  struct Along {  // tangential impulse per normal impulse
    double x = 0.0;
    double y = 0.0;
  };

  // What is left in store of restitution, if the work or impulse done since `mark_` is counted.
  [[nodiscard]] double store(const SlipState& state) const {
    const double e = collision_.restitution;
    if (collision_.end == RestitutionEnd::poisson) {
      const double done = state.impulse - mark_.impulse;
      return closing_ ? store_ + e * done : store_ - done;
    }
    const double done = state.work - mark_.work;
    return closing_ ? store_ - e * e * done : store_ - done;
  }

  // The contact stops closing, or closes again, where the state stands.
  void turn() {
    store_ = std::max(0.0, store(state_));
    mark_ = state_;
    state_.normal = 0.0;
    closing_ = !closing_;
    if (closing_) {
      ++outcome_.recompressions;
    } else {
      if (outcome_.compression_impulse == 0.0) outcome_.compression_impulse = state_.impulse;
      if (store_ == 0.0) ended_ = true;
    }
  }

  // Slip from the first velocity until it vanishes or the collision ends.
  void slide() {
    const double size = equations_.tangential_size();
    const double least = kNoSlip * kNoSlip * state_.speed;
    while (!ended_ && state_.speed > 0.0) {
      if (equations_.k(state_.x, state_.y) < 0.0) outcome_.closes_faster = true;
      if (std::abs(equations_.g(state_.x, state_.y)) <= kNoRate * size ||
          outcome_.steps >= kSteps) {
        slide_straight();
        return;
      }
      turn_with_slip();
      if (state_.speed <= least) state_.speed = 0.0;
    }
  }

  void slide_straight() {
    const double f = equations_.f(state_.x, state_.y);
    const double k = equations_.k(state_.x, state_.y);
    const bool stops = f < -kNoRate * equations_.tangential_size();
    if (!stops && k <= kNoRate * equations_.nn) {
      outcome_.course = SlipCourse::jams;
      return;
    }
    const double speed = state_.speed;
    const double before = state_.impulse;
    const double left = stops ? -speed / f : kForEver;
    go_straight({-equations_.mu * state_.x, -equations_.mu * state_.y}, k, left);
    state_.speed = ended_ ? std::max(0.0, speed + f * (state_.impulse - before)) : 0.0;
  }

  // Constant rates: du_n/dp is `rate`, for at most `longest` more of the normal impulse.
  void go_straight(const Along& along, double rate, double longest) {
    while (!ended_) {
      double q = kForEver;
      if (closing_) {
        if (rate > 0.0) q = -state_.normal / rate;
      } else {
        const double left = store(state_);
        q = collision_.end == RestitutionEnd::poisson ? left
                                                      : when_worked(left, state_.normal, rate);
        if (rate < 0.0) q = std::min(q, -state_.normal / rate);
      }
      const bool cut = q > longest;
      advance(along, rate, cut ? longest : q);
      if (cut) return;
      longest -= q;
      const bool used_up = !closing_ && !(rate < 0.0 && state_.normal <= 0.0);
      if (used_up) {
        ended_ = true;
      } else {
        turn();
      }
    }
  }

  void advance(const Along& along, double rate, double q) {
    CAROM_DEMAND(q < kForEver);
    state_.work += q * (state_.normal + 0.5 * rate * q);
    state_.normal += rate * q;
    state_.impulse += q;
    state_.impulse_x += along.x * q;
    state_.impulse_y += along.y * q;
  }

  enum class Event : std::uint8_t { none, turn, end };

  // One step of the series, up to the first event in it.
  void turn_with_slip() {
    ++outcome_.steps;
    const SlipSeries series(equations_, state_);
    Event event = Event::none;
    double q = series.reach();
    double low = 0.0;
    for (int look = 1; look <= kLooks && event == Event::none; ++look) {
      const double high = series.reach() * look / kLooks;
      for (const Event each : {Event::end, Event::turn}) {
        if (until(each, series, high) > 0.0) continue;
        const double place = find(each, series, {low, high});
        if (event == Event::none || place < q) {
          event = each;
          q = place;
        }
      }
      low = high;
    }
    state_ = series.at(q);
    if (event == Event::end) ended_ = true;
    if (event == Event::turn) turn();
  }

  // Falls through 0 where the contact stops closing or closes again, or where the store is empty.
  [[nodiscard]] double until(Event event, const SlipSeries& series, double q) const {
    if (event == Event::turn) return closing_ ? -series.normal_at(q) : series.normal_at(q);
    if (closing_) return kForEver;
    SlipState state;
    state.impulse = series.impulse_at(q);
    state.work = series.work_at(q);
    return store(state);
  }

  // Regula falsi (Illinois).
  [[nodiscard]] double find(Event event, const SlipSeries& series,
                            std::array<double, 2> between) const {
    auto [low, high] = between;
    double above = until(event, series, low);
    double below = until(event, series, high);
    // Right after a turn round-off may see the contact on the other side.
    if (above <= 0.0) above = kRoundOff * std::abs(below);
    const double enough = -kRoundOff * (above - below);
    int side = 0;
    for (int iteration = 0; iteration < 100 && below < enough; ++iteration) {
      double middle = (low * below - high * above) / (below - above);
      if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) break;
      const double value = until(event, series, middle);
      if (value > 0.0) {
        low = middle;
        above = value;
        if (side == 1) below *= 0.5;
        side = 1;
      } else {
        high = middle;
        below = value;
        if (side == -1) above *= 0.5;
        side = -1;
      }
    }
    return high;
  }

  // No slip: (2) or (3), straight until the end.
  void leave_rest() {
    const SlipEquations& e = equations_;
    // Principal axes of K_tt: `half` the difference of its moments, `cosine` and `sine` of twice
    // the angle of the first.
    const double mean = 0.5 * (e.xx + e.yy);
    const double half = std::hypot(0.5 * (e.xx - e.yy), e.xy);
    const double angle = half > 0.0 ? 0.5 * std::atan2(e.xy, 0.5 * (e.xx - e.yy)) : 0.0;
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    const std::array<double, 2> moment = {mean + half, std::max(0.0, mean - half)};
    std::array<double, 2> pull = {cosine * e.xn + sine * e.yn, cosine * e.yn - sine * e.xn};
    // What no impulse moves is not pulled either; round-off may say so.
    for (std::size_t i = 0; i < 2; ++i) {
      if (moment[i] <= kNoRate * std::max(moment[0], e.nn)) pull[i] = 0.0;
    }
    const auto share = [&](std::size_t i, double f) {
      return pull[i] == 0.0 ? 0.0 : pull[i] / (e.mu * moment[i] + f);
    };
    double f = 0.0;
    if (std::hypot(share(0, 0.0), share(1, 0.0)) <= 1.0) {
      outcome_.course = SlipCourse::sticks;
    } else {
      outcome_.course = SlipCourse::slides_again;
      f = way_out(moment, pull);
    }
    double a = share(0, f);
    double b = share(1, f);
    if (f > 0.0) {
      const double length = std::hypot(a, b);
      a /= length;
      b /= length;
    }
    const Along along = {-e.mu * (cosine * a - sine * b), -e.mu * (sine * a + cosine * b)};
    const double rate = e.nn + e.xn * along.x + e.yn * along.y;
    if (rate <= kNoRate * e.nn) {
      outcome_.course = SlipCourse::jams;
      return;
    }
    go_straight(along, rate, kForEver);
  }

  // The f > 0 at which |s(f)| = 1 in (3). 1 / |s| is concave, so Newton's steps from the left rise
  // to it without passing it.
  [[nodiscard]] double way_out(const std::array<double, 2>& moment,
                               const std::array<double, 2>& pull) const {
    double f = std::max(0.0, std::hypot(pull[0], pull[1]) - equations_.mu * moment[0]);
    for (int iteration = 0; iteration < 100; ++iteration) {
      double square = 0.0;
      double slope = 0.0;
      for (std::size_t i = 0; i < 2; ++i) {
        if (pull[i] == 0.0) continue;
        const double resistance = equations_.mu * moment[i] + f;
        const double s = pull[i] / resistance;
        square += s * s;
        slope += s * s / resistance;
      }
      const double length = std::sqrt(square);
      const double next = f + (length - 1.0) * square / slope;
      if (!(next > f)) break;
      f = next;
    }
    return f;
  }

  void answer_without_friction() {
    state_ = {};
    state_.normal = collision_.velocity[2];
    mark_ = state_;
    store_ = 0.0;
    closing_ = true;
    ended_ = false;
    outcome_.compression_impulse = 0.0;
    outcome_.recompressions = 0;
    go_straight({0.0, 0.0}, equations_.nn, kForEver);
  }

  void conclude() {
    const SlipEquations& e = equations_;
    const std::array<double, 3> p = {state_.impulse_x, state_.impulse_y, state_.impulse};
    const std::array<double, 3> change = {e.xx * p[0] + e.xy * p[1] + e.xn * p[2],
                                          e.xy * p[0] + e.yy * p[1] + e.yn * p[2],
                                          e.xn * p[0] + e.yn * p[1] + e.nn * p[2]};
    double work = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      outcome_.impulse[i] = p[i] / unit_;
      outcome_.velocity[i] = collision_.velocity[i] + change[i];
      work += p[i] * (collision_.velocity[i] + 0.5 * change[i]);
    }
    outcome_.compression_impulse /= unit_;
    outcome_.normal_work = state_.work / unit_;
    outcome_.friction_work = std::min(0.0, work - state_.work) / unit_;
  }

  const Collision& collision_;
  double unit_ = 1.0;  // of mobility; impulses here are in units of its inverse
  SlipEquations equations_;
  SlipState state_;
  SlipState mark_;  // where the contact last stopped closing or began to
  double store_ = 0.0;
  bool closing_ = true;
  bool ended_ = false;
  CollisionOutcome outcome_;
};

}  // namespace

std::string_view to_string(RestitutionEnd end) {
  return end == RestitutionEnd::stronge ? "stronge" : "poisson";
}

std::vector<std::string> restitution_end_names() { return {"stronge", "poisson"}; }

RestitutionEnd restitution_end(std::string_view name) {
  if (name == "stronge") return RestitutionEnd::stronge;
  if (name == "poisson") return RestitutionEnd::poisson;
  throw InputError(
      {}, unknown_name_message("end of restitution", std::string(name), restitution_end_names()));
}

std::string_view to_string(SlipCourse course) {
  switch (course) {
    case SlipCourse::none:
      return "none";
    case SlipCourse::slides:
      return "slides";
    case SlipCourse::sticks:
      return "sticks";
    case SlipCourse::slides_again:
      return "slides_again";
    case SlipCourse::jams:
      return "jams";
  }
  return "?";
}

CollisionOutcome collide(const Collision& collision) {
  CAROM_DEMAND(collision.mobility[8] > 0.0);
  CAROM_DEMAND(collision.friction >= 0.0);
  CAROM_DEMAND(collision.restitution >= 0.0 && collision.restitution <= 1.0);
  return CollisionCourse(collision).run();
}

}  // namespace carom
