// The choice among the units of xsimd.
#include "kernels.hpp"

namespace strew::automaton {

Result<WaveKernel> wave_kernel_xsimd(Isa isa) {
  static constexpr KernelTable<WaveKernel (*)() noexcept> kTable = {
      nullptr, wave_kernel_xsimd_sse4, wave_kernel_xsimd_avx2, wave_kernel_xsimd_avx512};
  STREW_ASSIGN(const auto make, choose_kernel(kTable, isa));
  return make();
}

}  // namespace strew::automaton
