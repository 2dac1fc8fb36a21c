// The kernels of each variant: stepping and filling.
#pragma once

#include "fill_table.hpp"
#include "wave_job.hpp"
#ifndef STREW_SCALAR
#include "kernel_table.hpp"
#endif

namespace strew::automaton {

[[nodiscard]] WaveKernel wave_kernel_swar() noexcept;
#ifndef STREW_SCALAR
/// kUnsupported when the machine or build lacks `isa`.
[[nodiscard]] Result<WaveKernel> wave_kernel_hwy(Isa isa);
[[nodiscard]] Result<FillKernel> fill_kernel_hwy(Isa isa);
#endif
#ifdef STREW_XSIMD
[[nodiscard]] Result<WaveKernel> wave_kernel_xsimd(Isa isa);
[[nodiscard]] WaveKernel wave_kernel_xsimd_sse4() noexcept;
[[nodiscard]] WaveKernel wave_kernel_xsimd_avx2() noexcept;
[[nodiscard]] WaveKernel wave_kernel_xsimd_avx512() noexcept;
#endif

}  // namespace strew::automaton
