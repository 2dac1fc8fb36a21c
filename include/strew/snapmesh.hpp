// Maps of snappable pieces: kits, rules, selection methods, assembly, scores. See docs/snapmesh.md.
//
// After Silva, Fachada, de Andrade, Codices, "Procedural Generation of 3D Maps with Snappable Meshes", IEEE
// Access 2022. Two modes: kReference follows the published program step by step, with its random generator;
// kStandard has the same ideas without its traps. A map is a pure function of kit, rules, method and seed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strew/navigation.hpp"
#include "strew/strategy.hpp"

namespace strew::snap {

inline constexpr std::size_t kColours = 12;
/// Names of the colours 0-11: white, red, green, blue, cyan, orange, yellow, pink, purple, brown, black,
/// grey.
[[nodiscard]] std::string_view colour_name(std::size_t colour) noexcept;
/// A piece has at most this many connectors, so that those still free fit in one word.
inline constexpr std::size_t kMaximumConnectors = 64;

struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};
/// Unit quaternion.
struct Quat {
  double x = 0;
  double y = 0;
  double z = 0;
  double w = 1;
  friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

/// kZUp: right-handed, z up, metres. kUnity: left-handed, y up, z forward, as the published data.
enum class Frame : std::uint8_t { kZUp, kUnity };

/// Where a piece joins another. `heading` points out of the piece; `up` is orthogonal to it; both of length
/// 1.
struct Connector {
  std::string name;
  Vec3 position;
  Vec3 heading{1, 0, 0};
  Vec3 up{0, 0, 1};
  std::int32_t pins = 0;
  std::uint8_t colour = 0;
};

/// Oriented box. A disabled one is never met by others but still asks, as the published engine has it.
struct Box {
  Vec3 centre;
  Vec3 half_extents;
  Quat rotation;
  Vec3 query_centre;  ///< where kReference puts the centre of the asking box; equal to `centre` in own kits
  bool enabled = true;
};

/// Triangles in the frame of the piece.
struct Mesh {
  std::vector<float> positions;  ///< x, y, z of each vertex
  std::vector<std::uint32_t> triangles;
  [[nodiscard]] std::size_t triangle_count() const noexcept { return triangles.size() / 3; }
};

/// Axis-aligned part of a piece on which walking counts.
struct Zone {
  Vec3 minimum;
  Vec3 maximum;
};

struct Piece {
  std::string name;
  std::vector<Connector> connectors;  ///< in the order of the kit: as listed, then stable by pins descending
  std::vector<Box> boxes;
  Mesh mesh;
  std::vector<Zone> zones;  ///< empty: all of the mesh
  double weight = 1;        ///< of being drawn, kStandard
  std::int32_t minimum_count = 0;
  std::int32_t maximum_count = -1;  ///< -1: no limit
  bool cap = false;                 ///< closes dead ends; never drawn otherwise in kStandard
};

using ColourMatrix = std::array<std::array<bool, kColours>, kColours>;  ///< [guide][tentative]
/// White matches all, otherwise equal only.
[[nodiscard]] ColourMatrix usual_colour_matrix() noexcept;

struct Kit {
  std::string name;
  Frame frame = Frame::kZUp;
  std::vector<Piece> pieces;
  std::vector<std::uint32_t> starters;  ///< indices of pieces
  ColourMatrix colour_matrix = usual_colour_matrix();
};

/// Sorts every piece's connectors by pins descending, keeping their order otherwise.
void order_connectors(Kit& kit);
/// Refuses: no pieces, repeated names, positions, boxes or meshes that are not finite, headings of no length,
/// colours and pins out of range, more than kMaximumConnectors, indices beyond the vertices, counts that
/// contradict. `where` names piece and connector. Normalises headings and makes `up` orthogonal to them; a
/// missing or parallel `up` becomes the frame's up, or its forward where the heading is vertical.
[[nodiscard]] Status validate_kit(Kit& kit);
/// The same kit in kZUp (y and z change places). A kit in kZUp is returned as it is.
[[nodiscard]] Kit to_z_up(Kit kit);
/// A kit made by code, z up, metres: hubs, corridors, rooms, a ramp, stairs, two floors, end caps.
[[nodiscard]] Kit built_in_kit();

enum class Mode : std::uint8_t { kReference, kStandard };

/// What both modes read first; the defaults are those of the published program.
struct Rules {
  Mode mode = Mode::kReference;
  bool use_starter = false;
  double piece_distance = 0.0001;  ///< gap along the guide connector's heading
  std::int32_t max_fails = 10;     ///< failed tentatives per guide visit, >= 1
  bool check_overlaps = false;
  bool match_pins = false;
  bool match_colours = false;
  std::int32_t pin_tolerance = 0;
  std::int32_t starter_tolerance = 0;
  // kStandard only.
  std::int32_t cap_pieces = 100000;  ///< at most so many pieces, caps included
  double joint_tolerance = 0.05;     ///< the tentative is this much smaller, on each side, against its guide
  std::int32_t backtrack = 8;        ///< pieces that may be taken away again when no open connector takes any
  bool join_loops = true;            ///< coincident free connectors are joined
  bool prefer_loops = false;         ///< among the poses of a piece that fit, one that closes a loop is taken
  bool close_dead_ends = false;      ///< with the kit's cap pieces
  /// Poses tried after which a map ends with what was found; both modes.
  std::int64_t work_limit = 1'000'000;
};
/// check_overlaps, pins and colours on.
[[nodiscard]] Rules standard_rules() noexcept;

/// Random numbers of one map. kReference: Xorshift128 seeded as the published engine does. kStandard: Philox
/// by (seed, step, draw).
class Random {
 public:
  void start(Mode mode, std::int64_t seed) noexcept;
  /// kStandard: the draws that follow belong to this step.
  void step(std::uint64_t number) noexcept;
  /// In [a, b) for a < b; a == b gives a and draws nothing.
  [[nodiscard]] std::int64_t range(std::int64_t a, std::int64_t b) noexcept;
  [[nodiscard]] std::uint32_t next() noexcept;
  /// kStandard: as `count` calls of next().
  void skip(std::uint64_t count) noexcept;
  [[nodiscard]] std::uint64_t draws() const noexcept { return draws_; }
  /// kReference: the generator's words.
  [[nodiscard]] const std::array<std::uint32_t, 4>& state() const noexcept { return state_; }

