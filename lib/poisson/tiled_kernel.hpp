// The vector kernels of poisson/tiled, by ISA.
#pragma once

#include "kernel_table.hpp"
#include "tiled_window.hpp"

namespace strew::poisson {

/// Evaluates the window and hands the rows of its core to its taker, from the lowest on; false as soon as a
/// cell of the core depends on what lies outside, the arrays have too few rows, or the taker wants no more.
using TiledKernel = bool (*)(const KernelWindow& window);
[[nodiscard]] Result<TiledKernel> tiled_kernel(Isa isa);
/// The plain table, which on a processor with HWY_AVX3_DL leaves the better kernel out.
[[nodiscard]] const KernelTable<TiledKernel>& tiled_kernels() noexcept;
#ifdef STREW_XSIMD
[[nodiscard]] Result<TiledKernel> tiled_kernel_xsimd(Isa isa);
#endif

}  // namespace strew::poisson
