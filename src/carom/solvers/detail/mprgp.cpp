// Conjugate gradients with proportioning for programs with bounds.
#include "carom/solvers/detail/mprgp.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr double kNoCurvature = 1e-26;  // d'Ad over |d|^2 that counts as 0
constexpr double kReserve = 0.1;
constexpr std::uint64_t kFresh = 50;  // steps between two fresh gradients

double inner(std::span<const double> a, std::span<const double> b) {
  return dot_product(a.data(), b.data(), a.size());
}

}  // namespace

CoreOutcome Mprgp::run(ScaledProgram& program, const CoreSettings& settings, std::span<double> y) {
  CoreOutcome outcome;
  const Index size = program.size();
  const std::uint64_t budget =
      settings.max_iterations != 0 ? settings.max_iterations : 2000 + 300 * std::uint64_t{size};
  for (auto* values : {&g_, &phi_, &beta_, &p_, &ap_, &zero_}) values->assign(size, 0.0);
  for (Index i = 0; i < size; ++i)
    y[i] = program.start.empty() ? program.lower[i] : program.start[i];

  double norm = 0.0;  // of the scaled matrix
  for (Index i = 0; i < size; ++i) {
    double sum = 0.0;
    program.rows.for_each_neighbour(i, [&](Index, double value) { sum += std::abs(value); });
    norm = std::max(norm, sum);
  }
  expansion_ = 1.9 / norm;

  bool fresh = true;
  deadline_ = 0;
  program.gradient_at(y, g_);
  split(program, y);
  p_ = phi_;
  while (true) {
    if (good_enough(program, settings, y, outcome.iterations)) {
      if (fresh) return outcome;
      program.gradient_at(y, g_);
      split(program, y);
      p_ = phi_;
      fresh = true;
      continue;
    }
    if (outcome.iterations == budget) break;
    ++outcome.iterations;
    if (chopped_ <= reduced_) {
      product(program, p_);
      const double curvature = inner(p_, ap_);
      if (!(curvature > kNoCurvature * inner(p_, p_))) {
        const double room = longest_step(program, y, p_);
        if (!std::isfinite(room)) {
          outcome.status = QpStatus::unbounded;
          return outcome;
        }
        move(program, y, p_, room);
        program.gradient_at(y, g_);
        split(program, y);
        p_ = phi_;
      } else {
        conjugate_step(program, y, inner(g_, p_) / curvature, curvature);
      }
    } else if (!proportion(program, y)) {
      outcome.status = QpStatus::unbounded;
      return outcome;
    }
    fresh = outcome.iterations % kFresh == 0;
    if (fresh) {
      program.gradient_at(y, g_);
      split(program, y);
      p_ = phi_;
    }
  }
  program.gradient_at(y, g_);
  outcome.status = program.kkt_residual(y, g_) <= settings.tolerance ? QpStatus::solved
                                                                     : QpStatus::budget_exhausted;
  return outcome;
}

/// The residual that was asked for, with a reserve; and the strict one too, unless that has not
/// come after half as many steps again.
bool Mprgp::good_enough(ScaledProgram& program, const CoreSettings& settings,
                        std::span<const double> y, std::uint64_t steps) {
  if (!(program.kkt_residual(y, g_) <= kReserve * settings.tolerance)) return false;
  if (deadline_ == 0) deadline_ = steps + steps / 2 + kFresh;
  return steps >= deadline_ || program.strict_residual(y, g_) <= settings.tolerance;
}

/// phi, beta and the reduced free gradient phi~, which a step of length `expansion_` can realise.
void Mprgp::split(const ScaledProgram& program, std::span<const double> y) {
  reduced_ = 0.0;
  chopped_ = 0.0;
  for (Index i = 0; i < program.size(); ++i) {
    const double to_lower = y[i] - program.lower[i];
    const double to_upper = program.upper[i] - y[i];
    phi_[i] = 0.0;
    beta_[i] = 0.0;
    if (to_lower <= 0.0) {
      beta_[i] = std::min(g_[i], 0.0);
    } else if (to_upper <= 0.0) {
      beta_[i] = std::max(g_[i], 0.0);
    } else {
      phi_[i] = g_[i];
      const double reduced = g_[i] > 0.0 ? std::min(to_lower / expansion_, g_[i])
                                         : std::max(-to_upper / expansion_, g_[i]);
      reduced_ += reduced * phi_[i];
    }
    chopped_ += beta_[i] * beta_[i];
  }
}

void Mprgp::product(ScaledProgram& program, std::span<const double> direction) {
  program.v.resize(program.rows.dof_count());
  program.rows.gradient_at(direction, zero_, ap_, program.v);
}

double Mprgp::longest_step(const ScaledProgram& program, std::span<const double> y,
                           std::span<const double> direction) {
  double room = kInfinity;
  for (Index i = 0; i < program.size(); ++i) {
    if (direction[i] > 0.0) room = std::min(room, (y[i] - program.lower[i]) / direction[i]);
    if (direction[i] < 0.0) room = std::min(room, (program.upper[i] - y[i]) / -direction[i]);
  }
  return room;
}

void Mprgp::move(const ScaledProgram& program, std::span<double> y,
                 std::span<const double> direction, double length) {
  for (Index i = 0; i < program.size(); ++i) {
    if (direction[i] == 0.0) continue;
    y[i] = std::clamp(y[i] - length * direction[i], program.lower[i], program.upper[i]);
  }
}

void Mprgp::conjugate_step(ScaledProgram& program, std::span<double> y, double step,
                           double curvature) {
  const double room = longest_step(program, y, p_);
  if (step <= room) {
    move(program, y, p_, step);
    for (Index i = 0; i < program.size(); ++i) g_[i] -= step * ap_[i];
    split(program, y);
    const double ratio = inner(phi_, ap_) / curvature;
    for (Index i = 0; i < program.size(); ++i) p_[i] = phi_[i] - ratio * p_[i];
    return;
  }
  move(program, y, p_, room);  // (1)
  for (Index i = 0; i < program.size(); ++i) g_[i] -= room * ap_[i];
  split(program, y);
  move(program, y, phi_, expansion_);
  program.gradient_at(y, g_);
  split(program, y);
  p_ = phi_;
}

/// Step (2). False where nothing bounds it.
bool Mprgp::proportion(ScaledProgram& program, std::span<double> y) {
  product(program, beta_);
  const double curvature = inner(beta_, ap_);
  const double room = longest_step(program, y, beta_);
  double step = room;
  if (curvature > kNoCurvature * chopped_) step = std::min(room, inner(g_, beta_) / curvature);
  if (!std::isfinite(step)) return false;
  move(program, y, beta_, step);
  for (Index i = 0; i < program.size(); ++i) g_[i] -= step * ap_[i];
  split(program, y);
  p_ = phi_;
  return true;
}

}  // namespace carom::solvers
