#include "carom/study/gallery.h"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <tuple>
#include <utility>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/study/detail/checks.h"
#include "carom/study/instant_run.h"

namespace carom {
namespace {

// "G10-rack" sorts as (G, 10, rack).
std::tuple<std::string, int, std::string> sort_key(const GalleryEntry& entry) {
  std::string letters;
  int number = 0;
  for (const char c : entry.id) {
    if (c >= '0' && c <= '9') {
      number = 10 * number + (c - '0');
    } else {
      letters += c;
    }
  }
  return {letters, number, entry.name};
}

// An id is one capital letter and at most four digits.
bool is_id(std::string_view text) {
  return text.size() >= 2 && text.size() <= 5 && text[0] >= 'A' && text[0] <= 'Z' &&
         std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

const CheckInfo& find_check(const Instant& instant) {
  std::vector<std::string> names;
  for (const CheckInfo& check : check_registry()) {
    if (check.name == instant.check) return check;
    names.push_back(check.name);
  }
  instant.parameters.refuse("name", unknown_name_message("check", instant.check, names));
}

}  // namespace

const std::vector<CheckInfo>& check_registry() {
  static const std::vector<CheckInfo> checks = {
      {"anti_locking", "locked rows run into any budget without detection, and end with it",
       detail::check_anti_locking},
      {"wedge", "Gauss-Seidel in a wedge needs the exact number of reflections",
       detail::check_wedge},
      {"inelastic_collapse", "c_r = 0 inside the iteration never becomes feasible",
       detail::check_inelastic_collapse},
      {"sorting", "equal balls on a line come out sorted", detail::check_sorting},
      {"necessity", "an operator without one of the five properties loops and is caught",
       detail::check_necessity},
      {"desiderata", "the chart of operators against laws", detail::check_desiderata},
      {"box_rotates", "a box on four corners turns with Gauss-Seidel, not with GR",
       detail::check_box_rotates},
      {"spring_chain", "lzb agrees with springs integrated in time", detail::check_spring_chain},
      {"collapse_threshold", "where propagated restitution stops ending",
       detail::check_collapse_threshold},
      {"three_ball_chain", "outcome of a three-ball chain against the exchange of velocities",
       detail::check_three_ball_chain},
      {"disturbed_cradle", "a cradle with small random disturbances",
       detail::check_disturbed_cradle},
      {"galperin", "collisions of two blocks and a wall spell the digits of pi",
       detail::check_galperin},
  };
  return checks;
}

CheckOutcome check_instant(const Instant& instant, bool slow) {
  CheckOutcome outcome;
  if (instant.problem.body_count() > 0) {
    for (const std::string& name : instant.operators) {
      ImpactSettings settings = instant.settings;
      settings.impact_operator = name;
      for (Claim& claim : run_instant(instant, settings).claims) {
        claim.text = name + ": " + claim.text;
        outcome.claims.push_back(std::move(claim));
      }
    }
  }
  if (instant.check.empty()) return outcome;
  CheckInput input{&instant, instant.parameters};
  if (slow) input.parameters.override_with(instant.slow_parameters);
  CheckOutcome checked = find_check(instant).run(input);
  outcome.headline = outcome.claims.size() + checked.headline;
  for (Claim& claim : checked.claims) outcome.claims.push_back(std::move(claim));
  outcome.tables = std::move(checked.tables);
  return outcome;
}

std::vector<GalleryEntry> read_gallery(const std::filesystem::path& directory) {
  std::vector<GalleryEntry> entries;
  std::error_code error;
  for (const auto& item : std::filesystem::directory_iterator(directory, error)) {
    if (item.path().extension() != ".toml") continue;
    GalleryEntry entry;
    entry.path = item.path();
    entry.name = item.path().stem().string();
    entry.id = entry.name.substr(0, entry.name.find('-'));
    if (!is_id(entry.id)) continue;
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) {
    throw InputError({directory.string(), 0, 0, ""},
                     "is not a gallery: there is no <id>-<name>.toml in it");
  }
  std::sort(entries.begin(), entries.end(),
            [](const GalleryEntry& a, const GalleryEntry& b) { return sort_key(a) < sort_key(b); });
  for (GalleryEntry& entry : entries) entry.instant = read_instant_file(entry.path);
  return entries;
}

}  // namespace carom
