// ./dev bench impact: microseconds per resolved impact for every operator, and our
// quadratic-program solvers against Ipopt on the same problems in the same run. All times are wall
// times of one thread; compare ratios within one run, not numbers between machines.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "carom/impact/resolve.h"
#include "carom/solvers/problem_file.h"
#include "carom/solvers/quadratic_program.h"

#include "common/results.h"
#include "solvers/ipopt_reference.h"
#include "solvers/qp_families.h"
#include "support/impact_problems.h"

namespace carom {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Median seconds of one call, over at least `least` seconds or three calls; a call that takes more
// than two seconds is made once.
double seconds_per_call(double least, const std::function<void()>& call) {
  const double first = now();
  call();  // warm-up
  if (now() - first > 2.0) return now() - first;
  std::vector<double> times;
  const double begin = now();
  while (times.size() < 3 || now() - begin < least) {
    const double start = now();
    call();
    times.push_back(now() - start);
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

ImpactProblem bernoulli() {
  ImpactProblem problem;
  problem.add_body({.velocity = {1.0, 0.0}});
  problem.add_body({.velocity = {0.0, 0.0}});
  problem.add_body({.velocity = {0.0, 0.0}});
  const double c = std::cos(std::numbers::pi / 6);
  problem.add_contact({.body_a = 1, .body_b = 0, .normal = {c, 0.5}});
  problem.add_contact({.body_a = 2, .body_b = 0, .normal = {c, -0.5}});
  return problem;
}

// side x side touching balls, all falling with speed 1, the lowest row on the floor: a shock front
// runs up and comes back. side = 71 has 10,011 rows.
ImpactProblem falling_grid(Index side) {
  ImpactProblem problem;
  for (Index i = 0; i < side * side; ++i) problem.add_body({.velocity = {0.0, -1.0}});
  for (Index x = 0; x < side; ++x) {
    for (Index y = 0; y < side; ++y) {
      const Index here = x * side + y;
      if (y == 0) problem.add_contact({.body_a = here, .normal = {0.0, 1.0}});
      if (y > 0) problem.add_contact({.body_a = here, .body_b = here - 1, .normal = {0.0, 1.0}});
      if (x > 0) {
        problem.add_contact({.body_a = here, .body_b = here - side, .normal = {1.0, 0.0}});
      }
    }
  }
  return problem;
}

void operators_table() {
  struct Scene {
    std::string name;
    ImpactProblem problem;
  };
  std::vector<Scene> scenes;
  scenes.push_back({"cradle of 5", test::line_of_balls({1.0, 0.0, 0.0, 0.0, 0.0})});
  scenes.push_back({"Bernoulli", bernoulli()});
  scenes.push_back({"56-ball break", test::rack_break(10)});
  scenes.push_back({"10011-row front", falling_grid(71)});

  fmt::print("Microseconds per resolved impact (applications in brackets)\n\n{:<28}", "");
  for (const Scene& scene : scenes) fmt::print("{:>26}", scene.name);
  fmt::print("\n");
  std::vector<std::string> names = operator_names();
  names.insert(names.end(), {"gauss_seidel:order=random", "gauss_seidel:order=worst"});
  for (const std::string& name : names) {
    fmt::print("{:<28}", name);
    for (const Scene& scene : scenes) {
      ImpactSettings settings;
      settings.impact_operator = name;
      ImpactResult result;
      const double seconds =
          seconds_per_call(0.3, [&] { result = resolve_impacts(scene.problem, settings); });
      std::string cell = fmt::format("{:.1f} ({})", seconds * 1e6, result.report.applications);
      if (result.status != ImpactStatus::resolved) {
        cell += " " + std::string(to_string(result.status));
      }
      fmt::print("{:>26}", cell);
      bench::record_result(fmt::format("{} under {}", scene.name, name), "impact", "us",
                           seconds * 1e6);
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

struct Row {
  std::string name;
  solvers::QuadraticProgram problem;
};

void compare_with_ipopt(const Row& row) {
  const auto solver = solvers::make_qp_solver("auto");
  solvers::QpResult result;
  const double ours = seconds_per_call(0.1, [&] { solver->solve(row.problem, {}, result); });
  fmt::print("{:<34}{:>7}{:>18}{:>14.1f}{:>11.1e}", row.name, row.problem.selection.size(),
             result.method, ours * 1e6, result.kkt_residual);
  bench::record_result(row.name, "solve", "us", ours * 1e6);
#ifdef CAROM_HAVE_IPOPT
  solvers::IpoptReference ipopt;
  solvers::IpoptAnswer answer;
  std::vector<double> times;
  const double begin = now();
  while (times.size() < 3 && (times.empty() || now() - begin < 20.0)) {
    answer = ipopt.solve(row.problem);
    times.push_back(answer.seconds);
  }
  const double theirs = *std::min_element(times.begin(), times.end());
  fmt::print("{:>14.1f}{:>11.1e}{:>10.0f}x{}\n", theirs * 1e6, answer.kkt_residual, theirs / ours,
             answer.solved ? "" : "  (not converged)");
  bench::record_result(row.name, "solve by Ipopt", "us", theirs * 1e6);
#else
  fmt::print("  (built without Ipopt)\n");
#endif
}

void solvers_table(const std::string& problem_directory) {
  namespace families = solvers::families;
  fmt::print(
      "\nQuadratic programs: Carom (chooser) and Ipopt, the solve alone\n\n"
      "{:<34}{:>7}{:>18}{:>14}{:>11}{:>14}{:>11}{:>11}\n",
      "problem", "rows", "method", "us", "KKT", "Ipopt us", "KKT", "ratio");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(problem_directory)) {
    if (entry.path().extension() == ".qp") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& path : files) {
    std::ifstream in(path);
    const solvers::StoredProblem stored = solvers::read_problem(in, path.string());
    compare_with_ipopt({path.filename().string(), stored.view()});
  }
  std::vector<families::Instance> made;
  made.push_back(families::chain(11, 1.0, families::Rows::all, 1));
  made.push_back(families::hexagonal_grid(4, 1));
  made.push_back(families::hexagonal_grid(6, 1));
  made.push_back(families::face_patch(100, 1));
  made.push_back(families::box_stack(25, 1));
  made.push_back(families::hexagonal_grid(20, 1));
  made.push_back(families::box_stack(2500, 1));
  made.push_back(families::face_patch(500, 1));
  made.push_back(families::square_grid(75, 1));
  made.push_back(families::hexagonal_grid(61, 1));
  made.push_back(families::duplicated(families::hexagonal_grid(43, 1)));
  for (const families::Instance& instance : made) {
    compare_with_ipopt({instance.name, instance.view()});
  }
}

}  // namespace
}  // namespace carom

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "all";
    if (what != "all" && what != "operators" && what != "solvers") {
      std::fputs("usage: bench_impact [all|operators|solvers]\n", stderr);
      return 2;
    }
    if (what != "solvers") carom::operators_table();
    if (what != "operators") carom::solvers_table(CAROM_SOURCE_DIR "/tests/problems");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_impact: %s\n", error.what());
    return 2;
  }
}
