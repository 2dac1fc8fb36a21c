// Scatter: layers of species over terrain, as a pure function of (seed, configuration, place).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "strew/strategy.hpp"
#include "strew/terrain.hpp"

namespace strew {

/// A mesh (prefab) that stands for a species, chosen per instance by weight.
struct MeshSpec {
  std::string name;
  double weight = 1;  ///< finite, >= 0; the weights of a list must not all be 0
};

/// How an instance stands on the ground. Not stored: Scatter::transforms recomputes it.
struct TransformSpec {
  double align = 0;              ///< share of the terrain's tilt that is taken over, in [0, 1]
  double max_tilt_degrees = 90;  ///< in [0, 90]
  Range offset_m = {0, 0};       ///< height above the ground, drawn per instance, within +-1000
  double sink_m = 0;             ///< lowered by this times the tangent of the slope, in [0, 100]
  std::optional<Range> scale_y;  ///< scale along y and z drawn apart, where given; else that of x
  std::optional<Range> scale_z;
  std::vector<MeshSpec> meshes;  ///< empty: one mesh, number 0

  /// Takes over a share of the terrain's tilt.
  [[nodiscard]] bool tilts() const noexcept { return align > 0 && max_tilt_degrees > 0; }
  /// Instances stand on their ground, upright, with one scale and one mesh: as the columns of a table say.
  [[nodiscard]] bool plain() const noexcept {
    return !tilts() && offset_m.minimum == 0 && offset_m.maximum == 0 && sink_m <= 0 && !scale_y &&
           !scale_z && meshes.empty();
  }
};

/// Factor of a species' weight at places of one biome class.
struct BiomeWeight {
  std::uint8_t biome = 0;
  double factor = 1;  ///< finite, >= 0
};

/// One kind of thing a layer places. Chosen per point with probability weight / sum of weights over the
/// species that may stand there, by a hash of the point.
struct SpeciesSpec {
  std::string name;
  double weight = 1;             ///< finite, >= 0; the weights of a list must not all be 0
  Range scale = {1, 1};          ///< uniform scale factor, 0 < minimum <= maximum
  Range yaw_degrees = {0, 360};  ///< rotation about z
  /// Each rule given here replaces the layer's own for this species. A point where no species of the layer
  /// (with a weight above 0 there) may stand is rejected. At most 64 species in a list that uses this or
  /// biome_weights.
  std::optional<Constraints> constraints = {};
  std::vector<BiomeWeight> biome_weights = {};  ///< classes not listed: 1; a biome appears once
  TransformSpec transform = {};
  std::string mesh = {};  ///< path of a glTF file that exporters show; no part of the world itself
};

/// Things around each primary of a layer, or around each secondary of another type: an amount drawn uniformly
/// from [amount_min, amount_max], each at a place uniform by area in the ring around its parent. Keyed by the
/// parent's identity: they appear and vanish with it.
struct SecondarySpec {
  std::string name;
  std::int32_t amount_min = 0;
  std::int32_t amount_max = 1;  ///< 0 <= amount_min <= amount_max <= 64
  Range ring_m = {0, 1};        ///< distance to the parent, 0 <= minimum < maximum <= 1000
  /// To other secondaries of the same parent and type; the one drawn first stays. This and the next two in
  /// [0, 1000].
  double spacing_siblings_m = 0;
  double spacing_parents_m = 0;    ///< to all that parents of this type may be, the own one included
  double spacing_primaries_m = 0;  ///< to the primaries of the layer other than the parent
  std::optional<Constraints>
      own_constraints;  ///< absent: those that hold for the parent are checked at the secondary's place
  std::vector<SpeciesSpec> species;
  std::vector<SecondarySpec> secondaries;  ///< around each of these; at most kMaxSecondaryDepth levels
};
inline constexpr int kMaxSecondaryDepth = 4;

/// How many of the points that a layer's rules accept stand. Each such point has a hash, a function of the
/// seed, the layer's name and the point's identity; smaller ones come first.
///
/// kSmallest: the points with the smallest hashes of the world, or of each square of `per_square_m` (anchored
/// at world 0), stand. How many is drawn uniformly from [minimum, maximum], for the world or for each square.
/// Where fewer are accepted, all of them stand. A square is filled without regard to the extent, which crops
/// it.
///
/// kReserved: exactly `minimum` (= maximum) in the world, or, with `per_square_m`, as many as that makes of
/// the extent's area, rounded down; spread evenly. Fewer only where the rules accept fewer in the whole
/// world. The rule: the extent is cut into cells (squares of per_square_m; without it the largest power of
/// two of metres that gives a cell at most one point, at most 1024 m as long as there are no more than 2^18
/// blocks), anchored at world 0, and those into blocks of 16 x 16 cells (more where that is below 256 m).
/// Blocks, in Morton order from the extent's south-west, have quotas by the running sum of their area inside
/// the extent, rounded down; so have the cells of a block. A cell keeps the smallest hashes of its points.
/// What a cell is short of goes to the other cells of its block in Morton order, to each at most its quota
/// again (at least 1) in the first round, twice that in the next and so on; what a block is short of passes
/// on to the next block; what is left at the end begins again at the first. A region needs its blocks and the
/// last of the world, and those before either as far as the remainder that reaches them depends on them.
struct AmountSpec {
  enum class Choice : std::uint8_t { kSmallest = 0, kReserved };
  Choice choice = Choice::kSmallest;
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;  ///< minimum <= maximum <= 2^22
  double per_square_m = 0;   ///< side of a square in metres, in [1, 100000]; 0: the numbers are the world's
};

struct LayerSpec {
  std::string name;  ///< unique; keys the layer's random stream, so order and other layers do not
  /// Keys the strategy's points in place of the name: layers of one stream share one point set. Empty: the
  /// name.
  std::string stream;
  /// Of a strategy that makes several classes: the class that this layer takes. Absent: one class expected.
  std::optional<std::uint8_t> point_class;
  std::string strategy = "poisson/tiled";
  ParameterSet parameters;
  Constraints constraints;
  std::vector<SpeciesSpec> species;
  std::optional<AmountSpec> amount;  ///< absent: every point that the rules accept
  /// Distance in metres kept to the accepted primaries of an earlier layer, by its name.
  std::vector<std::pair<std::string, double>> spacing_m;
  std::vector<SecondarySpec> secondaries;
};

struct ScatterSpec {
  std::uint64_t seed = 0;
  Rect extent;  ///< no instance stands outside it; it crops and does not otherwise enter the function
  std::vector<LayerSpec> layers;
  /// generate() fills the exact columns of its tables too. The others, ids and hashes do not depend on it.
  bool exact_columns = false;
};

/// Terrain as rasters that cover a rectangle. The arrays belong to the window; the views point into them.
struct TerrainWindow {
  TerrainView view;
  std::vector<float> elevation;
  std::vector<float> slope;
  std::vector<std::uint8_t> biome;
  std::vector<std::vector<float>> map_data;
  std::vector<RasterView<float>> maps;
};

/// Where terrain comes from. Implementations are thread-safe.
class TerrainSource {
 public:
  TerrainSource() = default;
  TerrainSource(const TerrainSource&) = delete;
  TerrainSource& operator=(const TerrainSource&) = delete;
  virtual ~TerrainSource() = default;
  /// Fills `out` so that every position in `need` samples (elevation, slope, biome) exactly as it would from
  /// the whole terrain: the window includes the sampling and Horn halos. Positions beyond the terrain sample
  /// as kOutside.
  [[nodiscard]] virtual Status window(const Rect& need, TerrainWindow& out) const = 0;
};

/// No rasters at all: altitude 0 everywhere; constraints on biome, altitude and slope are refused by
/// Scatter::create.
[[nodiscard]] const TerrainSource& flat_terrain() noexcept;

/// Instances of one slot (a layer's primaries, or one of its secondary types), sorted as PointSet is. Columns
/// are the canonical integers that are hashed and stored:
///   position x, y = index * lattice.pitch units; z = z_steps / 1024 m (rounded to nearest, error <= 0.49
///   mm); yaw = minimum + (maximum - minimum) * yaw / 65536; scale = minimum + (maximum - minimum) * scale /
///   65535.
/// The exact columns are what these were rounded from: the altitude as sampled and the draws in full. They
/// are all there, one entry a row, or all empty.
struct InstanceTable {
  Lattice lattice;
  std::vector<std::int64_t> x;
  std::vector<std::int64_t> y;
  std::vector<std::int32_t> z_steps;
  std::vector<std::uint16_t> species;  ///< index into the slot's species list
  std::vector<std::uint16_t> yaw;
  std::vector<std::uint16_t> scale;
  std::vector<double> z_exact = {};             ///< metres; z_steps = floor(1024 * z_exact + 0.5)
  std::vector<std::uint32_t> yaw_exact = {};    ///< as yaw, over 2^32; yaw is its upper half
  std::vector<std::uint32_t> scale_exact = {};  ///< as scale, over 2^32 - 1; scale is its upper half

