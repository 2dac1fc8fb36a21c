#include <algorithm>
#include <vector>

#include "guard.hpp"
#include "parallel.hpp"
#include "point_hash.hpp"
#include "strew/strategy.hpp"

namespace strew {

Result<SetHash> hash_points(const PointSet& points, const RunContext& context) {
  return guarded([&]() -> Result<SetHash> {
    constexpr std::size_t kPart = std::size_t{1} << 16;
    RunContext quiet = context;
    quiet.progress = nullptr;
    std::vector<SetHash> parts((points.size() + kPart - 1) / kPart);
    STREW_RETURN_IF_ERROR(parallel_for(quiet, parts.size(), [&](std::uint64_t part, std::uint32_t) -> Status {
      const std::size_t begin = static_cast<std::size_t>(part) * kPart;
      parts[part] = hash_points_between(points, begin, std::min(begin + kPart, points.size()));
      return {};
    }));
    SetHash hash;
    for (const SetHash& part : parts) {
      hash.merge(part);
    }
    return hash;
  });
}

}  // namespace strew
