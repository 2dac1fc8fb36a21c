// The kernels of poisson/tiled/xsimd, one unit per instruction set.
#pragma once

#include "tiled_window.hpp"

namespace strew::poisson {

[[nodiscard]] bool tiled_xsimd_sse4(const KernelWindow& window);
[[nodiscard]] bool tiled_xsimd_avx2(const KernelWindow& window);
[[nodiscard]] bool tiled_xsimd_avx512(const KernelWindow& window);

}  // namespace strew::poisson
