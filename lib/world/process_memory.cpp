#include "strew/world/bake.hpp"

#ifdef __linux__
#include <cstdio>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#endif

namespace strew {
namespace {

#ifdef __linux__
/// 0 where the system does not tell.
std::uint64_t high_water_mark() noexcept {
  std::uint64_t kibibytes = 0;
  if (std::FILE* const status = std::fopen("/proc/self/status", "r"); status != nullptr) {
    char line[256];
    while (std::fgets(line, sizeof line, status) != nullptr) {
      unsigned long long value = 0;
      if (std::sscanf(line, "VmHWM: %llu kB", &value) == 1) {
        kibibytes = value;
        break;
      }
    }
    std::fclose(status);
  }
  return kibibytes * 1024;
}
#endif

}  // namespace

std::uint64_t peak_memory_bytes() noexcept {
#ifdef __linux__
  // Before getrusage(): what that tells begins with the peak of the process that started this one.
  if (const std::uint64_t peak = high_water_mark(); peak != 0) {
    return peak;
  }
#endif
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
