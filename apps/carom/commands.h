#pragma once

#include <string>
#include <vector>

// What each sub-command is asked to do, and its entry point. All return an exit code; bad input is
// an InputError.
namespace carom::cli {

enum ExitCode : int {
  kExitFine = 0,
  kExitCheckFailed = 1,    ///< an expectation or a check did not hold
  kExitBadInput = 2,       ///< file, option or argument
  kExitNumerical = 3,      ///< budget exhausted, collapsed, diverged, infeasible, solver failed
  kExitNoRoom = 4,         ///< a recording could not be written on: disk full
  kExitInterrupted = 130,  ///< stopped by Ctrl-C; the recording can be resumed
};

struct ImpactOptions {
  std::string file;
  std::vector<std::string> operators;  ///< empty: those of the file
  std::string restitution_model;
  std::string friction_model;
  std::vector<std::string> settings;  ///< key=value
  bool trace = false;
  bool json = false;
  bool certificate = false;
  bool no_expectations = false;
};
int run_impact(const ImpactOptions& options);

struct OperatorsOptions {
  bool json = false;
};
int run_operators(const OperatorsOptions& options);

struct SchemesOptions {
  bool json = false;
};
int run_schemes(const SchemesOptions& options);

struct GalleryOptions {
  std::string directory;         ///< empty: look for it
  std::vector<std::string> ids;  ///< empty: all
  std::string out;               ///< directory for the curves, or empty
  bool slow = false;
  bool verbose = false;
  bool json = false;
  bool force = false;  ///< files in `out` that Carom did not make may be replaced
};
int run_gallery_list(const GalleryOptions& options);
int run_gallery_check(const GalleryOptions& options);
int run_gallery_chart(const GalleryOptions& options);
int run_gallery_run(const GalleryOptions& options);

}  // namespace carom::cli
