#include "common/progress.h"

#include <cstdio>
#include <unistd.h>
#include <utility>

#include <fmt/core.h>

#include "common/clock.h"

namespace carom::bench {

Progress::Progress(std::string title)
    : title_(std::move(title)), wanted_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (wanted_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::uint64_t done, std::uint64_t of) {
  constexpr double kPause = 0.5;  // s
  if (!wanted_ || wall_seconds() - shown_at_ < kPause) return;
  shown_at_ = wall_seconds();
  fmt::print(stderr, "\r\033[K{}: step {} of {}", title_, done, of);
  std::fflush(stderr);
}

}  // namespace carom::bench
