// The standard mode: from guide to guide, other guides, backtracking, caps, passes. A visit is in visit.cpp.
#include <algorithm>

#include "assembler_impl.hpp"

namespace strew::snap {

std::int64_t Assembler::Impl::other_guide(std::int64_t from, std::int64_t begin) const noexcept {
  // Near places first, the earlier of two equally near.
  const auto word_of = [&](std::int64_t word, std::uint64_t mask) {
    return available[static_cast<std::size_t>(word)] & mask;
  };
  const std::int64_t words = static_cast<std::int64_t>(placed.size() + 63) / 64;
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  std::int64_t before = -1;
  std::uint64_t mask = (std::uint64_t{1} << (from % 64)) - 1;
  for (std::int64_t w = from / 64; before < 0 && w >= begin / 64; --w, mask = kAll) {
    if (const std::uint64_t set = word_of(w, mask); set != 0) {
      before = w * 64 + 63 - std::countl_zero(set);
    }
  }
  before = before < begin ? -1 : before;
  std::int64_t after = -1;
  mask = from % 64 == 63 ? 0 : kAll << (from % 64 + 1);
  for (std::int64_t w = from / 64; after < 0 && w < words; ++w, mask = kAll) {
    // Not farther than what is found already.
    if (before >= 0 && w * 64 - from >= from - before) {
      break;
    }
    if (const std::uint64_t set = word_of(w, mask); set != 0) {
      after = w * 64 + std::countr_zero(set);
    }
  }
  if (before >= 0 && (after < 0 || from - before <= after - from)) {
    return before;
  }
  return after;
}

bool Assembler::Impl::undo_last(std::uint32_t& guide) {
  if (placed.size() < 2) {
    return false;
  }
  const auto index = static_cast<std::uint32_t>(placed.size() - 1);
  const Placed last = placed.back();
  for (std::size_t i = loops.size(); i-- > 0;) {
    if (loops[i].b == index) {
      release(loops[i].a, loops[i].a_connector);
      loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  std::erase_if(contacts, [&](const Joint& contact) { return contact.b == index; });
  const auto parent = static_cast<std::uint32_t>(last.parent);
  release(parent, static_cast<std::uint32_t>(last.parent_connector));
  std::erase_if(banned, [&](const Banned& b) { return b.guide == index; });
  banned.push_back(
      {parent,
       last.piece,
       {static_cast<std::uint8_t>(last.own_connector), static_cast<std::uint8_t>(last.parent_connector)}});
  drop_last();
  stuck.pop_back();
  std::fill(stuck.begin(), stuck.end(), std::uint8_t{0});
  ends.clear();
  for (std::uint32_t i = 0; i < placed.size(); ++i) {
    if (rules.join_loops) {
      add_ends_of(i);
    }
    placed[i].shut = 0;
    refresh(i);
  }
  log({.kind = Event::Kind::kBacktrack, .placed = index, .piece = last.piece, .value = parent});
  guide = parent;
  return true;
}

void Assembler::Impl::run_pass(const Pass& pass) {
  MethodState state = pass.state;
  std::int64_t guide = 0;
  std::uint64_t visits = 0;
  const std::size_t held = placed.size();  // pieces of earlier passes are not taken away again
  std::int32_t undone = 0;
  // A detached pass sees what it placed itself; the method's indices count from there.
  const std::size_t first = pass.detached ? held : 0;
  const auto begin = static_cast<std::int64_t>(first);
  const bool starts = held == 0 || pass.detached;
  const auto seen = [&] { return MapView(std::span(entries).subspan(first)); };
  if (!starts) {
    random.step(std::uint64_t{1} << 40 | held);
    pass.method->start(state, random);
    while (guide < static_cast<std::int64_t>(held) && free_of(static_cast<std::uint32_t>(guide)) == 0) {
      ++guide;
    }
    if (guide == static_cast<std::int64_t>(held)) {
      end = End::kGuideFull;
      return;
    }
    state.last_guide = guide;
  }
  std::fill(stuck.begin(), stuck.end(), std::uint8_t{0});
  for (std::uint32_t i = 0; i < placed.size(); ++i) {
    refresh(i);
  }
  history.assign(placed.size(), state);
  if (!starts) {
    // The method says at once whether there is anything to add.
    if (pass.method->select(state, seen(), random) < 0) {
      end = End::kMethod;
      return;
    }
  } else {
    random.step(held == 0 ? 0 : std::uint64_t{1} << 40 | held);
    pass.method->start(state, random);
    if (!place_starter(*pass.method, Pose{{}, pass.origin})) {
      end = End::kStuck;
      return;
    }
    stuck.push_back(0);
    if (rules.join_loops) {
      join_loops_of(static_cast<std::uint32_t>(held));
    }
    history.push_back(state);
    state.last_guide = 0;
    // The published loop snaps once before it asks; here the method is asked first, so that max_pieces = 1
    // is one piece.
    guide = begin;
    if (entries[held].free <= 0) {
      end = End::kGuideFull;
      return;
    }
    MethodState asked = state;
    Random peek = random;
    if (pass.method->select(asked, seen(), peek) < 0) {
      end = End::kMethod;
      return;
    }
  }
  while (true) {
    if (spent()) {
      end = End::kWorkLimit;
      return;
    }
    if (static_cast<std::int64_t>(placed.size()) >= rules.cap_pieces) {
      end = End::kPieceCap;
      return;
    }
    random.step((std::uint64_t{placed.size()} << 20) + ++visits);
    const auto at = static_cast<std::uint32_t>(guide);
    const bool grown = free_of(at) > 0 && visit(at);
    if (grown) {
      history.push_back(state);
      std::int64_t next = pass.method->select(state, seen(), random);
      if (next < 0 || next >= static_cast<std::int64_t>(placed.size() - first)) {
        end = End::kMethod;
        return;
      }
      next += begin;
      // A guide that failed a whole visit would fail again: more pieces make it no easier.
      if (stuck[static_cast<std::size_t>(next)] != 0) {
        const std::int64_t other = other_guide(next, begin);
        next = other >= 0 ? other : next;
      }
      state.last_guide = next - begin;
      guide = next;
      continue;
    }
    stuck[at] = 1;
    refresh(at);
    std::int64_t next = other_guide(guide, begin);
    std::uint32_t parent = 0;
    if (next < 0 && undone < rules.backtrack && placed.size() > (starts ? held + 1 : held) &&
        undo_last(parent)) {
      ++undone;
      state = history.back();
      history.pop_back();
      next = parent;
    }
    if (next < 0) {
      end = End::kStuck;
      return;
    }
    guide = next;
    state.last_guide = next - begin;
  }
}

void Assembler::Impl::close_dead_ends() {
  const std::size_t count = placed.size();
  // Caps are thin: they may fit where nothing else does.
  std::for_each(placed.begin(), placed.end(), [](Placed& p) { p.shut = 0; });
  random.step(std::uint64_t{1} << 41);
  for (std::uint32_t i = 0; i < count; ++i) {
    known_ends = 0;
    probed = 0;
    for (std::size_t c = 0; c < caps.size() && free_of(i) > 0 && !spent();) {
      const std::uint32_t cap = caps[c];
      const bool allowed = static_cast<std::int64_t>(placed.size()) < rules.cap_pieces &&
                           (kit[cap].maximum < 0 || counts[cap] < kit[cap].maximum);
      // The same cap again for the next free connector, until it fits none.
      if (!allowed || !snap_standard(i, cap)) {
        ++c;
      }
    }
  }
}

void Assembler::Impl::run_standard() {
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (i > 0) {
      log({.kind = Event::Kind::kPass, .value = static_cast<std::int64_t>(i)});
    }
    if (passes[i].method->connects()) {
      connect_clusters(passes[i]);
    } else {
      run_pass(passes[i]);
    }
    if (end == End::kWorkLimit || end == End::kPieceCap) {
      return;
    }
  }
  if (rules.close_dead_ends) {
    close_dead_ends();
  }
}

}  // namespace strew::snap