  [[nodiscard]] std::size_t size() const noexcept { return x.size(); }
  [[nodiscard]] bool exact() const noexcept { return !z_exact.empty(); }
  /// The most precise value that row `i` has; `range` is that of its species.
  [[nodiscard]] double z_m(std::size_t i) const noexcept {
    return exact() ? z_exact[i] : z_steps[i] / 1024.0;
  }
  [[nodiscard]] double yaw_degrees(std::size_t i, const Range& range) const noexcept {
    const double width = range.maximum - range.minimum;
    return range.minimum + (exact() ? width * yaw_exact[i] / 4294967296.0 : width * yaw[i] / 65536.0);
  }
  [[nodiscard]] double scale_factor(std::size_t i, const Range& range) const noexcept {
    const double width = range.maximum - range.minimum;
    return range.minimum + (exact() ? width * scale_exact[i] / 4294967295.0 : width * scale[i] / 65535.0);
  }
};

/// 64-bit identity of an instance: 6 bits slot, 29 bits each of the identity square's y and x index (modulo
/// 2^29). Injective in a world less than 2^29 squares wide and high (checked by Scatter::create); a function
/// of slot and position alone, so it is recomputed and never stored.
[[nodiscard]] std::uint64_t instance_id(std::uint32_t slot, const Lattice& lattice, std::int64_t x,
                                        std::int64_t y) noexcept;
/// Hash of every column of the table for a slot; sums over tiles to the world's hash.
[[nodiscard]] SetHash hash_instances(std::uint32_t slot, const InstanceTable& table) noexcept;

/// A slot is one output table: slot i < layers is layer i's primaries; secondary types count down from
/// slot 63, each before the types around it.
struct SlotInfo {
  std::uint32_t slot = 0;                ///< number in instance ids, below 64
  std::string name;                      ///< "canopy", "canopy/mushrooms", "canopy/mushrooms/snails"
  std::size_t layer = 0;                 ///< index of the layer
  std::optional<std::size_t> secondary;  ///< number among the layer's secondary types, absent for primaries
  Lattice lattice;
  std::span<const SpeciesSpec> species;  ///< into the Scatter's own copy of the spec
  std::size_t parent = 0;                ///< of a secondary type: index in slots() of what it stands around
  const SecondarySpec* type = nullptr;   ///< of a secondary type; into the Scatter's own copy
  const Constraints* constraints = nullptr;  ///< the rules that hold for the slot, inherited or its own
};

/// What became of the candidates of one slot. Points are made, and counted, where the terrain lets some pass:
/// not in squares of 16 m, anchored at world 0, whose altitudes, slopes or biomes a rule excludes altogether.
struct SlotReport {
  std::uint64_t candidates = 0;
  std::uint64_t placed = 0;
  RejectionCounts rejected{};
  std::vector<std::uint64_t> placed_by_species;
  void merge(const SlotReport& other);
};

/// A candidate of a slot and what became of it.
struct CandidateFate {
  Coord x = 0;
  Coord y = 0;
  Rejection reason = Rejection::kCount;  ///< kCount: it stands
};

/// What an engine needs beside the columns of an InstanceTable.
struct InstanceTransform {
  double z_m = 0;                                ///< with offset and sink
  std::array<float, 4> rotation = {0, 0, 0, 1};  ///< unit quaternion x, y, z, w: yaw first, then the tilt
  std::array<float, 3> scale = {1, 1, 1};
  std::uint16_t mesh = 0;  ///< index into the species' meshes
};

class Census;

/// A validated scatter world. Immutable and thread-safe after create().
class Scatter {
 public:
  /// Checks every field (names as in the error's `where`: "layers[2].species[0].weight"), resolves strategies
  /// against the registry and computes lattices and reaches. `terrain_kinds`: which rasters the terrain has.
  struct TerrainKinds {
    bool elevation = false;
    bool biome = false;
    std::size_t maps = 0;  ///< rules name maps and shapes by number, below these
    std::size_t shapes = 0;
  };
  [[nodiscard]] static Result<Scatter> create(ScatterSpec spec, TerrainKinds terrain,
                                              const Registry& registry = builtin_registry());
  Scatter(Scatter&&) noexcept;
  Scatter& operator=(Scatter&&) noexcept;
  Scatter(const Scatter&) = delete;
  Scatter& operator=(const Scatter&) = delete;
  ~Scatter();

