// The sum of the hashes of a table's rows, as SetHash adds them up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strew/scatter.hpp"

namespace strew::scatter {

/// Sum over the table's rows of mix64(hash_words(position x, position y, slot and species and height, yaw and
/// scale)), modulo 2^64. Every backend gives the same. O(rows).
using HashRowsFn = std::uint64_t (*)(std::uint32_t slot, const InstanceTable& table) noexcept;

/// Rows from `first` on.
[[nodiscard]] std::uint64_t hash_rows_ref(std::uint32_t slot, const InstanceTable& table,
                                          std::size_t first) noexcept;

/// kUnsupported where this machine or build lacks the instruction set.
[[nodiscard]] Result<HashRowsFn> hash_rows_kernel(Isa isa);

}  // namespace strew::scatter
