#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

// The commands about scenes and recordings: what each is asked to do, and its entry point. All
// return an exit code (commands.h); bad input is an InputError, a full disk a RecordingError.
namespace carom::cli {

struct RunCommand {
  std::string scene;
  std::string output;           ///< empty: the scene's name with .h5, here
  std::string impact_operator;  ///< empty: the scene's
  std::vector<std::string> settings;
  std::optional<std::uint64_t> steps;
  std::optional<double> duration;
  std::string resume;  ///< a recording to continue instead of a scene
  std::optional<std::uint64_t> dump_impact;
  unsigned threads = 1;
  bool audit = false;
  bool quiet = false;
  bool force = false;
};
int run_run(const RunCommand& command);

struct CompareCommand {
  std::string scene;
  std::string operators;  ///< comma-separated; empty: the scene's
  std::vector<std::string> settings;
  std::string output;  ///< prefix of the files; empty: the scene's name
  std::optional<std::uint64_t> steps;
  std::optional<double> duration;
  bool quiet = false;
  bool resume = false;
  bool force = false;
};
int run_compare(const CompareCommand& command);

struct SweepCommand {
  std::string scene;
  std::vector<std::string> vary;   ///< KEY=FIRST:LAST:COUNT and so on
  std::vector<std::string> cases;  ///< NAME:KEY=VALUE;KEY=VALUE
  std::string seeds;               ///< FIRST:LAST of the first generator; empty: none
  std::vector<std::string> measures;
  std::vector<std::string> settings;
  std::string impact_operator;  ///< empty: the scene's
  std::optional<double> duration;
  std::string output;  ///< prefix of the files; empty: the scene's name with -sweep
  std::string runs;    ///< numbers of those that are to be made; empty: all
  std::vector<std::string> slurm_options;
  std::size_t slurm_tasks = 1000;
  unsigned threads = 0;
  bool slurm = false;
  bool quiet = false;
  bool resume = false;
  bool force = false;
};
int run_sweep(const SweepCommand& command);

struct FileCommand {
  std::vector<std::string> files;
  std::string output;
  std::string format;
  std::uint64_t every = 1;
  std::optional<double> time;  ///< s; of a height map: the last frame that is not later
  unsigned threads = 1;
  bool heights = false;
  bool spectrum = false;
  bool json = false;
  bool quiet = false;
  bool force = false;
};
int run_plot(const FileCommand& command);
int run_check(const FileCommand& command);
int run_audit(const FileCommand& command);
int run_info(const FileCommand& command);
int run_new(const FileCommand& command);
int run_verify(const FileCommand& command);
int run_view(const FileCommand& command);
int run_lab(const FileCommand& command);
int run_import(const FileCommand& command);
int run_export(const FileCommand& command);
int run_recover(const FileCommand& command);

/// What all of them were told.
struct SceneCommands {
  RunCommand run;
  CompareCommand compare;
  SweepCommand sweep;
  FileCommand file;  ///< of whichever of the others was given
};
void add_scene_commands(CLI::App& app, SceneCommands& commands);
/// The exit code of the command that was given; none when it is not one of these.
[[nodiscard]] std::optional<int> dispatch_scene_command(const CLI::App& app,
                                                        const SceneCommands& commands);

}  // namespace carom::cli
