#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "carom/study/sweep.h"

#include "scene_commands.h"

namespace carom::cli {

/// "3,5:9,12": runs as the table numbers them, from 1. Throws InputError on others.
[[nodiscard]] std::vector<std::size_t> parse_runs(const std::string& text, const SweepPlan& plan);

/// Runs what a table lacks as job arrays of Slurm. Tasks write tables of their own, into a
/// directory PREFIX.slurm beside the table; they are collected as they come, and what failed is
/// handed over again. The arrays go on by themselves if this ends: called again it finds them.
class SweepTasks {
 public:
  /// `save` is called whenever the table has more.
  SweepTasks(const SweepCommand& command, const SweepPlan& plan, const std::string& prefix)
      : command_(&command), plan_(&plan), directory_(prefix + ".slurm") {}

  /// False: somebody asked to stop. Throws InputError where runs fail again and again.
  bool run(SweepTable& table, const std::function<void()>& save);

 private:
  bool collect(SweepTable& table) const;
  void submit_missing(const SweepTable& table);
  bool wait(SweepTable& table, const std::function<void()>& save);
  [[nodiscard]] std::string command_of_task(const std::string& tasks) const;
  [[nodiscard]] std::string earlier_job() const;

  const SweepCommand* command_;
  const SweepPlan* plan_;
  std::filesystem::path directory_;
  std::string job_;
};

}  // namespace carom::cli
