// Where the secondaries of a ring stand relative to their parents, in batches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strew/context.hpp"

namespace strew::scatter {

/// A ring, by the squares of its radii in metres, at most 1000 m each.
struct Ring {
  double inner_squared = 0;
  double outer_squared = 0;
  double steps_per_metre = 1;
};

/// Offsets of `count` places in the ring, uniform by area, from two draws each, rounded to whole steps:
/// d = sqrt(inner^2 + (outer^2 - inner^2) distance), (d cos angle, d sin angle). Every backend gives the bits
/// of ring_offsets_ref. O(count).
using RingOffsetsFn = void (*)(const Ring& ring, const std::uint32_t* angle, const std::uint32_t* distance,
                               std::size_t count, std::int32_t* x, std::int32_t* y) noexcept;

void ring_offsets_ref(const Ring& ring, const std::uint32_t* angle, const std::uint32_t* distance,
                      std::size_t count, std::int32_t* x, std::int32_t* y) noexcept;

/// kUnsupported where this machine or build lacks the instruction set.
[[nodiscard]] Result<RingOffsetsFn> ring_offsets_kernel(Isa isa);

}  // namespace strew::scatter
