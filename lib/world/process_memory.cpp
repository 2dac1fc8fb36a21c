#include "process_memory.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#endif

namespace strew {

std::uint64_t peak_memory_bytes() noexcept {
#if defined(__unix__) || defined(__APPLE__)
  struct rusage usage {};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
#ifdef __APPLE__
    constexpr std::uint64_t kUnit = 1;
#else
    constexpr std::uint64_t kUnit = 1024;
#endif
    return static_cast<std::uint64_t>(usage.ru_maxrss) * kUnit;
  }
#endif
  return 0;
}

}  // namespace strew