 private:
  void make_block() noexcept;

  std::array<std::uint32_t, 4> state_{};
  std::array<std::uint32_t, 2> key_{};
  std::uint64_t step_ = 0;
  std::uint64_t in_step_ = 0;
  std::uint64_t draws_ = 0;
  Mode mode_ = Mode::kReference;
};

/// What a selection method sees of the map.
class MapView {
 public:
  struct Entry {
    std::uint32_t piece;
    std::int32_t free;  ///< connectors
  };
  explicit MapView(std::span<const Entry> entries) noexcept : entries_(entries) {}
  [[nodiscard]] std::int64_t placed() const noexcept { return static_cast<std::int64_t>(entries_.size()); }
  [[nodiscard]] std::int32_t free(std::int64_t index) const noexcept {
    return entries_[static_cast<std::size_t>(index)].free;
  }
  [[nodiscard]] bool full(std::int64_t index) const noexcept { return free(index) == 0; }

 private:
  std::span<const Entry> entries_;
};

/// Memory of a selection method during one map: methods themselves are stateless.
struct MethodState {
  std::array<std::int64_t, 4> setting{};  ///< parameters, filled by prepare()
  std::array<std::int64_t, 8> memory{};   ///< zero at the start of each map or pass
  std::int64_t last_guide = 0;            ///< the guide accepted last
};

/// A strategy that decides where a map grows: derive, add to a Registry, name by id.
class SelectionMethod : public Strategy {
 public:
  /// Reads the parameters of info() into `state.setting`; refuses contradictions.
  [[nodiscard]] virtual Status prepare(const ResolvedParameters& parameters, MethodState& state) const = 0;
  /// Whether a map starts with a piece of most connectors (true) or fewest.
  [[nodiscard]] virtual bool starts_with_most() const noexcept = 0;
  /// Before the first piece of a map or pass is chosen.
  virtual void start(MethodState& state, Random& random) const;
  /// Whether a pass of this method joins separated clusters instead of growing from guide to guide: select()
  /// is then not asked. setting: 0 pieces of a bridge, 1 bridges, 2 poses tried for a pair of connectors and
  /// length.
  [[nodiscard]] virtual bool connects() const noexcept { return false; }
  /// Index of the next guide among the placed, or -1 to end.
  [[nodiscard]] virtual std::int64_t select(MethodState& state, const MapView& map, Random& random) const = 0;
};

[[nodiscard]] const SelectionMethod& arena() noexcept;     ///< snapmesh/arena: max_pieces
[[nodiscard]] const SelectionMethod& corridor() noexcept;  ///< snapmesh/corridor: max_pieces
[[nodiscard]] const SelectionMethod& star() noexcept;      ///< snapmesh/star: arm_length, arm_length_var
/// snapmesh/branch: branch_count, branch_length, branch_length_var.
[[nodiscard]] const SelectionMethod& branch() noexcept;
/// snapmesh/connect, for later passes: bridge_pieces, max_bridges, bridge_work. Looks for free connectors of
/// different clusters that face one another, nearest first, and tries to bridge them with 1, 2, ... pieces.
/// Clusters are parts between which nobody walks when Assembler::create is given the regions of the pieces,
/// parts without a joint between them otherwise.
[[nodiscard]] const SelectionMethod& connect() noexcept;
/// The method of a full id ("snapmesh/arena") or its last part ("arena"); suggests the nearest.
[[nodiscard]] Result<const SelectionMethod*> find_method(const Registry& registry, std::string_view id);

/// One round of growth. The first begins with the starter; later ones with the first placed piece that has a
/// free connector, under their own method (max_pieces counts all that is placed). A detached one, which
/// cannot be the first, begins with a starter of its own at `origin`, not turned, and sees and grows only
/// what it placed itself: another floor, another island. When no starter fits there, it adds nothing.
struct Pass {
  const SelectionMethod* method = nullptr;
  MethodState state;  ///< from prepare()
  bool detached = false;
  Vec3 origin{};
};
/// The parameters that every method shares: those of Rules, by the same names. A method of your own may add
/// them to its info() so that listings show them.
[[nodiscard]] std::span<const ParameterInfo> rule_parameters() noexcept;
/// Sets the members of `rules` that `parameters` names and makes a pass of `method` with the rest. Unknown
/// names and values out of range are refused.
[[nodiscard]] Status configure(const SelectionMethod& method, const ParameterSet& parameters, Rules& rules,
                               Pass& pass);

struct Placement {
  std::uint32_t piece = 0;
  Vec3 position;
  Quat rotation;             ///< w >= 0
  std::int32_t parent = -1;  ///< -1: a starter
  std::int32_t parent_connector = -1;
  std::int32_t own_connector = -1;
};
/// Two connectors that face each other: those of a placement and its parent, and joined loops.
struct Joint {
  std::uint32_t a = 0;  ///< index of a placement
  std::uint32_t a_connector = 0;
  std::uint32_t b = 0;
  std::uint32_t b_connector = 0;
};

enum class End : std::uint8_t { kMethod, kStuck, kGuideFull, kWorkLimit, kPieceCap };
[[nodiscard]] std::string_view to_string(End end) noexcept;

struct Map {
  std::vector<Placement> placements;
  std::vector<Joint> joints;  ///< tree joints in order of placement, then loops
  End end = End::kMethod;
  std::int64_t tentatives = 0;
  std::uint64_t rng_draws = 0;
  std::array<std::uint32_t, 4> rng_state{};  ///< kReference
};

/// The map of a kit in kUnity as a map of to_z_up(kit).
[[nodiscard]] Map to_z_up(Map map);

/// A decision of the assembly, for the log in words and in JSON.
struct Event {
  enum class Kind : std::uint8_t {
    kStarter,    ///< placed index, piece, value: free connectors
    kGuide,      ///< placed index, value: free connectors
    kNoPair,     ///< tentative `piece`: no free connectors match
    kOverlap,    ///< tentative `piece` by own/guide connector met placed `value`
    kSnap,       ///< placed index, piece, parent `value`, connectors
    kLoop,       ///< placed index and own connector joined with placed `value`, guide_connector
    kBacktrack,  ///< placed index taken away
    kCap,        ///< as kSnap, a cap
    kMissed,     ///< guide visit ended after `value` failed tentatives
    kPass,       ///< pass `value` begins
    kClusters,   ///< the map is in `value` clusters
    kBridge,     ///< placed index by guide_connector bridged to placed `value` by own_connector with `piece`
                 ///< pieces
    kEnd,        ///< value: End
  };
  Kind kind = Kind::kEnd;
  std::uint32_t placed = 0;
  std::uint32_t piece = 0;
  std::int32_t own_connector = -1;
  std::int32_t guide_connector = -1;
  std::int64_t value = 0;
};
/// One line per event, in words.
[[nodiscard]] std::vector<std::string> narrate(const Kit& kit, std::span<const Event> events);

/// Assembles maps of one kit under fixed rules. Reuses its memory from map to map: one per worker, not
/// thread-safe; create() copies what it needs of the kit. A typical 20-piece map takes microseconds.
class Assembler {
 public:
  /// `kit` validated, its connectors ordered. Refuses rules out of range, an instruction set this machine
  /// lacks, use_starter without starters, no passes, and regions that do not fit the kit. `regions`, one per
  /// piece or none, tell a connecting pass where walkers get through; nothing else reads them.
  [[nodiscard]] static Result<Assembler> create(const Kit& kit, const Rules& rules, std::vector<Pass> passes,
                                                Isa isa = Isa::kBest,
                                                std::span<const nav::PieceRegions> regions = {});
  Assembler(Assembler&&) noexcept;
  Assembler& operator=(Assembler&&) noexcept;
  ~Assembler();

