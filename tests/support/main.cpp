#include <gtest/gtest.h>

#include "support/slow.h"

// As gtest_main, except that a plain run leaves out the suites named Slow*.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(filter) == "*" && !carom::test::slow_run()) {
    GTEST_FLAG_SET(filter, "-Slow*:*/Slow*");
  }
  return RUN_ALL_TESTS();
}
