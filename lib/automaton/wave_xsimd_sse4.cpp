#define STREW_XSIMD_ARCH xsimd::sse4_1
#define STREW_XSIMD_NAMESPACE xsimd_sse4
#define STREW_XSIMD_KERNEL wave_kernel_xsimd_sse4
#include "wave_xsimd-inl.hpp"