  /// Makes the map of `seed` (kReference: its low 32 bits) and keeps it inside; `events`, when given, is
  /// replaced by the decisions. Always ends: work_limit ends a map with what was found.
  [[nodiscard]] Status run(std::int64_t seed, std::vector<Event>* events = nullptr);
  /// Of the last run().
  [[nodiscard]] std::size_t pieces() const noexcept;
  [[nodiscard]] std::span<const Joint> joints() const noexcept;
  /// Free connectors that meet face to face but may not be joined by the rules: no joints, yet a walker
  /// passes.
  [[nodiscard]] std::span<const Joint> contacts() const noexcept;
  [[nodiscard]] std::uint32_t piece_of(std::size_t placed) const noexcept;
  [[nodiscard]] std::int32_t free_connectors() const noexcept;
  /// Parts of the map without a joint between them: 1 unless passes are detached.
  [[nodiscard]] std::size_t parts() const noexcept;
  [[nodiscard]] std::int64_t tentatives() const noexcept;
  [[nodiscard]] Vec3 position_of(std::size_t placed) const noexcept;
  [[nodiscard]] Vec3 connector_position(std::size_t placed, std::size_t connector) const noexcept;
  /// Axis-aligned bounds of all boxes placed.
  void bounds(Vec3& minimum, Vec3& maximum) const noexcept;
  void copy_map(Map& out) const;

  struct Impl;

 private:
  explicit Assembler(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// Facade: the map of strategy `id` ("snapmesh/arena"), with rules and method parameters by name.
[[nodiscard]] Result<Map> assemble(const Registry& registry, std::string_view id, const Kit& kit,
                                   std::int64_t seed, Rules rules, const ParameterSet& parameters,
                                   const RunContext& context = {}, std::vector<Event>* events = nullptr);

}  // namespace strew::snap
