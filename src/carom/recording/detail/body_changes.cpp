// Bodies that come and go, and shapes that a program moves.
#include "carom/recording/detail/body_changes.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

namespace carom::detail {
namespace {

// `size` numbers for each body; `absent`: `size` of them for those that are not there.
std::vector<double> spread(const RecordingHeader& header, std::uint64_t step,
                           const std::vector<double>& numbers, std::size_t size) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> all(size * header.body_count(), kNothing);
  auto from = numbers.begin();
  for (std::size_t body = 0; body < header.body_count(); ++body) {
    if (!header.is_there(body, step)) continue;
    std::copy_n(from, size, all.begin() + static_cast<std::ptrdiff_t>(size * body));
    from += static_cast<std::ptrdiff_t>(size);
  }
  return all;
}

}  // namespace

void take_changes(const BodyChanges& changes, RecordingHeader& header) {
  if (!header.driven_from) header.driven_from = changes.step + 1;
  if (changes.left.empty() && changes.ids.empty()) return;
  if (header.presence.empty()) {
    for (std::size_t body = 0; body < header.body_count(); ++body) {
      header.presence.push_back({.id = body});
    }
  }
  for (const std::uint64_t body : changes.left) header.presence[body].last_step = changes.step;
  const bool turns = std::any_of(changes.solids.begin(), changes.solids.end(),
                                 [](std::uint32_t solid) { return solid != kNoSolid; });
  if (turns && !header.any_turns()) header.solids.assign(header.body_count(), kNoSolid);
  const auto append = [](auto& all, const auto& further) {
    all.insert(all.end(), further.begin(), further.end());
  };
  if (header.any_turns()) append(header.solids, changes.solids);
  for (const std::string& name : changes.names) header.body_names.push_back(name);
  append(header.masses, changes.masses);
  append(header.radii, changes.radii);
  append(header.materials, changes.materials);
  for (const std::uint64_t id : changes.ids) {
    header.presence.push_back({.id = id, .first_step = changes.step + 1});
  }
  if (!changes.solids_json.empty()) header.solids_json = changes.solids_json;
}

std::size_t bodies_there(const RecordingHeader& header, std::uint64_t step) {
  if (header.presence.empty()) return header.body_count();
  std::size_t count = 0;
  for (std::size_t body = 0; body < header.body_count(); ++body) {
    if (header.is_there(body, step)) ++count;
  }
  return count;
}

void spread_frame(const RecordingHeader& header, RecordedFrame& frame) {
  const std::size_t there = frame.positions.size() / 3;
  if (header.any_turns() && frame.orientations.empty()) {
    frame.orientations.assign(4 * there, 0.0);
    for (std::size_t k = 0; k < there; ++k) frame.orientations[4 * k] = 1.0;
    frame.angular_velocities.assign(3 * there, 0.0);
  }
  if (header.presence.empty()) return;
  frame.positions = spread(header, frame.step, frame.positions, 3);
  frame.velocities = spread(header, frame.step, frame.velocities, 3);
  std::vector<double> own;
  for (std::size_t k = 0; k < header.body_columns.size(); ++k) {
    const auto column = frame.body_numbers.begin() + static_cast<std::ptrdiff_t>(k * there);
    const std::vector<double> of_all =
        spread(header, frame.step, {column, column + static_cast<std::ptrdiff_t>(there)}, 1);
    own.insert(own.end(), of_all.begin(), of_all.end());
  }
  frame.body_numbers = std::move(own);
  if (!header.any_turns()) return;
  frame.orientations = spread(header, frame.step, frame.orientations, 4);
  frame.angular_velocities = spread(header, frame.step, frame.angular_velocities, 3);
}

std::string with_motions(const std::string& shapes_json, const std::vector<ShapePlaces>& places) {
  nlohmann::json shapes = nlohmann::json::parse(shapes_json, nullptr, false);
  if (!shapes.is_array()) return shapes_json;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    nlohmann::json times = nlohmann::json::array();
    nlohmann::json offsets = nlohmann::json::array();
    bool moves = false;
    for (const ShapePlaces& moment : places) {
      if (k >= moment.offsets.size()) continue;
      times.push_back(moment.time);
      offsets.push_back(moment.offsets[k]);
      moves = moves || moment.offsets[k] != std::array<double, 3>{};
    }
    if (moves) shapes[k]["motion"] = {{"times", times}, {"offsets", offsets}};
  }
  return shapes.dump();
}

}  // namespace carom::detail
