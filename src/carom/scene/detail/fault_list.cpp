// All faults of a file: what is at fault is taken out, and the rest read again.
#include "carom/scene/detail/fault_list.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace carom::detail {
namespace {

constexpr std::size_t kMostFaults = 20;

template <typename Place>
Place begin_of(const toml::source_region& region) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

// What names something else in the file, which may have been taken out.
bool names_another(std::string_view message) {
  static constexpr std::array<std::string_view, 7> kKinds = {
      "ball", "body", "material", "solid", "shape", "surface", "track"};
  return std::any_of(kKinds.begin(), kKinds.end(), [&](std::string_view kind) {
    return message.starts_with("unknown " + std::string(kind) + " ");
  });
}

}  // namespace

bool FaultList::follows(const InputError& fault) const {
  const Place place = {fault.place().line, fault.place().column};
  if (std::find(incomplete_.begin(), incomplete_.end(), place) != incomplete_.end()) return true;
  return lacks_entries_ && names_another(fault.message());
}

bool FaultList::take(const InputError& fault) {
  const InputPlace& place = fault.place();
  if (!follows(fault)) {
    const auto is_known = [&](const InputError& known) {
      return std::string_view(known.what()) == fault.what();
    };
    if (std::any_of(faults_.begin(), faults_.end(), is_known)) return false;
    std::string message = fault.message();
    std::replace(message.begin(), message.end(), '\n', ' ');  // a line for each fault
    faults_.emplace_back(
        InputPlace{place.file, place.line, place.column, key_as_written(place.key)}, message);
  }
  // A fault without a line is that of an option; one of another file cannot be taken out here.
  if (place.line == 0 || place.file != file_ || faults_.size() == kMostFaults) return false;
  return take_out(*table_, "", fault);
}

// Looks for the value, the key or the table that begins where the fault is.
bool FaultList::take_out(toml::table& table, const std::string& path, const InputError& fault) {
  const Place place = {fault.place().line, fault.place().column};
  for (auto&& [key, node] : table) {
    const std::string name(key.str());
    std::string below = path;
    if (!path.empty()) below += '.';
    below += name;
    // A list of tables begins where its first table does.
    const bool is_here =
        begin_of<Place>(node.source()) == place || begin_of<Place>(key.source()) == place;
    if (is_here && !node.is_array_of_tables()) {
      incomplete_.push_back(begin_of<Place>(table.source()));
      lacks_entries_ = lacks_entries_ || node.is_table();
      table.erase(name);
      return true;
    }
    if (toml::table* inner = node.as_table()) {
      if (take_out(*inner, below, fault)) return true;
    } else if (toml::array* list = node.as_array()) {
      if (!take_out_of(*list, below, fault)) continue;
      if (list->empty()) table.erase(name);
      return true;
    }
  }
  return false;
}

bool FaultList::take_out_of(toml::array& array, const std::string& path, const InputError& fault) {
  const Place place = {fault.place().line, fault.place().column};
  for (std::size_t k = 0; k < array.size(); ++k) {
    toml::table* const entry = array[k].as_table();
    if (begin_of<Place>(array[k].source()) == place) {
      if (entry == nullptr) {  // a number in a list: without it the list would mean something else
        array.clear();
        return true;
      }
      std::vector<std::size_t>& gone = gone_[path];
      std::size_t written = k;
      for (const std::size_t before : gone) written += before <= written ? 1 : 0;
      gone.insert(std::upper_bound(gone.begin(), gone.end(), written), written);
      array.erase(array.cbegin() + static_cast<std::ptrdiff_t>(k));
      lacks_entries_ = true;
      return true;
    }
    if (entry != nullptr && take_out(*entry, path + "[" + std::to_string(k) + "]", fault)) {
      return true;
    }
  }
  return false;
}

// Numbers of entries count those that are gone.
std::string FaultList::key_as_written(const std::string& key) const {
  const std::size_t open = key.find('[');
  const std::size_t close = key.find(']');
  if (open == std::string::npos || close == std::string::npos) return key;
  const auto gone = gone_.find(key.substr(0, open));
  if (gone == gone_.end()) return key;
  std::size_t number = std::stoul(key.substr(open + 1, close - open - 1));
  for (const std::size_t before : gone->second) number += before <= number ? 1 : 0;
  return key.substr(0, open + 1) + std::to_string(number) + key.substr(close);
}

void FaultList::tell() const {
  std::string message = faults_.front().message();
  for (std::size_t k = 1; k < faults_.size(); ++k) message += "\n" + std::string(faults_[k].what());
  if (faults_.size() == kMostFaults) message += "\nfurther faults are not looked for";
  throw InputError(faults_.front().place(), message);
}

}  // namespace carom::detail
