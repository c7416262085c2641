#include "carom/impact/points.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "carom/impact/detail/point_front.h"
#include "carom/impact/detail/point_inelastic.h"
#include "carom/impact/detail/point_loop.h"
#include "carom/impact/detail/seconds_into.h"

namespace carom {
namespace {

// Rows and points of the components that go the general way.
struct Detour {
  ImpactProblem problem;
  std::vector<Index> points;  ///< of the problem's bodies
  std::vector<Index> rows;    ///< of the problem's rows
};

template <std::size_t D>
Numbers numbers(const double* values) {
  return Numbers(std::span<const double>(values, D));
}

}  // namespace

// The working memory of one dimension after the other.
class PointResolver::Engine {
 public:
  template <std::size_t D>
  struct Work {
    PointFront<D> front;
    PointLoop<D> loop;
    PointInelastic<D> inelastic;
    std::vector<typename PointLoop<D>::Leave> leave;
    std::vector<double> sums;  ///< per component
    // what the inelastic response needs beside it
    std::vector<std::uint8_t> takes_part;  ///< per component
    std::vector<std::array<double, D>> velocity;
    std::vector<Index> stamp;
    std::vector<double> impulses;
  };

  explicit Engine(PointResolver& owner)
      : report_(&owner.report_),
        part_observer_(&owner.part_observer_),
        velocity_(&owner.velocity_),
        impulses_(&owner.impulses_) {}

  void resolve(const PointProblem& problem, const ImpactSettings& settings) {
    *report_ = PointReport();
    beside_layout_ = 0.0;
    double whole = 0.0;
    {
      const detail::SecondsInto watch(whole);
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

 private:
  template <std::size_t D>
  void run(const PointProblem& problem, const ImpactSettings& settings, Work<D>& work) {
    using Leave = typename PointLoop<D>::Leave;
    *velocity_ = problem.velocity;
    impulses_->assign(problem.rows.size(), 0.0);
    work.front.load(problem, settings.tolerance);
    const auto& components = work.front.components();
    work.leave.assign(components.size(), Leave::stays);
    bool lossy = false;
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (components[c].mixed) work.leave[c] = Leave::leaves;
      if (!components[c].mixed && components[c].restitution == 0.0) work.leave[c] = Leave::waits;
      lossy = lossy || (!components[c].mixed && components[c].restitution < 1.0);
    }
    if (lossy) save_start(work);
    bool ended = false;
    {
      const detail::SecondsInto watch(beside_layout_);
      ended =
          work.loop.run({&work.front, &problem, &settings, work.leave, *impulses_, part_observer_});
    }
    report_->seconds = work.loop.seconds();
    if (!ended) report_->status = ImpactStatus::budget_exhausted;
    if (lossy) blend_inelastic(problem, work);
    send_near_locked(problem, settings, work);
    conclude(problem, work);
    {
      const detail::SecondsInto watch(report_->seconds.general);
      take_detour(problem, settings, work);
    }
    beside_layout_ += report_->seconds.inelastic + report_->seconds.general;
  }

  template <std::size_t D>
  static void save_start(Work<D>& work) {
    work.velocity.resize(work.front.point_count());
    for (Index i = 0; i < work.front.point_count(); ++i) {
      work.velocity[i] = work.front.points()[i].v;
    }
  }

  // l = c l1 + (1 - c) l0 for the components that lose energy; the elastic response l1 is there.
  template <std::size_t D>
  void blend_inelastic(const PointProblem& problem, Work<D>& work) {
    using Leave = typename PointLoop<D>::Leave;
    auto& components = work.front.components();
    auto& points = work.front.points();
    work.takes_part.assign(components.size(), 0);
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (work.leave[c] == Leave::leaves || components[c].restitution == 1.0) continue;
      work.takes_part[c] = 1;
    }
    // Elastic outcome aside, start in its place.
    work.impulses = *impulses_;
    work.stamp.resize(work.front.point_count());
    for (Index i = 0; i < work.front.point_count(); ++i) {
      work.stamp[i] = points[i].stamp;
      if (work.takes_part[work.front.component_of(i)] == 0) continue;
      std::swap(points[i].v, work.velocity[i]);
      points[i].stamp = 0;
    }
    for (std::size_t r = 0; r < problem.rows.size(); ++r) {
      if (work.takes_part[work.front.component_of(problem.rows[r].a)] != 0) (*impulses_)[r] = 0.0;
    }
    {
      const detail::SecondsInto watch(report_->seconds.inelastic);
      for (const Index failed :
           work.inelastic.run({&work.front, &problem, work.takes_part, *impulses_})) {
        work.leave[failed] = Leave::leaves;
      }
    }
    report_->largest_part = work.inelastic.largest_part();
    for (Index i = 0; i < work.front.point_count(); ++i) {
      const Index number = work.front.component_of(i);
      if (work.takes_part[number] == 0) continue;
      const double c = components[number].restitution;
      for (std::size_t k = 0; k < D; ++k) {
        points[i].v[k] = c * work.velocity[i][k] + (1.0 - c) * points[i].v[k];
      }
      points[i].stamp = std::max(points[i].stamp, work.stamp[i]);
    }
    for (std::size_t r = 0; r < problem.rows.size(); ++r) {
      const Index number = work.front.component_of(problem.rows[r].a);
      if (work.takes_part[number] == 0) continue;
      const double c = components[number].restitution;
      (*impulses_)[r] = c * work.impulses[r] + (1.0 - c) * (*impulses_)[r];
    }
  }

