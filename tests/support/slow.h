#pragma once

namespace carom::test {

// True in `./dev test --slow`, which sets CAROM_SLOW=1 for suites named Slow*.
[[nodiscard]] bool slow_run();

// The number of random problems to try: `ordinary`, or `slow` in a slow run.
[[nodiscard]] int problem_count(int ordinary, int slow);

}  // namespace carom::test
