// Large blocks of memory, from a pool of each thread: what the command's operator new hands out.
//
// A tile takes and gives back some two hundred blocks of 16 KiB to some MiB. In the heap of the C library
// they lie among small blocks, and some of those stay: records, buffers, the heap's own lists of small blocks
// for each thread. Free space is cut at them, tile by tile at other places, so that blocks find room only
// higher up, and the heap of a long bake is larger than that of a short one. Here large blocks lie among
// large blocks alone. When a tile has given back its own, the free space of its thread is whole again: what a
// thread holds is what its fullest tile needed, however many tiles came before it.
//
// Blocks are 64-byte aligned, taken from the lowest place with room, and joined with free neighbours when
// they come back. Pages once touched are kept for the next tile (their return and new coming is a tenth of
// the time of a bake), up to 64 MiB a region beyond the last block in use. A thread that ends leaves its pool to the
// next new one.
#pragma once

#include <cstddef>

namespace strew_tool {

/// Smaller blocks are left to malloc, larger ones to the system.
inline constexpr std::size_t kSmallestPoolBlock = std::size_t{16} << 10;
inline constexpr std::size_t kLargestPoolBlock = std::size_t{64} << 20;
inline constexpr std::size_t kPoolAlignment = 64;

/// A block of at least `bytes` from the calling thread's pool, or null: the size is not the pool's, or there
/// is no room. Thread-safe.
[[nodiscard]] void* pool_take(std::size_t bytes) noexcept;
/// False when the block is not from a pool. Thread-safe; any thread may give back what another took.
[[nodiscard]] bool pool_give_back(void* block) noexcept;

}  // namespace strew_tool
