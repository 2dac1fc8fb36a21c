// Work of a command on all threads, one index at a time.
#pragma once

#include <cstdint>
#include <functional>

#include "strew/context.hpp"
#include "strew/status.hpp"

namespace strew_tool {

/// step(index) for each index below `count` on the context's executor, in any order, from several threads.
/// Ends early when one fails, with the first failure noticed, or when the context is cancelled: kCancelled,
/// with `stopped` as message.
[[nodiscard]] strew::Status for_each_index(const strew::RunContext& context, std::uint64_t count,
                                           const char* stopped,
                                           const std::function<strew::Status(std::uint64_t)>& step);

}  // namespace strew_tool
