#include "report_json.h"

#include "carom/scene/settings.h"

namespace carom::cli {
namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json numbers(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(value);
  return list;
}

std::string promise_text(Promise promise) {
  switch (promise) {
    case Promise::no:
      return "no";
    case Promise::yes:
      return "yes";
    case Promise::approximately:
      return "approximately";
  }
  return "?";
}

Json row_bodies(const ImpactProblem& problem, Index row) {
  Json names = Json::array({problem.body(problem.row(row).body_a).name});
  const Index b = problem.row(row).body_b;
  if (b != kNone) names.push_back(problem.body(b).name);
  return names;
}

Json row_names(const ImpactProblem& problem, const std::vector<Index>& rows) {
  Json list = Json::array();
  for (const Index row : rows) list.push_back({{"row", row}, {"name", problem.row(row).name}});
  return list;
}

Json describe_component(const ImpactProblem& problem, const ComponentReport& component) {
  Json bodies = Json::array();
  for (const Index body : component.bodies) bodies.push_back(problem.body(body).name);
  return {{"status", to_string(component.status)},
          {"bodies", bodies},
          {"rows", component.rows},
          {"applications", component.applications},
          {"free", component.free},
          {"speed_scale", component.speed_scale},
          {"momentum_linear", component.momentum_linear},
          {"momentum_angular", or_null(component.momentum_angular)},
          {"energy", component.energy},
          {"one_sided", component.one_sided},
          {"feasibility", component.feasibility},
          {"unexplained", component.unexplained},
          {"lineality_checked", component.lineality_checked},
          {"lineality_rows", row_names(problem, component.lineality_rows)},
          {"lineality_energy", component.lineality_energy},
          {"margin", or_null(component.margin)},
          {"application_bound", or_null(component.application_bound)},
          {"layers", component.layers},
          {"layers_finished_inelastically", component.layers_finished_inelastically},
          {"friction_fell_back", component.friction_fell_back},
          {"total_impulse", component.total_impulse},
          {"energy_clipped", component.energy_clipped},
          {"slip_course", to_string(component.slip_course)},
          {"closes_faster", component.closes_faster}};
}

Json describe_report(const ImpactProblem& problem, const ImpactReport& report) {
  Json components = Json::array();
  for (const ComponentReport& component : report.components) {
    components.push_back(describe_component(problem, component));
  }
  return {{"status", to_string(report.status)},
          {"applications", report.applications},
          {"applications_total", report.applications_total},
          {"momentum_linear", report.momentum_linear},
          {"momentum_angular", or_null(report.momentum_angular)},
          {"energy", report.energy},
          {"lineality_energy", report.lineality_energy},
          {"one_sided", report.one_sided},
          {"feasibility", report.feasibility},
          {"unexplained", report.unexplained},
          {"seconds", report.seconds},
          {"components", components}};
}

Json describe_impulses(const ImpactProblem& problem, const ImpactResult& result) {
  Json list = Json::array();
  for (Index row = 0; row < problem.row_count(); ++row) {
    Json item = {{"row", row},
                 {"name", problem.row(row).name},
                 {"bodies", row_bodies(problem, row)},
                 {"normal", result.impulses[row]}};
    const std::size_t first = 2 * static_cast<std::size_t>(row);
    if (first + 1 < result.friction_impulses.size()) {
      item["friction"] = {result.friction_impulses[first], result.friction_impulses[first + 1]};
    }
    list.push_back(item);
  }
  return list;
}

Json velocities_by_name(const ImpactProblem& problem, std::span<const double> velocities) {
  Json object = Json::object();
  for (Index i = 0; i < problem.body_count(); ++i) {
    const ImpactProblem::Body& body = problem.body(i);
    object[body.name] = numbers(velocities.subspan(body.dof, body.size));
  }
  return object;
}

}  // namespace

Json describe_claims(const std::vector<Claim>& claims) {
  Json list = Json::array();
  for (const Claim& claim : claims) {
    list.push_back({{"claim", claim.text},
                    {"measured", claim.measured},
                    {"relation", claim.relation},
                    {"bound", claim.bound},
                    {"tolerance", claim.tolerance},
                    {"passed", claim.passed}});
  }
  return list;
}

Json describe_input(const Instant& instant) {
  Json bodies = Json::array();
  const ImpactProblem& problem = instant.problem;
  for (Index i = 0; i < problem.body_count(); ++i) {
    const ImpactProblem::Body& body = problem.body(i);
    bodies.push_back({{"name", body.name},
                      {"kind", to_string(body.kind)},
                      {"scripted", body.scripted},
                      {"velocity", numbers(problem.velocity(i))}});
  }
  Json rows = Json::array();
  for (Index i = 0; i < problem.row_count(); ++i) {
    const ImpactProblem::Row& row = problem.row(i);
    rows.push_back({{"name", row.name},
                    {"bodies", row_bodies(problem, i)},
                    {"restitution", row.restitution},
                    {"friction", row.friction}});
  }
  Json settings = Json::object();
  for (const ImpactSettingInfo& info : impact_setting_registry()) {
    if (info.key == "operator") continue;
    settings[info.key] = Json::parse(impact_setting_text(instant.settings, info.key));
  }
  return {{"file", instant.file},
          {"title", instant.title},
          {"settings", settings},
          {"bodies", bodies},
          {"rows", rows}};
}

Json describe_event(const Instant& instant, const ImpactObserver::Event& event) {
  Json impulses = Json::array();
  for (std::size_t k = 0; k < event.impulse_rows.size(); ++k) {
    impulses.push_back({{"row", event.impulse_rows[k]}, {"normal", event.impulses[k]}});
  }
  return {
      {"component", event.component},
      {"application", event.application},
      {"restarted_without_lineality", event.restarted_without_lineality},
      {"violated_rows", std::vector<Index>(event.violated_rows.begin(), event.violated_rows.end())},
      {"impulses", impulses},
      {"velocities", velocities_by_name(instant.problem, event.velocities)}};
}

Json describe_run(const Instant& instant, const InstantRun& run) {
  Json laws = Json::array();
  for (const LawVerdict& verdict : run.laws) {
    laws.push_back({{"law", to_string(verdict.law)},
                    {"promised", promise_text(verdict.promise)},
                    {"held", verdict.judged ? Json(verdict.held) : Json(nullptr)},
                    {"residual", verdict.residual},
                    {"bound", verdict.bound}});
  }
  return {
      {"operator", run.impact_operator},
      {"status", to_string(run.result.status)},
      {"velocities", velocities_by_name(instant.problem, run.result.velocities)},
      {"impulses", describe_impulses(instant.problem, run.result)},
      {"report", describe_report(instant.problem, run.result.report)},
      {"laws", laws},
      {"expect", {{"passed", all_passed(run.claims)}, {"claims", describe_claims(run.claims)}}}};
}

}  // namespace carom::cli
