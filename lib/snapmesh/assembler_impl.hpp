// What an Assembler keeps: the kit compiled to columns, and the map being made.
#pragma once

#include <bit>
#include <utility>

#include "box_grid.hpp"
#include "end_grid.hpp"
#include "overlap.hpp"
#include "strew/snapmesh.hpp"

namespace strew::snap {

struct FlatConnector {
  Vec3 position;
  Vec3 heading;
  Mat3 inverse;   ///< from the piece to the connector's frame (right, up, heading)
  Mat3 opposite;  ///< frame of a connector that faces this one, in the piece
  std::int32_t pins = 0;
  std::uint32_t colour = 0;
  std::uint32_t kind = 0;  ///< connectors of one kind match the same others
  /// A box that lies well inside every piece that may be snapped here, in the piece's frame: what it meets,
  /// they all meet. No extents: there is none.
  Vec3 probe_centre;
  double probe_half = 0;
  bool vertical = false;  ///< heading along the frame's up: kReference looks up its rotation in the world
};
struct FlatBox {
  Vec3 centre;
  Vec3 half;
  Mat3 rotation;
  bool turned = false;
  bool enabled = true;
};
struct FlatPiece {
  std::uint32_t connectors = 0;  ///< first of them
  std::uint32_t connector_count = 0;
  std::uint32_t boxes = 0;
  std::uint32_t box_count = 0;
  std::uint64_t all_free = 0;
  double weight = 1;
  std::int32_t minimum = 0;
  std::int32_t maximum = -1;
  bool cap = false;
};

struct Placed {
  std::uint32_t piece = 0;
  std::uint32_t box_begin = 0;
  std::uint64_t free = 0;
  std::uint64_t shut = 0;  ///< connectors before which no piece of the kit fits any more
  std::int32_t parent = -1;
  std::int32_t parent_connector = -1;
  std::int32_t own_connector = -1;
  Vec3 position;
  Mat3 rotation;
};
struct Pose {
  Mat3 rotation;
  Vec3 position;
};
/// A box of a piece at its pose.
[[nodiscard]] inline OrientedBox turned_box(const FlatBox& box, const Pose& pose) noexcept {
  return {pose.position + pose.rotation * box.centre,
          box.turned ? pose.rotation * box.rotation : pose.rotation, box.half};
}
struct Pair {
  std::uint8_t own;
  std::uint8_t guide;
};
/// A choice that backtracking took back.
struct Banned {
  std::uint32_t guide;
  std::uint32_t piece;
  Pair pair;
};

/// Where a connector of the guide puts what faces it: worked out once per visit.
struct GuideEnd {
  Mat3 facing;
  Vec3 joint;
};

struct Assembler::Impl {
  // The kit and the rules.
  Rules rules;
  std::vector<Pass> passes;
  std::vector<FlatPiece> kit;
  std::vector<FlatConnector> connectors;
  std::vector<FlatBox> boxes;
  ColourMatrix matrix{};
  /// [kind][word]: which of `drawable` (bit i of word i / 64) have a connector that matches; empty as
  /// `accepted`.
  bool fitted = false;  ///< `accepted` knows which pairs reach into the guide; kinds are single connectors
  std::vector<std::uint64_t> takers;
  std::vector<std::uint64_t> taken;     ///< scratch: the union over a guide's free connectors
  std::vector<std::uint64_t> accepted;  ///< [kind][piece]: connectors that match; empty: too many to list
  Vec3 up;
  std::vector<std::uint32_t> order;     ///< pieces by connector count, descending, stable
  std::vector<std::uint32_t> starters;  ///< candidates for the first piece, in the order to be searched
  std::vector<std::uint32_t> drawable;  ///< kStandard: of `order`, those that may be drawn
  std::vector<double> drawable_weight;
  bool counted = false;  ///< some piece has a minimum or maximum count
  std::vector<std::uint32_t> caps;
  std::vector<nav::PieceRegions> regions;  ///< none or one per piece; for connecting passes
  OverlapKernel overlap = nullptr;
  double grid_cell = 1;  ///< m

