// The message that names what is squeezed without a way out.
#include "carom/contact/squeeze.h"

#include <algorithm>

namespace carom {

std::string name_list(std::span<const std::string> names) {
  constexpr std::size_t kMostNames = 5;
  std::vector<std::string> distinct;
  for (const std::string& name : names) {
    if (std::find(distinct.begin(), distinct.end(), name) == distinct.end()) {
      distinct.push_back(name);
    }
  }
  std::string text;
  for (std::size_t k = 0; k < std::min(distinct.size(), kMostNames); ++k) {
    text += (k == 0 ? "" : ", ") + distinct[k];
  }
  if (distinct.size() > kMostNames) {
    text += " and " + std::to_string(distinct.size() - kMostNames) + " more";
  }
  return text;
}

std::vector<std::string> squeezed_names(const World& world, const ComponentReport& component,
                                        std::span<const Contact> contacts,
                                        std::span<const Index> scene_bodies) {
  std::vector<std::string> names;
  for (const Index body : component.bodies) {
    if (scene_bodies[body] == kNone) continue;
    names.push_back(world.bodies.name[scene_bodies[body]]);
  }
  for (const Index row : component.rows) {
    const Contact& contact = contacts[row];
    if (contact.body_b == kNone) names.push_back(world.shapes[contact.shape].name);
  }
  return names;
}

std::string squeeze_text(std::span<const std::string> names) {
  return "moving shapes squeeze what cannot yield: " + name_list(names);
}

}  // namespace carom
