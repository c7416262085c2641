#pragma once

#include <string>
#include <vector>

namespace carom::bench {

/// Of ./dev bench acm --scene NAME.
struct PaperRun {
  std::string scene;             ///< one of paper_scene_names()
  double seconds = 0.0;          ///< simulated, at most; 0: all that the paper has
  double budget = 0.0;           ///< s of the processor, at most; 0: without end
  bool is_small = false;         ///< the size of the gallery's ordinary run
  unsigned threads = 1;          ///< 0: one for each core
  std::vector<std::string> set;  ///< further overrides, as of `carom run --set`
};

[[nodiscard]] const std::vector<std::string>& paper_scene_names();

/// Runs a large scene of the papers, from its gallery file with the overrides of its slow check, by
/// the fast engine, without audits, and prints its cost, by kind of work and as it
/// goes on, beside what the papers and others need. What a shorter run shows is marked as that.
/// Throws InputError on a scene that is not there.
void run_paper_scene(const PaperRun& chosen);

}  // namespace carom::bench
