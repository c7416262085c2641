#include "made_up_runs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/core/random.h"

namespace carom::viewer_test {
namespace {

using Vector = std::array<double, 3>;

struct Ball {
  Vector q{};
  Vector v{};
  double radius = 1.0;
};

constexpr Vector kGravity = {0.0, -9.81, 0.0};

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Masses are 1. Impulses go to `arrows` where it is given.
void collide(std::vector<Ball>& balls, double restitution, double time,
             std::vector<PageArrow>* arrows) {
  for (std::size_t i = 0; i < balls.size(); ++i) {
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      Ball& a = balls[i];
      Ball& b = balls[j];
      const Vector d = {b.q[0] - a.q[0], b.q[1] - a.q[1], b.q[2] - a.q[2]};
      const double distance = std::sqrt(dot(d, d));
      if (distance > (a.radius + b.radius) * 1.0005) continue;
      const Vector n = {d[0] / distance, d[1] / distance, d[2] / distance};
      const double closing = dot(n, b.v) - dot(n, a.v);
      if (closing >= 0.0) continue;
      const double impulse = -0.5 * (1.0 + restitution) * closing;
      PageArrow arrow;
      arrow.time = time;
      for (std::size_t k = 0; k < 3; ++k) {
        a.v[k] -= impulse * n[k];
        b.v[k] += impulse * n[k];
        arrow.point[k] = a.q[k] + a.radius * n[k];
        arrow.impulse[k] = -impulse * n[k];
      }
      arrow.body_a = static_cast<Index>(i);
      arrow.body_b = static_cast<Index>(j);
      if (arrows != nullptr) arrows->push_back(arrow);
    }
  }
}

void bounce(Ball& ball, const Vector& lower, const Vector& upper, double restitution) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (ball.q[k] < lower[k] + ball.radius && ball.v[k] < 0.0) ball.v[k] *= -restitution;
    if (ball.q[k] > upper[k] - ball.radius && ball.v[k] > 0.0) ball.v[k] *= -restitution;
  }
}

void fly(Ball& ball, const Vector& acceleration, double dt) {
  for (std::size_t k = 0; k < 3; ++k) {
    ball.q[k] += dt * ball.v[k] + 0.5 * dt * dt * acceleration[k];
    ball.v[k] += dt * acceleration[k];
  }
}

void record(PageRun& run, const std::vector<Ball>& balls, double time) {
  run.times.push_back(time);
  std::vector<double>& q = run.positions.emplace_back();
  std::vector<double>& v = run.velocities.emplace_back();
  for (const Ball& ball : balls) {
    q.insert(q.end(), ball.q.begin(), ball.q.end());
    v.insert(v.end(), ball.v.begin(), ball.v.end());
  }
}

class Diagnostics {
 public:
  Diagnostics() {
    add("kinetic", "J", "energy");
    add("potential", "J", "energy");
    add("total", "J", "energy");
    add("momentum x", "N s", "momentum");
    add("momentum y", "N s", "momentum");
    add("impacts", "", "");
  }

  void record(const std::vector<Ball>& balls, double time, double impacts) {
    double kinetic = 0.0;
    double potential = 0.0;
    double x = 0.0;
    double y = 0.0;
    for (const Ball& ball : balls) {
      kinetic += 0.5 * dot(ball.v, ball.v);
      potential -= gravity_ * ball.q[1];
      x += ball.v[0];
      y += ball.v[1];
    }
    const std::array<double, 6> values = {kinetic, potential, kinetic + potential, x, y, impacts};
    for (std::size_t k = 0; k < values.size(); ++k) {
      series_[k].times.push_back(time);
      series_[k].values.push_back(values[k]);
    }
  }

  void set_gravity(double gravity) { gravity_ = gravity; }
  [[nodiscard]] std::vector<PageSeries> without_potential() const {
    return {series_[2], series_[3], series_[4], series_[5]};
  }
  [[nodiscard]] std::vector<PageSeries> all() const { return series_; }

 private:
  void add(const char* name, const char* unit, const char* plot) {
    PageSeries series;
    series.name = name;
    series.unit = unit;
    series.plot = plot;
    series_.push_back(series);
  }

  std::vector<PageSeries> series_;
  double gravity_ = 0.0;
};

