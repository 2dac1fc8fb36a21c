// The vector kernels of poisson/tiled, by ISA.
#pragma once

#include "kernel_table.hpp"
#include "tiled_window.hpp"

namespace strew::poisson {

/// Evaluates the window as far as its rim allows; false as soon as a cell of the core depends on what lies
/// outside.
using TiledKernel = bool (*)(const KernelWindow& window);
[[nodiscard]] const KernelTable<TiledKernel>& tiled_kernels() noexcept;
#ifdef STREW_XSIMD
[[nodiscard]] const KernelTable<TiledKernel>& tiled_kernels_xsimd() noexcept;
#endif

}  // namespace strew::poisson
