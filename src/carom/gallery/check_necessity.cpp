// A6: AWEW section 5.3. Take one property away and an iteration need not end.

#include <array>
#include <cmath>
#include <functional>

#include "carom/gallery/detail/checks.h"
#include "carom/impact/iterate.h"
#include "carom/impact/system.h"
#include "carom/study/chains.h"

namespace carom::detail {
namespace {

// An operator made of one function, so that each counter-example is a few lines.
class FaultyOperator final : public ImpactOperator {
 public:
  using Response = std::function<void(const Application&, std::uint64_t, Impulses&)>;
  explicit FaultyOperator(Response response) : response_(std::move(response)) {
    info_.name = "faulty";
  }
  [[nodiscard]] const OperatorInfo& info() const override { return info_; }
  void start(Index) override { applications_ = 0; }
  ApplicationStatus apply(const Application& application, Impulses& impulses) override {
    response_(application, applications_++, impulses);
    return ApplicationStatus::applied;
  }

 private:
  OperatorInfo info_;
  Response response_;
  std::uint64_t applications_ = 0;
};

void push(Impulses& impulses, Index row, double value) {
  impulses.rows.push_back(row);
  impulses.values.push_back(value);
}

struct LoopEnd {
  IterationEnd end = IterationEnd::feasible;
  double energy_change = 0.0;  // relative
};

// The loop of resolve_impacts on the first component, with an operator that no registry has.
LoopEnd run_loop(const ImpactProblem& problem, ImpactOperator& impact_operator,
                 std::uint64_t budget) {
  const ComponentSystem system(problem, find_components(problem).front());
  const IterationRows rows{&system.rows,  system.all_rows,  system.scale,
                           system.offset, system.stiffness, 1e-14 * system.speed_scale};
  IterationSettings settings;
  settings.budget = budget;
  settings.exact_energy = false;
  const std::vector<double> response(system.row_ids.size(), 1.0);
  std::vector<double> velocity = system.velocity;
  std::vector<double> lambda(system.row_ids.size(), 0.0);
  const double before = system.kinetic_energy(velocity);
  ImpactLoop loop(system.rows);
  const ImpactLoop::Outcome outcome =
      loop.run(impact_operator, rows, settings, response, velocity, lambda);
  return {outcome.end, system.kinetic_energy(velocity) / before - 1.0};
}

// A ball in the plane against fixed walls with the given normals.
ImpactProblem make_corner(const Numbers& velocity, const std::vector<Numbers>& normals) {
  ImpactProblem problem;
  BodyDefinition ball;
  ball.velocity = velocity;
  problem.add_body(ball);
  for (const Numbers& normal : normals) {
    ContactDefinition wall;
    wall.body_a = 0;
    wall.normal = normal;
    problem.add_contact(wall);
  }
  return problem;
}

// Without ONE: impulses +-1 carry a ball in a corner from (2, -1) to (1, -2) and back; both have
// the same energy and violate both walls (AWEW Fig. 7).
LoopEnd pulls(std::uint64_t budget) {
  FaultyOperator faulty([](const Application&, std::uint64_t n, Impulses& impulses) {
    const double sign = n % 2 == 0 ? 1.0 : -1.0;
    push(impulses, 0, -sign);
    push(impulses, 1, sign);
  });
  return run_loop(make_corner({2.0, -1.0}, {{0.0, 1.0}, {-1.0, 0.0}}), faulty, budget);
}

// Without VIO: the cradle (0, 1, 0). Row 0 is opening, but pushes by 0.01, 0.005, 0.0025, ...; row
// 1 answers with just what keeps the energy:
//   W = p1^2 + p2^2 + 2 A_12 p1 p2 ... = 0, the smaller root for p2.
// The pushes shrink so fast that row 1 stays violated for ever.
LoopEnd pushes_what_opens(std::uint64_t budget) {
  FaultyOperator faulty([](const Application& a, std::uint64_t n, Impulses& impulses) {
    const double p = 0.01 * std::pow(0.5, static_cast<double>(n));
    const double coupling = a.rows->product(0, 1);
    // Rows have unit length: 1/2 p^2 + 1/2 q^2 + coupling p q + b_0 p + b_1 q = 0.
    const double half = a.b[1] + coupling * p;
    const double rest = p * p + 2.0 * a.b[0] * p;
    const double q = rest / (-half + std::sqrt(half * half - rest));
    push(impulses, 0, p);
    push(impulses, 1, q);
  });
  const std::array<double, 3> v = {0.0, 1.0, 0.0};
  return run_loop(make_chain(v), faulty, budget);
}

// Without MOD: nothing is done about a violated row.
LoopEnd does_nothing(std::uint64_t budget) {
  FaultyOperator faulty([](const Application&, std::uint64_t, Impulses&) {});
  const std::array<double, 2> v = {1.0, 0.0};
  return run_loop(make_chain(v), faulty, budget);
}

// Without KIN: every application takes the closing speed of one row away (inelastic collapse).
LoopEnd loses_energy(std::uint64_t budget) {
  FaultyOperator faulty([](const Application& a, std::uint64_t, Impulses& impulses) {
    const Index row = a.violated->smallest();
    push(impulses, row, -a.b[row]);
  });
  return run_loop(make_chain(cradle_velocities(5)), faulty, budget);
}

// All five properties, but the rows have lineality: a ball between parallel walls.
LoopEnd is_locked(std::uint64_t budget) {
  return run_loop(make_corner({1.0, 0.5}, {{1.0, 0.0}, {-1.0, 0.0}}),
                  *make_operator("gauss_seidel"), budget);
}

void claim_caught(const std::string& what, const LoopEnd& end, IterationEnd expected,
                  CheckOutcome& outcome) {
  outcome.claims.push_back(claim_true("without " + what + ": caught", end.end == expected));
}

}  // namespace

CheckOutcome check_necessity(const CheckInput& input) {
  input.parameters.demand_only({"budget"});
  const std::uint64_t budget = input.parameters.count("budget");
  CheckOutcome outcome;
  const LoopEnd one = pulls(budget);
  claim_caught("ONE (pulls)", one, IterationEnd::budget, outcome);
  outcome.claims.push_back(
      claim_at_most("without ONE: energy still changes by", std::abs(one.energy_change), 1e-12));
  const LoopEnd vio = pushes_what_opens(budget);
  // Its pushes shrink below round-off, where the loop sees that nothing changes any more.
  claim_caught("VIO (pushes rows that open)", vio, IterationEnd::stalled, outcome);
  outcome.claims.push_back(
      claim_at_most("without VIO: energy still changes by", std::abs(vio.energy_change), 1e-12));
  claim_caught("MOD (leaves a violated row alone)", does_nothing(budget), IterationEnd::stalled,
               outcome);
  const LoopEnd kin = loses_energy(budget);
  claim_caught("KIN (loses energy)", kin, IterationEnd::budget, outcome);
  outcome.claims.push_back(
      claim_at_most("without KIN: energy changes by", kin.energy_change, -0.5));
  claim_caught("anti-locking (walls on both sides)", is_locked(budget), IterationEnd::budget,
               outcome);
  // The same problems with nothing taken away end.
  const std::array<double, 3> v = {0.0, 1.0, 0.0};
  bool all_end = true;
  for (const ImpactProblem& problem :
       {make_corner({2.0, -1.0}, {{0.0, 1.0}, {-1.0, 0.0}}), make_chain(v),
        make_chain(cradle_velocities(5)), make_corner({1.0, 0.5}, {{1.0, 0.0}, {-1.0, 0.0}})}) {
    for (const char* name : {"gauss_seidel", "gr"}) {
      all_end =
          all_end && resolve_impacts(problem, with_operator(name)).status == ImpactStatus::resolved;
    }
  }
  outcome.claims.push_back(
      claim_true("with all properties and anti-locking: every one ends", all_end));
  return outcome;
}

}  // namespace carom::detail
