#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "carom/live/live_simulation.h"
#include "carom/scene/scene.h"

#include "impact_course.h"
#include "lab_settings.h"

namespace carom::lab {

/// A scene that a hand changes while it runs: what the page has of one operator. Bodies are named
/// by their numbers. What throws, throws InputError and leaves everything as it was.
class LabRun {
 public:
  explicit LabRun(Scene scene);

  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] const Simulation& simulation() const { return live_.simulation(); }
  [[nodiscard]] const State& state() const { return live_.state(); }
  [[nodiscard]] const StepReport& report() const { return live_.report(); }
  [[nodiscard]] const LiveLedger& ledger() const { return live_.ledger(); }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  /// That of the present settings.
  [[nodiscard]] const SchemeInfo& scheme() const { return live_.scheme(); }

  /// Takes steps until `count` are done or the run cannot go on; returns how many were.
  std::uint64_t advance(std::uint64_t count);
  /// In any one instant since the beginning or the last edit.
  [[nodiscard]] std::uint64_t most_applications() const { return most_applications_; }
  /// What contacts did since the last call.
  [[nodiscard]] std::vector<ContactImpulse> take_contacts();

  // Each is one entry of the history that undo() goes back through, but for steer().
  /// Further places of one movement of the hand are no entries of their own.
  void move_to(Index body, const Vec3& place, bool is_further = false);
  void throw_with(Index body, const Vec3& velocity);
  void resize(Index body, double radius, double mass);
  void add_ball(const Vec3& place, double radius, double mass);
  void add_box(const Vec3& place, const Vec3& half, double mass);  ///< in the plane
  void remove(Index body);
  void add_wall(const Vec3& a, const Vec3& b);
  void remove_shape(Index shape);
  void set(const Settings& settings);
  /// A hand that pulls the body towards a place: its velocity becomes the one that is there after
  /// `seconds`. Undone with what began it: mark() remembers the present.
  void steer(Index body, const Vec3& place, double seconds);
  void mark();

  [[nodiscard]] bool can_undo() const { return !past_.empty(); }
  void undo();
  /// The beginning again, with the present settings.
  void restart();

  /// Largest distance between the image of a body under the scene's symmetry and its partner;
  /// nothing where the scene names none.
  [[nodiscard]] std::optional<double> symmetry_error() const;
  /// Of the last step in which impulses acted; nothing before it, after an edit, and where the
  /// scheme has no impact problems.
  [[nodiscard]] std::optional<ImpactCourse> last_impact(std::size_t most_applications) const;
  /// The present as a scene file.
  [[nodiscard]] std::string scene_text() const;

 private:
  struct Past {
    Simulation simulation;
    Settings settings;
    std::vector<Index> partner;
  };
  struct LastImpact {
    ImpactProblem problem;
    std::vector<ContactImpulse> contacts;
    std::vector<Vec3> places;  ///< of all bodies
  };
  void change(LiveEdit edit);
  void begin(Simulation simulation);
  void pair_up();

  Scene scene_;
  Settings settings_;
  LiveSimulation live_;
  Simulation beginning_;
  std::deque<Past> past_;
  std::vector<ContactImpulse> contacts_;
  std::optional<LastImpact> last_impact_;
  std::uint64_t most_applications_ = 0;
  std::vector<Index> partner_;  ///< the body at the image's place at the start
};

}  // namespace carom::lab
