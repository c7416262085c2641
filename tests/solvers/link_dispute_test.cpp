#include "carom/solvers/detail/link_dispute.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/solvers/detail/link_order.h"

#include "solvers/packing.h"

namespace carom::solvers {
namespace {

// Rows in the order of elimination, with a factor of those that carry.
struct Factored {
  explicit Factored(const Packing& packing) {
    std::vector<LinkEnds> ends;
    for (const auto& row : packing.links.rows) ends.push_back({row.a, row.b});
    order.find(ends, static_cast<Index>(packing.links.weight.size()));
    state.load(packing.links, packing.c, order.order(), nullptr);
    state.list_rows_at();
    for (Index j = 0; j < order.size(); ++j) {
      diagonal.push_back(state.coupling(j, j));
      for (Index p = order.start()[j]; p < order.start()[j + 1]; ++p) {
        values.push_back(state.coupling(j, order.below()[p]));
      }
    }
    factor.reset(order, {values, diagonal, state.c}, nullptr);
  }
  void solve() {
    factor.update(state.active);
    factor.solve_system(state.active, state.x);
    state.respond();
  }

  LinkOrder order;
  LinkState<2> state;
  std::vector<double> values;
  std::vector<double> diagonal;
  LinkFactor factor;
};

TEST(LinkFactor, ReducesColumnsToTheirProducts) {
  Factored system(make_packing(14, false, 5));
  Random random(3);
  for (unsigned char& active : system.state.active) active = random.uniform(0.0, 1.0) < 0.7 ? 1 : 0;
  system.solve();
  constexpr Index kColumns = 6;
  std::vector<LinkFactor::Entry> entries;
  std::vector<std::vector<double>> dense(kColumns, std::vector<double>(system.order.size()));
  for (Index k = 0; k < 30; ++k) {
    const auto place = static_cast<Index>(random.uniform(0.0, 1.0) * system.order.size());
    if (system.state.active[place] == 0) continue;
    const Index column = k % kColumns;
    entries.push_back({place, column, random.uniform(-1.0, 1.0)});
    dense[column][place] += entries.back().value;
  }
  system.factor.reduce(system.state.active, entries, kColumns);
  const std::span<const double> y = system.factor.reduced();
  for (Index i = 0; i < kColumns; ++i) {
    std::vector<double> solved = dense[i];
    system.factor.solve(system.state.active, solved);
    for (Index j = 0; j < kColumns; ++j) {
      double expected = 0.0;
      for (std::size_t k = 0; k < solved.size(); ++k) expected += solved[k] * dense[j][k];
      double product = 0.0;
      for (const LinkFactor::ReducedRow& row : system.factor.reduced_rows()) {
        if (std::max(i, j) < row.last && std::min(i, j) >= row.first) {
          product += y[row.at + i] * y[row.at + j];
        }
      }
      EXPECT_NEAR(product, expected, 1e-12 * (1.0 + std::abs(expected))) << i << ", " << j;
    }
  }
}

// The true sides of all others given, those of the disputed rows come out as in the solution.
TEST(LinkDispute, AnswersWhoCarries) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Packing packing = make_packing(30, false, seed);
    std::vector<double> x(packing.c.size());
    LinkedPivoting<2> pivoting;
    ASSERT_TRUE(pivoting.solve(packing.links, packing.c, x));
    Factored system(packing);
    std::vector<unsigned char> truth;
    for (const Index row : system.order.order()) truth.push_back(x[row] > 0.0 ? 1 : 0);
    system.state.active = truth;
    LinkDispute<2> dispute;
    const std::vector<Index> first{100, 700};
    ASSERT_TRUE(dispute.add(system.state, first, 4));
    ASSERT_GT(dispute.rows().size(), 50U);
    for (const Index place : dispute.rows()) system.state.active[place] = 0;
    system.solve();
    ASSERT_TRUE(dispute.answer(system.state, system.factor));
    for (std::size_t i = 0; i < dispute.rows().size(); ++i) {
      EXPECT_EQ(dispute.carries()[i], truth[dispute.rows()[i]]) << seed << ", " << i;
    }
  }
}

TEST(LinkDispute, GrowsByRowsAndTheirNeighboursWhileThereIsRoom) {
  const Factored system(make_packing(40, true, 1));
  LinkDispute<2> dispute;
  ASSERT_TRUE(dispute.add(system.state, std::vector<Index>{7}, 0));
  EXPECT_EQ(dispute.rows().size(), 1U);
  EXPECT_TRUE(dispute.names(7));
  ASSERT_TRUE(dispute.add(system.state, std::vector<Index>{2000}, 1));
  EXPECT_TRUE(dispute.names(7));
  EXPECT_TRUE(dispute.names(2000));
  EXPECT_FALSE(dispute.names(1000));
  EXPECT_GT(dispute.rows().size(), 6U);
  EXPECT_TRUE(std::is_sorted(dispute.rows().begin(), dispute.rows().end()));
  ASSERT_TRUE(dispute.add(system.state, std::vector<Index>{1000}, 100));
  EXPECT_TRUE(dispute.names(1000));
  EXPECT_LE(dispute.rows().size(), LinkDispute<2>::kMost);
  std::vector<Index> many(LinkDispute<2>::kMost + 1);
  for (Index k = 0; k < many.size(); ++k) many[k] = k;
  EXPECT_FALSE(dispute.add(system.state, many, 1));
}

}  // namespace
}  // namespace carom::solvers
