// Stands in for libFuzzer's main where the compiler has none: runs one fuzz target over every .toml
// file below the given directories, whole and cut short at many places.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kCutsPerFile = 50;

std::vector<std::uint8_t> bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void replay(const std::filesystem::path& path) {
  const std::vector<std::uint8_t> bytes = bytes_of(path);
  for (std::size_t cut = 0; cut <= kCutsPerFile; ++cut) {
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size() * cut / kCutsPerFile);
  }
}

std::size_t replay_below(const std::filesystem::path& directory) {
  std::size_t count = 0;
  if (!std::filesystem::is_directory(directory)) return count;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.path().extension() != ".toml") continue;
    try {
      replay(entry.path());
    } catch (const std::exception& error) {
      std::cerr << entry.path() << ": " << error.what() << '\n';
      throw;
    }
    ++count;
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::size_t count = 0;
    for (int i = 1; i < argc; ++i) count += replay_below(argv[i]);
    std::cout << count << " files\n";
    return count > 0 ? 0 : 1;
  } catch (const std::exception&) {
    return 1;
  }
}
