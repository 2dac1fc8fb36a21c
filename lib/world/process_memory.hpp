// What the process has used of the machine.
#pragma once

#include <cstdint>

namespace strew {

/// Largest resident memory of the process so far, in bytes; 0 where the system does not tell.
[[nodiscard]] std::uint64_t peak_memory_bytes() noexcept;

}  // namespace strew
