// What strew life computes and from what: its arguments checked against one another and the input file.
#pragma once

#include "life.hpp"
#include "strew/automaton.hpp"

namespace strew_tool {

/// Everything resolved: what to compute and from what.
struct LifeTask {
  strew::AutomatonWorld world;
  strew::CellRange region;
  strew::AutomatonOptions options;
  strew::BitGrid start;  ///< of --in; empty without
  bool from_file = false;
};

[[nodiscard]] strew::Result<LifeTask> resolve_life(const LifeArguments& arguments);

}  // namespace strew_tool