  // The map.
  Random random;
  std::vector<Placed> placed;
  std::vector<MapView::Entry> entries;
  BoxColumns columns;
  BoxGrid grid;                          ///< of `columns`, when they are many
  std::vector<std::uint64_t> available;  ///< bit per placed piece: it may be a guide
  std::vector<Joint> joints;             ///< tree joints, then loops, as in Map
  std::vector<Joint> loops;
  std::vector<Joint> contacts;
  std::int64_t tentatives = 0;
  std::int64_t work = 0;
  End end = End::kMethod;
  std::size_t parts = 1;
  std::vector<Event>* events = nullptr;

  // Scratch.
  std::vector<Pair> pairs;
  std::vector<OrientedBox> query;
  struct Drawn {
    std::uint32_t piece;
    double weight;
  };
  std::vector<Drawn> bag;
  double bag_total = 0;
  std::array<OpenEnd, kMaximumConnectors> own_ends;
  std::array<GuideEnd, kMaximumConnectors> guide_ends;
  std::uint64_t probed = 0;      ///< connectors of the guide that were probed in the visit at hand
  std::uint64_t known_ends = 0;  ///< bits of `guide_ends` that are of the visit at hand
  EndGrid ends;                  ///< of all pieces placed; some are in use by now
  std::vector<Joint> met;
  std::vector<Banned> banned;
  std::vector<std::uint8_t> stuck;
  std::vector<std::int32_t> counts;
  std::vector<MethodState> history;  ///< state of the method before each placement, for backtracking

