// The whole command line: which commands there are, and where each ends that fails.

#include "command_line.h"

#include <cerrno>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/version.h"
#include "carom/recording/error.h"

#include "commands.h"
#include "scene_commands.h"

namespace carom::cli {
namespace {

constexpr const char* kExitCodes =
    "Exit codes:\n"
    "  0  fine\n"
    "  1  an expectation of the file, a check of the gallery or an audit did not hold\n"
    "  2  bad input: the file, an option or an argument cannot be used\n"
    "  3  a numerical outcome: budget exhausted, collapsed, diverged, infeasible, solver failed\n"
    "  4  a file could not be written on (disk full); what was recorded stays valid\n"
    "  130  stopped by Ctrl-C; the recording can be resumed\n";

struct Options {
  ImpactOptions impact;
  OperatorsOptions operators;
  SchemesOptions schemes;
  GalleryOptions gallery;
  SceneCommands scene;
};

void add_impact(CLI::App& app, ImpactOptions& options) {
  CLI::App* command = app.add_subcommand(
      "impact", "Resolve a hand-written instant: velocities, impulses, and which laws held");
  command->add_option("FILE", options.file, "the instant, a TOML file (docs/instant-format.md)")
      ->required();
  // A specification may hold commas, so lists are written by repeating the option.
  command
      ->add_option("-o,--operator", options.operators,
                   "operator(s) instead of the file's; repeat for one column each")
      ->type_name("NAME")
      ->take_all();
  command->add_option("--restitution-model", options.restitution_model, "instead of the file's")
      ->type_name("NAME");
  command->add_option("--friction-model", options.friction_model, "instead of the file's")
      ->type_name("NAME");
  command->add_option("--set", options.settings, "any key of [impact], e.g. --set tolerance=1e-8")
      ->type_name("KEY=VALUE")
      ->take_all();
  command->add_flag("--trace", options.trace, "show every application of the operator");
  command->add_flag("--certificate", options.certificate,
                    "compute the margin of the rows and the bound on applications");
  command->add_flag("--json", options.json, "one JSON document instead of tables");
  command->add_flag("--no-expect", options.no_expectations, "do not judge the file's [expect]");
  command->footer(std::string("Examples:\n"
                              "  carom impact gallery/G4-cradle.toml\n"
                              "  carom impact cradle.toml --operator gr --operator qce --trace\n"
                              "  carom impact cradle.toml -o gauss_seidel:order=random,seed=7\n"
                              "  carom impact cradle.toml --set tolerance=1e-8 --json\n\n") +
                  kExitCodes);
}

void add_operators(CLI::App& app, OperatorsOptions& options) {
  CLI::App* command =
      app.add_subcommand("operators", "List the impact operators, what each promises, its options");
  command->add_flag("--json", options.json, "for machines");
}

void add_schemes(CLI::App& app, SchemesOptions& options) {
  CLI::App* command =
      app.add_subcommand("schemes", "List the ways through time, with their settings");
  command->add_flag("--json", options.json, "for machines");
}

void add_gallery(CLI::App& app, GalleryOptions& options) {
  CLI::App* gallery =
      app.add_subcommand("gallery", "The experiments of the papers, each with its check");
  gallery->require_subcommand(1);
  gallery->add_option("--gallery", options.directory, "where the files are")->type_name("DIR");
  gallery->fallthrough();
  CLI::App* list = gallery->add_subcommand("list", "What there is");
  list->add_flag("--json", options.json, "for machines");
  CLI::App* check = gallery->add_subcommand("check", "Run checks; one line each");
  check->add_option("ID", options.ids, "e.g. G4, or a file's name; none: all");
  check->add_flag("--slow", options.slow, "with the larger sizes of [check.slow]");
  check->add_flag("-v,--verbose", options.verbose, "every claim with its number and its bound");
  check->add_flag("--json", options.json, "for machines");
  check->add_option("--out", options.out, "write the curves there, as CSV files and drawn as SVG")
      ->type_name("DIR");
  check->add_flag("--force", options.force, "also replace files that Carom did not make");
  check->footer(
      "Examples:\n"
      "  carom gallery check\n"
      "  carom gallery check G4 A3 --verbose\n"
      "  carom gallery check Q1 --out curves\n");
  CLI::App* run = gallery->add_subcommand(
      "run", "Run scenes: the recording, the plot and the page of each operator");
  run->add_option("ID", options.ids, "e.g. G6, or a file's name")->required();
  run->add_option("--out", options.out, "where the files go; default: here")->type_name("DIR");
  run->add_flag("--force", options.force,
                "replace unfinished runs, and files that Carom did not make");
  CLI::App* chart =
      gallery->add_subcommand("chart", "Operators against laws (G1), and exact velocities (G4)");
  chart->add_flag("--slow", options.slow, "more random problems");
}

void describe_app(CLI::App& app, Options& options) {
  app.description("Carom resolves simultaneous impacts and shows that it did.");
  app.set_version_flag("--version", std::string("carom ") + kVersion);
  app.require_subcommand(1);
  add_scene_commands(app, options.scene);
  add_impact(app, options.impact);
  add_operators(app, options.operators);
  add_schemes(app, options.schemes);
  add_gallery(app, options.gallery);
  app.footer(std::string("Examples:\n"
                         "  carom new && carom run scene.toml && carom view scene.h5\n"
                         "  carom compare gallery/G6-break.toml --operators gr,gauss_seidel\n"
                         "  carom impact gallery/G4-bernoulli.toml\n"
                         "  carom operators\n"
                         "  carom gallery check\n"
                         "  carom impact --help\n\n") +
             kExitCodes);
}

// Each error is one line, and what came from a file or the command line must not disturb the
// terminal. It is called where an exception ends, so it throws none.
void print_error(const char* text) noexcept {
  std::fputs("carom: error: ", stderr);
  for (; *text != '\0'; ++text) {
    if (*text == '\n' && text[1] != '\0') {  // of several faults the next
      std::fputs("\n  ", stderr);
      continue;
    }
    const auto byte = static_cast<unsigned char>(*text);
    std::fputc(byte < ' ' || byte == 0x7f ? ' ' : byte, stderr);
  }
  std::fputc('\n', stderr);
}

// "carom gallery check"
std::string command_path(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return (parent == nullptr ? "" : command_path(*parent) + " ") + app.get_name();
}

// The innermost sub-command that was recognised.
const CLI::App& deepest(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest(*chosen.front());
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// CLI11 says only that a word was not expected; say what was meant.
std::string unexpected_word(const CLI::App& app, const std::string& word) {
  const CLI::App& command = deepest(app);
  const std::string name = word.substr(0, word.find('='));
  if (word.starts_with("-")) return unknown_name_message("option", name, option_names(command));
  const std::vector<std::string> names = subcommand_names(command);
  if (!names.empty()) return unknown_name_message("command", word, names);
  return "unexpected argument '" + word + "'";
}

int report_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  const CLI::App& command = deepest(app);
  const std::vector<std::string> rest = app.remaining(true);
  const std::vector<std::string> commands = subcommand_names(command);
  if (!rest.empty()) {
    text = unexpected_word(app, rest.front());
  } else if (!commands.empty()) {
    text = "a command is missing; known: " + fmt::format("{}", fmt::join(commands, ", "));
  }
  text += "; see: " + command_path(command) + " --help";
  print_error(text.c_str());
  return kExitBadInput;
}

int dispatch(const CLI::App& app, const Options& options) {
  if (app.got_subcommand("impact")) return run_impact(options.impact);
  if (app.got_subcommand("operators")) return run_operators(options.operators);
  if (app.got_subcommand("schemes")) return run_schemes(options.schemes);
  if (const std::optional<int> code = dispatch_scene_command(app, options.scene)) return *code;
  const CLI::App* gallery = app.get_subcommand("gallery");
  if (gallery->got_subcommand("run")) return run_gallery_run(options.gallery);
  if (gallery->got_subcommand("list")) return run_gallery_list(options.gallery);
  if (gallery->got_subcommand("check")) return run_gallery_check(options.gallery);
  return run_gallery_chart(options.gallery);
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("", "carom");
  describe_app(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    return report_usage_error(app, error);
  }
  return dispatch(app, options);
}

}  // namespace

void with_command_line(const std::function<void(const CLI::App&)>& look) {
  Options options;
  CLI::App app("", "carom");
  describe_app(app, options);
  look(app);
}

int run_command_line(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      const std::string reason = errno == 0 ? "" : ": " + std::generic_category().message(errno);
      print_error(("the output cannot be written" + reason).c_str());
      return kExitBadInput;
    }
    return code;
  } catch (const InputError& error) {
    print_error(error.what());
    return kExitBadInput;
  } catch (const RecordingError& error) {
    print_error(error.what());
    return kExitNoRoom;
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
    return kExitNumerical;
  } catch (const std::exception& error) {
    print_error(error.what());
    return kExitBadInput;
  }
}

}  // namespace carom::cli
