#include <array>

#include "strew/context.hpp"

namespace strew {
namespace {
constexpr std::array<std::string_view, 5> kIsaNames = {"scalar", "sse4", "avx2", "avx512", "best"};
}

std::string_view to_string(Isa isa) noexcept {
  return kIsaNames[static_cast<std::size_t>(isa)];
}

Result<Isa> parse_isa(std::string_view name) {
  for (std::size_t i = 0; i < kIsaNames.size(); ++i) {
    if (kIsaNames[i] == name) {
      return static_cast<Isa>(i);
    }
  }
  return invalid_argument("'" + std::string(name) + "' is not one of scalar, sse4, avx2, avx512, best",
                          "isa");
}

}  // namespace strew
