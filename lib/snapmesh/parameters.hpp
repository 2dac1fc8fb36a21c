// Metadata of the parameters that all selection methods share: those of Rules.
#pragma once

#include <algorithm>
#include <array>

#include "strew/snapmesh.hpp"

namespace strew::snap {

constexpr ParameterInfo flag_parameter(std::string_view name, bool value, std::string_view meaning) {
  ParameterInfo info;
  info.name = name;
  info.kind = ParameterKind::kBool;
  info.maximum = 1;
  info.default_value = value ? 1 : 0;
  info.meaning = meaning;
  return info;
}
constexpr ParameterInfo whole_parameter(std::string_view name, double minimum, double maximum, double value,
                                        std::string_view meaning) {
  ParameterInfo info;
  info.name = name;
  info.kind = ParameterKind::kInteger;
  info.minimum = minimum;
  info.maximum = maximum;
  info.default_value = value;
  info.meaning = meaning;
  return info;
}
constexpr ParameterInfo length_parameter(std::string_view name, double maximum, double value,
                                         std::string_view meaning) {
  ParameterInfo info;
  info.name = name;
  info.unit = "m";
  info.maximum = maximum;
  info.default_value = value;
  info.meaning = meaning;
  return info;
}

/// Defaults are those of standard_rules(); kReference has the published ones (docs/snapmesh.md).
inline constexpr std::array kRuleParameters = {
    flag_parameter("use_starter", false, "take the first piece from the kit's starters"),
    length_parameter("piece_distance", 1e6, 0, "gap along the guide connector's heading"),
    whole_parameter("max_fails", 1, 1e6, 10, "failed tentatives per guide visit"),
    flag_parameter("check_overlaps", true, "refuse poses whose boxes meet those of pieces already placed"),
    flag_parameter("match_pins", true, "connectors join only with pins that differ by pin_tolerance at most"),
    flag_parameter("match_colours", true, "connectors join only where the kit's colour matrix says so"),
    whole_parameter("pin_tolerance", 0, 1e6, 0, "largest difference of pins"),
    whole_parameter("starter_tolerance", 0, 1e6, 0, "connector-count tolerance of the first piece"),
    whole_parameter("cap_pieces", 1, 1e6, 1e5, "pieces in all, caps included (standard mode)"),
    length_parameter("joint_tolerance", 1e3, 0.05,
                     "how far a piece may reach into its guide (standard mode)"),
    whole_parameter("backtrack", 0, 1e6, 8, "pieces a stuck map may take away again (standard mode)"),
    flag_parameter("join_loops", true, "join free connectors that happen to meet (standard mode)"),
    flag_parameter("prefer_loops", false,
                   "among the poses of a piece that fit, take one that closes a loop (standard mode)"),
    flag_parameter("close_dead_ends", false,
                   "put the kit's cap pieces on free connectors at the end (standard mode)"),
    whole_parameter("work_limit", 1, 1e12, 1e6, "poses tried after which a map ends with what was found")};

template <std::size_t N>
constexpr std::array<ParameterInfo, N + kRuleParameters.size()> with_rules(
    const std::array<ParameterInfo, N>& own) {
  std::array<ParameterInfo, N + kRuleParameters.size()> all{};
  for (std::size_t i = 0; i < N; ++i) {
    all[i] = own[i];
  }
  for (std::size_t i = 0; i < kRuleParameters.size(); ++i) {
    all[N + i] = kRuleParameters[i];
  }
  return all;
}

}  // namespace strew::snap
