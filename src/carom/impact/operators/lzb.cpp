// The operator `lzb`: springs that load and unload, integrated over impulse.
#include "carom/impact/operators/lzb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "carom/core/error.h"
#include "carom/impact/detail/dormand_prince.h"
#include "carom/impact/detail/operator_options.h"
#include "carom/impact/parts.h"

namespace carom {
namespace {

struct LzbSettings {
  double exponent = 1.5;
  double tolerance = 1e-10;
  std::uint64_t max_steps = 1'000'000;
};

constexpr double kLowestExponent = 1.0;
constexpr double kHighestExponent = 3.0;

// A contact may turn this close to the beginning or the end of a step.
constexpr double kNear = 1e-4;
constexpr int kMostTurns = 6;  // secant steps to find that place

class Lzb final : public ImpactOperator {
 public:
  explicit Lzb(const LzbSettings& settings) : settings_(settings) {}

  [[nodiscard]] const OperatorInfo& info() const override { return lzb_info(); }

  ApplicationStatus apply(const Application& application, Impulses& impulses) override {
    application_ = &application;
    rows_ = application.active;
    count_ = rows_.size();
    prepare();
    const ApplicationStatus status = integrate();
    lambda_.resize(count_);
    bool elastic = true;
    for (std::size_t i = 0; i < count_; ++i) {
      lambda_[i] = std::max(0.0, state_[count_ + i]) / application.scale[rows_[i]];
      elastic = elastic && application.response[rows_[i]] == 1.0;
    }
    if (elastic && application.exact_energy && status == ApplicationStatus::applied) {
      scaler_.scale(application, rows_, lambda_);
    }
    impulses.rows.assign(rows_.begin(), rows_.end());
    impulses.values = lambda_;
    return status;
  }

 private:
  void prepare() {
    state_.assign(2 * count_, 0.0);  // indentations d, then impulses P
    stiffness_.resize(count_);
    start_speed_.resize(count_);
    speed_.resize(count_);
    change_.assign(application_->rows->dof_count(), 0.0);
    step_ = kInfinity;
    for (std::size_t i = 0; i < count_; ++i) {
      const Index row = rows_[i];
      const double scale = application_->scale[row];
      stiffness_[i] = application_->stiffness[row];
      start_speed_[i] = application_->b[row] / scale;
      if (!(application_->b[row] < -application_->threshold)) continue;
      // Depth and duration of a compression of this contact alone: v^2 / (2 A) = E(d).
      const double power = settings_.exponent + 1.0;
      const double v = -start_speed_[i];
      const double a = application_->rows->diagonal(row) / (scale * scale);
      const double depth = std::pow(power * v * v / (2.0 * a * stiffness_[i]), 1.0 / power);
      step_ = std::min(step_, 0.01 * depth / v);
    }
  }

  double force(std::size_t i, double depth) const {
    if (depth <= 0.0) return 0.0;
    const double shape = settings_.exponent == 1.5   ? depth * std::sqrt(depth)
                         : settings_.exponent == 1.0 ? depth
                                                     : std::pow(depth, settings_.exponent);
    return stiffness_[i] * shape;  // (2)
  }

  // v = b + A P, in the given rows' units.
  void speeds(const std::vector<double>& state) {
    for (const Index row : rows_) {
      for (const solvers::BlockRows::Entry& entry : application_->rows->entries(row)) {
        std::fill_n(change_.begin() + entry.dof, entry.size, 0.0);
      }
    }
    for (std::size_t i = 0; i < count_; ++i) {
      application_->rows->apply(rows_[i], state[count_ + i] / application_->scale[rows_[i]],
                                change_);
    }
    for (std::size_t i = 0; i < count_; ++i) {
      speed_[i] = start_speed_[i] +
                  application_->rows->dot(rows_[i], change_) / application_->scale[rows_[i]];
    }
  }

  void derivative(const std::vector<double>& state, std::vector<double>& slope) {
    speeds(state);
    for (std::size_t i = 0; i < count_; ++i) {
      slope[i] = -speed_[i];
      slope[count_ + i] = force(i, state[i]);
    }
  }

  // Largest error in units of the tolerance; depths and impulses each on their own scale.
  double error_of(const DormandPrince& pair) {
    for (std::size_t i = 0; i < count_; ++i) {
      depth_scale_ = std::max(depth_scale_, std::abs(pair.next[i]));
      impulse_scale_ = std::max(impulse_scale_, pair.next[count_ + i]);
    }
    constexpr double kFloor = 1e-3;  // share of the largest value that every value may err by
    double worst = 0.0;
    for (std::size_t i = 0; i < count_; ++i) {
      worst = std::max(worst,
                       std::abs(pair.error[i]) / (std::abs(pair.next[i]) + kFloor * depth_scale_));
      worst = std::max(worst, std::abs(pair.error[count_ + i]) /
                                  (pair.next[count_ + i] + kFloor * impulse_scale_));
    }
    return worst / settings_.tolerance;
  }