std::vector<Ball> make_rack(std::size_t rows) {
  std::vector<Ball> balls;
  balls.push_back({{-14.0, 0.0, 0.0}, {12.0, 0.0, 0.0}, 0.5});
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k <= row; ++k) {
      const auto r = static_cast<double>(row);
      const double y = static_cast<double>(k) - 0.5 * r;
      balls.push_back({{r * std::sqrt(0.75), y, 0.0}, {}, 0.5});
    }
  }
  return balls;
}

}  // namespace

PageRun make_break(std::size_t rows, double restitution, std::size_t frames) {
  PageRun run;
  run.title = "Break of a rack";
  run.impact_operator = "gauss_seidel";
  run.scene_name = "break.toml";
  run.time_step = 1e-3;
  run.shapes_json =
      R"([{"type": "box_inside", "name": "table", "lower": [-18, -12, 0], "upper": [26, 12, 0]}])";
  std::vector<Ball> balls = make_rack(rows);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    run.radii.push_back(balls[k].radius);
    run.names.push_back(k == 0 ? "cue" : "ball " + std::to_string(k));
  }
  Diagnostics diagnostics;
  constexpr int kStepsPerFrame = 10;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const double time = 0.01 * static_cast<double>(frame);
    record(run, balls, time);
    const std::size_t before = run.arrows.size();
    for (int step = 0; step < kStepsPerFrame; ++step) {
      const double now = time + run.time_step * step;
      collide(balls, restitution, now, &run.arrows);
      for (Ball& ball : balls) {
        bounce(ball, {-18.0, -12.0, -1.0}, {26.0, 12.0, 1.0}, 1.0);
        fly(ball, {}, run.time_step);
      }
    }
    diagnostics.record(balls, time, static_cast<double>(run.arrows.size() - before));
  }
  run.series = diagnostics.without_potential();
  run.series[0].name = "kinetic energy";
  run.series[0].plot.clear();
  return run;
}

PageRun make_fall(std::size_t count, std::size_t frames) {
  PageRun run;
  run.title = "Balls in a box";
  run.impact_operator = "gr";
  run.dimension = 3;
  run.up = {0.0, 1.0, 0.0};
  run.time_step = 2e-3;
  run.shapes_json = R"([
    {"type": "half_plane", "name": "floor", "point": [0, -3, 0], "normal": [0, 1, 0]},
    {"type": "box_inside", "lower": [-3, -3, -3], "upper": [3, 5, 3]},
    {"type": "sphere_outside", "center": [0, -2.2, 0], "radius": 0.8},
    {"type": "segment", "a": [-2, 4, 0], "b": [2, 4, 0],
     "motion": {"times": [0, 1, 2, 3], "offsets": [[0,0,-1], [0,0,1], [0,0,-1], [0,0,1]]}}
  ])";
  run.heights = PageHeights{1.0, {-3.0, -3.0}, {6.0, 8.0}, kNone};
  Random random(5);
  std::vector<Ball> balls;
  for (std::size_t k = 0; k < count; ++k) {
    Ball ball;
    ball.radius = random.uniform(0.12, 0.34);
    for (double& x : ball.q) x = random.uniform(-2.5, 2.5);
    ball.q[1] += 2.0;
    for (double& x : ball.v) x = random.uniform(-1.0, 1.0);
    balls.push_back(ball);
    run.radii.push_back(ball.radius);
  }
  Diagnostics diagnostics;
  diagnostics.set_gravity(kGravity[1]);
  constexpr int kStepsPerFrame = 5;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const double time = 0.01 * static_cast<double>(frame);
    record(run, balls, time);
    const std::size_t before = run.arrows.size();
    for (int step = 0; step < kStepsPerFrame; ++step) {
      const double now = time + run.time_step * step;
      collide(balls, 0.9, now, &run.arrows);
      for (Ball& ball : balls) {
        bounce(ball, {-3.0, -3.0, -3.0}, {3.0, 5.0, 3.0}, 0.9);
        fly(ball, kGravity, run.time_step);
      }
    }
    diagnostics.record(balls, time, static_cast<double>(run.arrows.size() - before));
  }
  run.series = diagnostics.all();
  return run;
}

