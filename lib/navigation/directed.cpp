// Strongly connected components and reachability where some links are one-way.
#include <algorithm>
#include <limits>

#include "strew/navigation.hpp"

namespace strew::nav {
namespace {

/// Successors of each node, packed.
struct Successors {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> to;

  Successors(std::size_t nodes, std::span<const OneWay> two_way, std::span<const OneWay> one_way)
      : first(nodes + 1, 0), to(2 * two_way.size() + one_way.size()) {
    const auto each = [&](auto&& visit) {
      for (const OneWay& link : two_way) {
        visit(link.from, link.to);
        visit(link.to, link.from);
      }
      for (const OneWay& link : one_way) {
        visit(link.from, link.to);
      }
    };
    each([&](std::uint32_t from, std::uint32_t) { ++first[from + 1]; });
    for (std::size_t i = 0; i < nodes; ++i) {
      first[i + 1] += first[i];
    }
    std::vector<std::uint32_t> at(first.begin(), first.end() - 1);
    each([&](std::uint32_t from, std::uint32_t target) { to[at[from]++] = target; });
  }
};

}  // namespace

std::vector<std::uint32_t> components(std::size_t nodes, std::span<const OneWay> two_way,
                                      std::span<const OneWay> one_way) {
  // Tarjan 1972 with its own stack.
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const Successors links(nodes, two_way, one_way);
  std::vector<std::uint32_t> index(nodes, kNone);
  std::vector<std::uint32_t> low(nodes, 0);
  std::vector<std::uint32_t> component(nodes, kNone);
  std::vector<std::uint32_t> next(links.first.begin(), links.first.end() - 1);
  std::vector<std::uint32_t> stack;
  std::vector<std::uint32_t> path;
  std::uint32_t counter = 0;
  std::uint32_t found = 0;
  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (index[root] != kNone) {
      continue;
    }
    path.push_back(root);
    while (!path.empty()) {
      const std::uint32_t node = path.back();
      if (index[node] == kNone) {
        index[node] = low[node] = counter++;
        stack.push_back(node);
      }
      bool deeper = false;
      while (next[node] < links.first[node + 1]) {
        const std::uint32_t to = links.to[next[node]];
        if (index[to] == kNone) {
          path.push_back(to);
          deeper = true;
          break;
        }
        if (component[to] == kNone) {
          low[node] = std::min(low[node], low[to]);
        }
        ++next[node];
      }
      if (deeper) {
        continue;
      }
      path.pop_back();
      if (low[node] == index[node]) {
        std::uint32_t member = kNone;
        do {
          member = stack.back();
          stack.pop_back();
          component[member] = found;
        } while (member != node);
        ++found;
      }
    }
  }
  // Numbered by first node, whatever the order in which the search closed them.
  std::vector<std::uint32_t> renamed(found, kNone);
  std::uint32_t names = 0;
  for (std::uint32_t& c : component) {
    if (renamed[c] == kNone) {
      renamed[c] = names++;
    }
    c = renamed[c];
  }
  return component;
}

double reachable_pairs(std::span<const std::uint32_t> component, std::span<const OneWay> two_way,
                       std::span<const OneWay> one_way, std::span<const double> weight) {
  const std::size_t count = weight.size();
  std::vector<OneWay> between;
  for (const OneWay& link : one_way) {
    if (component[link.from] != component[link.to]) {
      between.push_back({component[link.from], component[link.to]});
    }
  }
  static_cast<void>(two_way);  // both ends are in one component
  const Successors links(count, {}, between);
  double sum = 0;
  std::vector<std::uint32_t> seen(count, std::numeric_limits<std::uint32_t>::max());
  std::vector<std::uint32_t> todo;
  for (std::uint32_t start = 0; start < count; ++start) {
    todo.assign(1, start);
    seen[start] = start;
    double reached = 0;
    while (!todo.empty()) {
      const std::uint32_t node = todo.back();
      todo.pop_back();
      reached += weight[node];
      for (std::uint32_t i = links.first[node]; i < links.first[node + 1]; ++i) {
        if (seen[links.to[i]] != start) {
          seen[links.to[i]] = start;
          todo.push_back(links.to[i]);
        }
      }
    }
    sum += weight[start] * reached;
  }
  return sum;
}

}  // namespace strew::nav
