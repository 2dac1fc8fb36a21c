// The vector kernels of batched validation, one per instruction set.
#pragma once

#include "kernel_table.hpp"
#include "validate_block.hpp"

namespace strew {

/// Precondition of each: rules.narrow.
[[nodiscard]] const KernelTable<ValidateBlockFn>& validate_kernels() noexcept;
/// Those by xsimd; there is no scalar one. Defined where STREW_XSIMD is.
[[nodiscard]] const KernelTable<ValidateBlockFn>& validate_kernels_xsimd() noexcept;
std::uint64_t validate_block_xsimd_sse4(const PreparedRules& rules, const Coord* x, const Coord* y,
                                        std::uint32_t count, double* altitude,
                                        RejectionCounts& counts) noexcept;
std::uint64_t validate_block_xsimd_avx2(const PreparedRules& rules, const Coord* x, const Coord* y,
                                        std::uint32_t count, double* altitude,
                                        RejectionCounts& counts) noexcept;
std::uint64_t validate_block_xsimd_avx512(const PreparedRules& rules, const Coord* x, const Coord* y,
                                          std::uint32_t count, double* altitude,
                                          RejectionCounts& counts) noexcept;
/// The widest of this machine and build; the reference where there is none.
[[nodiscard]] ValidateBlockFn best_validate_kernel() noexcept;

}  // namespace strew