  // A component whose impulses add up to more than 2 |v| / threshold has a margin below the
  // threshold of lineality, although it ended.
  template <std::size_t D>
  void send_near_locked(const PointProblem& problem, const ImpactSettings& settings,
                        Work<D>& work) {
    if (settings.anti_locking == AntiLocking::off) return;
    const auto& components = work.front.components();
    work.sums.assign(components.size(), 0.0);
    for (std::size_t r = 0; r < problem.rows.size(); ++r) {
      const double impulse = (*impulses_)[r];
      if (impulse == 0.0) continue;
      const PointProblem::Row& row = problem.rows[r];
      double weight = 1.0 / problem.mass[row.a];
      if (row.b != kNone) weight += 1.0 / problem.mass[row.b];
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

  // Velocities back to the lab, and the laws. A point whose velocity did not change keeps its bits.
  template <std::size_t D>
  void conclude(const PointProblem& problem, Work<D>& work) {
    auto& components = work.front.components();
    const auto& points = work.front.points();
    struct Sum {
      double energy = 0.0;
      std::array<double, D> momentum{};
    };
    std::vector<Sum> sums(components.size());
    for (Index i = 0; i < work.front.point_count(); ++i) {
      const Index number = work.front.component_of(i);
      Sum& sum = sums[number];
      double square = 0.0;
      for (std::size_t k = 0; k < D; ++k) {
        square += points[i].v[k] * points[i].v[k];
        sum.momentum[k] += problem.mass[i] * points[i].v[k];
      }
      sum.energy += 0.5 * problem.mass[i] * square;
      if (points[i].stamp == 0 || work.leave[number] == PointLoop<D>::Leave::leaves) continue;
      for (std::size_t k = 0; k < D; ++k) {
        (*velocity_)[static_cast<std::size_t>(i) * D + k] =
            components[number].frame[k] + points[i].v[k];
      }
    }
    report_->components = static_cast<Index>(components.size());
    report_->largest_part = std::max(report_->largest_part, work.loop.largest_part());
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (work.leave[c] == PointLoop<D>::Leave::leaves) continue;
      auto& component = components[c];
      report_->applications = std::max(report_->applications, component.applications);
      report_->applications_total += component.applications;
      if (component.energy > 0.0 && !component.moved) {
        const double error = (sums[c].energy - component.energy) / component.energy;
        if (std::abs(error) > std::abs(report_->energy)) report_->energy = error;
      }
      if (component.free && component.momentum > 0.0) {  // it was 0 in its frame
        double square = 0.0;
        for (const double p : sums[c].momentum) square += p * p;
        report_->momentum_linear =
            std::max(report_->momentum_linear, std::sqrt(square) / component.momentum);
      }
    }
  }

  template <std::size_t D>
  void take_detour(const PointProblem& problem, const ImpactSettings& settings, Work<D>& work) {
    const auto leaves = [&](Index point) {
      return work.leave[work.front.component_of(point)] == PointLoop<D>::Leave::leaves;
    };
    if (std::none_of(work.leave.begin(), work.leave.end(),
                     [](auto leave) { return leave == PointLoop<D>::Leave::leaves; })) {
      return;
    }
    Detour detour;
    body_of_.assign(problem.point_count(), kNone);
    const auto body = [&](Index point) {
      if (body_of_[point] != kNone) return body_of_[point];
      const std::size_t at = static_cast<std::size_t>(point) * D;
      BodyDefinition definition;
      definition.mass = problem.mass[point];
      definition.velocity = numbers<D>(problem.velocity.data() + at);
      if (!problem.position.empty()) {
        definition.position = numbers<D>(problem.position.data() + at);
      }
      detour.points.push_back(point);
      return body_of_[point] = detour.problem.add_body(definition);
    };
    for (Index r = 0; r < problem.rows.size(); ++r) {
      const PointProblem::Row& row = problem.rows[r];
      if (!leaves(row.a)) continue;
      ContactDefinition contact;
      contact.body_a = body(row.a);
      if (row.b != kNone) contact.body_b = body(row.b);
      contact.normal = numbers<D>(row.normal.data());
      contact.offset = row.offset;
      contact.restitution = row.restitution;
      detour.rows.push_back(r);
      detour.problem.add_contact(contact);
    }
    join(resolve_impacts(detour.problem, settings), detour, D);
  }

  void join(ImpactResult&& result, const Detour& detour, std::size_t dimension) {
    for (std::size_t k = 0; k < detour.points.size(); ++k) {
      std::copy_n(result.velocities.begin() + static_cast<std::ptrdiff_t>(k * dimension), dimension,
                  velocity_->begin() + static_cast<std::ptrdiff_t>(detour.points[k] * dimension));
    }
    for (std::size_t k = 0; k < detour.rows.size(); ++k) {
      (*impulses_)[detour.rows[k]] = result.impulses[k];
    }
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
      for (Index& body : component.bodies) body = detour.points[body];
      for (Index& row : component.rows) row = detour.rows[row];
      for (Index& row : component.lineality_rows) row = detour.rows[row];
    }
  }

