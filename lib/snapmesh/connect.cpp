// A pass that bridges separated clusters: free connectors of two clusters that face one another, and a chain
// of pieces between them. Depth first, shorter chains first, bounded; what was tried in vain is not tried
// again, since a map only gets fuller.
#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "assembler_impl.hpp"
#include "loops.hpp"

namespace strew::snap {
namespace {

using Impl = Assembler::Impl;

/// Connectors of a piece between which a walker gets through, and how far apart they are.
struct Way {
  std::uint8_t in;
  std::uint8_t out;
  double span;
};

class Bridges {
 public:
  Bridges(Impl& impl, const MethodState& state)
      : m_(impl), most_(static_cast<int>(state.setting[0])), work_(state.setting[2]) {
    ways_.resize(m_.kit.size());
    for (const std::uint32_t p : m_.drawable) {
      const std::uint32_t count = m_.kit[p].connector_count;
      for (std::uint32_t in = 0; in < count; ++in) {
        for (std::uint32_t out = 0; out < count; ++out) {
          if (in != out && region(p, in) == region(p, out) && region(p, in) >= 0) {
            const double span = length(m_.connector(p, in).position - m_.connector(p, out).position);
            ways_[p].push_back({static_cast<std::uint8_t>(in), static_cast<std::uint8_t>(out), span});
            reach_ = std::max(reach_, span + m_.rules.piece_distance);
          }
        }
      }
    }
  }