  // The share of the step after which the first resting contact that was opening begins to close;
  // 1 where none does. A contact that starts to load inside a step would start too late.
  [[nodiscard]] double first_closing() const {
    double share = 1.0;
    for (std::size_t i = 0; i < count_; ++i) {
      // Below this a speed may be round-off, and matters to nobody.
      const double noise = 0.01 * application_->threshold / application_->scale[rows_[i]];
      if (state_[i] > 0.0 || !(speed_before_[i] > 0.0) || !(speed_[i] < -noise)) continue;
      share = std::min(share, speed_before_[i] / (speed_before_[i] - speed_[i]));
    }
    return share;
  }

  // Opened contacts go back to d = 0; says whether all contacts have come to rest.
  bool settle() {
    bool rest = true;
    const double power = settings_.exponent + 1.0;
    for (std::size_t i = 0; i < count_; ++i) {
      const Index row = rows_[i];
      if (state_[i] < 0.0) state_[i] = 0.0;
      if (application_->response[row] == 0.0 && speed_[i] >= 0.0) state_[i] = 0.0;
      // sqrt(2 E) is the scaled speed that the stored energy can still give.
      const double energy = force(i, state_[i]) * state_[i] / power;
      const bool empty = std::sqrt(2.0 * energy) <= 0.01 * application_->threshold;
      const bool closing = speed_[i] * application_->scale[row] < -application_->threshold;
      rest = rest && empty && !closing;
    }
    return rest;
  }

  ApplicationStatus integrate() {
    depth_scale_ = 0.0;
    impulse_scale_ = 0.0;
    const auto slope = [this](const std::vector<double>& y, std::vector<double>& dydt) {
      derivative(y, dydt);
    };
    speeds(state_);
    speed_before_ = speed_;
    int turns = 0;
    for (std::uint64_t steps = 0; steps < settings_.max_steps; ++steps) {
      pair_.step(state_, step_, slope);
      const double error = error_of(pair_);
      const double factor = error > 0.0 ? std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0) : 5.0;
      if (error <= 1.0) {
        speeds(pair_.next);
        const double share = first_closing();
        if (share > kNear && share < 1.0 - kNear && turns < kMostTurns) {
          step_ *= share;  // again, to end where the contact turns
          ++turns;
          continue;
        }
        turns = 0;
        state_ = pair_.next;
        if (settle()) return ApplicationStatus::applied;
        speed_before_ = speed_;
      }
      step_ *= factor;
      if (!std::isfinite(step_) || !(step_ > 0.0)) return ApplicationStatus::locked;
    }
    return ApplicationStatus::budget_exhausted;
  }

  LzbSettings settings_;
  const Application* application_ = nullptr;
  std::span<const Index> rows_;
  std::size_t count_ = 0;
  std::vector<double> state_;
  std::vector<double> stiffness_;
  std::vector<double> start_speed_;
  std::vector<double> speed_;
  std::vector<double> speed_before_;  // at the beginning of the step
  std::vector<double> change_;
  std::vector<double> lambda_;
  double step_ = 0.0;
  double depth_scale_ = 0.0;
  double impulse_scale_ = 0.0;
  DormandPrince pair_;
  EnergyScaler scaler_;
};

}  // namespace

const OperatorInfo& lzb_info() {
  static const OperatorInfo info = [] {
    OperatorInfo i;
    i.name = "lzb";
    i.summary =
        "Liu-Zhao-Brogliato: touching springs loaded and unloaded in the limit of stiffness";
    i.set_promises({Law::one, Law::mom, Law::kin, Law::sym, Law::brk, Law::feas, Law::fin, Law::wav,
                    Law::imp});
    i.fractional_response = false;
    i.whole_impact = true;
    i.options = {{"exponent", "a number from 1 to 3", "1.5",
                  "of force against indentation: 1 linear springs, 1.5 Hertz"},
                 {"tolerance", "a number from 1e-13 to 1e-2", "1e-10",
                  "relative error per integration step"},
                 {"max_steps", "a whole number", "1000000", "integration steps per application"}};
    return i;
  }();
  return info;
}

std::unique_ptr<ImpactOperator> make_lzb(std::string_view options) {
  const OperatorOptions parsed(lzb_info(), options);
  LzbSettings settings;
  settings.exponent = parsed.number("exponent", kLowestExponent, kHighestExponent);
  settings.tolerance = parsed.number("tolerance", 1e-13, 1e-2);
  settings.max_steps = parsed.whole_number("max_steps");
  return std::make_unique<Lzb>(settings);
}

double lzb_exponent(std::string_view specification) {
  const std::size_t colon = specification.find(':');
  if (specification.substr(0, colon) != lzb_info().name) return 1.0;
  const OperatorOptions parsed(lzb_info(), colon == std::string_view::npos
                                               ? std::string_view()
                                               : specification.substr(colon + 1));
  return parsed.number("exponent", kLowestExponent, kHighestExponent);
}

}  // namespace carom