  void clear(std::int64_t seed);
  void log(Event event) {
    if (events != nullptr) {
      events->push_back(event);
    }
  }
  [[nodiscard]] bool matches(const FlatConnector& guide, const FlatConnector& own) const noexcept {
    return (!rules.match_pins || std::abs(guide.pins - own.pins) <= rules.pin_tolerance) &&
           (!rules.match_colours || matrix[guide.colour][own.colour]);
  }
  [[nodiscard]] std::uint64_t accepted_by(const FlatConnector& guide, std::uint32_t piece) const noexcept;
  [[nodiscard]] bool any_pair(std::uint32_t guide, std::uint32_t piece) const noexcept;
  /// Fills `taken` with the drawable pieces that some free connector of the guide takes.
  void find_takers(std::uint32_t guide);
  /// Fills `pairs`: own connector outside, guide connector inside.
  void list_pairs(std::uint32_t guide, std::uint32_t piece);
  [[nodiscard]] Pose pose_of(std::uint32_t guide, std::uint32_t piece, Pair pair) const noexcept;
  [[nodiscard]] GuideEnd guide_end(std::uint32_t guide, std::uint32_t connector) const noexcept;
  /// As pose_of for the guide of the visit at hand.
  [[nodiscard]] Pose pose_at_visit(std::uint32_t guide, std::uint32_t piece, Pair pair) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << pair.guide;
    if ((known_ends & bit) == 0) {
      known_ends |= bit;
      guide_ends[pair.guide] = guide_end(guide, pair.guide);
    }
    return facing_pose(guide_ends[pair.guide], connector(piece, pair.own));
  }
  [[nodiscard]] static Pose facing_pose(const GuideEnd& end_of, const FlatConnector& own) noexcept {
    Pose pose;
    pose.rotation = end_of.facing * own.inverse;
    pose.position = end_of.joint - pose.rotation * own.position;
    return pose;
  }
  /// Whether the tentative, made smaller by the joint's tolerance, meets its guide.
  [[nodiscard]] bool reaches_into(std::uint32_t guide, std::uint32_t piece, const Pose& pose) const;
  /// Whether the tentative meets any box but those of two neighbours.
  [[nodiscard]] bool meets_others(std::uint32_t guide, std::uint32_t other, std::uint32_t piece,
                                  const Pose& pose);
  /// Index of the first box of the range that `box` meets, or -1.
  [[nodiscard]] std::int64_t first_met(const OrientedBox& box, const OverlapRange& range);
  /// Probes a connector at which a tentative met something, and marks it shut when all others would as well.
  void probe(std::uint32_t guide, std::uint32_t connector);
  /// The piece whose box the tentative meets first, or -1.
  [[nodiscard]] std::int64_t met_piece(std::uint32_t guide, std::uint32_t piece, const Pose& pose);
  /// One past the boxes of a placed piece.
  [[nodiscard]] std::size_t boxes_end(std::size_t index) const noexcept {
    return index + 1 < placed.size() ? std::size_t{placed[index + 1].box_begin} : columns.size();
  }
  /// Whether a piece at `pose` meets any box placed.
  [[nodiscard]] bool meets_any(std::uint32_t piece, const Pose& pose);
  std::uint32_t place(std::uint32_t piece, const Pose& pose, std::int32_t parent, Pair pair);
  /// What methods see: a guide that failed a whole visit counts as full.
  void refresh(std::uint32_t index) noexcept {
    const bool closed = index < stuck.size() && stuck[index] != 0;
    entries[index].free = closed ? 0 : free_of(index);
    mark(index, entries[index].free > 0);
  }
  void mark(std::uint32_t index, bool guide) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (index % 64);
    std::uint64_t& word = available[index / 64];
    word = guide ? word | bit : word & ~bit;
  }
  [[nodiscard]] std::int32_t free_of(std::uint32_t index) const noexcept {
    return std::popcount(placed[index].free);
  }
  void use(std::uint32_t index, std::uint32_t connector) noexcept {
    placed[index].free &= ~(std::uint64_t{1} << connector);
    refresh(index);
  }
  void release(std::uint32_t index, std::uint32_t connector) noexcept {
    placed[index].free |= std::uint64_t{1} << connector;
    refresh(index);
  }
  [[nodiscard]] bool spent() const noexcept { return work >= rules.work_limit; }
  /// Chooses the first piece of a pass and places it at `pose`; when that meets something, the next candidate
  /// that does not. False when none fits.
  bool place_starter(const SelectionMethod& method, const Pose& pose);
  [[nodiscard]] MapView view() const noexcept { return MapView(entries); }
  [[nodiscard]] const FlatConnector& connector(std::uint32_t piece, std::uint32_t i) const noexcept {
    return connectors[kit[piece].connectors + i];
  }

  // kReference.
  [[nodiscard]] bool snap_reference(std::uint32_t guide, std::uint32_t piece);
  void run_reference();
  // kStandard.
  [[nodiscard]] bool snap_standard(std::uint32_t guide, std::uint32_t piece);
  [[nodiscard]] bool visit(std::uint32_t guide);
  void fill_bag(std::uint32_t guide, bool below, int round);
  /// Whether all connectors of the guide that match the piece are shut; its draws are then accounted for.
  [[nodiscard]] bool all_shut(std::uint32_t guide, std::uint32_t piece) noexcept;
  [[nodiscard]] std::int64_t other_guide(std::int64_t from, std::int64_t begin) const noexcept;
  [[nodiscard]] bool undo_last(std::uint32_t& guide);
  void join_loops_of(std::uint32_t index);
  [[nodiscard]] bool closes_loop(std::uint32_t piece, const Pose& pose, Pair pair) const noexcept;
  void add_ends_of(std::uint32_t index);
  [[nodiscard]] bool is_free(const OpenEnd& end_of) const noexcept {
    return (placed[end_of.placed].free >> end_of.connector & 1U) != 0;
  }
  [[nodiscard]] OpenEnd open_end(std::uint32_t index, std::uint32_t c) const noexcept {
    const Placed& p = placed[index];
    const FlatConnector& at = connector(p.piece, c);
    return {p.position + p.rotation * at.position, p.rotation * at.heading, index, c};
  }
  void run_pass(const Pass& pass);
  void connect_clusters(const Pass& pass);
  /// Takes the last piece away, as if it had never been placed; drop_last leaves its parent as it is.
  void take_back();
  void drop_last();
  void close_dead_ends();
  void run_standard();
};

}  // namespace strew::snap
