// Fast navigability score, and the measures of structure.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "check_regions.hpp"
#include "guard.hpp"
#include "strew/snapmesh_search.hpp"
#include "vec.hpp"

namespace strew::snap {
namespace {

constexpr std::uint32_t bit(Measure measure) noexcept {
  return 1U << static_cast<unsigned>(measure);
}

/// Neighbours of each placed piece through its joints, with lengths.
class Graph {
 public:
  explicit Graph(const Assembler& assembler)
      : first_(assembler.pieces() + 1, 0), distance_(assembler.pieces()), come_from_(assembler.pieces()) {
    const std::span<const Joint> joints = assembler.joints();
    tree_ = joints.size() + assembler.parts() == assembler.pieces();
    for (const Joint& joint : joints) {
      ++first_[joint.a + 1];
      ++first_[joint.b + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    edges_.resize(2 * joints.size());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (const Joint& joint : joints) {
      const Vec3 at = assembler.connector_position(joint.a, joint.a_connector);
      const double along =
          length(at - assembler.position_of(joint.a)) + length(at - assembler.position_of(joint.b));
      edges_[next[joint.a]++] = {joint.b, along};
      edges_[next[joint.b]++] = {joint.a, along};
    }
  }

  /// Largest distance between any two pieces that reach one another; lengths of 1 when `hops`.
  [[nodiscard]] double widest(bool hops) {
    double largest = 0;
    for (std::uint32_t i = 0; i < distance_.size(); ++i) {
      largest = std::max(largest, tree_ ? reach_in_tree(i, hops) : reach(i, hops));
    }
    return largest;
  }

 private:
  struct Edge {
    std::uint32_t to;
    double length;
  };
  using Item = std::pair<double, std::uint32_t>;

  /// There is one way to each piece: the same sums as by Dijkstra, without a queue.
  double reach_in_tree(std::uint32_t start, bool hops) {
    double largest = 0;
    todo_.assign(1, {0, start});
    come_from_[start] = start;
    while (!todo_.empty()) {
      const auto [far, node] = todo_.back();
      todo_.pop_back();
      largest = std::max(largest, far);
      for (std::uint32_t e = first_[node]; e < first_[node + 1]; ++e) {
        if (edges_[e].to != come_from_[node]) {
          come_from_[edges_[e].to] = node;
          todo_.emplace_back(far + (hops ? 1 : edges_[e].length), edges_[e].to);
        }
      }
    }
    return largest;
  }
  double reach(std::uint32_t start, bool hops) {
    std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
    distance_[start] = 0;
    todo_.assign(1, {0, start});
    double largest = 0;
    while (!todo_.empty()) {
      std::pop_heap(todo_.begin(), todo_.end(), std::greater<>());
      const auto [far, node] = todo_.back();
      todo_.pop_back();
      if (far > distance_[node]) {
        continue;
      }
      largest = far;
      for (std::uint32_t e = first_[node]; e < first_[node + 1]; ++e) {
        const double next = far + (hops ? 1 : edges_[e].length);
        if (next < distance_[edges_[e].to]) {
          distance_[edges_[e].to] = next;
          todo_.emplace_back(next, edges_[e].to);
          std::push_heap(todo_.begin(), todo_.end(), std::greater<>());
        }
      }
    }
    return largest;
  }

  bool tree_ = false;  ///< or several, without loops
  std::vector<std::uint32_t> first_;
  std::vector<Edge> edges_;
  std::vector<double> distance_;
  std::vector<std::uint32_t> come_from_;
  std::vector<Item> todo_;
};

}  // namespace

std::uint32_t score_measures() noexcept {
  return bit(Measure::kLargestShare) | bit(Measure::kConnectedShare) | bit(Measure::kArea) |
         bit(Measure::kLargestArea) | bit(Measure::kRegions) | bit(Measure::kCover);
}

Result<FastScorer> FastScorer::create(const Kit& kit, std::vector<nav::PieceRegions> regions) {
  return guarded([&]() -> Result<FastScorer> {
    STREW_RETURN_IF_ERROR(check_regions(kit, regions));
    FastScorer scorer;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const nav::PieceRegions& r = regions[i];
      std::vector<double> closed = r.areas;
      for (std::size_t c = 0; c < r.end_loss.size(); ++c) {
        if (r.at_connector[c] >= 0) {
          closed[static_cast<std::size_t>(r.at_connector[c])] -= r.end_loss[c];
        }
      }
      scorer.closed_.push_back(std::move(closed));
      scorer.drops_ = scorer.drops_ || !r.drops.empty();
    }
    scorer.regions_ = std::move(regions);
    return scorer;
  });
}

void FastScorer::join(const Assembler& assembler) {
  const std::size_t pieces = assembler.pieces();
  first_.resize(pieces);
  areas_.clear();
  for (std::size_t i = 0; i < pieces; ++i) {
    first_[i] = static_cast<std::uint32_t>(areas_.size());
    const std::vector<double>& closed = closed_[assembler.piece_of(i)];
    areas_.insert(areas_.end(), closed.begin(), closed.end());
  }
  sets_.reset(areas_.size());
  const auto end_of = [&](std::uint32_t placed, std::uint32_t connector) -> std::int64_t {
    const nav::PieceRegions& r = regions_[assembler.piece_of(placed)];
    const std::int32_t region = r.at_connector[connector];
    if (region < 0) {
      return -1;
    }
    const std::size_t node = first_[placed] + static_cast<std::size_t>(region);
    if (!r.end_loss.empty()) {
      areas_[node] += r.end_loss[connector];
    }
    return static_cast<std::int64_t>(node);
  };
  for (const std::span<const Joint> joints : {assembler.joints(), assembler.contacts()}) {
    for (const Joint& joint : joints) {
      const std::int64_t a = end_of(joint.a, joint.a_connector);
      const std::int64_t b = end_of(joint.b, joint.b_connector);
      if (a >= 0 && b >= 0) {
        sets_.join(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
      }
    }
  }
}

nav::Score FastScorer::score(const Assembler& assembler) {
  join(assembler);
  nav::Score score;
  grouped_.assign(areas_.size(), 0);
  double ordered = 0;
  if (!drops_) {
    for (std::uint32_t i = 0; i < areas_.size(); ++i) {
      grouped_[sets_.find(i)] += areas_[i];
    }
  } else {
    // One-way links between the sets: components of the graph of sets, and what each reaches.
    std::vector<nav::OneWay> two_way;
    std::vector<nav::OneWay> one_way;
    for (std::uint32_t i = 0; i < areas_.size(); ++i) {
      two_way.push_back({i, sets_.find(i)});
    }
    for (std::size_t p = 0; p < assembler.pieces(); ++p) {
      for (const nav::OneWay& drop : regions_[assembler.piece_of(p)].drops) {
        one_way.push_back({first_[p] + drop.from, first_[p] + drop.to});
      }
    }
    const std::vector<std::uint32_t> component = nav::components(areas_.size(), two_way, one_way);
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < areas_.size(); ++i) {
      grouped_[component[i]] += areas_[i];
      count = std::max<std::size_t>(count, component[i] + 1);
    }
    ordered = nav::reachable_pairs(component, two_way, one_way, std::span(grouped_).first(count));
  }
  double squares = 0;
  for (const double area : grouped_) {
    score.area += area;
    squares += area * area;
    score.largest_area = std::max(score.largest_area, area);
    score.regions += area > 0 ? 1U : 0U;
  }
  if (score.area > 0) {
    score.largest_share = score.largest_area / score.area;
    score.connected_share = (drops_ ? ordered : squares) / (score.area * score.area);
  }
  return score;
}

std::vector<std::vector<std::uint32_t>> FastScorer::labels(const Assembler& assembler) {
  join(assembler);
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> name(areas_.size(), kNone);
  std::uint32_t names = 0;
  std::vector<std::vector<std::uint32_t>> out(assembler.pieces());
  for (std::size_t p = 0; p < out.size(); ++p) {
    const std::size_t count = regions_[assembler.piece_of(p)].areas.size();
    for (std::uint32_t r = 0; r < count; ++r) {
      std::uint32_t& label = name[sets_.find(first_[p] + r)];
      label = label == kNone ? names++ : label;
      out[p].push_back(label);
    }
  }
  return out;
}

void measure(const Kit& kit, const Assembler& assembler, const nav::Score* score, std::uint32_t wanted,
             Measures& out) {
  const auto want = [&](Measure m) { return (wanted & bit(m)) != 0; };
  const auto set = [&](Measure m, double value) { out[static_cast<std::size_t>(m)] = value; };
  const auto pieces = static_cast<double>(assembler.pieces());
  set(Measure::kPieces, pieces);
  set(Measure::kLoops, static_cast<double>(assembler.joints().size() + assembler.parts()) - pieces);
  if (want(Measure::kDeadEnds)) {
    set(Measure::kDeadEnds, assembler.free_connectors());
  }
  set(Measure::kTentatives, static_cast<double>(assembler.tentatives()));
  if (want(Measure::kDiameter) || want(Measure::kLongestPath)) {
    Graph graph(assembler);
    if (want(Measure::kDiameter)) {
      set(Measure::kDiameter, graph.widest(true));
    }
    if (want(Measure::kLongestPath)) {
      set(Measure::kLongestPath, graph.widest(false));
    }
  }
  double ground = 0;
  if (want(Measure::kWidth) || want(Measure::kDepth) || want(Measure::kHeight) || want(Measure::kCover)) {
    Vec3 low;
    Vec3 high;
    assembler.bounds(low, high);
    const bool any = low.x <= high.x;
    Vec3 size = any ? high - low : Vec3{};
    if (kit.frame == Frame::kUnity) {
      std::swap(size.y, size.z);
    }
    set(Measure::kWidth, size.x);
    set(Measure::kDepth, size.y);
    set(Measure::kHeight, size.z);
    ground = size.x * size.y;
  }
  if (score != nullptr) {
    set(Measure::kLargestShare, score->largest_share);
    set(Measure::kConnectedShare, score->connected_share);
    set(Measure::kArea, score->area);
    set(Measure::kLargestArea, score->largest_area);
    set(Measure::kRegions, score->regions);
    set(Measure::kCover, ground > 0 ? score->area / ground : 0);
  }
}

}  // namespace strew::snap
