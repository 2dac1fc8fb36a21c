// A visit to a guide in the standard mode: pieces drawn by weight without replacement until one snaps.
#include <algorithm>

#include "assembler_impl.hpp"
#include "strew/random.hpp"

namespace strew::snap {

bool Assembler::Impl::all_shut(std::uint32_t guide, std::uint32_t piece) noexcept {
  const Placed& base = placed[guide];
  std::int64_t pairs_listed = 0;
  for (std::uint64_t left = base.free; left != 0; left &= left - 1) {
    const auto q = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t mask = accepted_by(connector(base.piece, q), piece);
    if (mask != 0 && (base.shut >> q & 1U) == 0) {
      return false;
    }
    pairs_listed += std::popcount(mask);
  }
  if (work + pairs_listed >= rules.work_limit) {
    return false;
  }
  // What trying them one by one would have come to.
  work += pairs_listed;
  random.skip(static_cast<std::uint64_t>(pairs_listed));
  return true;
}

bool Assembler::Impl::snap_standard(std::uint32_t guide, std::uint32_t piece) {
  ++tentatives;
  ++work;
  if (events == nullptr && placed[guide].shut != 0 && banned.empty() && all_shut(guide, piece)) {
    return false;
  }
  list_pairs(guide, piece);
  if (!banned.empty()) {
    std::erase_if(pairs, [&](const Pair& pair) {
      return std::any_of(banned.begin(), banned.end(), [&](const Banned& b) {
        return b.guide == guide && b.piece == piece && b.pair.own == pair.own && b.pair.guide == pair.guide;
      });
    });
  }
  if (pairs.empty()) {
    log({.kind = Event::Kind::kNoPair, .placed = guide, .piece = piece});
    return false;
  }
  bool found = false;
  Pose best;
  Pair best_pair{};
  while (!pairs.empty() && !spent()) {
    ++work;
    const auto k = static_cast<std::size_t>(random.range(0, static_cast<std::int64_t>(pairs.size())));
    const Pair pair = pairs[k];
    if ((placed[guide].shut >> pair.guide & 1U) != 0) {
      pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(k));
      continue;
    }
    const Pose pose = pose_at_visit(guide, piece, pair);
    const bool loop = rules.prefer_loops && closes_loop(piece, pose, pair);
    if (!found || loop) {
      const std::int64_t met = rules.check_overlaps ? met_piece(guide, piece, pose) : -1;
      if (met >= 0 && events == nullptr && !kit[piece].cap) {
        probe(guide, pair.guide);
      }
      if (met >= 0) {
        log({Event::Kind::kOverlap, guide, piece, pair.own, pair.guide, met});
      } else {
        found = true;
        best = pose;
        best_pair = pair;
        if (loop || !rules.prefer_loops) {
          break;
        }
      }
    }
    pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(k));
  }
  if (!found) {
    return false;
  }
  const std::uint32_t index = place(piece, best, static_cast<std::int32_t>(guide), best_pair);
  stuck.push_back(0);
  log({kit[piece].cap ? Event::Kind::kCap : Event::Kind::kSnap, index, piece, best_pair.own, best_pair.guide,
       guide});
  if (rules.join_loops) {
    join_loops_of(index);
  }
  return true;
}

void Assembler::Impl::fill_bag(std::uint32_t guide, bool below, int round) {
  bag.clear();
  bag_total = 0;
  if (!counted && events == nullptr) {
    for (std::size_t w = 0; w < taken.size(); ++w) {
      for (std::uint64_t left = taken[w]; left != 0; left &= left - 1) {
        const std::size_t i = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
        bag.push_back({drawable[i], drawable_weight[i]});
        bag_total += drawable_weight[i];
      }
    }
    return;
  }
  for (std::size_t i = 0; i < drawable.size(); ++i) {
    const std::uint32_t piece = drawable[i];
    const FlatPiece& flat = kit[piece];
    const bool wanted = counts[piece] < flat.minimum;
    if ((round == 0) != (below && wanted) || (flat.maximum >= 0 && counts[piece] >= flat.maximum)) {
      continue;
    }
    // What no free connector takes is not drawn: a draw in vain would count against max_fails.
    if ((taken[i / 64] >> (i % 64) & 1U) == 0) {
      log({.kind = Event::Kind::kNoPair, .placed = guide, .piece = piece});
      continue;
    }
    bag.push_back({piece, flat.weight});
    bag_total += flat.weight;
  }
}

bool Assembler::Impl::visit(std::uint32_t guide) {
  log({.kind = Event::Kind::kGuide, .placed = guide, .value = free_of(guide)});
  known_ends = 0;
  probed = 0;
  find_takers(guide);
  // Pieces still below their minimum come first, so that a map of any size has a chance to hold them.
  bool below = false;
  for (std::size_t i = 0; counted && i < drawable.size(); ++i) {
    below = below || counts[drawable[i]] < kit[drawable[i]].minimum;
  }
  for (int round = below ? 0 : 1; round < 2; ++round) {
    fill_bag(guide, below, round);
    std::int32_t fails = 0;
    while (!bag.empty() && fails < rules.max_fails && !spent()) {
      double at = draw_unit(random.next()) * bag_total;
      std::size_t k = 0;
      while (k + 1 < bag.size() && at >= bag[k].weight) {
        at -= bag[k].weight;
        ++k;
      }
      const Drawn drawn = bag[k];
      if (snap_standard(guide, drawn.piece)) {
        return true;
      }
      ++fails;
      bag_total -= drawn.weight;
      bag.erase(bag.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  log({.kind = Event::Kind::kMissed, .placed = guide, .value = tentatives});
  return false;
}

}  // namespace strew::snap
