#include <array>
#include <string>

#include <CLI/CLI.hpp>

#include "scene_commands.h"

namespace carom::cli {
namespace {

// `--set a.b=1 scene.toml`: what follows --set belongs to it, and a recording to resume needs no
// scene, so the parser takes the scene for a setting.
void find_scene_after_settings(RunCommand& command) {
  if (!command.scene.empty() || !command.resume.empty() || command.settings.empty()) return;
  if (command.settings.back().find('=') != std::string::npos) return;
  command.scene = command.settings.back();
  command.settings.pop_back();
}

void add_run(CLI::App& app, RunCommand& command) {
  CLI::App* run = app.add_subcommand("run", "Run a scene into a recording");
  run->add_option("SCENE", command.scene, "the scene, a TOML file (docs/scene-format.md)");
  run->add_option("-o,--output", command.output,
                  "the recording; default: the scene's name with .h5")
      ->type_name("FILE");
  run->add_option("--operator", command.impact_operator,
                  "instead of the scene's; see: carom operators")
      ->type_name("NAME");
  run->add_option("--set", command.settings, "any value of the scene, e.g. --set time.step=1e-3")
      ->type_name("TABLE.KEY=VALUE")
      ->take_all();
  CLI::Option* steps =
      run->add_option("--steps", command.steps, "how many steps, instead of the duration")
          ->type_name("N")
          ->check(CLI::Range(0.0, 1e15));
  run->add_option("--duration", command.duration, "seconds to simulate, instead of the scene's")
      ->type_name("T")
      ->excludes(steps);
  run->add_option("--resume", command.resume,
                  "continue a recording from its last checkpoint; with --duration or --steps for "
                  "longer than it was to be")
      ->type_name("FILE");
  run->add_option("--dump-impact", command.dump_impact,
                  "write the impact of that step as a file for `carom impact`, and stop")
      ->type_name("STEP")
      ->check(CLI::Range(1.0, 1e15));
  run->add_option("--threads", command.threads,
                  "how many; 0: one for each core. The results have the same bits")
      ->type_name("N")
      ->check(CLI::Range(0.0, 256.0));
  run->add_flag("--audit", command.audit,
                "prove of all motion that nothing passes through anything "
                "(asynchronous.audit=motion)");
  run->add_flag("-q,--quiet", command.quiet, "no progress");
  run->add_flag("--force", command.force,
                "replace whatever is there: also a run that waits to be resumed, or another file");
  run->parse_complete_callback([&command] { find_scene_after_settings(command); });
  run->footer(
      "Ctrl-C stops the run after the current step, or within one that takes long, writes a "
      "checkpoint and says how to resume.\n\n"
      "Examples:\n"
      "  carom run gallery/G6-break.toml\n"
      "  carom run break.toml -o lcp.h5 --operator lcp --duration 2\n"
      "  carom run break.toml --set world.gravity=9.81 --set record.every=10\n"
      "  carom run --resume break.h5\n"
      "  carom run --resume break.h5 --duration 20\n"
      "  carom run break.toml --dump-impact 12 && carom impact break-step12.toml\n");
}

void add_compare(CLI::App& app, CompareCommand& command) {
  CLI::App* compare = app.add_subcommand(
      "compare", "Run one scene under several operators: a table, a plot, a page");
  compare->add_option("SCENE", command.scene, "the scene")->required();
  compare->add_option("--operators", command.operators, "e.g. gr,lcp,gauss_seidel,jacobi,qce")
      ->type_name("LIST");
  compare->add_option("--set", command.settings, "any value of the scene")
      ->type_name("TABLE.KEY=VALUE")
      ->take_all();
  compare->add_option("-o,--output", command.output, "how the names of the files begin")
      ->type_name("PREFIX");
  CLI::Option* steps =
      compare->add_option("--steps", command.steps, "how many steps, instead of the duration")
          ->type_name("N")
          ->check(CLI::Range(0.0, 1e15));
  compare->add_option("--duration", command.duration, "seconds to simulate, instead of the scene's")
      ->type_name("T")
      ->excludes(steps);
  compare->add_flag("-q,--quiet", command.quiet, "no progress");
  CLI::Option* resume =
      compare->add_flag("--resume", command.resume, "go on with a comparison that was interrupted");
  compare
      ->add_flag("--force", command.force,
                 "begin anew, and also replace files that Carom did not make")
      ->excludes(resume);
}

void add_sweep(CLI::App& app, SweepCommand& command) {
  CLI::App* sweep = app.add_subcommand(
      "sweep", "Run a scene over values or seeds, on all cores: one table, one plot");
  sweep->add_option("SCENE", command.scene, "the scene")->required();
  sweep
      ->add_option(
          "--vary", command.vary,
          "a key of the scene and its values: FIRST:LAST:COUNT, FIRST:LAST (whole numbers) or "
          "VALUE,VALUE,...; repeat for a grid; KEY+KEY vary together")
      ->type_name("KEY=VALUES")
      ->take_all();
  sweep
      ->add_option("--case", command.cases,
                   "several keys under one name, one curve each: NAME:KEY=VALUE;KEY=VALUE; repeat "
                   "for several")
      ->type_name("NAME:...")
      ->take_all();
  sweep->add_option("--seeds", command.seeds, "of all generators of the scene")
      ->type_name("FIRST:LAST");
  sweep
      ->add_option("--measure", command.measures,
                   "what to note at the end of each run; repeat for several")
      ->type_name("WHAT")
      ->take_all();
  sweep->add_option("--set", command.settings, "any value of the scene, for all runs")
      ->type_name("TABLE.KEY=VALUE")
      ->take_all();
  sweep->add_option("--operator", command.impact_operator, "instead of the scene's")
      ->type_name("NAME");
  sweep->add_option("--duration", command.duration, "seconds to simulate, instead of the scene's")
      ->type_name("T");
  sweep->add_option("-o,--output", command.output, "how the names of the files begin")
      ->type_name("PREFIX");
  sweep
      ->add_option("--threads", command.threads,
                   "runs at the same time; 0, the default: one for each core")
      ->type_name("N")
      ->check(CLI::Range(0.0, 256.0));
  CLI::Option* runs =
      sweep->add_option("--runs", command.runs, "only these, as the table numbers them; no plot")
          ->type_name("N,N:M,...");
  CLI::Option* slurm = sweep->add_flag(
      "--slurm", command.slurm,
      "on a cluster: as job arrays of Slurm, collected as they finish, failed ones again");
  slurm->excludes(runs);
  sweep
      ->add_option("--slurm-tasks", command.slurm_tasks,
                   "tasks of an array at most; several runs share one")
      ->type_name("N")
      ->check(CLI::Range(1.0, 1000.0))
      ->needs(slurm);
  sweep
      ->add_option("--slurm-option", command.slurm_options,
                   "of sbatch, e.g. --slurm-option=--partition=long; repeat for several")
      ->type_name("OPTION")
      ->take_all()
      ->needs(slurm);
  sweep->add_flag("-q,--quiet", command.quiet, "no progress");
  CLI::Option* resume = sweep->add_flag("--resume", command.resume,
                                        "go on with the table that is there, and only with one");
  sweep
      ->add_flag("--force", command.force,
                 "begin anew; also replace a table of another sweep, and other files")
      ->excludes(resume);
  sweep->footer(
      "Runs that the table holds already are not repeated, so the same command goes on after\n"
      "Ctrl-C, and a longer range only adds to it.\n\n"
      "Examples:\n"
      "  carom sweep break.toml --vary impact.tolerance=1e-12,1e-8 --measure energy_drift\n"
      "  carom sweep break.toml --vary \"body.cue.velocity[0]=1:4:31\" --measure "
      "\"mean(rack-*.speed)\"\n"
      "  carom sweep gas.toml --seeds 1:100 --measure \"max(ball-*.speed)\"\n");
}

void add_force(CLI::App& command, bool& force) {
  command.add_flag("--force", force, "also replace files that Carom did not make");
}

CLI::App* add_file_command(CLI::App& app, FileCommand& command, const char* name,
                           const char* description) {
  CLI::App* sub = app.add_subcommand(name, description);
  sub->add_option("FILE", command.files, "the file")->required()->expected(1);
  return sub;
}

void add_file_commands(CLI::App& app, FileCommand& command) {
  CLI::App* plot = app.add_subcommand(
      "plot", "Energy, momentum, contacts and what is measured over time, as SVG and PNG");
  plot->add_option("FILE", command.files, "recordings; several: one line each")->required();
  plot->add_option("-o,--output", command.output, "PATH.svg or PATH.png, or PATH for both")
      ->type_name("PATH");
  CLI::Option* heights = plot->add_flag("--heights", command.heights,
                                        "instead: the map of heights that [measure] describes");
  plot->add_flag("--spectrum", command.spectrum, "instead: the waves of that map")
      ->excludes(heights);
  add_force(*plot, command.force);
  plot->add_option("--time", command.time, "of the map, s; default: the last frame")
      ->type_name("SECONDS");
  add_file_command(app, command, "check",
                   "Judge what a file expects: a recording, a scene or an instant");
  add_file_command(app, command, "audit",
                   "Test every frame of a recording of scheme \"asynchronous\" for what meets");
  add_file_command(app, command, "info", "What a recording holds")
      ->add_flag("--json", command.json, "for machines");
  CLI::App* fresh = app.add_subcommand("new", "Write a commented scene to begin from");
  fresh->add_option("FILE", command.files, "default: scene.toml")->expected(0, 1);
  fresh->add_flag("--force", command.force, "replace the file if there is one");
  CLI::App* verify = add_file_command(
      app, command, "verify", "Run a recording's scene again and compare the bits of every state");
  verify->add_option("--threads", command.threads, "how many; 0: one for each core")
      ->type_name("N")
      ->check(CLI::Range(0.0, 256.0));
  verify->add_flag("-q,--quiet", command.quiet, "no progress");
  CLI::App* view = app.add_subcommand("view", "Write a page that shows recordings, and its path");
  view->add_option("FILE", command.files, "recordings; several: side by side")->required();
  view->add_option("-o,--output", command.output, "default: the recording's name with .html")
      ->type_name("PAGE");
  add_force(*view, command.force);
  CLI::App* lab = app.add_subcommand(
      "lab", "Write a page in which a scene runs and can be changed by hand, and its path");
  lab->add_option("SCENE", command.files, "a scene; default: the page's own")->expected(0, 1);
  lab->add_option("-o,--output", command.output, "default: the scene's name with -lab.html")
      ->type_name("PAGE");
  add_force(*lab, command.force);
  CLI::App* import =
      add_file_command(app, command, "import", "Turn a scene of SCISim (XML) into a scene");
  import->add_option("-o,--output", command.output, "default: its name with .toml")
      ->type_name("SCENE");
  import->add_flag("--force", command.force, "replace the file if there is one");
  CLI::App* out = add_file_command(
      app, command, "export",
      "Frames for other programs: csv, glb and obj (Blender), lammps (OVITO), vtk (ParaView)");
  out->add_option("--format", command.format, "csv, glb, lammps, obj or vtk")
      ->required()
      ->type_name("NAME");
  out->add_option("-o,--output", command.output, "directory; default: here")->type_name("DIR");
  add_force(*out, command.force);
  out->add_option("--every", command.every, "only every n-th frame")
      ->type_name("N")
      ->check(CLI::Range(1.0, 1e15));
  CLI::App* recover =
      add_file_command(app, command, "recover",
                       "Save what is sound in a damaged recording, and say what is missing");
  recover->add_option("-o,--output", command.output, "the new recording")
      ->required()
      ->type_name("NEW");
  recover->add_flag("--force", command.force, "replace the file if there is one");
}

struct FileEntry {
  const char* name;
  int (*run)(const FileCommand&);
};
constexpr std::array<FileEntry, 11> kFileCommands = {{
    {"plot", run_plot},
    {"check", run_check},
    {"audit", run_audit},
    {"info", run_info},
    {"new", run_new},
    {"verify", run_verify},
    {"view", run_view},
    {"lab", run_lab},
    {"import", run_import},
    {"export", run_export},
    {"recover", run_recover},
}};

}  // namespace

void add_scene_commands(CLI::App& app, SceneCommands& commands) {
  add_run(app, commands.run);
  add_compare(app, commands.compare);
  add_sweep(app, commands.sweep);
  add_file_commands(app, commands.file);
}

std::optional<int> dispatch_scene_command(const CLI::App& app, const SceneCommands& commands) {
  if (app.got_subcommand("run")) return run_run(commands.run);
  if (app.got_subcommand("compare")) return run_compare(commands.compare);
  if (app.got_subcommand("sweep")) return run_sweep(commands.sweep);
  for (const FileEntry& entry : kFileCommands) {
    if (app.got_subcommand(entry.name)) return entry.run(commands.file);
  }
  return std::nullopt;
}

}  // namespace carom::cli
