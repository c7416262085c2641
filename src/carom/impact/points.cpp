// The impact of points: checks, the order of its stages, and what is reported.
#include "carom/impact/points.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "carom/core/long_work.h"
#include "carom/core/stopwatch.h"
#include "carom/impact/detail/point_blend.h"
#include "carom/impact/detail/point_detour.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/detail/point_loop.h"
#include "carom/impact/detail/sphere_friction.h"

namespace carom {

// The working memory of one dimension after the other.
class PointResolver::Engine {
 public:
  template <std::size_t D>
  struct Work {
    PointFront<D> front;
    PointLoop<D> loop;
    PointBlend<D> blend;
    SphereFriction<D> friction;
    std::vector<typename SphereFriction<D>::Spin> spin;  ///< per point, where some turn
    std::vector<typename PointLoop<D>::Leave> leave;
    struct Totals {
      double energy = 0.0;
      std::array<double, D> momentum{};
    };
    std::vector<Totals> totals;            ///< per component
    std::vector<double> sums;              ///< per component
    std::vector<std::uint8_t> takes_part;  ///< per component
    // what friction's closing pass needs beside it
    std::vector<Index> stamp;
    std::vector<double> impulses;
  };

  explicit Engine(PointResolver& owner)
      : report_(&owner.report_),
        part_observer_(&owner.part_observer_),
        velocity_(&owner.velocity_),
        impulses_(&owner.impulses_),
        spin_(&owner.spin_),
        friction_(&owner.friction_),
        woken_(&owner.woken_),
        component_of_(&owner.component_of_),
        status_(&owner.status_) {}

  void resolve(const PointProblem& problem, const ImpactSettings& settings) {
    *report_ = PointReport();
    beside_layout_ = 0.0;
    double whole = 0.0;
    {
      const WallStopwatch watch(whole);
      run(problem, settings);
    }
    report_->seconds.layout = whole - beside_layout_;
  }

 private:
  void run(const PointProblem& problem, const ImpactSettings& settings) {
    if (problem.dimension == 2) {
      run<2>(problem, settings, plane_);
    } else {
      run<3>(problem, settings, space_);
    }
  }

  template <std::size_t D>
  void run(const PointProblem& problem, const ImpactSettings& settings, Work<D>& work) {
    using Leave = typename PointLoop<D>::Leave;
    *velocity_ = problem.velocity;
    *spin_ = problem.spin;
    impulses_->assign(problem.rows.size(), 0.0);
    friction_->assign(problem.rubbing.size(), {});
    work.front.load(problem, settings.tolerance);
    const auto& components = work.front.components();
    component_of_->assign(work.front.component_of().begin(), work.front.component_of().end());
    status_->assign(components.size(), ImpactStatus::resolved);
    work.leave.assign(components.size(), Leave::stays);
    const bool direct = settings.mixed_restitution == MixedRestitution::direct;
    bool lossy = false;
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (components[c].mixed && !direct) work.leave[c] = Leave::leaves;
      if (!components[c].mixed && components[c].restitution == 0.0) work.leave[c] = Leave::waits;
      lossy = lossy || (work.leave[c] != Leave::leaves && loses(components[c]));
    }
    if (lossy) work.blend.keep_start(work.front);
    bool ended = false;
    {
      const WallStopwatch watch(beside_layout_);
      ended =
          work.loop.run({&work.front, &problem, &settings, work.leave, *impulses_, part_observer_});
    }
    report_->seconds = work.loop.seconds();
    woken_->assign(work.front.woken().begin(), work.front.woken().end());
    if (!ended) report_->status = ImpactStatus::budget_exhausted;
    if (lossy) blend_inelastic(problem, work);
    send_near_locked(problem, settings, work);
    load_spin(problem, work);
    if (!problem.rubbing.empty() && settings.friction_model != "none") {
      const WallStopwatch watch(report_->seconds.friction);
      rub(problem, settings, work);
    }
    conclude(problem, work);
    {
      const WallStopwatch watch(report_->seconds.general);
      take_detour(problem, settings, work);
    }
    if (settings.work != nullptr && settings.work->stopped()) {
      report_->status = ImpactStatus::cancelled;
    }
    beside_layout_ +=
        report_->seconds.inelastic + report_->seconds.friction + report_->seconds.general;
  }

