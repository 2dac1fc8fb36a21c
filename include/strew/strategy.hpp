// The menu: strategies, their parameters, the registry and the Generator facade.
//
// A strategy is stateless and immutable; all members are const and thread-safe. The registry is an explicit
// array in order of preference: copy it, add your own, hand it to a Generator. Nothing registers itself.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "strew/context.hpp"
#include "strew/hash.hpp"
#include "strew/types.hpp"

namespace strew {

enum class ParameterKind : std::uint8_t { kReal, kInteger, kBool, kChoice };

/// Metadata of one parameter: command line, C ABI, documentation and benchmarks are made from it.
struct ParameterInfo {
  std::string_view name;
  ParameterKind kind = ParameterKind::kReal;
  std::string_view unit;  ///< "m", "1/m2", "degrees", or empty
  double minimum = 0;     ///< inclusive range for real and integer
  double maximum = 0;
  double default_value = 0;  ///< for kBool 0 or 1, for kChoice the index into `choices`
  bool required = false;     ///< true: no default, must be given
  std::string_view meaning;
  std::span<const std::string_view> choices = {};
};

/// A parameter's value: bool, integer, real, or a choice's (or number's) text.
using ParameterValue = std::variant<bool, std::int64_t, double, std::string>;

/// Values given by name. Unordered in meaning; the last value set for a name counts.
class ParameterSet {
 public:
  void set(std::string_view name, ParameterValue value);
  /// Null when absent. The pointer lives until the next set().
  [[nodiscard]] const ParameterValue* find(std::string_view name) const noexcept;
  struct Entry {
    std::string name;
    ParameterValue value;
  };
  [[nodiscard]] std::span<const Entry> entries() const noexcept { return entries_; }

 private:
  std::vector<Entry> entries_;
};

/// What a strategy promises. Combine with |.
enum Promise : std::uint32_t {
  kCropEqualsWhole = 1U << 0,  ///< generating a rectangle equals cutting it from the plane
  kMinimumDistance = 1U << 1,  ///< no two points closer than the radius, exactly
  kMaximal = 1U << 2,          ///< no lattice position is left at the radius or more from every point
  kUnbiased = 1U << 3,         ///< statistics of random sequential adsorption; no lattice, no seam
};
/// Names of the promises in a mask, in the order above.
[[nodiscard]] std::vector<std::string_view> promise_names(std::uint32_t promises);

struct StrategyInfo {
  std::string_view id;       ///< algorithm, such as "poisson/tiled": what worlds and configs name
  std::string_view backend;  ///< "ref", "hwy", "xsimd": a run option, never part of a hash
  std::string_view description;
  std::string_view source;  ///< paper and section, or "original"
  std::uint32_t output_version = 1;
  bool bit_equal_to_reference = true;
  std::uint32_t promises = 0;
  std::span<const ParameterInfo> parameters;
  bool has_classes = false;  ///< points carry classes (PointSet::class_of)

  /// "id/backend".
  [[nodiscard]] std::string full_id() const;
};

/// Parameters checked against a strategy's metadata: every parameter present, of its kind, in range.
class ResolvedParameters {
 public:
  /// Unknown names (with the nearest known one suggested), missing required ones, wrong kinds, NaN and values
  /// out of range are refused with the parameter's name, its value and its range. Text is parsed to the
  /// parameter's kind.
  [[nodiscard]] static Result<ResolvedParameters> resolve(const StrategyInfo& info,
                                                          const ParameterSet& given);
  /// Precondition for all: `name` is in the metadata with that kind (kInteger for integer, kChoice gives the
  /// index).
  [[nodiscard]] double real(std::string_view name) const noexcept;
  [[nodiscard]] std::int64_t integer(std::string_view name) const noexcept;
  [[nodiscard]] bool boolean(std::string_view name) const noexcept;
  [[nodiscard]] std::size_t choice(std::string_view name) const noexcept;
  /// Whether the caller gave the parameter (false: the default is in force).
  [[nodiscard]] bool given(std::string_view name) const noexcept;

