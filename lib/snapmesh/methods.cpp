// The four selection methods of the paper, as strategies.
#include <algorithm>
#include <array>

#include "parameters.hpp"

namespace strew::snap {
namespace {

constexpr std::string_view kSource =
    "Silva, Fachada, de Andrade, Codices: Procedural Generation of 3D Maps with Snappable Meshes, "

    "IEEE Access 2022, section IV";

constexpr ParameterInfo kMaxPieces =
    whole_parameter("max_pieces", 1, 1e6, 20, "pieces after which growth ends, the starter included");
constexpr auto kArenaParameters = with_rules(std::array{kMaxPieces});
constexpr auto kStarParameters =
    with_rules(std::array{whole_parameter("arm_length", 0, 1e6, 5, "mean number of pieces of an arm"),
                          whole_parameter("arm_length_var", 0, 1e6, 0, "largest deviation from arm_length")});
constexpr auto kBranchParameters = with_rules(
    std::array{whole_parameter("branch_count", 1, 1e6, 3, "branches to be made"),
               whole_parameter("branch_length", 0, 1e6, 6, "mean number of pieces of a branch"),
               whole_parameter("branch_length_var", 0, 1e6, 0, "largest deviation from branch_length")});

#ifdef STREW_SCALAR
constexpr std::string_view kBackend = "ref";
#else
constexpr std::string_view kBackend =
    "hwy";  ///< of the overlap test; RunContext::max_isa chooses among its kernels
#endif

constexpr StrategyInfo info_of(std::string_view id, std::string_view description,
                               std::span<const ParameterInfo> parameters) {
  return {.id = id,
          .backend = kBackend,
          .description = description,
          .source = kSource,
          .output_version = 1,
          .bit_equal_to_reference = true,
          .promises = 0,
          .parameters = parameters};
}

class Arena final : public SelectionMethod {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override {
    static constexpr StrategyInfo kInfo = info_of(
        "snapmesh/arena", "Map of snapped pieces that fills the ground around its starter", kArenaParameters);
    return kInfo;
  }
  [[nodiscard]] Status prepare(const ResolvedParameters& parameters, MethodState& state) const override {
    state.setting[0] = parameters.integer("max_pieces");
    return {};
  }
  [[nodiscard]] bool starts_with_most() const noexcept override { return true; }
  [[nodiscard]] std::int64_t select(MethodState& state, const MapView& map,
                                    Random& /*random*/) const override {
    if (map.placed() >= state.setting[0]) {
      return -1;
    }
    if (!map.full(state.last_guide)) {
      return state.last_guide;
    }
    const std::int64_t next = ++state.memory[0];
    return next < map.placed() ? next : -1;
  }
};

class Corridor final : public SelectionMethod {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override {
    static constexpr StrategyInfo kInfo =
        info_of("snapmesh/corridor", "Map of snapped pieces in one line, each on the last", kArenaParameters);
    return kInfo;
  }
  [[nodiscard]] Status prepare(const ResolvedParameters& parameters, MethodState& state) const override {
    state.setting[0] = parameters.integer("max_pieces");
    return {};
  }
  [[nodiscard]] bool starts_with_most() const noexcept override { return false; }
  [[nodiscard]] std::int64_t select(MethodState& state, const MapView& map,
                                    Random& /*random*/) const override {
    return map.placed() < state.setting[0] ? map.placed() - 1 : -1;
  }
};

/// memory: 0 length so far, 1 length to be reached, 2 branches made.
void new_arm(MethodState& state, Random& random, std::int64_t length, std::int64_t variation) {
  state.memory[0] = 0;
  state.memory[1] = random.range(length - variation, length + variation + 1);
  ++state.memory[2];
}

class Star final : public SelectionMethod {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override {
    static constexpr StrategyInfo kInfo = info_of(
        "snapmesh/star", "Map of snapped pieces with arms that start from one piece", kStarParameters);
    return kInfo;
  }
  [[nodiscard]] Status prepare(const ResolvedParameters& parameters, MethodState& state) const override {
    state.setting[0] = parameters.integer("arm_length");
    state.setting[1] = parameters.integer("arm_length_var");
    return {};
  }
  [[nodiscard]] bool starts_with_most() const noexcept override { return true; }
  void start(MethodState& state, Random& random) const override {
    new_arm(state, random, state.setting[0], state.setting[1]);
  }
  [[nodiscard]] std::int64_t select(MethodState& state, const MapView& map, Random& random) const override {
    const std::int64_t last = map.placed() - 1;
    if (++state.memory[0] < state.memory[1] && !map.full(last)) {
      return last;
    }
    new_arm(state, random, state.setting[0], state.setting[1]);
    return map.full(0) ? -1 : 0;
  }
};

class Branch final : public SelectionMethod {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override {
    static constexpr StrategyInfo kInfo = info_of(
        "snapmesh/branch", "Map of snapped pieces with branches that leave earlier ones", kBranchParameters);
    return kInfo;
  }
  [[nodiscard]] Status prepare(const ResolvedParameters& parameters, MethodState& state) const override {
    state.setting[0] = parameters.integer("branch_count");
    state.setting[1] = parameters.integer("branch_length");
    state.setting[2] = parameters.integer("branch_length_var");
    state.setting[3] = std::max<std::int64_t>(1, state.setting[1] / state.setting[0]);
    return {};
  }
  [[nodiscard]] bool starts_with_most() const noexcept override { return false; }
  void start(MethodState& state, Random& random) const override {
    new_arm(state, random, state.setting[1], state.setting[2]);
  }
  [[nodiscard]] std::int64_t select(MethodState& state, const MapView& map, Random& random) const override {
    const std::int64_t placed = map.placed();
    if (state.memory[0] < state.memory[1] && !map.full(placed - 1)) {
      ++state.memory[0];
      return placed - 1;
    }
    if (state.memory[2] >= state.setting[0]) {
      return -1;
    }
    const std::int64_t base = state.setting[3];
    std::int64_t jump = base * state.memory[2];
    if (jump >= placed) {
      jump = std::max<std::int64_t>(0, random.range(placed - base, placed));
    }
    std::int64_t guide = jump;
    for (std::int64_t i = 2, sign = 1; i < base + 2 && map.full(guide); ++i, sign = -sign) {
      guide = std::clamp<std::int64_t>(jump + i / 2 * sign, 0, placed - 1);
    }
    new_arm(state, random, state.setting[1], state.setting[2]);
    return map.full(guide) ? -1 : guide;
  }
};

constexpr std::array kConnectParameters = {
    whole_parameter("bridge_pieces", 1, 8, 4, "most pieces of a bridge between two clusters"),
    whole_parameter("max_bridges", 1, 1e6, 1000, "bridges after which the pass ends"),
    whole_parameter("bridge_work", 1, 1e9, 1000, "poses tried for a pair of connectors and a length")};

class Connect final : public SelectionMethod {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override {
    static constexpr StrategyInfo kInfo = info_of(
        "snapmesh/connect", "Later pass that bridges separated clusters of a map", kConnectParameters);
    return kInfo;
  }
  [[nodiscard]] Status prepare(const ResolvedParameters& parameters, MethodState& state) const override {
    state.setting[0] = parameters.integer("bridge_pieces");
    state.setting[1] = parameters.integer("max_bridges");
    state.setting[2] = parameters.integer("bridge_work");
    return {};
  }
  [[nodiscard]] bool starts_with_most() const noexcept override { return true; }
  [[nodiscard]] bool connects() const noexcept override { return true; }
  [[nodiscard]] std::int64_t select(MethodState& /*state*/, const MapView& /*map*/,
                                    Random& /*random*/) const override {
    return -1;
  }
};

}  // namespace

void SelectionMethod::start(MethodState& /*state*/, Random& /*random*/) const {}

const SelectionMethod& arena() noexcept {
  static const Arena kMethod;
  return kMethod;
}
const SelectionMethod& corridor() noexcept {
  static const Corridor kMethod;
  return kMethod;
}
const SelectionMethod& star() noexcept {
  static const Star kMethod;
  return kMethod;
}
const SelectionMethod& branch() noexcept {
  static const Branch kMethod;
  return kMethod;
}
const SelectionMethod& connect() noexcept {
  static const Connect kMethod;
  return kMethod;
}

}  // namespace strew::snap
