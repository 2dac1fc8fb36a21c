// The published algorithm, step by step.
#include "assembler_impl.hpp"

namespace strew::snap {

bool Assembler::Impl::snap_reference(std::uint32_t guide, std::uint32_t piece) {
  list_pairs(guide, piece);
  ++work;
  if (pairs.empty()) {
    log({.kind = Event::Kind::kNoPair, .placed = guide, .piece = piece});
    return false;
  }
  while (!pairs.empty() && !spent()) {
    ++work;
    const auto k = static_cast<std::size_t>(random.range(0, static_cast<std::int64_t>(pairs.size())));
    const Pair pair = pairs[k];
    const Pose pose = pose_of(guide, piece, pair);
    const std::int64_t met = rules.check_overlaps ? met_piece(guide, piece, pose) : -1;
    if (met >= 0) {
      log({Event::Kind::kOverlap, guide, piece, pair.own, pair.guide, met});
      pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(k));
      continue;
    }
    const std::uint32_t index = place(piece, pose, static_cast<std::int32_t>(guide), pair);
    log({Event::Kind::kSnap, index, piece, pair.own, pair.guide, guide});
    return true;
  }
  return false;
}

void Assembler::Impl::run_reference() {
  const SelectionMethod& method = *passes.front().method;
  MethodState state = passes.front().state;
  method.start(state, random);
  place_starter(method, Pose{});
  std::int64_t guide = 0;
  std::int32_t last_free = entries[0].free;
  const auto pieces = static_cast<std::int64_t>(order.size());
  while (true) {
    log({.kind = Event::Kind::kGuide,
         .placed = static_cast<std::uint32_t>(guide),
         .value = entries[static_cast<std::size_t>(guide)].free});
    std::int32_t fails = 0;
    while (fails < rules.max_fails && !spent()) {
      const std::uint32_t piece = order[static_cast<std::size_t>(random.range(0, pieces))];
      ++tentatives;
      if (snap_reference(static_cast<std::uint32_t>(guide), piece)) {
        break;
      }
      ++fails;
    }
    if (fails == rules.max_fails) {
      log({.kind = Event::Kind::kMissed, .placed = static_cast<std::uint32_t>(guide), .value = fails});
    }
    if (spent()) {
      end = End::kWorkLimit;
      return;
    }
    const std::int64_t next = method.select(state, view(), random);
    if (next < 0 || next >= static_cast<std::int64_t>(placed.size())) {
      end = End::kMethod;
      return;
    }
    const std::int32_t free = entries[static_cast<std::size_t>(next)].free;
    if (next == state.last_guide && free >= last_free) {
      end = End::kStuck;
      return;
    }
    state.last_guide = next;
    last_free = free;
    guide = next;
  }
}

}  // namespace strew::snap