 private:
  struct Slot {
    std::string_view name;
    double value = 0;
    bool given = false;
  };
  [[nodiscard]] const Slot& slot(std::string_view name) const noexcept;
  std::vector<Slot> slots_;
};

/// Integer lattice on which a strategy places its points: position = index * pitch units on each axis.
struct Lattice {
  Coord pitch = 1;  ///< units, >= 1
  /// Side, in lattice steps, of the squares (anchored at index 0) that hold at most one point each: a point's
  /// identity is the index of its square, floor(index / identity_step). 1 when only the position itself is
  /// unique.
  std::int64_t identity_step = 1;
  friend constexpr bool operator==(const Lattice&, const Lattice&) = default;
};

/// Points as lattice indices; sorted by identity square, row-major (y, then x), then by y, then x.
struct PointSet {
  Lattice lattice;
  std::vector<std::int64_t> x;
  std::vector<std::int64_t> y;
  /// Class of each point, for strategies that make several classes (poisson/multiclass): as long as x. Empty
  /// in a set of one class.
  std::vector<std::uint8_t> class_of;

  [[nodiscard]] std::size_t size() const noexcept { return x.size(); }
  [[nodiscard]] Coord unit_x(std::size_t i) const noexcept { return x[i] * lattice.pitch; }
  [[nodiscard]] Coord unit_y(std::size_t i) const noexcept { return y[i] * lattice.pitch; }
};

/// Order-independent hash of the world positions in a set (units, so independent of the lattice chosen) and,
/// where the set has them, of the classes.
[[nodiscard]] SetHash hash_points(const PointSet& points) noexcept;
/// The same by all workers of a context, whose progress is not called; kCancelled when it is cancelled.
[[nodiscard]] Result<SetHash> hash_points(const PointSet& points, const RunContext& context);

struct PointRequest {
  Rect region;               ///< crop, in world units
  std::uint64_t seed = 0;    ///< world seed
  std::uint64_t stream = 0;  ///< layer: independent sets of one seed
};

class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;
  [[nodiscard]] virtual const StrategyInfo& info() const noexcept = 0;
};

/// A strategy whose output is a set of points on the plane.
class PointStrategy : public Strategy {
 public:
  /// The lattice for these parameters; refuses combinations that single ranges cannot express.
  [[nodiscard]] virtual Result<Lattice> lattice(const ResolvedParameters& parameters) const = 0;
  /// Smallest distance between two points, in metres; 0 when none is promised.
  [[nodiscard]] virtual double minimum_distance(const ResolvedParameters& parameters) const = 0;
  /// Replaces `out` by the points in request.region, in PointSet order. On error `out` is unspecified.
  /// Runs in parallel over context.executor where the algorithm can.
  [[nodiscard]] virtual Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                        const RunContext& context, PointSet& out) const = 0;
};

/// Strategies in order of preference. A plain value: copy and extend it.
struct Registry {
  std::vector<const Strategy*> strategies;

  /// By id ("poisson/tiled": the first, so preferred, backend) or full id ("poisson/tiled/ref"). Unknown:
  /// kNotFound, with the nearest known id in the message.
  [[nodiscard]] Result<const Strategy*> find(std::string_view id) const;
  /// find(), refusing strategies that do not make points.
  [[nodiscard]] Result<const PointStrategy*> find_points(std::string_view id) const;
};

/// The strategies of this build. They live as long as the process and are immutable.
[[nodiscard]] Registry builtin_registry();

/// Facade: from an id and parameters to output.
class Generator {
 public:
  explicit Generator(Registry registry = builtin_registry()) : registry_(std::move(registry)) {}
  [[nodiscard]] const Registry& registry() const noexcept { return registry_; }
  /// Points of strategy `id` in the request's region. Thread-safe.
  [[nodiscard]] Result<PointSet> points(std::string_view id, const PointRequest& request,
                                        const ParameterSet& parameters, const RunContext& context = {}) const;

  /// Takes one part of a stream of points; a status that is not ok ends the stream, which returns it.
  using PointSink = std::function<Status(const PointSet& part)>;
  /// The same points part by part, so that memory depends on the part and not on the region: the region is
  /// cut into equal rectangles, as few as are at most `part_metres` (> 0) on a side, row by row, and `sink` is
  /// called once for each, in that order, on the calling thread. Each point comes once; each part is sorted as
  /// a PointSet. Parts are made one after another, each in parallel as `points` would be.
  ///
  /// Errors: those of `points`; kInvalidArgument when a part is no positive number or the strategy lacks
  /// kCropEqualsWhole, so that its parts would not make up the whole.
  [[nodiscard]] Status stream(std::string_view id, const PointRequest& request,
                              const ParameterSet& parameters, double part_metres, const PointSink& sink,
                              const RunContext& context = {}) const;

 private:
  Registry registry_;
};

/// The candidate nearest to `word` by edit distance, or empty when none is near enough to suggest.
[[nodiscard]] std::string_view nearest_name(std::string_view word,
                                            std::span<const std::string_view> candidates);

}  // namespace strew
