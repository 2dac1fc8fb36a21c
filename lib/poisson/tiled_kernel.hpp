// The vector kernels of poisson/tiled, by ISA.
#pragma once

#include "kernel_table.hpp"
#include "tiled_window.hpp"

namespace strew::poisson {

/// Evaluates the window as far as its rim allows; false as soon as a cell of the core depends on what lies
/// outside.
using TiledKernel = bool (*)(const KernelWindow& window);
[[nodiscard]] Result<TiledKernel> tiled_kernel(Isa isa);
/// The plain table, which on a processor with HWY_AVX3_DL leaves the better kernel out.
[[nodiscard]] const KernelTable<TiledKernel>& tiled_kernels() noexcept;
#ifdef STREW_XSIMD
[[nodiscard]] Result<TiledKernel> tiled_kernel_xsimd(Isa isa);
#endif

}  // namespace strew::poisson
