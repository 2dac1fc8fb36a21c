// Free connectors that meet: loops, and contacts that the rules do not join.
#include "loops.hpp"

#include <algorithm>
#include <tuple>

#include "assembler_impl.hpp"

namespace strew::snap {

void Assembler::Impl::add_ends_of(std::uint32_t index) {
  for (std::uint64_t left = placed[index].free; left != 0; left &= left - 1) {
    ends.add(open_end(index, static_cast<std::uint32_t>(std::countr_zero(left))));
  }
}

void Assembler::Impl::join_loops_of(std::uint32_t index) {
  std::size_t count = 0;
  for (std::uint64_t left = placed[index].free; left != 0; left &= left - 1) {
    own_ends[count++] = open_end(index, static_cast<std::uint32_t>(std::countr_zero(left)));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const OpenEnd& own = own_ends[i];
    met.clear();
    ends.any_near(own.position, [&](const OpenEnd& other) {
      if (is_free(other) && face(own.position, own.heading, other)) {
        met.push_back({other.placed, other.connector, index, own.connector});
      }
      return false;
    });
    if (met.empty()) {
      continue;
    }
    // The earliest is joined first, whatever the order of the table, and none twice.
    const auto place_of = [](const Joint& joint) { return std::tie(joint.a, joint.a_connector); };
    std::sort(met.begin(), met.end(),
              [&](const Joint& a, const Joint& b) { return place_of(a) < place_of(b); });
    met.erase(std::unique(met.begin(), met.end(),
                          [&](const Joint& a, const Joint& b) { return place_of(a) == place_of(b); }),
              met.end());
    for (const Joint& joint : met) {
      if (!matches(connector(placed[joint.a].piece, joint.a_connector),
                   connector(placed[index].piece, own.connector))) {
        contacts.push_back(joint);
        continue;
      }
      loops.push_back(joint);
      log({Event::Kind::kLoop, index, placed[index].piece, static_cast<std::int32_t>(own.connector),
           static_cast<std::int32_t>(joint.a_connector), joint.a});
      use(joint.a, joint.a_connector);
      use(index, own.connector);
      break;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (is_free(own_ends[i])) {
      ends.add(own_ends[i]);
    }
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
    if (ends.any_near(position, [&](const OpenEnd& other) {
          return is_free(other) && face(position, heading, other) &&
                 matches(connector(placed[other.placed].piece, other.connector), mine);
        })) {
      return true;
    }
  }
  return false;
}

}  // namespace strew::snap