PageRun make_rest() {
  PageRun run;
  run.title = "A stack rests after a big impact";
  run.impact_operator = "gr";
  run.time_step = 0.01;
  run.shapes_json = R"([{"type": "half_plane", "point": [0, 0, 0], "normal": [0, 1, 0]}])";
  std::vector<Ball> balls;
  balls.push_back({{0.0, 0.5, 0.0}, {}, 0.5});
  balls.push_back({{0.0, 1.5, 0.0}, {}, 0.5});
  balls.push_back({{3.0, 0.5, 0.0}, {}, 0.5});
  run.radii.assign(balls.size(), 0.5);
  for (int frame = 0; frame <= 200; ++frame) {
    const double time = 0.01 * frame;
    record(run, balls, time);
    if (frame == 20) run.arrows.push_back({time, {3.0, 0.0, 0.0}, {0.0, 1000.0, 0.0}, 2, kNone});
    if (frame <= 20) continue;
    run.arrows.push_back({time, {0.0, 0.0, 0.0}, {0.0, 0.002, 0.0}, 0, kNone});
    run.arrows.push_back({time, {0.0, 1.0, 0.0}, {0.0, 0.001, 0.0}, 1, 0});
  }
  return run;
}

PageRun make_springs(int dimension, bool is_kept) {
  PageRun run;
  run.title = "Two balls on springs";
  run.impact_operator = is_kept ? "gr" : "gauss_seidel";
  run.scene_name = "springs.toml";
  run.description = "A ball hangs from a point, another\nfrom the ball.";
  run.figure = "after nobody";
  run.dimension = dimension;
  run.time_step = 1e-3;
  run.radii = {0.3, 0.25};
  const std::size_t up = dimension == 3 ? 2 : 1;
  run.up[up] = 9.81;
  run.shapes_json = dimension == 3
                        ? R"([{"type": "half_plane", "point": [0, 0, 0], "normal": [0, 0, 1]}])"
                        : R"([{"type": "half_plane", "point": [0, 0, 0], "normal": [0, 1, 0]}])";
  PageSpring above{0, kNone, {}, 1.5};
  above.point[up] = 4.0;
  run.springs = {above, {0, 1, {}, 1.0}};
  PageSeries energy{"total energy", "J", "energy", 0.0, false, false, {}, {}};
  PageSeries error{"mirror error", "m", "mirror error", 0.0, false, true, {}, {}};
  for (int frame = 0; frame <= 100; ++frame) {
    const double time = 0.02 * frame;
    Ball a{{0.4 * std::sin(2.0 * time), 0.0, 0.0}, {}, 0.3};
    Ball b{{-0.4 * std::sin(2.0 * time), 0.0, 0.0}, {}, 0.25};
    a.q[up] = 2.2 + 0.2 * std::sin(5.0 * time);
    b.q[up] = 0.8 - 0.3 * std::sin(5.0 * time);
    record(run, {a, b}, time);
    energy.times.push_back(time);
    energy.values.push_back(3.0);
    error.times.push_back(time);
    const double growth = is_kept ? 1.0 : 10.0;  // powers of ten in a second
    error.values.push_back(frame == 0 ? 0.0 : 1e-16 * std::pow(10.0, growth * time));
  }
  run.series = {energy, error};
  return run;
}

PageRun make_gas(std::size_t count, std::size_t frames, int dimension) {
  PageRun run;
  run.title = "Gas of " + std::to_string(count);
  run.impact_operator = "gr";
  run.dimension = dimension;
  run.time_step = 1e-3;
  run.shapes_json = R"([{"type": "box_inside", "lower": [-5, -5, -5], "upper": [5, 5, 5]}])";
  Random random(9);
  std::vector<Ball> balls(count);
  for (Ball& ball : balls) {
    ball.radius = dimension == 3 ? 0.07 : 0.03;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
      ball.q[k] = random.uniform(-4.9, 4.9);
      ball.v[k] = random.uniform(-2.0, 2.0);
    }
    run.radii.push_back(ball.radius);
  }
  Diagnostics diagnostics;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const double time = 0.02 * static_cast<double>(frame);
    record(run, balls, time);
    diagnostics.record(balls, time, 0.0);
    for (Ball& ball : balls) {
      bounce(ball, {-5.0, -5.0, -5.0}, {5.0, 5.0, 5.0}, 1.0);
      fly(ball, {}, 0.02);
    }
  }
  run.series = diagnostics.without_potential();
  return run;
}

}  // namespace carom::viewer_test
