#define STREW_XSIMD_ARCH xsimd::sse4_1
#define STREW_XSIMD_NAMESPACE validate_xsimd_sse4
#define STREW_XSIMD_KERNEL validate_block_xsimd_sse4
#include "validate_xsimd-inl.hpp"