  [[nodiscard]] const ScatterSpec& spec() const noexcept;
  [[nodiscard]] std::span<const SlotInfo> slots() const noexcept;
  /// How far, in units, the outcome at a place can depend on terrain and earlier layers around it (the chain
  /// of spacing radii and rings; the strategies' own halos are unbounded in principle and not included).
  [[nodiscard]] Coord reach() const noexcept;
  /// The terrain that generate() asks for when it is given `region`, which must meet the extent: nothing
  /// outside it can change what stands in the region.
  [[nodiscard]] Rect terrain_needed(const Rect& region) const noexcept;
  /// Largest output_version-relevant number of the strategies used and of scatter itself, combined.
  [[nodiscard]] std::uint32_t output_version() const noexcept;
  /// How many primaries layer `layer` is asked for in the world: of amounts per world, and of reserved
  /// points. Absent for others, and beyond the layers.
  [[nodiscard]] std::optional<std::uint64_t> requested(std::size_t layer) const noexcept;

  /// Instances of every slot (in slots() order) inside `region` cut with the extent. `reports`, when not
  /// empty, holds slots().size() entries that are added to, counting candidates whose place lies in the
  /// region. Runs serially on the calling thread, apart from point generation, which may use
  /// context.executor. `census`: of this world on the same ground (strew/scatter_census.hpp); without one, a
  /// world with amounts counts anew in each call. Thread-safe.
  [[nodiscard]] Status generate(const Rect& region, const TerrainSource& terrain, const RunContext& context,
                                std::vector<InstanceTable>& out, std::span<SlotReport> reports = {},
                                Census* census = nullptr) const;

  /// Every candidate of slot `slot` (an index into slots()) inside `region` cut with the extent, with its
  /// fate; in an order that depends on nothing but the world and the region. Costs what generate() costs for
  /// the slot's layer and those before it. Thread-safe.
  [[nodiscard]] Status explain(const Rect& region, const TerrainSource& terrain, const RunContext& context,
                               std::size_t slot, std::vector<CandidateFate>& out,
                               Census* census = nullptr) const;

  /// Replaces `out` by one entry per instance of `table`, which is slot `slot`'s. A function of the world,
  /// the identity and the place alone: any part of a table gives the same. The tilt is that of the
  /// elevation's central differences over two cells; on flat_terrain there is none. O(n) and one terrain
  /// window over the table. Thread-safe.
  [[nodiscard]] Status transforms(std::size_t slot, const InstanceTable& table, const TerrainSource& terrain,
                                  std::vector<InstanceTransform>& out) const;

  struct Impl;  ///< defined inside the library
  [[nodiscard]] const Impl& impl() const noexcept { return *impl_; }

 private:
  explicit Scatter(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strew
