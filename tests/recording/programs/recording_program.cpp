// What the tests kill. Prints "ready" as soon as a recording can be expected to be there.
//   recording_program write FILE BODIES   writes and finishes, resumes, writes on, ... for ever
//   recording_program finish FILE         resumes after the last checkpoint and makes the file

#include <iostream>
#include <string>

#include "carom/recording/reader.h"
#include "carom/recording/writer.h"

#include "recording/sample_run.h"

namespace {

[[noreturn]] void write_for_ever(const std::string& path, std::size_t bodies) {
  constexpr std::uint64_t kStretch = 200;
  const carom::test::SampleRun run{.bodies = bodies, .frame_every = 1, .checkpoint_every = 10};
  carom::RecordingWriter writer =
      carom::RecordingWriter::create(path, carom::test::sample_header(run));
  append_steps(run, writer, 0, 0);
  std::cout << "ready" << std::endl;
  for (std::uint64_t step = 0;; step += kStretch) {
    append_steps(run, writer, step + 1, step + kStretch);
    writer.finish({.status = carom::RunStatus::interrupted, .reason = ""});
    writer = carom::RecordingWriter::resume(path, step + kStretch);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 2 ? argv[1] : "";
  if (mode == "write" && argc == 4) write_for_ever(argv[2], std::stoul(argv[3]));
  if (mode == "finish") {
    std::cout << "ready" << std::endl;
    const std::uint64_t step = carom::open_newest_run(argv[2]).checkpoints().back().step;
    carom::RecordingWriter::resume(argv[2], step).finish({carom::RunStatus::interrupted, "", 0.0});
  }
  return mode == "finish" ? 0 : 2;
}
