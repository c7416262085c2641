#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "carom/stepping/simulation.h"
#include "carom/stepping/step_column.h"
#include "carom/stepping/stepper.h"

namespace carom {

/// A setting that files and the command line may give.
using SettingValue = std::variant<double, bool, std::string>;

/// One setting of a scheme: a key in the table of scenes that has the scheme's name.
struct SchemeSetting {
  /// What may be written.
  enum class Kind : std::uint8_t { choice, positive, not_negative, whole, flag };
  std::string key;
  Kind kind = Kind::positive;
  std::string help;                  ///< with its unit and what it is by default
  std::vector<std::string> choices;  ///< of a choice
  std::function<void(SchemeSettings&, const SettingValue&)> set;
  /// Nothing: it is chosen by the scheme, and not written.
  std::function<std::optional<SettingValue>(const SchemeSettings&)> get;
};

/// The setting behind a member of a scheme's struct of settings.
template <class Settings, class Value>
[[nodiscard]] SchemeSetting scheme_setting(std::string key, SchemeSetting::Kind kind,
                                           Value Settings::*member, std::string help) {
  SchemeSetting setting;
  setting.key = std::move(key);
  setting.kind = kind;
  setting.help = std::move(help);
  using Stored = std::conditional_t<std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>,
                                    double, Value>;
  setting.set = [member](SchemeSettings& all, const SettingValue& value) {
    all.of<Settings>().*member = static_cast<Value>(std::get<Stored>(value));
  };
  setting.get = [member](const SchemeSettings& all) -> std::optional<SettingValue> {
    return SettingValue(static_cast<Stored>(all.of<Settings>().*member));
  };
  return setting;
}

/// What a scheme can run, for messages that say which one can.
struct SchemeAbilities {
  bool spinning_shapes = false;  ///< shapes that spin, and bodies that turn
  bool periodic_solids = false;  ///< bodies other than balls in a world that repeats itself
  bool surfaces = false;         ///< deformable surfaces and chains
  bool led_bodies = false;       ///< bodies whose motion is prescribed, and forces on single bodies
  bool force_functions = false;  ///< forces that a program brings along
  bool overlaps = false;         ///< starts in which bodies overlap
  bool impact_problems = false;  ///< what collides is an impact that an operator resolves
};

/// When things collide.
enum class CollisionTimes : std::uint8_t {
  at_steps,  ///< all that is in touch at the end of a step, at once
  their_own  ///< each when it happens: what is counted are collisions
};

/// One way through time, as files, the command line, recordings and the contract know it.
struct SchemeInfo {
  std::string name;
  std::string summary;
  SchemeAbilities can;
  CollisionTimes collisions = CollisionTimes::at_steps;
  /// How far the energy that steps account for may be off, in the largest kinetic energy, without
  /// springs or central forces: round-off, or the band of a symplectic method.
  double energy_band = 1e-10;
  std::vector<SchemeSetting> settings;
  /// What its steps report beside energies and momenta, in the order of recordings.
  std::vector<StepColumn> columns;
  /// What its frames say of each body beside place and velocity.
  std::vector<StepColumnText> body_columns;
  /// Throws InputError on what this scheme cannot run, with the reason; check_start() went before.
  std::function<void(const Simulation&)> check;
  /// Of a simulation that was checked.
  std::function<std::unique_ptr<Stepper>(const Simulation&)> make;
  /// The friction model of scenes that say none and whose materials rub; none: "slip".
  std::function<std::string(const Simulation&)> friction_model = {};
  /// How contacts are answered, in a few words, where no operator resolves them; none: by nothing
  /// that its name does not say.
  std::function<std::string(const Simulation&)> method = {};
  /// Nothing ever crosses, which can be proven of any state (asynchronous/audit.h). Such a scheme
  /// has a setting `audit`, which is `motion` where each step is to be proven, too.
  bool exact_audit = false;
  /// Materials' resistance to rolling acts, with friction_model "coulomb".
  bool rolling = false;
};

}  // namespace carom
