// Sweeps as job arrays of Slurm: what is handed over, and what comes back.
#include "sweep_tasks.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/recording/place.h"
#include "carom/scene/settings.h"

#include "progress.h"
#include "slurm.h"

namespace carom::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostArrays = 3;            // one after the other, before a run counts as failing
constexpr std::size_t kMostTasks = 1000;  // Slurm's MaxArraySize is 1001 where nobody changed it
constexpr auto kBetweenLooks = std::chrono::seconds(1);

std::string text_of_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::size_t number_of(std::string_view text, std::size_t most) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most) {
    throw InputError({"", 0, 0, "--runs"},
                     fmt::format("expected numbers from 1 to {}, found '{}'", most, text));
  }
  return number;
}

// All that says what is swept: a task is told the same.
std::string words_of(const SweepCommand& command) {
  std::string words = shell_word(fs::absolute(command.scene).string());
  const auto add = [&words](const char* option, const std::string& value) {
    words += std::string(" ") + option + " " + shell_word(value);
  };
  for (const std::string& text : command.vary) add("--vary", text);
  for (const std::string& text : command.cases) add("--case", text);
  if (!command.seeds.empty()) add("--seeds", command.seeds);
  for (const std::string& text : command.measures) add("--measure", text);
  for (const std::string& text : command.settings) add("--set", text);
  if (!command.impact_operator.empty()) add("--operator", command.impact_operator);
  if (command.duration) add("--duration", exact_number(*command.duration));
  return words;
}

std::vector<std::size_t> missing_of(const SweepPlan& plan, const SweepTable& table) {
  std::vector<std::size_t> missing;
  for (std::size_t run = 0; run < plan.run_count(); ++run) {
    if (!table.row(run)) missing.push_back(run);
  }
  return missing;
}

}  // namespace

std::vector<std::size_t> parse_runs(const std::string& text, const SweepPlan& plan) {
  const std::size_t most = plan.run_count();
  std::vector<std::size_t> runs;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    const std::string part = text.substr(first, end - first);
    const std::size_t colon = part.find(':');
    const std::size_t begin = number_of(part.substr(0, colon), most);
    const std::size_t last =
        colon == std::string::npos ? begin : number_of(part.substr(colon + 1), most);
    for (std::size_t run = begin; run <= last; ++run) runs.push_back(run - 1);
    first = end + 1;
  }
  return runs;
}

// Whether there was anything new.
bool SweepTasks::collect(SweepTable& table) const {
  std::vector<fs::path> parts;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("part-") && name.ends_with(".csv")) parts.push_back(entry.path());
  }
  std::sort(parts.begin(), parts.end());
  std::size_t taken = 0;
  for (const fs::path& part : parts) taken += table.take_over(text_of_file(part), part.string());
  return taken > 0;
}

std::string SweepTasks::command_of_task(const std::string& tasks) const {
  const auto inside = [this](const std::string& name) {
    return shell_word(fs::absolute(directory_ / name).string());
  };
  return shell_word(fs::read_symlink("/proc/self/exe").string()) + " sweep " + words_of(*command_) +
         " --runs \"$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" " + inside(tasks) +
         ")\" --threads \"${SLURM_CPUS_PER_TASK:-1}\" --quiet --output " + inside("part-") +
         "\"$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID\"";
}

void SweepTasks::submit_missing(const SweepTable& table) {
  const std::vector<std::size_t> missing = missing_of(*plan_, table);
  const std::size_t tasks = std::min({missing.size(), kMostTasks, command_->slurm_tasks});
  std::string lines;
  for (std::size_t task = 0; task < tasks; ++task) {
    std::string line;
    for (std::size_t k = task; k < missing.size(); k += tasks) {  // long runs are often neighbours
      line += (line.empty() ? "" : ",") + std::to_string(missing[k] + 1);
    }
    lines += line + "\n";
  }
  const std::string stamp =
      std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count());  // tasks of an earlier array may still read theirs
  const std::string list = "tasks-" + stamp;
  write_whole(directory_ / list, lines);
  SlurmScript script;
  script.tasks = tasks;
  script.name = "carom-sweep";
  script.logs = fs::absolute(directory_);
  script.options = command_->slurm_options;
  script.variables = {"cd " + shell_word(fs::current_path().string()) + " || exit 1"};
  script.command = command_of_task(list);
  write_whole(directory_ / "job.sh", text_of(script));
  job_ = submit(directory_ / "job.sh");
  write_whole(directory_ / "job", job_ + "\n");
  fmt::print("job array {}: {} runs in {} tasks\n", job_, missing.size(), tasks);
  std::fflush(stdout);
}

std::string SweepTasks::earlier_job() const {
  std::string job = text_of_file(directory_ / "job");
  while (!job.empty() && job.back() == '\n') job.pop_back();
  return job;
}

// Until the array has ended. False: somebody asked to stop.
bool SweepTasks::wait(SweepTable& table, const std::function<void()>& save) {
  for (bool is_going = true; is_going;) {
    is_going = is_active(job_);  // before the look at what it wrote: nothing comes after it
    if (collect(table)) save();
    if (InterruptGuard::requested()) return false;
    if (is_going && table.finished() < plan_->run_count()) {
      std::this_thread::sleep_for(kBetweenLooks);
    } else {
      break;
    }
  }
  return true;
}

bool SweepTasks::run(SweepTable& table, const std::function<void()>& save) {
  if (command_->force) fs::remove_all(directory_);
  fs::create_directories(directory_);
  if (collect(table)) save();
  job_ = earlier_job();
  if (!job_.empty() && table.finished() < plan_->run_count() && is_active(job_)) {
    fmt::print("job array {} is under way\n", job_);
    if (!wait(table, save)) return false;
  }
  for (int array = 0; array < kMostArrays; ++array) {
    if (table.finished() == plan_->run_count()) return true;
    submit_missing(table);
    if (!wait(table, save)) return false;
  }
  const std::vector<std::size_t> missing = missing_of(*plan_, table);
  if (missing.empty()) return true;
  throw InputError(
      {directory_.string(), 0, 0, "--slurm"},
      fmt::format("{} runs failed {} times, the first is run {}: see the logs of job {}",
                  missing.size(), kMostArrays, missing.front() + 1, job_));
}

}  // namespace carom::cli
