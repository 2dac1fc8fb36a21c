#include "shard_option.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "fmt/format.h"

namespace strew_tool {
namespace {

constexpr const char* kWhere = "--shard";
constexpr std::uint64_t kMostShards = 65536;

bool whole_number(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

strew::Result<std::uint64_t> variable(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) {
    return strew::invalid_argument(
        fmt::format("auto needs the environment variable {}, which is not set", name), kWhere);
  }
  std::uint64_t value = 0;
  if (!whole_number(text, value)) {
    return strew::invalid_argument(fmt::format("auto: {} is \"{}\"; expected a whole number", name, text),
                                   kWhere);
  }
  return value;
}

strew::Result<ShardChoice> checked(std::uint64_t shard, std::uint64_t shards) {
  if (shards < 1 || shards > kMostShards || shard >= shards) {
    return strew::invalid_argument(
        fmt::format("expected i/N with N from 1 to {} and i from 0 to N - 1, found {}/{}", kMostShards, shard,
                    shards),
        kWhere);
  }
  return ShardChoice{static_cast<std::uint32_t>(shard), static_cast<std::uint32_t>(shards)};
}

/// The place of this task in its array, from 0: arrays may begin anywhere and go in steps.
strew::Result<std::uint64_t> slurm_index() {
  STREW_ASSIGN(const std::uint64_t id, variable("SLURM_ARRAY_TASK_ID"));
  STREW_ASSIGN(const std::uint64_t first, variable("SLURM_ARRAY_TASK_MIN"));
  std::uint64_t step = 1;
  if (std::getenv("SLURM_ARRAY_TASK_STEP") != nullptr) {
    STREW_ASSIGN(step, variable("SLURM_ARRAY_TASK_STEP"));
  }
  if (step == 0 || id < first || (id - first) % step != 0) {
    return strew::invalid_argument(
        fmt::format("auto: SLURM_ARRAY_TASK_ID {} is not in an array from {} in steps of {}", id, first,
                    step),
        kWhere);
  }
  return (id - first) / step;
}

}  // namespace

strew::Result<ShardChoice> parse_shard(const std::string& text) {
  if (text.empty()) {
    return ShardChoice{};
  }
  const std::size_t slash = text.find('/');
  const std::string_view first = std::string_view(text).substr(0, slash);
  if (first == "auto" && slash == std::string::npos) {
    if (std::getenv("SLURM_ARRAY_TASK_ID") == nullptr && std::getenv("JOB_COMPLETION_INDEX") != nullptr) {
      return strew::invalid_argument(
          "auto: Kubernetes does not tell a job how many completions it has; give auto/N", kWhere);
    }
    STREW_ASSIGN(const std::uint64_t index, slurm_index());
    STREW_ASSIGN(const std::uint64_t count, variable("SLURM_ARRAY_TASK_COUNT"));
    return checked(index, count);
  }
  std::uint64_t shards = 0;
  const bool has_shards =
      slash != std::string::npos && whole_number(std::string_view(text).substr(slash + 1), shards);
  if (first == "auto" && has_shards) {
    if (std::getenv("SLURM_ARRAY_TASK_ID") != nullptr) {
      STREW_ASSIGN(const std::uint64_t index, slurm_index());
      return checked(index, shards);
    }
    STREW_ASSIGN(const std::uint64_t index, variable("JOB_COMPLETION_INDEX"));
    return checked(index, shards);
  }
  std::uint64_t shard = 0;
  if (!has_shards || !whole_number(first, shard)) {
    return strew::invalid_argument(fmt::format("expected i/N, auto or auto/N, found \"{}\"", text), kWhere);
  }
  return checked(shard, shards);
}

}  // namespace strew_tool
