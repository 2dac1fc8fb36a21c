#define STREW_XSIMD_ARCH xsimd::avx512bw
#define STREW_XSIMD_NAMESPACE xsimd_avx512
#define STREW_XSIMD_KERNEL tiled_xsimd_avx512
#include "tiled_xsimd-inl.hpp"
