// The vector kernels of batched validation, one per instruction set.
#pragma once

#include "kernel_table.hpp"
#include "validate_block.hpp"

namespace strew {

/// Precondition of each: rules.narrow.
[[nodiscard]] const KernelTable<ValidateBlockFn>& validate_kernels() noexcept;
/// The widest of this machine and build; the reference where there is none.
[[nodiscard]] ValidateBlockFn best_validate_kernel() noexcept;

}  // namespace strew
