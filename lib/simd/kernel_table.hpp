// Run-time choice of a Highway kernel, without Highway's process-wide chosen target: the table is indexed per
// call.
#pragma once

#include <hwy/highway.h>

#include <array>
#include <cstdint>
#include <string>

#include "strew/context.hpp"

namespace strew {

/// One function per Isa value below kBest; null where this build has none.
template <class Function>
using KernelTable = std::array<Function, static_cast<std::size_t>(Isa::kBest)>;

/// Highway's targets of this processor. Kept: asking takes dozens of instructions that a virtual machine
/// traps.
[[nodiscard]] inline std::int64_t supported_targets() noexcept {
  static const std::int64_t kTargets = hwy::SupportedTargets();
  return kTargets;
}

/// Whether this processor runs an ISA's kernels.
[[nodiscard]] inline bool cpu_supports(Isa isa) noexcept {
  const std::int64_t targets = supported_targets();
  switch (isa) {
    case Isa::kScalar:
    case Isa::kBest:
      return true;
    case Isa::kSse4:
      return (targets & HWY_SSE4) != 0;
    case Isa::kAvx2:
      return (targets & HWY_AVX2) != 0;
    case Isa::kAvx512:
      return (targets & HWY_AVX3) != 0;
  }
  return false;
}

/// The kernel for context.max_isa: kBest takes the widest that this machine and build have; an ISA asked for
/// by name that is missing is refused, never replaced.
template <class Function>
[[nodiscard]] Result<Function> choose_kernel(const KernelTable<Function>& table, Isa isa) {
  if (isa == Isa::kBest) {
    for (std::size_t i = table.size(); i-- > 0;) {
      if (table[i] != nullptr && cpu_supports(static_cast<Isa>(i))) {
        return table[i];
      }
    }
  } else if (table[static_cast<std::size_t>(isa)] != nullptr && cpu_supports(isa)) {
    return table[static_cast<std::size_t>(isa)];
  }
  return make_error(
      StatusCode::kUnsupported,
      std::string(to_string(isa)) + " is not available on this machine or in this build; use best", "isa");
}

/// The same, where a second kernel for AVX-512 needs more of it (HWY_AVX3_DL: AES rounds on whole vectors,
/// counts of bits): taken where this build and processor have it.
template <class Function>
[[nodiscard]] Result<Function> choose_kernel(const KernelTable<Function>& table,
                                             const std::array<Function, 1>& avx3_dl, Isa isa) {
  if ((isa == Isa::kBest || isa == Isa::kAvx512) && avx3_dl[0] != nullptr &&
      (supported_targets() & HWY_AVX3_DL) != 0) {
    return avx3_dl[0];
  }
  return choose_kernel(table, isa);
}

}  // namespace strew

/// Table of a kernel exported from every HWY_NAMESPACE of a foreach_target file; use in its HWY_ONCE part.
#define STREW_KERNEL_TABLE(function)                                                     \
  {                                                                                      \
    HWY_CHOOSE_FALLBACK(function), HWY_CHOOSE_SSE4(function), HWY_CHOOSE_AVX2(function), \
        HWY_CHOOSE_AVX3(function)                                                        \
  }
