#define STREW_XSIMD_ARCH xsimd::avx512bw
#define STREW_XSIMD_NAMESPACE validate_xsimd_avx512
#define STREW_XSIMD_KERNEL validate_block_xsimd_avx512
#include "validate_xsimd-inl.hpp"