  PointReport* report_;
  const PartObserver* part_observer_;
  std::vector<double>* velocity_;
  std::vector<double>* impulses_;
  std::vector<Index> body_of_;
  double beside_layout_ = 0.0;  ///< wall time, s
  Work<2> plane_;
  Work<3> space_;
};

SolverSeconds& SolverSeconds::operator+=(const SolverSeconds& more) {
  layout += more.layout;
  front += more.front;
  small_parts += more.small_parts;
  linked_parts += more.linked_parts;
  other_parts += more.other_parts;
  inelastic += more.inelastic;
  general += more.general;
  return *this;
}

PointResolver::PointResolver() : engine_(std::make_unique<Engine>(*this)) {}

PointResolver::~PointResolver() = default;

bool PointResolver::supports(const ImpactSettings& settings) {
  const std::string& name = settings.impact_operator;
  return (name == "gr" || name == "qce" || name == "gauss_seidel") &&
         settings.restitution_model == "interpolated" && settings.friction_model == "none" &&
         settings.energy_correction == EnergyCorrection::impulse_scaling &&
         settings.anti_locking == AntiLocking::lazy && settings.anti_locking_after > 0 &&
         !settings.certificate && settings.observer == nullptr;
}

void PointResolver::observe_parts(PartObserver observer) { part_observer_ = std::move(observer); }

void PointResolver::resolve(const PointProblem& problem, const ImpactSettings& settings) {
  engine_->resolve(problem, settings);
}

}  // namespace carom
