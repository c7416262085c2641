#pragma once

#include <filesystem>
#include <memory>

#include "carom/live/live_simulation.h"
#include "carom/recording/recording.h"
#include "carom/scene/scene.h"

namespace carom {

/// Records a simulation that a program drives: every step from now on, whatever the program does
/// between them. Bodies that it adds and removes come and go in the recording
/// (RecordingHeader::presence); what its edits bring in counts as work from outside in the step
/// that follows. Without edits the recording is that of the scene: it can be verified and
/// continued.
///
///     const auto recording = LiveRecording::begin(simulation, scene, "run.h5");
///     simulation.run_until(2.0);
///     recording->finish(simulation);
///
/// A recording that is not finished waits in its journal, as after a crash.
class LiveRecording final : public LiveWitness {
 public:
  /// `scene`: what the simulation was started from, with what is to be recorded of it
  /// (Scene::record); one without a text is written from the simulation. Begins with the present
  /// state. Throws InputError where the simulation is being recorded already, or the file cannot be
  /// written.
  static std::shared_ptr<LiveRecording> begin(LiveSimulation& simulation, const Scene& scene,
                                              const std::filesystem::path& path);
  ~LiveRecording() override;

  /// Ends the recording and makes the file; the simulation can go on. `status`: `finished` or
  /// `interrupted`; it is `failed` where the last step could not be made. False: the file holds a
  /// finished run that this one may not replace, and it waits in the journal. Throws
  /// RecordingError where there is no room; what was recorded stays in the journal.
  bool finish(LiveSimulation& simulation, RunStatus status = RunStatus::finished);
  /// Hands what is buffered to the system: readers see it.
  void flush();

  void on_step(const LiveSimulation& simulation) override;
  void judge(const LiveEdit& edit) const override;
  void on_edit(const LiveSimulation& simulation) override;

 private:
  class Implementation;
  explicit LiveRecording(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace carom
