#pragma once

#include <any>
#include <map>
#include <typeindex>

namespace carom {

/// The settings of schemes: of each a struct of its own, which is what it is by default until
/// somebody asks for it. A simulation that is run by several schemes in turn keeps those of all.
class SchemeSettings {
 public:
  template <class Settings>
  [[nodiscard]] Settings& of() {
    std::any& settings = settings_[typeid(Settings)];
    if (!settings.has_value()) settings = Settings{};
    return *std::any_cast<Settings>(&settings);
  }
  template <class Settings>
  [[nodiscard]] const Settings& of() const {
    static const Settings standard{};
    const auto at = settings_.find(typeid(Settings));
    return at == settings_.end() ? standard : *std::any_cast<Settings>(&at->second);
  }

 private:
  std::map<std::type_index, std::any> settings_;
};

}  // namespace carom
