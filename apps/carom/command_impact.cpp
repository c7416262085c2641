#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/core/long_work.h"
#include "carom/runs/instant_run.h"
#include "carom/scene/instant.h"
#include "carom/scene/settings.h"

#include "commands.h"
#include "file_kind.h"
#include "instant_text.h"
#include "progress.h"
#include "report_json.h"

namespace carom::cli {
namespace {

// The command line speaks of options, not of keys in a file.
void set_from_option(ImpactSettings& settings, const std::string& option, const std::string& key,
                     const std::string& value) {
  try {
    set_impact_setting(settings, key, value);
  } catch (const InputError& error) {
    throw InputError({"", 0, 0, option}, error.message());
  }
}

void apply_options(const ImpactOptions& options, Instant& instant) {
  ImpactSettings& settings = instant.settings;
  if (!options.restitution_model.empty()) {
    set_from_option(settings, "--restitution-model", "restitution_model",
                    options.restitution_model);
  }
  if (!options.friction_model.empty()) {
    set_from_option(settings, "--friction-model", "friction_model", options.friction_model);
  }
  for (const std::string& assignment : options.settings) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
      throw InputError({"", 0, 0, "--set"}, "expected key=value, found '" + assignment + "'");
    }
    const std::string key = assignment.substr(0, equals);
    if (key == "operator") {
      throw InputError({"", 0, 0, "--set operator"}, "use --operator NAME");
    }
    set_from_option(settings, "--set " + key, key, assignment.substr(equals + 1));
  }
  for (const std::string& name : options.operators) {
    set_from_option(settings, "--operator", "operator", name);
  }
  if (options.certificate) settings.certificate = true;
}

class TracePrinter final : public ImpactObserver {
 public:
  explicit TracePrinter(const Instant& instant) : instant_(instant) {}
  bool on_application(const Event& event) override {
    fmt::print("{}", event_text(instant_, event));
    return true;
  }

 private:
  const Instant& instant_;
};

class TraceRecorder final : public ImpactObserver {
 public:
  explicit TraceRecorder(const Instant& instant) : instant_(instant) {}
  bool on_application(const Event& event) override {
    // A run of millions must not fill the memory; what is left out is said.
    constexpr std::size_t kMost = 100'000;
    if (events_.size() < kMost) {
      events_.push_back(describe_event(instant_, event));
    } else {
      ++left_out_;
    }
    return true;
  }
  void write(Json& run) const {
    run["trace"] = events_;
    if (left_out_ > 0) run["trace_left_out"] = left_out_;
  }

 private:
  const Instant& instant_;
  Json events_ = Json::array();
  std::uint64_t left_out_ = 0;
};

// Rows left closing are no failure of an operator that does not promise otherwise.
bool is_numerical_failure(const InstantRun& run) {
  if (run.result.status == ImpactStatus::still_closing) {
    return make_operator(run.impact_operator)->info().promise(Law::feas) == Promise::yes;
  }
  return run.result.status != ImpactStatus::resolved;
}

// A status that the file expects is no failure.
int exit_code(const Instant& instant, const std::vector<InstantRun>& runs) {
  int code = kExitFine;
  if (InterruptGuard::requested()) return kExitInterrupted;
  for (const InstantRun& run : runs) {
    if (!all_passed(run.claims)) return kExitCheckFailed;
    const auto listed =
        std::find(instant.operators.begin(), instant.operators.end(), run.impact_operator);
    const auto k = static_cast<std::size_t>(listed - instant.operators.begin());
    const bool expected = listed != instant.operators.end() && !run.claims.empty() &&
                          instant.expectations[k].status == run.result.status;
    if (is_numerical_failure(run) && !expected) code = kExitNumerical;
  }
  return code;
}

void print_report(const Instant& instant, const std::vector<InstantRun>& runs) {
  fmt::print("\n{}", velocities_text(instant, runs));
  if (instant.problem.row_count() > 0) fmt::print("\n{}", impulses_text(instant, runs));
  fmt::print("\n{}", laws_text(instant, runs));
  if (instant.settings.certificate) {
    fmt::print("\n  certificate: the rows can be opened together with this margin\n");
    for (const InstantRun& run : runs) fmt::print("{}", certificates_text(instant, run));
  }
  const std::string expectations = expectations_text(runs);
  if (!expectations.empty()) fmt::print("\n  expectations of the file\n{}", expectations);
}

InstantRun run_one(const Instant& instant, const std::string& name, ImpactObserver* observer,
                   bool expectations) {
  ImpactDisplay display(false);
  LongWork work(display);
  ImpactSettings settings = instant.settings;
  settings.impact_operator = name;
  settings.observer = observer;
  settings.work = &work;
  InstantRun run = run_instant(instant, settings);
  if (!expectations) run.claims.clear();
  return run;
}

int run_as_json(const ImpactOptions& options, const Instant& instant,
                const std::vector<std::string>& names) {
  std::vector<InstantRun> runs;
  Json document = describe_input(instant);
  document["runs"] = Json::array();
  for (const std::string& name : names) {
    if (InterruptGuard::requested()) break;
    TraceRecorder recorder(instant);
    runs.push_back(
        run_one(instant, name, options.trace ? &recorder : nullptr, !options.no_expectations));
    Json described = describe_run(instant, runs.back());
    if (options.trace) recorder.write(described);
    document["runs"].push_back(std::move(described));
  }
  const int code = exit_code(instant, runs);
  document["exit_code"] = code;
  fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
  return code;
}

}  // namespace

int run_impact(const ImpactOptions& options) {
  Instant instant =
      read_as(FileKind::instant, options.file, [&] { return read_instant_file(options.file); });
  if (instant.problem.body_count() == 0) {
    throw InputError({instant.file, 0, 0, ""}, "describes no bodies, only the check '" +
                                                   instant.check +
                                                   "'; run it with: carom gallery check");
  }
  apply_options(options, instant);
  const InterruptGuard guard;
  const std::vector<std::string> names =
      options.operators.empty() ? instant.operators : options.operators;
  if (options.json) return run_as_json(options, instant, names);

  fmt::print("{}\n", instant.title.empty() ? instant.file : instant.title);
  std::vector<InstantRun> runs;
  for (const std::string& name : names) {
    if (InterruptGuard::requested()) break;
    TracePrinter printer(instant);
    if (options.trace) fmt::print("\n  {}\n", name);
    runs.push_back(
        run_one(instant, name, options.trace ? &printer : nullptr, !options.no_expectations));
  }
  print_report(instant, runs);
  return exit_code(instant, runs);
}

}  // namespace carom::cli
