#define STREW_XSIMD_ARCH xsimd::avx2
#define STREW_XSIMD_NAMESPACE xsimd_avx2
#define STREW_XSIMD_KERNEL tiled_xsimd_avx2
#include "tiled_xsimd-inl.hpp"
