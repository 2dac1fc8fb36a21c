// Pairs of connectors, poses, the overlap question and placing: what both modes share.
#include <algorithm>

#include "assembler_impl.hpp"

namespace strew::snap {

void Assembler::Impl::clear(std::int64_t seed) {
  random.start(rules.mode, seed);
  placed.clear();
  entries.clear();
  columns.clear();
  grid.start(grid_cell);
  joints.clear();
  loops.clear();
  contacts.clear();
  ends.clear();
  available.clear();
  banned.clear();
  stuck.clear();
  history.clear();
  counts.assign(kit.size(), 0);
  tentatives = 0;
  work = 0;
  end = End::kMethod;
}

std::uint64_t Assembler::Impl::accepted_by(const FlatConnector& guide, std::uint32_t piece) const noexcept {
  if (!accepted.empty()) {
    return accepted[guide.kind * kit.size() + piece];
  }
  std::uint64_t mask = 0;
  for (std::uint32_t t = 0; t < kit[piece].connector_count; ++t) {
    mask |= std::uint64_t{matches(guide, connector(piece, t))} << t;
  }
  return mask;
}

void Assembler::Impl::list_pairs(std::uint32_t guide, std::uint32_t piece) {
  pairs.clear();
  const std::uint32_t base = placed[guide].piece;
  std::array<std::uint64_t, kMaximumConnectors> mask;
  std::uint64_t any = 0;
  for (std::uint64_t left = placed[guide].free; left != 0; left &= left - 1) {
    const auto q = static_cast<std::uint32_t>(std::countr_zero(left));
    mask[q] = accepted_by(connector(base, q), piece);
    any |= mask[q];
  }
  for (; any != 0; any &= any - 1) {
    const auto t = static_cast<std::uint32_t>(std::countr_zero(any));
    for (std::uint64_t left = placed[guide].free; left != 0; left &= left - 1) {
      const auto q = static_cast<std::uint32_t>(std::countr_zero(left));
      if ((mask[q] >> t & 1U) != 0) {
        pairs.push_back({static_cast<std::uint8_t>(t), static_cast<std::uint8_t>(q)});
      }
    }
  }
}

void Assembler::Impl::find_takers(std::uint32_t guide) {
  const std::size_t words = (drawable.size() + 63) / 64;
  taken.assign(words, 0);
  if (takers.empty()) {
    for (std::size_t i = 0; i < drawable.size(); ++i) {
      taken[i / 64] |= std::uint64_t{any_pair(guide, drawable[i])} << (i % 64);
    }
    return;
  }
  for (std::uint64_t left = placed[guide].free; left != 0; left &= left - 1) {
    const std::size_t kind =
        connector(placed[guide].piece, static_cast<std::uint32_t>(std::countr_zero(left))).kind;
    for (std::size_t w = 0; w < words; ++w) {
      taken[w] |= takers[kind * words + w];
    }
  }
}

bool Assembler::Impl::any_pair(std::uint32_t guide, std::uint32_t piece) const noexcept {
  for (std::uint64_t left = placed[guide].free; left != 0; left &= left - 1) {
    if (accepted_by(connector(placed[guide].piece, static_cast<std::uint32_t>(std::countr_zero(left))),
                    piece) != 0) {
      return true;
    }
  }
  return false;
}

GuideEnd Assembler::Impl::guide_end(std::uint32_t guide, std::uint32_t c) const noexcept {
  const Placed& base = placed[guide];
  const FlatConnector& at = connector(base.piece, c);
  const Vec3 heading = base.rotation * at.heading;
  return {at.vertical && rules.mode == Mode::kReference ? look_rotation(-heading, base.rotation * up)
                                                        : base.rotation * at.opposite,
          base.position + base.rotation * at.position + heading * rules.piece_distance};
}

Pose Assembler::Impl::pose_of(std::uint32_t guide, std::uint32_t piece, Pair pair) const noexcept {
  return facing_pose(guide_end(guide, pair.guide), connector(piece, pair.own));
}

bool Assembler::Impl::reaches_into(std::uint32_t guide, std::uint32_t piece, const Pose& pose) const {
  const FlatPiece& flat = kit[piece];
  const std::size_t begin = placed[guide].box_begin;
  const std::size_t past = boxes_end(guide);
  const double less = rules.joint_tolerance;
  for (std::uint32_t i = 0; i < flat.box_count; ++i) {
    OrientedBox box = turned_box(boxes[flat.boxes + i], pose);
    box.half = {std::max(0.0, box.half.x - less), std::max(0.0, box.half.y - less),
                std::max(0.0, box.half.z - less)};
    if (overlap(box, columns, {begin, past, 0, 0}) >= 0) {
      return true;
    }
  }
  return false;
}

std::int64_t Assembler::Impl::first_met(const OrientedBox& box, const OverlapRange& range) {
  if (columns.size() < BoxGrid::kGridFrom) {
    return overlap(box, columns, range);
  }
  grid.follow(columns);
  return grid.first_meeting(box, range);
}

void Assembler::Impl::drop_last() {
  const Placed& last = placed.back();
  columns.shrink(last.box_begin);
  grid.shrink(last.box_begin);
  --counts[last.piece];
  mark(static_cast<std::uint32_t>(placed.size() - 1), false);
  placed.pop_back();
  entries.pop_back();
}

void Assembler::Impl::probe(std::uint32_t guide, std::uint32_t c) {
  const std::uint64_t bit = std::uint64_t{1} << c;
  const FlatConnector& at = connector(placed[guide].piece, c);
  if ((probed & bit) != 0 || at.probe_half <= 0) {
    return;
  }
  probed |= bit;
  const Placed& base = placed[guide];
  const OrientedBox box = {base.position + base.rotation * at.probe_centre,
                           base.rotation,
                           {at.probe_half, at.probe_half, at.probe_half}};
  if (first_met(box, {0, columns.size(), base.box_begin, boxes_end(guide)}) >= 0) {
    placed[guide].shut |= bit;
  }
}

std::int64_t Assembler::Impl::met_piece(std::uint32_t guide, std::uint32_t piece, const Pose& pose) {
  const FlatPiece& flat = kit[piece];
  const std::size_t guide_begin = placed[guide].box_begin;
  const std::size_t guide_end = boxes_end(guide);
  for (std::uint32_t i = 0; i < flat.box_count; ++i) {
    const OrientedBox box = turned_box(boxes[flat.boxes + i], pose);
    const std::int64_t met = first_met(box, {0, columns.size(), guide_begin, guide_end});
    if (met >= 0) {
      const auto after = std::upper_bound(
          placed.begin(), placed.end(), static_cast<std::uint32_t>(met),
          [](std::uint32_t box_index, const Placed& candidate) { return box_index < candidate.box_begin; });
      return after - placed.begin() - 1;
    }
  }
  if (rules.mode == Mode::kStandard && !fitted && reaches_into(guide, piece, pose)) {
    return guide;
  }
  return -1;
}

bool Assembler::Impl::meets_others(std::uint32_t guide, std::uint32_t other, std::uint32_t piece,
                                   const Pose& pose) {
  const FlatPiece& flat = kit[piece];
  for (std::uint32_t i = 0; i < flat.box_count; ++i) {
    const OrientedBox box = turned_box(boxes[flat.boxes + i], pose);
    const std::size_t skip[2] = {placed[guide].box_begin, boxes_end(guide)};
    if (first_met(box, {0, placed[other].box_begin, skip[0], skip[1]}) >= 0 ||
        first_met(box, {boxes_end(other), columns.size(), skip[0], skip[1]}) >= 0) {
      return true;
    }
  }
  return false;
}

bool Assembler::Impl::meets_any(std::uint32_t piece, const Pose& pose) {
  const FlatPiece& flat = kit[piece];
  for (std::uint32_t i = 0; rules.check_overlaps && i < flat.box_count; ++i) {
    if (first_met(turned_box(boxes[flat.boxes + i], pose), {0, columns.size(), 0, 0}) >= 0) {
      return true;
    }
  }
  return false;
}

std::uint32_t Assembler::Impl::place(std::uint32_t piece, const Pose& pose, std::int32_t parent, Pair pair) {
  const FlatPiece& flat = kit[piece];
  const auto index = static_cast<std::uint32_t>(placed.size());
  Placed out;
  out.piece = piece;
  out.box_begin = static_cast<std::uint32_t>(columns.size());
  out.free = flat.all_free;
  out.parent = parent;
  out.position = pose.position;
  out.rotation = pose.rotation;
  if (rules.check_overlaps) {
    for (std::uint32_t i = 0; i < flat.box_count; ++i) {
      const FlatBox& box = boxes[flat.boxes + flat.box_count + i];
      if (box.enabled) {
        columns.push(turned_box(box, pose));
      }
    }
  }
  if (parent >= 0) {
    out.parent_connector = pair.guide;
    out.own_connector = pair.own;
  }
  placed.push_back(out);
  entries.push_back({piece, static_cast<std::int32_t>(flat.connector_count)});
  if (index / 64 >= available.size()) {
    available.push_back(0);
  }
  mark(index, flat.connector_count > 0);
  ++counts[piece];
  if (parent >= 0) {
    use(static_cast<std::uint32_t>(parent), pair.guide);
    use(index, pair.own);
  }
  return index;
}

bool Assembler::Impl::place_starter(const SelectionMethod& method, const Pose& pose) {
  const auto count = [&](std::size_t i) {
    return static_cast<std::int64_t>(kit[starters[i]].connector_count);
  };
  const std::size_t n = starters.size();
  std::int64_t chosen = 0;
  if (method.starts_with_most()) {
    std::size_t last = 0;
    while (last + 1 < n && count(last + 1) >= count(0) - rules.starter_tolerance) {
      ++last;
    }
    chosen = random.range(0, static_cast<std::int64_t>(last) + 1);
  } else {
    std::size_t first = n - 1;
    while (first > 0 && count(first - 1) <= count(n - 1) + rules.starter_tolerance) {
      --first;
    }
    chosen = random.range(static_cast<std::int64_t>(first), static_cast<std::int64_t>(n));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t piece = starters[(static_cast<std::size_t>(chosen) + i) % n];
    if (meets_any(piece, pose)) {
      continue;
    }
    const std::uint32_t index = place(piece, pose, -1, {});
    log({.kind = Event::Kind::kStarter,
         .placed = index,
         .piece = piece,
         .value = kit[piece].connector_count});
    return true;
  }
  return false;
}

}  // namespace strew::snap
