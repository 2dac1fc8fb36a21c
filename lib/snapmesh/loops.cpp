// Free connectors that meet: loops, and contacts that the rules do not join.
#include "loops.hpp"

#include <algorithm>

#include "assembler_impl.hpp"

namespace strew::snap {

void Assembler::Impl::open_ends_of(std::uint32_t index) {
  const Placed& p = placed[index];
  for (std::uint64_t left = p.free; left != 0; left &= left - 1) {
    const auto c = static_cast<std::uint32_t>(std::countr_zero(left));
    open.push_back(open_end(index, c));
  }
}

void Assembler::Impl::join_loops_of(std::uint32_t index) {
  const std::size_t before = open.size();
  open_ends_of(index);
  for (std::size_t mine = before; mine < open.size(); ++mine) {
    for (std::size_t i = 0; i < before; ++i) {
      const OpenEnd& other = open[i];
      const OpenEnd& own = open[mine];
      if (!face(own.position, own.heading, other) ||
          (placed[other.placed].free >> other.connector & 1U) == 0) {
        continue;
      }
      const Joint joint{other.placed, other.connector, index, own.connector};
      if (!matches(connector(placed[other.placed].piece, other.connector),
                   connector(placed[index].piece, own.connector))) {
        contacts.push_back(joint);
        continue;
      }
      loops.push_back(joint);
      log({Event::Kind::kLoop, index, placed[index].piece, static_cast<std::int32_t>(own.connector),
           static_cast<std::int32_t>(other.connector), other.placed});
      use(other.placed, other.connector);
      use(index, own.connector);
      break;
    }
  }
  // Ends in use are dropped now and then, not at once: the list stays short and its order fixed.
  if (open.size() > 32) {
    std::erase_if(open, [&](const OpenEnd& end_of) {
      return (placed[end_of.placed].free >> end_of.connector & 1U) == 0;
    });
  }
}

bool Assembler::Impl::closes_loop(std::uint32_t piece, const Pose& pose, Pair pair) const noexcept {
  for (std::uint32_t c = 0; c < kit[piece].connector_count; ++c) {
    if (c == pair.own) {
      continue;
    }
    const FlatConnector& mine = connector(piece, c);
    const Vec3 position = pose.position + pose.rotation * mine.position;
    const Vec3 heading = pose.rotation * mine.heading;
    for (const OpenEnd& other : open) {
      if ((placed[other.placed].free >> other.connector & 1U) != 0 && face(position, heading, other) &&
          matches(connector(placed[other.placed].piece, other.connector), mine)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace strew::snap