  /// One bridge more; false when no pair of connectors can be bridged.
  bool next() {
    find_pairs();
    if (first_look_) {
      m_.log({.kind = Event::Kind::kClusters, .value = static_cast<std::int64_t>(clusters_)});
      first_look_ = false;
    }
    order_ = m_.drawable;
    m_.random.step(std::uint64_t{1} << 42 | m_.placed.size());
    for (std::size_t i = order_.size(); i > 1; --i) {
      std::swap(order_[i - 1],
                order_[static_cast<std::size_t>(m_.random.range(0, static_cast<std::int64_t>(i)))]);
    }
    for (int pieces = 1; pieces <= most_; ++pieces) {
      for (const FacingPair& pair : pairs_) {
        if (m_.spent()) {
          return false;
        }
        if (static_cast<std::int64_t>(m_.placed.size()) + pieces > m_.rules.cap_pieces ||
            pair.distance > pieces * reach_ + kMeet ||
            !tried_.insert({pair.from.placed, pair.from.connector, pair.to.placed, pair.to.connector, pieces})
                 .second) {
          continue;
        }
        const std::size_t before = m_.placed.size();
        left_ = work_;
        if (extend(pair.from.placed, pair.from.connector, pair.to, pieces)) {
          finish(before, pair, pieces);
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] std::size_t clusters() const noexcept { return clusters_; }

 private:
  struct FacingPair {
    double distance;
    OpenEnd from;
    OpenEnd to;
  };

  [[nodiscard]] std::int32_t region(std::uint32_t piece, std::uint32_t connector) const {
    return m_.regions.empty() ? 0 : m_.regions[piece].at_connector[connector];
  }

  /// Free connectors of different clusters, neither behind the other, near enough; nearest first.
  void find_pairs() {
    std::vector<std::uint32_t> first;
    std::uint32_t nodes = 0;
    for (const Placed& p : m_.placed) {
      first.push_back(nodes);
      nodes += m_.regions.empty() ? 1U : static_cast<std::uint32_t>(m_.regions[p.piece].areas.size());
    }
    nav::UnionFind sets;
    sets.reset(nodes);
    clusters_ = nodes;
    const auto node = [&](std::uint32_t placed, std::uint32_t connector) -> std::int64_t {
      const std::int32_t r = region(m_.placed[placed].piece, connector);
      return r < 0 ? -1 : static_cast<std::int64_t>(first[placed]) + r;
    };
    const auto join = [&](const Joint& joint) {
      const std::int64_t a = node(joint.a, joint.a_connector);
      const std::int64_t b = node(joint.b, joint.b_connector);
      if (a >= 0 && b >= 0 && sets.join(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b))) {
        --clusters_;
      }
    };
    for (std::uint32_t i = 0; i < m_.placed.size(); ++i) {
      const Placed& p = m_.placed[i];
      if (p.parent >= 0) {
        join({static_cast<std::uint32_t>(p.parent), static_cast<std::uint32_t>(p.parent_connector), i,
              static_cast<std::uint32_t>(p.own_connector)});
      }
    }
    std::for_each(m_.loops.begin(), m_.loops.end(), join);
    std::for_each(m_.contacts.begin(), m_.contacts.end(), join);
    struct End {
      OpenEnd at;
      std::uint32_t cluster;
    };
    std::vector<End> ends;
    for (std::uint32_t i = 0; i < m_.placed.size(); ++i) {
      for (std::uint64_t left = m_.placed[i].free; left != 0; left &= left - 1) {
        const auto c = static_cast<std::uint32_t>(std::countr_zero(left));
        if (const std::int64_t n = node(i, c); n >= 0) {
          ends.push_back({m_.open_end(i, c), sets.find(static_cast<std::uint32_t>(n))});
        }
      }
    }
    pairs_.clear();
    const double far = most_ * reach_ + kMeet;
    // Sorted along x, so that only neighbours are compared.
    std::stable_sort(ends.begin(), ends.end(),
                     [](const End& a, const End& b) { return a.at.position.x < b.at.position.x; });
    for (std::size_t i = 0; i < ends.size(); ++i) {
      for (std::size_t j = i + 1; j < ends.size(); ++j) {
        const Vec3 apart = ends[j].at.position - ends[i].at.position;
        if (apart.x > far) {
          break;
        }
        const double distance = length(apart);
        if (ends[i].cluster == ends[j].cluster || distance > far || dot(apart, ends[i].at.heading) < -kMeet ||
            dot(apart, ends[j].at.heading) > kMeet) {
          continue;
        }
        const bool swapped = std::tie(ends[j].at.placed, ends[j].at.connector) <
                             std::tie(ends[i].at.placed, ends[i].at.connector);
        pairs_.push_back({distance, ends[swapped ? j : i].at, ends[swapped ? i : j].at});
      }
    }
    std::sort(pairs_.begin(), pairs_.end(), [](const FacingPair& a, const FacingPair& b) {
      return std::tie(a.distance, a.from.placed, a.from.connector, a.to.placed, a.to.connector) <
             std::tie(b.distance, b.from.placed, b.from.connector, b.to.placed, b.to.connector);
    });
  }

  /// Places `pieces` more from the connector on, the last of which meets `goal`. False, and nothing placed,
  /// when there is no way.
  bool extend(std::uint32_t guide, std::uint32_t connector, const OpenEnd& goal, int pieces) {
    const OpenEnd from = m_.open_end(guide, connector);
    const double apart = length(goal.position - from.position);
    for (const std::uint32_t piece : order_) {
      const FlatPiece& flat = m_.kit[piece];
      if (flat.maximum >= 0 && m_.counts[piece] >= flat.maximum) {
        continue;
      }
      const std::uint64_t fitting = m_.accepted_by(m_.connector(m_.placed[guide].piece, connector), piece);
      for (const Way& way : ways_[piece]) {
        if ((fitting >> way.in & 1U) == 0) {
          continue;
        }
        const double gap = m_.rules.piece_distance;
        if (std::abs(apart - way.span) > (pieces - 1) * reach_ + gap + kMeet) {
          continue;
        }
        if (--left_ < 0 || m_.spent()) {
          return false;
        }
        ++m_.work;
        const Pair pair{way.in, static_cast<std::uint8_t>(connector)};
        const Pose pose = m_.pose_of(guide, piece, pair);
        const FlatConnector& out = m_.connector(piece, way.out);
        const Vec3 exit = pose.position + pose.rotation * out.position;
        if (length(goal.position - exit) > (pieces - 1) * reach_ + kMeet) {
          continue;
        }
        if (pieces == 1 && !(face(exit, pose.rotation * out.heading, goal) &&
                             m_.matches(m_.connector(m_.placed[goal.placed].piece, goal.connector), out))) {
          continue;
        }
        if (m_.rules.check_overlaps && blocked(guide, piece, pose, pieces == 1 ? &goal : nullptr)) {
          continue;
        }
        const std::uint32_t index = m_.place(piece, pose, static_cast<std::int32_t>(guide), pair);
        last_out_ = way.out;
        if (pieces == 1 || extend(index, way.out, goal, pieces - 1)) {
          return true;
        }
        m_.take_back();
      }
    }
    return false;
  }

  /// The piece at the far end is a neighbour as the guide is: the same tolerance for the joint.
  bool blocked(std::uint32_t guide, std::uint32_t piece, const Pose& pose, const OpenEnd* goal) {
    if (goal == nullptr) {
      return m_.met_piece(guide, piece, pose) >= 0;
    }
    return m_.meets_others(guide, goal->placed, piece, pose) || m_.reaches_into(guide, piece, pose) ||
           m_.reaches_into(goal->placed, piece, pose);
  }

  void finish(std::size_t before, const FacingPair& pair, int pieces) {
    const auto last = static_cast<std::uint32_t>(m_.placed.size() - 1);
    for (auto i = static_cast<std::uint32_t>(before); i <= last; ++i) {
      const Placed& p = m_.placed[i];
      m_.stuck.push_back(0);
      m_.log({Event::Kind::kSnap, i, p.piece, p.own_connector, p.parent_connector, p.parent});
    }
    m_.use(pair.to.placed, pair.to.connector);
    m_.use(last, last_out_);
    m_.loops.push_back({pair.to.placed, pair.to.connector, last, last_out_});
    m_.log({Event::Kind::kBridge, pair.from.placed, static_cast<std::uint32_t>(pieces),
            static_cast<std::int32_t>(pair.to.connector), static_cast<std::int32_t>(pair.from.connector),
            pair.to.placed});
    for (auto i = static_cast<std::uint32_t>(before); m_.rules.join_loops && i <= last; ++i) {
      m_.join_loops_of(i);
    }
  }

  Impl& m_;
  int most_;
  std::int64_t work_;
  std::int64_t left_ = 0;
  double reach_ = 0;
  std::uint32_t last_out_ = 0;
  std::size_t clusters_ = 0;
  bool first_look_ = true;
  std::vector<std::vector<Way>> ways_;
  std::vector<std::uint32_t> order_;
  std::vector<FacingPair> pairs_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, int>> tried_;
};

}  // namespace

void Assembler::Impl::take_back() {
  const Placed last = placed.back();
  release(static_cast<std::uint32_t>(last.parent), static_cast<std::uint32_t>(last.parent_connector));
  drop_last();
}

void Assembler::Impl::connect_clusters(const Pass& pass) {
  std::fill(stuck.begin(), stuck.end(), std::uint8_t{0});
  Bridges bridges(*this, pass.state);
  for (std::int64_t made = 0; made < pass.state.setting[1] && bridges.next(); ++made) {
  }
  if (spent()) {
    end = End::kWorkLimit;
  }
}

}  // namespace strew::snap
