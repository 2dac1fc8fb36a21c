// The choice among the units of xsimd; there is no scalar one.
#include "tiled_xsimd.hpp"

#include "tiled_kernel.hpp"

namespace strew::poisson {

Result<TiledKernel> tiled_kernel_xsimd(Isa isa) {
  static constexpr KernelTable<TiledKernel> kTable = {nullptr, tiled_xsimd_sse4, tiled_xsimd_avx2,
                                                      tiled_xsimd_avx512};
  return choose_kernel(kTable, isa);
}

}  // namespace strew::poisson