  // l = C l1 + (1 - C) l0 for the components that lose energy; the elastic response l1 is there.
  template <std::size_t D>
  void blend_inelastic(const PointProblem& problem, Work<D>& work) {
    using Leave = typename PointLoop<D>::Leave;
    const auto& components = work.front.components();
    work.takes_part.assign(components.size(), 0);
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (work.leave[c] == Leave::leaves || !loses(components[c])) continue;
      work.takes_part[c] = 1;
    }
    {
      const WallStopwatch watch(report_->seconds.inelastic);
      for (const Index failed :
           work.blend.run({&work.front, &problem, work.takes_part, *impulses_})) {
        work.leave[failed] = Leave::leaves;
      }
    }
    report_->largest_part = work.blend.largest_part();  // the loop's own comes later
  }

  template <class Component>
  static bool loses(const Component& component) {
    return component.mixed || component.restitution < 1.0;
  }

  // A component whose impulses add up to more than 2 |v| / threshold has a margin below the
  // threshold of lineality, although it ended.
  template <std::size_t D>
  void send_near_locked(const PointProblem& problem, const ImpactSettings& settings,
                        Work<D>& work) {
    if (settings.anti_locking == AntiLocking::off) return;
    const auto& components = work.front.components();
    const auto& points = work.front.points();
    work.sums.assign(components.size(), 0.0);
    for (std::size_t r = 0; r < problem.rows.size(); ++r) {
      const double impulse = (*impulses_)[r];
      if (impulse == 0.0) continue;
      const PointProblem::Row& row = problem.rows[r];
      double weight = points[row.a].weight;
      if (row.b != kNone) weight += points[row.b].weight;
      work.sums[work.front.component_of(row.a)] += impulse * std::sqrt(weight);
    }
    for (std::size_t c = 0; c < components.size(); ++c) {
      const double speed = std::sqrt(2.0 * components[c].energy);
      if (components[c].strictly_feasible || components[c].moved) continue;
      if (work.sums[c] > 2.0 * speed / settings.lineality_threshold) {
        work.leave[c] = PointLoop<D>::Leave::leaves;
      }
    }
  }

  template <std::size_t D>
  static void load_spin(const PointProblem& problem, Work<D>& work) {
    constexpr std::size_t kTurns = SphereFriction<D>::kTurns;
    work.spin.resize(problem.spin.size() / kTurns);
    for (std::size_t i = 0; i < work.spin.size(); ++i) {
      std::copy_n(problem.spin.begin() + static_cast<std::ptrdiff_t>(i * kTurns), kTurns,
                  work.spin[i].begin());
    }
  }

  // Friction, and the closing pass: inelastic, for rows that it makes close.
  template <std::size_t D>
  void rub(const PointProblem& problem, const ImpactSettings& settings, Work<D>& work) {
    using Leave = typename PointLoop<D>::Leave;
    work.takes_part.resize(work.leave.size());
    for (std::size_t c = 0; c < work.leave.size(); ++c) {
      const bool is_done = work.leave[c] != Leave::leaves && !work.front.components()[c].spent;
      work.takes_part[c] = is_done ? 1 : 0;
    }
    for (const Index failed : work.friction.run({&work.front, &problem, &settings, work.takes_part,
                                                 *impulses_, work.spin, *friction_})) {
      work.leave[failed] = Leave::leaves;
    }
    report_->largest_part = std::max(report_->largest_part, work.friction.largest_part());
    if (!work.friction.acted()) return;
    auto& points = work.front.points();
    work.stamp.resize(work.front.point_count());
    for (Index i = 0; i < work.front.point_count(); ++i) {
      work.stamp[i] = points[i].stamp;
      points[i].stamp = 0;
    }
    work.impulses.assign(problem.rows.size(), 0.0);
    for (const Index failed :
         work.blend.inelastic().run({&work.front, &problem, work.takes_part, work.impulses})) {
      work.leave[failed] = Leave::leaves;
    }
    report_->largest_part = std::max(report_->largest_part, work.blend.inelastic().largest_part());
    for (Index i = 0; i < work.front.point_count(); ++i) {
      points[i].stamp = std::max(points[i].stamp, work.stamp[i]);
    }
    for (std::size_t r = 0; r < problem.rows.size(); ++r) (*impulses_)[r] += work.impulses[r];
  }

  // Velocities back to the lab, and the laws. A point whose velocity did not change keeps its bits.
  template <std::size_t D>
  void conclude(const PointProblem& problem, Work<D>& work) {
    auto& components = work.front.components();
    const auto& points = work.front.points();
    using Totals = typename Work<D>::Totals;
    std::vector<Totals>& totals = work.totals;
    totals.assign(components.size(), Totals());
    for (Index i = 0; i < work.front.point_count(); ++i) {
      const Index number = work.front.component_of(i);
      Totals& sum = totals[number];
      double square = 0.0;
      for (std::size_t k = 0; k < D; ++k) {
        square += points[i].v[k] * points[i].v[k];
        sum.momentum[k] += problem.mass[i] * points[i].v[k];
      }
      sum.energy += 0.5 * problem.mass[i] * square;
      if (!work.spin.empty() && problem.turn_weight[i] > 0.0) {
        double turned = 0.0;
        for (const double w : work.spin[i]) turned += w * w;
        sum.energy += 0.5 * turned / problem.turn_weight[i];
      }
      if (points[i].stamp == 0 || work.leave[number] == PointLoop<D>::Leave::leaves) continue;
      for (std::size_t k = 0; k < D; ++k) {
        (*velocity_)[static_cast<std::size_t>(i) * D + k] =
            components[number].frame[k] + points[i].v[k];
      }
      if (work.spin.empty()) continue;
      std::copy(work.spin[i].begin(), work.spin[i].end(),
                spin_->begin() + static_cast<std::ptrdiff_t>(i * work.spin[i].size()));
    }
    report_->components = static_cast<Index>(components.size());
    report_->largest_part = std::max(report_->largest_part, work.loop.largest_part());
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (work.leave[c] == PointLoop<D>::Leave::leaves) continue;
      auto& component = components[c];
      report_->applications = std::max(report_->applications, component.applications);
      report_->applications_total += component.applications;
      if (component.energy > 0.0 && !component.moved) {
        const double error = (totals[c].energy - component.energy) / component.energy;
        if (std::abs(error) > std::abs(report_->energy)) report_->energy = error;
      }
      if (component.free && component.momentum > 0.0) {  // it was 0 in its frame
        double square = 0.0;
        for (const double p : totals[c].momentum) square += p * p;
        report_->momentum_linear =
            std::max(report_->momentum_linear, std::sqrt(square) / component.momentum);
      }
    }
  }

  template <std::size_t D>
  void take_detour(const PointProblem& problem, const ImpactSettings& settings, Work<D>& work) {
    const auto leaves = [&](Index row) {
      const Index component = work.front.component_of(problem.rows[row].a);
      return work.leave[component] == PointLoop<D>::Leave::leaves && work.front.is_awake(row);
    };
    if (std::none_of(work.leave.begin(), work.leave.end(),
                     [](auto leave) { return leave == PointLoop<D>::Leave::leaves; })) {
      return;
    }
    if (problem.is_open) {
      for (Index row = 0; row < problem.rows.size() && !report_->open_lock; ++row) {
        report_->open_lock = leaves(row) && problem.is_open(row);
      }
    }
    if (report_->open_lock) {
      report_->status = ImpactStatus::budget_exhausted;
      return;
    }
    detour_.build(problem, leaves);
    ImpactResult result = resolve_impacts(detour_.problem(), settings);
    detour_.read(result, {*velocity_, *spin_, *impulses_, *friction_});
    const ImpactReport& from = result.report;
    report_->status = std::max(report_->status, from.status);
    report_->handed_over = static_cast<Index>(from.components.size());
    report_->applications = std::max(report_->applications, from.applications);
    report_->applications_total += from.applications_total;
    report_->momentum_linear = std::max(report_->momentum_linear, from.momentum_linear);
    report_->lineality_energy = from.lineality_energy;
    if (std::abs(from.energy) > std::abs(report_->energy)) report_->energy = from.energy;
    report_->general = std::move(result.report.components);
    for (ComponentReport& component : report_->general) {
      detour_.renumber(component);
      (*status_)[work.front.component_of(component.bodies.front())] = component.status;
    }
  }

  PointReport* report_;
  const PartObserver* part_observer_;
  std::vector<double>* velocity_;
  std::vector<double>* impulses_;
  std::vector<double>* spin_;
  std::vector<std::array<double, 3>>* friction_;
  std::vector<Index>* woken_;
  std::vector<Index>* component_of_;
  std::vector<ImpactStatus>* status_;
  PointDetour detour_;
  double beside_layout_ = 0.0;  ///< wall time, s
  Work<2> plane_;
  Work<3> space_;
};

