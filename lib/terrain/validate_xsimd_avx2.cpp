#define STREW_XSIMD_ARCH xsimd::avx2
#define STREW_XSIMD_NAMESPACE validate_xsimd_avx2
#define STREW_XSIMD_KERNEL validate_block_xsimd_avx2
#include "validate_xsimd-inl.hpp"
