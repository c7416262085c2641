#include "progress.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

namespace carom::cli {
namespace {

volatile std::sig_atomic_t interrupts = 0;  // NOLINT: a signal handler can reach nothing else

extern "C" void note_interrupt(int signal) {
  interrupts = interrupts + 1;
  if (interrupts > 1) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

constexpr double kBarInterval = 0.1;    // seconds between two pictures of the bar
constexpr double kPlainInterval = 5.0;  // seconds between two plain lines
constexpr double kLongStep = 1.0;       // seconds after which a step is worth a line of its own

std::string duration_text(double seconds) {
  if (seconds < 60.0) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<long long>(seconds);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string bar(double part) {
  constexpr int kWidth = 20;
  const int full = std::clamp(static_cast<int>(part * kWidth), 0, kWidth);
  return "[" + std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(kWidth - full), '.') + "]";
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupts = 0;
  interrupt_before_ = std::signal(SIGINT, note_interrupt);
  terminate_before_ = std::signal(SIGTERM, note_interrupt);
  // A program that was started to ignore Ctrl-C (in the background) goes on to do so.
  if (interrupt_before_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, interrupt_before_);
  std::signal(SIGTERM, terminate_before_);
}

bool InterruptGuard::requested() { return interrupts > 0; }

ProgressDisplay::ProgressDisplay(Options options)
    : options_(std::move(options)),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()) {}

ProgressDisplay::~ProgressDisplay() { finish(); }

void ProgressDisplay::finish() {
  if (line_open_) std::fputc('\n', stderr);
  line_open_ = false;
}

std::string ProgressDisplay::text(const RunProgress& progress) const {
  const RunStatistics& statistics = *progress.statistics;
  const std::uint64_t done = statistics.steps() - progress.first_step;
  const std::uint64_t all = progress.steps_total - progress.first_step;
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double speed = elapsed > 0.0 ? static_cast<double>(done) / elapsed : 0.0;
  const double left = speed > 0.0 ? static_cast<double>(all - done) / speed : 0.0;
  const double part = progress.steps_total > 0 ? static_cast<double>(statistics.steps()) /
                                                     static_cast<double>(progress.steps_total)
                                               : 1.0;
  const bool counts_collisions =
      progress.scheme != nullptr && progress.scheme->collisions == CollisionTimes::their_own;
  if (counts_collisions) {
    const double rate = elapsed > 0.0 ? static_cast<double>(progress.impulses) / elapsed : 0.0;
    return fmt::format(
        "{}{} {:3.0f}%  t {:.4g}  collisions {}  {:.3g} per second  drift {:.1e}  left {}",
        options_.label.empty() ? "" : options_.label + " ", terminal_ ? bar(part) : "",
        100.0 * part, statistics.time(), statistics.impulses(), rate, statistics.energy_drift(),
        duration_text(left));
  }
  if (progress.scheme != nullptr && !progress.scheme->can.impact_problems) {
    const double rate = elapsed > 0.0 && progress.report != nullptr
                            ? speed * statistics.time() / static_cast<double>(statistics.steps())
                            : 0.0;
    return fmt::format("{}{} {:3.0f}%  t {:.4g}  step {}  {:.3g} simulated s/s  left {}",
                       options_.label.empty() ? "" : options_.label + " ",
                       terminal_ ? bar(part) : "", 100.0 * part, statistics.time(),
                       statistics.steps(), rate, duration_text(left));
  }
  return fmt::format(
      "{}{} {:3.0f}%  t {:.4g}  step {}  {:.0f} steps/s  contacts {}  applications "
      "{}  drift {:.1e}  left {}",
      options_.label.empty() ? "" : options_.label + " ", terminal_ ? bar(part) : "", 100.0 * part,
      statistics.time(), statistics.steps(), speed, statistics.last().rows,
      statistics.last().applications, statistics.energy_drift(), duration_text(left));
}

bool ProgressDisplay::on_work(const StepWork& work) {
  if (InterruptGuard::requested()) return false;
  if (options_.quiet || work.work.seconds < kLongStep) return true;
  const double now =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (now - last_shown_ < (terminal_ ? kBarInterval : kPlainInterval)) return true;
  last_shown_ = now;
  const std::string line = fmt::format(
      "{}step {} of {}: {:.0f} s, {} {}", options_.label.empty() ? "" : options_.label + " ",
      work.step, work.steps_total, work.work.seconds, work.work.doing, work.work.done);
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", line, terminal_ ? "" : "\n");
  line_open_ = terminal_;
  std::fflush(stderr);
  return true;
}

ImpactDisplay::ImpactDisplay(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

ImpactDisplay::~ImpactDisplay() {
  if (line_open_) std::fputc('\n', stderr);
}

bool ImpactDisplay::on_work(const Work& work) {
  if (InterruptGuard::requested()) return false;
  if (quiet_ || work.seconds < next_) return true;
  next_ = work.seconds + (terminal_ ? kBarInterval : kPlainInterval);
  fmt::print(stderr, "{}{:.0f} s, {} {}{}", terminal_ ? "\r\x1b[K" : "", work.seconds, work.doing,
             work.done, terminal_ ? "" : "\n");
  line_open_ = terminal_;
  std::fflush(stderr);
  return true;
}

// Within a step: simulated time, and what a second of the clock has brought since the last picture.
std::string ProgressDisplay::text(const StepProgress& inside, const RunProgress& progress) {
  const RunStatistics& statistics = *progress.statistics;
  const auto done = static_cast<double>(statistics.steps());
  const double step = done > 0.0 ? statistics.time() / done : 0.0;
  const double end = step * static_cast<double>(progress.steps_total);
  const double part = end > 0.0 ? std::min(inside.time / end, 1.0) : 0.0;
  const double seconds = std::max(progress.wall_seconds - seen_.wall, 1e-3);
  const bool is_later = inside.time >= seen_.inside.time && inside.events >= seen_.inside.events;
  const double rate = is_later ? (inside.time - seen_.inside.time) / seconds : 0.0;
  const double events =
      is_later ? static_cast<double>(inside.events - seen_.inside.events) / seconds : 0.0;
  seen_ = {progress.wall_seconds, inside};
  return fmt::format("{}{} {:3.0f}%  t {:.5g}  {:.3g} simulated s/s  {:.2g} events/s  layer {}",
                     options_.label.empty() ? "" : options_.label + " ", terminal_ ? bar(part) : "",
                     100.0 * part, inside.time, rate, events, inside.depth);
}

void ProgressDisplay::show(const std::string& line, double now) {
  last_shown_ = now;
  if (terminal_) {
    fmt::print(stderr, "\r\x1b[K{}", line);
    line_open_ = true;
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

bool ProgressDisplay::on_step(const RunProgress& progress) {
  if (InterruptGuard::requested()) return false;
  if (options_.quiet) return true;
  const double now =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const bool last = progress.statistics->steps() == progress.steps_total;
  const double interval = terminal_ ? kBarInterval : kPlainInterval;
  if (now - last_shown_ >= interval || (last && line_open_)) show(text(progress), now);
  return true;
}

bool ProgressDisplay::within_step(const StepProgress& inside, const RunProgress& progress) {
  if (InterruptGuard::requested()) return false;
  if (options_.quiet) return true;
  const double now =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  // Steps that are over soon have a picture of their own.
  const double interval = terminal_ ? 5.0 * kBarInterval : kPlainInterval;
  if (now - last_shown_ >= interval) show(text(inside, progress), now);
  return true;
}

}  // namespace carom::cli