std::array<double, 3> PointProblem::place(Index point) const {
  if (place_of) return place_of(point);
  const auto size = static_cast<std::size_t>(dimension);
  std::array<double, 3> place{};
  std::copy_n(position.begin() + static_cast<std::ptrdiff_t>(point * size), size, place.begin());
  return place;
}

SolverSeconds& SolverSeconds::operator+=(const SolverSeconds& more) {
  layout += more.layout;
  front += more.front;
  small_parts += more.small_parts;
  linked_parts += more.linked_parts;
  other_parts += more.other_parts;
  inelastic += more.inelastic;
  friction += more.friction;
  general += more.general;
  return *this;
}

PointResolver::PointResolver() : engine_(std::make_unique<Engine>(*this)) {}

PointResolver::~PointResolver() = default;

namespace {

// An operator with options of its own goes the general way, unless it brought its form for points.
bool has_form_for_points(const std::string& specification) {
  const OperatorInfo* info = find_operator(specification);
  const PointForm form = info != nullptr ? info->point_form : PointForm::none;
  if (specification.find(':') != std::string::npos) return form == PointForm::registered;
  return form != PointForm::none;
}

}  // namespace

bool PointResolver::supports(const ImpactSettings& settings) {
  return has_form_for_points(settings.impact_operator) &&
         settings.restitution_model == "interpolated" && settings.friction_model != "collision" &&
         (settings.friction_model == "none" || settings.friction_passes <= 1) &&
         settings.energy_correction == EnergyCorrection::impulse_scaling &&
         settings.anti_locking == AntiLocking::lazy && settings.anti_locking_after > 0 &&
         !settings.certificate && settings.observer == nullptr;
}

void PointResolver::observe_parts(PartObserver observer) { part_observer_ = std::move(observer); }

void PointResolver::resolve(const PointProblem& problem, const ImpactSettings& settings) {
  engine_->resolve(problem, settings);
}

}  // namespace carom
