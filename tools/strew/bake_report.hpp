// What a bake says at its end: a table for people, an object for scripts.
#pragma once

#include <cstdint>
#include <string>

#include "strew/world/bake.hpp"

namespace strew_tool {

struct BakeFacts {
  const strew::Scatter& scatter;
  const strew::BakeSummary& summary;
  strew::Rect region;         ///< what was baked
  std::uint32_t threads = 1;  ///< of each rank
  int ranks = 1;              ///< above 1, the times and the memory are those of rank 0
  std::uint64_t peak_memory_bytes = 0;
};

/// Per layer and species: candidates, placed, density, rejections per constraint; then stages, throughput,
/// size.
[[nodiscard]] std::string bake_table(const BakeFacts& facts);
/// One JSON object.
[[nodiscard]] std::string bake_json(const BakeFacts& facts);

}  // namespace strew_tool
