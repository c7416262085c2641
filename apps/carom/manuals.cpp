// Manual pages and completion from the command line's own descriptions, so that they cannot differ
// from `carom --help`.

#include "manuals.h"

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/core/version.h"

#include "command_line.h"

namespace carom::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  const std::vector<const CLI::App*> all =
      app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
  return {all.begin(), all.end()};
}

/// "carom gallery check", or with another letter between the words.
std::string path_of(const CLI::App& app, std::string_view between) {
  const CLI::App* parent = app.get_parent();
  if (parent == nullptr) return app.get_name();
  return path_of(*parent, between) + std::string(between) + app.get_name();
}

/// Nothing of a text may be taken for a request: not a backslash, a minus that is typed, nor a
/// point or an apostrophe at the beginning of a line.
std::string roff(std::string_view text) {
  std::string escaped;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
    begins_line = c == '\n';
  }
  return escaped;
}

/// "-o, --output FILE"
std::string spelled(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string text;
  for (const std::string& name : option.get_snames()) text += "-" + name + ", ";
  for (const std::string& name : option.get_lnames()) text += "--" + name + ", ";
  text.resize(text.size() - 2);
  if (option.get_type_size() != 0) text += " " + option.get_type_name();
  return text;
}

std::string manual(const CLI::App& app) {
  std::string text =
      fmt::format(".TH \"{}\" 1 \"\" \"carom {}\" \"Carom\"\n", roff(path_of(app, "-")), kVersion);
  text +=
      fmt::format(".SH NAME\n{} \\- {}\n", roff(path_of(app, "-")), roff(app.get_description()));
  text += ".SH SYNOPSIS\n.B " + roff(path_of(app, " ")) + "\n[options]\n";
  const std::vector<const CLI::App*> commands = commands_of(app);
  if (!commands.empty()) text += "COMMAND\n";
  const std::vector<const CLI::Option*> options = app.get_options();
  for (const CLI::Option* option : options) {
    if (!option->get_positional()) continue;
    const std::string name = roff(option->get_name(true));
    text += option->get_required() ? name + "\n" : "[" + name + "]\n";
  }
  if (!commands.empty()) text += ".SH COMMANDS\n";
  for (const CLI::App* command : commands) {
    text += fmt::format(".TP\n.B {}\n{}\n", roff(path_of(*command, " ")),
                        roff(command->get_description()));
  }
  if (!options.empty()) text += ".SH OPTIONS\n";
  for (const CLI::Option* option : options) {
    text +=
        fmt::format(".TP\n.B {}\n{}\n", roff(spelled(*option)), roff(option->get_description()));
  }
  if (!app.get_footer().empty()) {
    text += ".SH NOTES\n.nf\n" + roff(app.get_footer()) + "\n.fi\n";
  }
  return text;
}

/// The words that may follow a command: its own commands, and its long options.
std::string words_after(const CLI::App& app) {
  std::string words;
  for (const CLI::App* command : commands_of(app)) words += command->get_name() + " ";
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
  }
  if (!words.empty()) words.pop_back();
  return words;
}

void add_cases(const CLI::App& app, std::string& text) {
  text += fmt::format("    '{}') words='{}' ;;\n", path_of(app, " "), words_after(app));
  for (const CLI::App* command : commands_of(app)) add_cases(*command, text);
}

/// Every command that can be told apart, as bash reads it; files complete everywhere else.
std::string completion(const CLI::App& app) {
  std::string cases;
  add_cases(app, cases);
  return "# Completion of carom for bash.\n"
         "_carom() {\n"
         "  local command=carom word words here=\"${COMP_WORDS[COMP_CWORD]}\" k\n"
         "  for ((k = 1; k < COMP_CWORD; ++k)); do\n"
         "    word=\"${COMP_WORDS[k]}\"\n"
         "    case \" $(_carom_words \"${command}\") \" in\n"
         "      *\" ${word} \"*) [[ \"${word}\" == -* ]] || command+=\" ${word}\" ;;\n"
         "    esac\n"
         "  done\n"
         "  words=\"$(_carom_words \"${command}\")\"\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"${words}\" -- \"${here}\")\n"
         "  [[ \"${here}\" == -* ]] || mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY "
         "< <(compgen -f -- \"${here}\")\n"
         "}\n"
         "_carom_words() {\n"
         "  local words=''\n"
         "  case \"$1\" in\n" +
         cases +
         "  esac\n"
         "  printf '%s' \"${words}\"\n"
         "}\n"
         "complete -o filenames -F _carom carom\n";
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw InputError({path.string(), 0, 0, ""}, "cannot be written");
}

void write_pages(const CLI::App& app, const std::filesystem::path& directory) {
  write(directory / (path_of(app, "-") + ".1"), manual(app));
  for (const CLI::App* command : commands_of(app)) write_pages(*command, directory);
}

}  // namespace

void write_manuals(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  with_command_line([&](const CLI::App& app) {
    write_pages(app, directory);
    write(directory / "carom.bash", completion(app));
  });
}

}  // namespace carom::cli
