#include "study/run_command.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace carom::test {
namespace {

std::string read_all(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

std::filesystem::path scratch_directory() {
  std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("carom-tests-" + std::to_string(::getpid()));
  std::filesystem::create_directories(directory);
  return directory;
}

CommandResult run_carom(const std::string& arguments, const std::filesystem::path& directory) {
  const std::filesystem::path out = scratch_directory() / "out";
  const std::filesystem::path err = scratch_directory() / "err";
  const std::string command = "cd '" + directory.string() + "' && XDG_STATE_HOME='" +
                              scratch_directory().string() + "' '" + CAROM_BINARY_DIR +
                              "/apps/carom/carom' " + arguments + " >'" + out.string() + "' 2>'" +
                              err.string() + "'";
  const int status = std::system(command.c_str());
  CommandResult result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.output = read_all(out);
  result.errors = read_all(err);
  return result;
}

}  // namespace carom::test
