#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "carom/solvers/problem_file.h"

#include "scaling/scene.h"

namespace carom::bench {

/// Connected parts of violated rows, as the scenes of Smith2012, Table 2 make them: what the
/// solvers for parts are chosen on.
struct StoredPart {
  std::string name;
  solvers::StoredProblem problem;
};

struct RecordOptions {
  ScalingOptions scene;
  std::uint64_t every = 10;   ///< steps between two that are looked at
  std::size_t of_a_size = 4;  ///< parts kept for each power of two of rows
  std::size_t most_rows = 512;
};

/// Runs the scene and writes some of its parts, drawn evenly for each power of two of rows from a
/// fixed seed, into the directory: SCENE-ROWS-NUMBER.qp. Files of the same scene that are there go.
/// Returns how many were written. Throws std::runtime_error.
std::size_t record_parts(const RecordOptions& options, const std::filesystem::path& directory);

/// Every .qp file of a directory, by size and name. Throws InputError and std::runtime_error.
[[nodiscard]] std::vector<StoredPart> read_parts(const std::filesystem::path& directory);

}  // namespace carom::bench
