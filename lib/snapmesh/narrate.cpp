// The log in words.
#include "strew/snapmesh.hpp"

namespace strew::snap {
namespace {

std::string plural(std::int64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

struct Narrator {
  const Kit& kit;
  std::vector<std::uint32_t> piece_of_placed = {};

  [[nodiscard]] std::string piece(std::uint32_t index) const { return "'" + kit.pieces[index].name + "'"; }
  [[nodiscard]] std::string placed(std::int64_t index) const {
    const auto i = static_cast<std::size_t>(index);
    const std::string name = i < piece_of_placed.size() ? piece(piece_of_placed[i]) : std::string("?");
    return name + " (#" + std::to_string(index) + ")";
  }
  [[nodiscard]] std::string connector(std::uint32_t owner, std::int32_t index) const {
    const Connector& c = kit.pieces[owner].connectors[static_cast<std::size_t>(index)];
    std::string out = "connector " + std::to_string(index) + " (" + std::string(colour_name(c.colour)) +
                      ", " + plural(c.pins, "pin") + ")";
    return out;
  }
  [[nodiscard]] std::string guide_connector(std::int64_t guide, std::int32_t index) const {
    const auto i = static_cast<std::size_t>(guide);
    return i < piece_of_placed.size() ? connector(piece_of_placed[i], index) : std::string("?");
  }

  std::string line(const Event& e) {
    using Kind = Event::Kind;
    switch (e.kind) {
      case Kind::kStarter:
        piece_of_placed.resize(e.placed);
        piece_of_placed.push_back(e.piece);
        return "Starting piece is " + piece(e.piece) + " with " + plural(e.value, "free connector");
      case Kind::kGuide:
        return "Guide piece is " + placed(e.placed) + " with " + plural(e.value, "free connector");
      case Kind::kNoPair:
        return "  No valid connections between guide piece and tentative " + piece(e.piece) +
               ": no free connectors match";
      case Kind::kOverlap:
        return "  Tentative " + piece(e.piece) + " by its " + connector(e.piece, e.own_connector) + " on " +
               guide_connector(e.placed, e.guide_connector) + ": overlaps " + placed(e.value);
      case Kind::kSnap:
      case Kind::kCap: {
        std::string out = (e.kind == Kind::kSnap ? "  Snapped " : "  Closed a dead end with ") +
                          piece(e.piece) + " as #" + std::to_string(e.placed) + " by its " +
                          connector(e.piece, e.own_connector) + " to " +
                          guide_connector(e.value, e.guide_connector) + " of " + placed(e.value);
        piece_of_placed.resize(e.placed);
        piece_of_placed.push_back(e.piece);
        return out;
      }
      case Kind::kLoop:
        return "  Loop: " + connector(e.piece, e.own_connector) + " of " + placed(e.placed) +
               " joined with " + guide_connector(e.value, e.guide_connector) + " of " + placed(e.value);
      case Kind::kBacktrack: {
        std::string out = "  Took " + placed(e.placed) + " away again; back to " + placed(e.value);
        piece_of_placed.resize(e.placed);
        return out;
      }
      case Kind::kMissed:
        return "  No piece could be snapped to " + placed(e.placed);
      case Kind::kPass:
        return "Pass " + std::to_string(e.value + 1) + " begins";
      case Kind::kClusters:
        return "The map is in " + plural(e.value, "cluster");
      case Kind::kBridge:
        return "  Bridge of " + plural(e.piece, "piece") + " from connector " +
               std::to_string(e.guide_connector) + " of " + placed(e.placed) + " to connector " +
               std::to_string(e.own_connector) + " of " + placed(e.value);
      case Kind::kEnd:
        return "End of map generation: " + std::string(to_string(static_cast<End>(e.value)));
    }
    return {};
  }
};

}  // namespace

std::string_view to_string(End end) noexcept {
  switch (end) {
    case End::kMethod:
      return "the selection method has no further guide piece";
    case End::kStuck:
      return "nothing more could be snapped";
    case End::kGuideFull:
      return "no free connector is left";
    case End::kWorkLimit:
      return "the work limit was reached";
    case End::kPieceCap:
      return "the largest number of pieces was reached";
  }
  return "unknown";
}

std::vector<std::string> narrate(const Kit& kit, std::span<const Event> events) {
  Narrator narrator{kit};
  std::vector<std::string> lines;
  lines.reserve(events.size());
  for (const Event& event : events) {
    lines.push_back(narrator.line(event));
  }
  return lines;
}

}  // namespace strew::snap
