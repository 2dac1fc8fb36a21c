// The draws of many instances beside their positions: the first three words of attribute_draw, in columns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strew/context.hpp"
#include "strew/random.hpp"

namespace strew::scatter {

/// What the draws of a batch share.
struct DrawBatch {
  PhiloxKey key{};
  std::int64_t identity_step = 1;  ///< of the lattice
  std::uint64_t number = 0;        ///< of the draw
};

/// Columns of `count` draws: words 0 to 2 of cell_draw(key, floor(x / step), floor(y / step), number).
struct DrawColumns {
  std::uint32_t* first = nullptr;
  std::uint32_t* second = nullptr;
  std::uint32_t* third = nullptr;
};

/// Every backend gives the bits of draw_columns_ref. O(count).
using DrawColumnsFn = void (*)(const DrawBatch& batch, const std::int64_t* x, const std::int64_t* y,
                               std::size_t count, const DrawColumns& out) noexcept;

void draw_columns_ref(const DrawBatch& batch, const std::int64_t* x, const std::int64_t* y, std::size_t count,
                      const DrawColumns& out) noexcept;

/// kUnsupported where this machine or build lacks the instruction set.
[[nodiscard]] Result<DrawColumnsFn> draw_columns_kernel(Isa isa);

}  // namespace strew::scatter
