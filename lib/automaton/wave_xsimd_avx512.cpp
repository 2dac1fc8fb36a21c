#define STREW_XSIMD_ARCH xsimd::avx512bw
#define STREW_XSIMD_NAMESPACE xsimd_avx512
#define STREW_XSIMD_KERNEL wave_kernel_xsimd_avx512
#include "wave_xsimd-inl.hpp"
