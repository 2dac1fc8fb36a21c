#define STREW_XSIMD_ARCH xsimd::avx2
#define STREW_XSIMD_NAMESPACE xsimd_avx2
#define STREW_XSIMD_KERNEL wave_kernel_xsimd_avx2
#include "wave_xsimd-inl.hpp"
