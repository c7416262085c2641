#include "support/run_command.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/directories.h"

namespace carom::test {
namespace {

std::string read_all(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Made when first asked for, gone with the process that made it (not with its forked children).
class ProcessDirectory {
 public:
  ProcessDirectory() : owner_(::getpid()) {
    std::string name = (std::filesystem::temp_directory_path() / "carom-tests-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  ProcessDirectory(const ProcessDirectory&) = delete;
  ProcessDirectory& operator=(const ProcessDirectory&) = delete;
  ~ProcessDirectory() {
    std::error_code ignored;
    if (owner_ == ::getpid()) std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  pid_t owner_;
  std::filesystem::path path_;
};

}  // namespace

std::filesystem::path scratch_directory() {
  static const ProcessDirectory directory;
  return directory.path();
}

CommandResult run_carom(const std::string& arguments, const std::filesystem::path& directory) {
  const std::filesystem::path out = scratch_directory() / "out";
  const std::filesystem::path err = scratch_directory() / "err";
  const std::string command = "cd '" + directory.string() + "' && XDG_STATE_HOME='" +
                              scratch_directory().string() + "' '" + build_directory() +
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
