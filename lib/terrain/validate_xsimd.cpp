// The choice among the units of xsimd.
#include "validate_kernels.hpp"

namespace strew {

const KernelTable<ValidateBlockFn>& validate_kernels_xsimd() noexcept {
  static constexpr KernelTable<ValidateBlockFn> kTable = {
      nullptr, validate_block_xsimd_sse4, validate_block_xsimd_avx2, validate_block_xsimd_avx512};
  return kTable;
}

}  // namespace strew
