#include "carom/core/index_set.h"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom {
namespace {

TEST(IndexSet, AgreesWithAnOrderedSetThroughRandomChanges) {
  for (const Index capacity : {1U, 63U, 64U, 65U, 5000U}) {
    IndexSet set(capacity);
    std::set<Index> reference;
    Random random(capacity);
    for (int step = 0; step < 20000; ++step) {
      const Index i = random.below(capacity);
      if (random.uniform() < 0.5) {
        set.insert(i);
        reference.insert(i);
      } else {
        set.erase(i);
        reference.erase(i);
      }
      ASSERT_EQ(set.size(), reference.size());
      if (!reference.empty()) {
        ASSERT_EQ(set.smallest(), *reference.begin());
      }
    }
    std::vector<Index> members(set.members().begin(), set.members().end());
    std::sort(members.begin(), members.end());
    EXPECT_EQ(members, std::vector<Index>(reference.begin(), reference.end()));
    set.clear();
    EXPECT_TRUE(set.empty());
  }
}

}  // namespace
}  // namespace carom
