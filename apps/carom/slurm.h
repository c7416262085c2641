#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace carom::cli {

/// A job array of Debian's Slurm, by its own commands (sbatch, squeue).
struct SlurmScript {
  std::size_t tasks = 1;
  std::string name;                    ///< of the job
  std::filesystem::path logs;          ///< a directory: what the tasks print, log-JOB-TASK.txt
  std::vector<std::string> options;    ///< further ones of sbatch, e.g. "--partition=long"
  std::vector<std::string> variables;  ///< lines of the script before the command
  std::string command;                 ///< of the shell
};

/// One word of the shell, whatever is in it.
[[nodiscard]] std::string shell_word(const std::string& text);
[[nodiscard]] std::string text_of(const SlurmScript& script);
/// Hands a script over, and returns the number of the job. Throws InputError with what Slurm says
/// where it does not take it, or is not there.
[[nodiscard]] std::string submit(const std::filesystem::path& script);
/// Whether any task of the job waits or runs. Throws InputError where Slurm does not answer.
[[nodiscard]] bool is_active(const std::string& job);

}  // namespace carom::cli
