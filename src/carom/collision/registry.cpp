// The broad phases by their names.
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/collision/detail/brute_force.h"
#include "carom/collision/detail/grid.h"
#include "carom/core/error.h"
#include "carom/core/names.h"

namespace carom {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<BroadPhase> (*make)();
};

// A new broad phase is a pair of files and a line here.
constexpr std::array<Entry, 2> kEntries = {
    {{"grid", detail::make_grid}, {"brute_force", detail::make_brute_force}}};

}  // namespace

std::vector<std::string> broad_phase_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<BroadPhase> make_broad_phase(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry.make();
  }
  throw InputError({"", 0, 0, "broad_phase"},
                   unknown_name_message("broad phase", name, broad_phase_names()));
}

}  // namespace carom
