#include <gtest/gtest.h>

#include "strew/navigation.hpp"
#include "strew/random.hpp"

namespace strew::nav {
namespace {

TEST(Measures, SharesByHand) {
  const std::uint64_t counts[] = {3, 2, 1};
  EXPECT_DOUBLE_EQ(connected_share(counts), (6.0 + 2.0) / 30.0);
  EXPECT_DOUBLE_EQ(connected_share({}), 1);
  const double areas[] = {6, 3, 1};
  EXPECT_DOUBLE_EQ(largest_share(areas), 0.6);
  EXPECT_DOUBLE_EQ(connected_share_of_areas(areas), (36.0 + 9 + 1) / 100);
  EXPECT_EQ(largest_share({}), 0);
}

/// Reachability by Warshall: what components() and reachable_pairs() must agree with.
std::vector<std::vector<bool>> closure(std::size_t nodes, const std::vector<OneWay>& two_way,
                                       const std::vector<OneWay>& one_way) {
  std::vector<std::vector<bool>> reach(nodes, std::vector<bool>(nodes, false));
  for (std::size_t i = 0; i < nodes; ++i) {
    reach[i][i] = true;
  }
  for (const OneWay& link : two_way) {
    reach[link.from][link.to] = reach[link.to][link.from] = true;
  }
  for (const OneWay& link : one_way) {
    reach[link.from][link.to] = true;
  }
  for (std::size_t k = 0; k < nodes; ++k) {
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < nodes; ++j) {
        reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
      }
    }
  }
  return reach;
}

TEST(Directed, ComponentsAndPairsEqualTheClosure) {
  std::uint32_t draw = 0;
  const auto below = [&](std::uint32_t bound) {
    return draw_below(philox4x32({draw++, 0, 0, 0}, {1, 2})[0], bound);
  };
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t nodes = 1 + below(14);
    std::vector<OneWay> two_way;
    std::vector<OneWay> one_way;
    for (std::uint32_t i = below(8); i-- > 0;) {
      two_way.push_back({below(nodes), below(nodes)});
    }
    for (std::uint32_t i = below(16); i-- > 0;) {
      one_way.push_back({below(nodes), below(nodes)});
    }
    const auto reach = closure(nodes, two_way, one_way);
    const std::vector<std::uint32_t> component = components(nodes, two_way, one_way);
    std::vector<double> weight;
    double expected = 0;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      EXPECT_LE(component[i], weight.size());  // numbered by first node
      weight.resize(std::max<std::size_t>(weight.size(), component[i] + 1), 0);
      weight[component[i]] += i + 1;
      for (std::uint32_t j = 0; j < nodes; ++j) {
        EXPECT_EQ(component[i] == component[j], reach[i][j] && reach[j][i]);
        expected += reach[i][j] ? (i + 1.0) * (j + 1.0) : 0;
      }
    }
    EXPECT_DOUBLE_EQ(reachable_pairs(component, two_way, one_way, weight), expected);
  }
}

TEST(Directed, ALongChainNeedsNoStack) {
  constexpr std::uint32_t kNodes = 300000;
  std::vector<OneWay> links;
  for (std::uint32_t i = 0; i + 1 < kNodes; ++i) {
    links.push_back({i, i + 1});
  }
  EXPECT_EQ(components(kNodes, {}, links).back(), kNodes - 1);
  links.push_back({kNodes - 1, 0});
  EXPECT_EQ(components(kNodes, {}, links).back(), 0U);
}

TEST(Sets, JoinOnce) {
  UnionFind sets;
  sets.reset(5);
  EXPECT_TRUE(sets.join(0, 1));
  EXPECT_TRUE(sets.join(3, 4));
  EXPECT_FALSE(sets.join(1, 0));
  EXPECT_TRUE(sets.join(1, 4));
  EXPECT_EQ(sets.find(0), sets.find(3));
  EXPECT_NE(sets.find(0), sets.find(2));
}

}  // namespace
}  // namespace strew::nav
