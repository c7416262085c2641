#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/contact/near_places.h"
#include "carom/core/worker_pool.h"
#include "carom/integrators/verlet.h"
#include "carom/stepping/step_column.h"
#include "carom/stepping/stepper.h"
#include "carom/steps/detail/bounce.h"
#include "carom/steps/detail/kept_impulses.h"
#include "carom/steps/detail/rest_rows.h"

namespace carom {

/// Steps of one size for scenes with friction_model = "coulomb": what bounces does so by the
/// operator, and all contacts at rest are one program (docs/stepping.md#rest-with-friction).
///
///   v'  = operator(v-)                 rows that close faster than g h, with their restitution
///   v+  = v' + M^-1 J' r               at the end of the step, with
///   v_m = v+ + h g / 2                 the velocity with which bodies move on,
///   u   = J v_m + b,   (u_n + mu |u_t|, u_t) in K*,   r in K,   the two perpendicular
///   q'  = q + h v_m,   v-' = v_m + h g / 2
///
/// q position, v velocity, g acceleration, h step, J normals and tangents, r impulses, K Coulomb's
/// cone; b = 0 for a row that carried in the last step and is still in touch, or overlaps, and
/// gap / h for any other near one. The velocity that is shown is the mean of v' and v+: in flight
/// the node's own, at rest 0.
class RestingStepper final : public Stepper {
 public:
  explicit RestingStepper(const Simulation& simulation);
  ~RestingStepper() override;
  RestingStepper(const RestingStepper&) = delete;
  RestingStepper& operator=(const RestingStepper&) = delete;

  StepReport step() override;
  [[nodiscard]] const State& state() const override { return state_; }
  /// Potential energy includes what v+ has beyond the velocities that are shown: the sum is that of
  /// v+, which no impact raises.
  [[nodiscard]] std::optional<Totals> own_totals() const override;
  [[nodiscard]] std::string save() const override;
  void load(std::string_view bytes) override;
  [[nodiscard]] std::vector<ContactImpulse> impulses() const override;
  [[nodiscard]] ImpactProblem resolved_problem() const override;

 private:
  using Velocities = detail::BodyVelocities;
  struct Outcome {
    detail::BounceSummary bounce;
    detail::RestSummary rest;
    Index looks_again = 0;
    bool exhausted = false;
  };

  void begin();
  [[nodiscard]] detail::RestMoment moment() const;
  void meet(StepReport& report, Outcome& outcome);
  [[nodiscard]] bool grow_reach(const Velocities& velocities, bool is_first);
  void impact(Outcome& outcome);
  void make_rows();
  void add_row(const NearPair& pair, std::uint32_t place, const Vec3& kept);
  [[nodiscard]] double patch_of(const Contact& contact, double rolling) const;
  void spread_patches();
  [[nodiscard]] double rolling_over(const detail::RestRow& row, const Velocities& velocities) const;
  [[nodiscard]] bool follow_rolling();
  [[nodiscard]] bool follow_curves();
  [[nodiscard]] bool find_further(const Velocities& velocities, bool is_first);
  void move_to_end(const Velocities& velocities);
  [[nodiscard]] StepMotion motion() const;
  void keep();
  [[nodiscard]] double kinetic(const Velocities& velocities) const;
  [[nodiscard]] Velocities shown() const;

  void fly();
  [[nodiscard]] double work_along_periods() const;
  void report_impact(const Outcome& outcome, StepReport& report) const;

  const Simulation* simulation_;
  WorkerPool pool_;
  VerletFlight flight_;
  NearPlaces near_;
  detail::Bounce bounce_;
  RestSettings settings_;
  detail::RestEnergy energy_ = detail::RestEnergy::guarded;
  detail::KeptImpulses kept_;
  State state_;          ///< with the velocities that are shown
  Velocities before_;    ///< v-
  Velocities bounced_;   ///< v'
  Velocities after_;     ///< v+
  double stored_ = 0.0;  ///< kinetic energy of v+ beyond that of what is shown
  std::vector<double> reach_;
  std::vector<bool> is_row_;  ///< by near pair
  std::vector<Contact> met_;  ///< pairs that touch within the step though they are not close
  std::vector<detail::RestRow> rows_;
  std::vector<Vec3> end_;
  std::vector<Quaternion> end_orientation_;
  std::vector<Vec3> scratch_;
};

/// What these steps report beside impact_columns().
[[nodiscard]] std::vector<StepColumn> rest_columns();

}  // namespace carom
