#include "instant_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "text_table.h"

namespace carom::cli {
namespace {

std::string component_label(const ImpactProblem::Body& body, Index component) {
  constexpr std::array<const char*, 3> kLinear = {"x", "y", "z"};
  constexpr std::array<const char*, 3> kAngular = {"turn x", "turn y", "turn z"};
  if (body.kind == BodyKind::rigid_2d) return component < 2 ? kLinear[component] : "turn";
  if (component < 3) return body.size == 1 ? "" : kLinear[component];
  return kAngular[component - 3];
}

// The operators across, their options in a second line where any has some.
void add_heading(TextTable& table, std::vector<std::string> first,
                 const std::vector<InstantRun>& runs, const std::string& last = "") {
  std::vector<std::string> second(first.size());
  bool has_options = false;
  for (const InstantRun& run : runs) {
    const std::size_t colon = std::min(run.impact_operator.find(':'), run.impact_operator.size());
    first.push_back(run.impact_operator.substr(0, colon));
    second.push_back(run.impact_operator.substr(colon));
    has_options = has_options || !second.back().empty();
  }
  first.push_back(last);
  table.add(std::move(first));
  if (has_options) table.add(std::move(second));
}

double largest(std::span<const double> values, double start = 0.0) {
  for (const double value : values) start = std::max(start, std::abs(value));
  return start;
}

std::string law_cell(const LawVerdict& verdict) {
  if (!verdict.judged) return "-";
  const std::string mark = verdict.promise == Promise::no ? "*" : " ";
  const std::string number =
      verdict.law == Law::fin ? number_text(verdict.residual) : residual_text(verdict.residual);
  return fmt::format("{} {:>8}{}", verdict.held ? "yes" : " NO", number, mark);
}

}  // namespace

std::string row_label(const ImpactProblem& problem, Index row) {
  const ImpactProblem::Row& r = problem.row(row);
  if (!r.name.empty()) return r.name;
  const std::string b = r.body_b == kNone ? "fixed" : problem.body(r.body_b).name;
  return problem.body(r.body_a).name + ", " + b;
}

std::string velocities_text(const Instant& instant, const std::vector<InstantRun>& runs) {
  TextTable table(2);
  add_heading(table, {"velocity", "", "before"}, runs);
  const ImpactProblem& problem = instant.problem;
  const double before = largest(problem.velocities());
  for (Index i = 0; i < problem.body_count(); ++i) {
    const ImpactProblem::Body& body = problem.body(i);
    for (Index k = 0; k < body.size; ++k) {
      std::vector<std::string> cells = {k == 0 ? body.name : "", component_label(body, k),
                                        number_text(problem.velocity(i)[k])};
      for (const InstantRun& run : runs) {
        cells.push_back(number_text(run.result.velocities[body.dof + k],
                                    largest(run.result.velocities, before)));
      }
      table.add(std::move(cells));
    }
  }
  return table.text();
}

std::string impulses_text(const Instant& instant, const std::vector<InstantRun>& runs) {
  if (instant.problem.row_count() == 0) return "";
  TextTable table(2);
  add_heading(table, {"impulse", ""}, runs);
  for (Index row = 0; row < instant.problem.row_count(); ++row) {
    std::vector<std::string> cells = {row_label(instant.problem, row), ""};
    for (const InstantRun& run : runs) {
      cells.push_back(number_text(run.result.impulses[row], largest(run.result.impulses)));
    }
    table.add(std::move(cells));
    for (Index t = 0; t < instant.problem.row(row).tangent_count; ++t) {
      if (instant.settings.friction_model == "none") continue;
      if (instant.problem.row(row).friction == 0.0) continue;
      cells = {"", fmt::format("friction {}", t + 1)};
      for (const InstantRun& run : runs) {
        cells.push_back(number_text(run.result.friction_impulses[2 * row + t]));
      }
      table.add(std::move(cells));
    }
  }
  return table.text();
}

namespace {

std::string course_text(const ComponentReport& component) {
  std::string text;
  switch (component.slip_course) {
    case SlipCourse::none:
      break;
    case SlipCourse::slides:
      text = "slides";
      break;
    case SlipCourse::sticks:
      text = "slip vanishes, and the contact sticks";
      break;
    case SlipCourse::slides_again:
      text = "slip vanishes, and begins anew";
      break;
    case SlipCourse::jams:
      text = "jams without an end: resolved without friction";
      break;
  }
  if (component.closes_faster) text += "; at first the impulse raises the closing speed";
  return text;
}

bool ignores_friction(const Instant& instant) {
  if (instant.settings.friction_model != "none") return false;
  for (Index row = 0; row < instant.problem.row_count(); ++row) {
    if (instant.problem.row(row).friction > 0.0) return true;
  }
  return false;
}

}  // namespace

std::string laws_text(const Instant& instant, const std::vector<InstantRun>& runs) {
  TextTable table(1, 1);
  add_heading(table, {"law"}, runs);
  bool starred = false;
  for (std::size_t k = 0; k < runs.front().laws.size(); ++k) {
    const Law law = runs.front().laws[k].law;
    std::vector<std::string> cells = {std::string(to_string(law))};
    for (const InstantRun& run : runs) {
      cells.push_back(law_cell(run.laws[k]));
      starred = starred || (run.laws[k].judged && run.laws[k].promise == Promise::no);
    }
    cells.emplace_back(describe(law));
    table.add(std::move(cells));
  }
  std::vector<std::string> status = {"status"};
  for (const InstantRun& run : runs) {
    status.push_back(std::string(to_string(run.result.status)) + " ");
  }
  status.emplace_back();
  table.add(std::move(status));
  std::string out = table.text();
  if (starred) out += "  * not promised by this operator\n";
  if (ignores_friction(instant)) {
    out +=
        "  friction is given but not used: friction_model is none (slip, box and collision use "
        "it)\n";
  }
  for (const InstantRun& run : runs) {
    for (const ComponentReport& component : run.result.report.components) {
      if (const std::string course = course_text(component); !course.empty()) {
        out += fmt::format("  {}: {}: {}\n", run.impact_operator,
                           row_label(instant.problem, component.rows.front()), course);
      }
      if (component.lineality_rows.empty()) continue;
      std::string names;
      for (const Index row : component.lineality_rows) {
        names += (names.empty() ? "" : "; ") + row_label(instant.problem, row);
      }
      const bool infeasible = component.status == ImpactStatus::infeasible;
      out +=
          infeasible
              ? fmt::format("  {}: cannot be satisfied together: {}\n", run.impact_operator, names)
              : fmt::format(
                    "  {}: locked rows, taken as equalities: {}; that took {} of the energy, "
                    "which KIN leaves out\n",
                    run.impact_operator, names, residual_text(component.lineality_energy));
    }
  }
  return out;
}

std::string certificates_text(const Instant& instant, const InstantRun& run) {
  std::string out;
  for (const ComponentReport& component : run.result.report.components) {
    if (!component.margin) continue;
    out += fmt::format("  {}: component of {}: margin {}", run.impact_operator,
                       instant.problem.body(component.bodies.front()).name,
                       number_text(*component.margin));
    if (component.application_bound) {
      out += fmt::format(", at most {} applications, used {}",
                         residual_text(*component.application_bound), component.applications);
    }
    out += "\n";
  }
  return out;
}

std::string expectations_text(const std::vector<InstantRun>& runs) {
  std::string out;
  const bool judged_any = std::any_of(runs.begin(), runs.end(),
                                      [](const InstantRun& run) { return !run.claims.empty(); });
  for (const InstantRun& run : runs) {
    if (run.claims.empty()) {
      if (judged_any)
        out += fmt::format("  {}: not judged, the file says nothing of it\n", run.impact_operator);
      continue;
    }
    std::size_t failed = 0;
    for (const Claim& claim : run.claims) {
      if (claim.passed) continue;
      ++failed;
      out += fmt::format("  {}: FAILED  {}\n", run.impact_operator, describe(claim));
    }
    out += fmt::format("  {}: {} of {} as expected\n", run.impact_operator,
                       run.claims.size() - failed, run.claims.size());
  }
  return out;
}

std::string event_text(const Instant& instant, const ImpactObserver::Event& event) {
  const ImpactProblem& problem = instant.problem;
  std::string out = fmt::format("  application {}", event.application);
  if (event.component > 0) out += fmt::format(" of component {}", event.component);
  if (event.restarted_without_lineality) out += " (without the locked rows)";
  std::string violated;
  for (const Index row : event.violated_rows) {
    violated += (violated.empty() ? "" : "; ") + row_label(problem, row);
  }
  out += "\n    violated  " + violated + "\n";
  std::string impulses;
  for (std::size_t k = 0; k < event.impulse_rows.size(); ++k) {
    impulses += fmt::format("{}{} = {}", impulses.empty() ? "" : "; ",
                            row_label(problem, event.impulse_rows[k]),
                            number_text(event.impulses[k], largest(event.impulses)));
  }
  out += "    impulse   " + impulses + "\n    velocity  ";
  std::string velocities;
  const double speed = largest(event.velocities, largest(problem.velocities()));
  for (const Index body : event.bodies) {
    const ImpactProblem::Body& b = problem.body(body);
    std::string numbers;
    for (Index k = 0; k < b.size; ++k) {
      numbers += (k == 0 ? "" : ", ") + number_text(event.velocities[b.dof + k], speed);
    }
    velocities += fmt::format("{}{} = {}", velocities.empty() ? "" : "; ", b.name,
                              b.size == 1 ? numbers : "(" + numbers + ")");
  }
  return out + velocities + "\n";
}

}  // namespace carom::cli
