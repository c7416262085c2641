#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/core/numbers.h"
#include "carom/core/types.h"
#include "carom/impact/problem.h"
#include "carom/impact/resolve.h"
#include "carom/scene/parameters.h"

namespace carom {

/// What a file expects of one resolution. Only what it says is judged (runs/instant_run.h).
struct Expectation {
  std::optional<ImpactStatus> status;
  std::optional<std::uint64_t> applications;  ///< exactly
  std::optional<std::uint64_t> applications_at_most;
  std::optional<std::uint64_t> lineality_rows;  ///< rows found to be implicit equalities
  /// Relative change W of the energy, between these.
  std::optional<std::pair<double, double>> energy;
  std::vector<Law> laws;  ///< of ONE, MOM, KIN, FEAS, FIN
  struct Velocity {
    Index body = 0;
    Numbers value;
  };
  std::vector<Velocity> velocities;
  struct Impulse {
    Index row = 0;
    double value = 0.0;
  };
  std::vector<Impulse> impulses;
  /// Largest absolute difference of velocities, impulses and a single energy.
  double tolerance = 1e-12;

  [[nodiscard]] bool empty() const;
};

/// A file of kind "instant": bodies and contacts at one frozen moment, how to resolve them, and
/// what should come out. docs/instant-format.md describes the file.
struct Instant {
  std::string file;  ///< as given to the reader; for messages
  std::string title;
  std::string description;
  std::string figure;  ///< where the experiment is printed, e.g. "GR Fig. 3"
  ImpactProblem problem;
  ImpactSettings settings;  ///< its impact_operator is the first of `operators`
  std::vector<std::string> operators = {"gr"};
  /// One per operator, in the same order.
  std::vector<Expectation> expectations = {Expectation{}};
  /// A registered check of the gallery that varies what the file describes; "" for none.
  std::string check;
  Parameters parameters;       ///< of the check
  Parameters slow_parameters;  ///< instead of those, in a slow run
};

/// Throws InputError on anything that is not a valid instant. `file` stands in the messages.
[[nodiscard]] Instant read_instant(std::string_view text, const std::string& file = "");
[[nodiscard]] Instant read_instant_file(const std::filesystem::path& path);

/// The bodies, rows and settings as a file that reads back to the same bits. Contacts come out as
/// raw rows. Expectations and checks are not written.
[[nodiscard]] std::string write_instant(const Instant& instant);

}  // namespace carom
