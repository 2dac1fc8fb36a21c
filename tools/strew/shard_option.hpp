// --shard i/N, and what Slurm and Kubernetes say in its place.
#pragma once

#include <cstdint>
#include <string>

#include "strew/status.hpp"

namespace strew_tool {

struct ShardChoice {
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
};

/// "": the whole bake. "i/N": share i, from 0, of N. "auto": from SLURM_ARRAY_TASK_ID, _MIN, _STEP and
/// _COUNT. "auto/N": i from Slurm or from JOB_COMPLETION_INDEX of an indexed Kubernetes job. The environment
/// is read for "auto" only.
[[nodiscard]] strew::Result<ShardChoice> parse_shard(const std::string& text);

}  // namespace strew_tool
