#include "hash_rows.hpp"

#include <array>

#include "scalar_kernel.hpp"

namespace strew {

namespace scatter {

std::uint64_t hash_rows_ref(std::uint32_t slot, const InstanceTable& table, std::size_t first) noexcept {
  SetHash hash;
  for (std::size_t i = first; i < table.size(); ++i) {
    const std::array<std::uint64_t, 4> words = {static_cast<std::uint64_t>(table.x[i] * table.lattice.pitch),
                                                static_cast<std::uint64_t>(table.y[i] * table.lattice.pitch),
                                                (std::uint64_t{slot} << 48) |
                                                    (std::uint64_t{table.species[i]} << 32) |
                                                    static_cast<std::uint32_t>(table.z_steps[i]),
                                                (std::uint64_t{table.yaw[i]} << 16) | table.scale[i]};
    hash.add(hash_words(words));
  }
  return hash.sum;
}

#ifdef STREW_SCALAR
Result<HashRowsFn> hash_rows_kernel(Isa isa) {
  return scalar_kernel<HashRowsFn>(
      [](std::uint32_t slot, const InstanceTable& table) noexcept { return hash_rows_ref(slot, table, 0); },
      isa);
}
#endif

}  // namespace scatter

SetHash hash_instances(std::uint32_t slot, const InstanceTable& table) noexcept {
  static const auto kKernel = scatter::hash_rows_kernel(Isa::kBest);
  return {kKernel.ok() ? kKernel.value()(slot, table) : scatter::hash_rows_ref(slot, table, 0), table.size()};
}

}  // namespace strew
