// Job arrays of Slurm, by the commands that every cluster with Slurm has.
#include "slurm.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <memory>
#include <sys/wait.h>

#include "carom/core/error.h"

namespace carom::cli {
namespace {

struct Answer {
  int code = 0;
  std::string text;  ///< both outputs, without the line end
};

Answer ask(const std::string& command) {
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw InputError({"", 0, 0, "--slurm"}, "no command can be started here");
  Answer answer;
  std::array<char, 4096> block{};
  for (std::size_t n = 0; (n = std::fread(block.data(), 1, block.size(), pipe)) > 0;) {
    answer.text.append(block.data(), n);
  }
  const int status = ::pclose(pipe);
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  while (!answer.text.empty() && answer.text.back() == '\n') answer.text.pop_back();
  return answer;
}

[[noreturn]] void refuse(const std::string& command, const Answer& answer) {
  constexpr int kNotFound = 127;
  const std::string why = answer.code == kNotFound ? "was not found: is Slurm installed here?"
                                                   : "answered: " + answer.text;
  throw InputError({"", 0, 0, "--slurm"}, command + " " + why);
}

}  // namespace

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string text_of(const SlurmScript& script) {
  std::string text = "#!/bin/sh\n#SBATCH --job-name=" + script.name + "\n#SBATCH --array=0-" +
                     std::to_string(script.tasks - 1) +
                     "\n#SBATCH --output=" + (script.logs / "log-%A-%a.txt").string() + "\n";
  for (const std::string& option : script.options) text += "#SBATCH " + option + "\n";
  for (const std::string& line : script.variables) text += line + "\n";
  return text + "exec " + script.command + "\n";
}

std::string submit(const std::filesystem::path& script) {
  const Answer answer = ask("sbatch --parsable " + shell_word(script.string()));
  if (answer.code != 0) refuse("sbatch", answer);
  // "123" or "123;cluster", behind warnings.
  const std::size_t line =
      answer.text.rfind('\n') == std::string::npos ? 0 : answer.text.rfind('\n') + 1;
  std::string job = answer.text.substr(line, answer.text.find(';', line) - line);
  const bool is_number = !job.empty() && std::all_of(job.begin(), job.end(), [](unsigned char c) {
    return std::isdigit(c) != 0;
  });
  if (!is_number) refuse("sbatch", answer);
  return job;
}

bool is_active(const std::string& job) {
  const Answer answer = ask("squeue --noheader --format=%T --job " + shell_word(job));
  // Slurm forgets jobs some minutes after their end.
  if (answer.text.find("Invalid job id") != std::string::npos) return false;
  if (answer.code != 0) refuse("squeue", answer);
  return !answer.text.empty();
}

}  // namespace carom::cli
