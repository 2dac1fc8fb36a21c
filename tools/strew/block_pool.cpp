#include "block_pool.hpp"

#ifdef __linux__
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>

namespace strew_tool {
namespace {

// A region is address space of this size and alignment, so that an address tells its region.
constexpr unsigned kRegionBits = 28;
constexpr std::size_t kRegionBytes = std::size_t{1} << kRegionBits;
constexpr unsigned kAddressBits = 48;
constexpr std::size_t kCommitStep = std::size_t{1} << 20;
constexpr std::size_t kKeptBeyondUse = std::size_t{64} << 20;
constexpr std::size_t kMostPools = 1024;

/// Stands before each block. Sizes include it.
struct alignas(kPoolAlignment) Block {
  std::size_t bytes = 0;
  Block* before = nullptr;  ///< its lower neighbour
  Block* next_free = nullptr;
  Block* last_free = nullptr;
  bool free = false;

  [[nodiscard]] Block* after() noexcept {
    return reinterpret_cast<Block*>(reinterpret_cast<std::byte*>(this) + bytes);
  }
};

class Pool;

/// At the front of its address space; blocks follow without gaps up to `top`, where the untouched begins.
struct alignas(kPoolAlignment) Region {
  Pool* pool = nullptr;
  Region* next = nullptr;
  std::byte* top = nullptr;
  std::byte* committed = nullptr;  ///< may be read and written below this
  std::byte* touched = nullptr;    ///< may hold pages below this
  Block* last = nullptr;           ///< below `top`; null: there is none

  [[nodiscard]] std::byte* begin() noexcept { return reinterpret_cast<std::byte*>(this); }
  [[nodiscard]] std::byte* end() noexcept { return begin() + kRegionBytes; }
};

/// Which parts of the address space are regions, as bits.
constinit std::array<std::atomic<std::uint64_t>, (std::size_t{1} << (kAddressBits - kRegionBits)) / 64>
    region_bits{};

bool is_region(std::uintptr_t number) noexcept {
  return number / 64 < region_bits.size() &&
         (region_bits[number / 64].load(std::memory_order_acquire) >> (number % 64) & 1U) != 0;
}

Region* region_of(void* address) noexcept {
  const auto number = reinterpret_cast<std::uintptr_t>(address) >> kRegionBits;
  return is_region(number) ? reinterpret_cast<Region*>(number << kRegionBits) : nullptr;
}

Region* new_region(Pool* pool) noexcept {
  void* const space =
      ::mmap(nullptr, 2 * kRegionBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) {
    return nullptr;
  }
  auto* const start = static_cast<std::byte*>(space);
  const std::uintptr_t number = (reinterpret_cast<std::uintptr_t>(space) + kRegionBytes - 1) >> kRegionBits;
  auto* const aligned = reinterpret_cast<std::byte*>(number << kRegionBits);
  // The halves beside the aligned part go back.
  if (aligned != start) {
    ::munmap(start, static_cast<std::size_t>(aligned - start));
  }
  if (aligned != start + kRegionBytes) {
    ::munmap(aligned + kRegionBytes, static_cast<std::size_t>(start + kRegionBytes - aligned));
  }
  if (number / 64 >= region_bits.size() || ::mprotect(aligned, kCommitStep, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(aligned, kRegionBytes);
    return nullptr;
  }
  auto* const region = new (aligned) Region;
  region->pool = pool;
  region->top = region->touched = aligned + sizeof(Region);
  region->committed = aligned + kCommitStep;
  region_bits[number / 64].fetch_or(std::uint64_t{1} << (number % 64), std::memory_order_release);
  return region;
}

class Pool {
 public:
  [[nodiscard]] void* take(std::size_t bytes) noexcept {
    const std::size_t wanted = sizeof(Block) + (bytes + kPoolAlignment - 1) / kPoolAlignment * kPoolAlignment;
    const std::scoped_lock lock(mutex_);
    Block* block = lowest_fit(wanted);
    if (block != nullptr) {
      unlink(block);
      split(block, wanted);
    } else {
      block = from_top(wanted);
    }
    return block != nullptr ? block + 1 : nullptr;
  }

  void give_back(Region& region, Block* block) noexcept {
    const std::scoped_lock lock(mutex_);
    if (block != region.last) {
      if (Block* const above = block->after(); above->free) {
        unlink(above);
        join(region, block, above);
      }
    }
    if (Block* const below = block->before; below != nullptr && below->free) {
      unlink(below);
      join(region, below, block);
      block = below;
    }
    if (block != region.last) {
      link(block);
      return;
    }
    region.last = block->before;
    region.top = reinterpret_cast<std::byte*>(block);
    if (static_cast<std::size_t>(region.touched - region.top) > kKeptBeyondUse) {
      return_pages(region);
    }
  }

  std::atomic<bool> claimed{false};

 private:
  // The lowest place that has room: tiles of the benchmark world then need a sixth less than where blocks go
  // to the place that they fit best. Few blocks are free at a time, so a list in no order is searched.
  [[nodiscard]] Block* lowest_fit(std::size_t wanted) noexcept {
    Block* lowest = nullptr;
    for (Block* block = free_; block != nullptr; block = block->next_free) {
      if (block->bytes >= wanted && (lowest == nullptr || block < lowest)) {
        lowest = block;
      }
    }
    return lowest;
  }

  /// Gives the end of a block back where it is worth a block of its own.
  void split(Block* block, std::size_t wanted) noexcept {
    if (block->bytes - wanted < sizeof(Block) + kSmallestPoolBlock) {
      return;
    }
    Block* const above = block->after();  // there is one: the last block of a region is never free
    auto* const rest = new (reinterpret_cast<std::byte*>(block) + wanted) Block;
    rest->bytes = block->bytes - wanted;
    rest->before = block;
    above->before = rest;
    block->bytes = wanted;
    link(rest);
  }

  [[nodiscard]] Block* from_top(std::size_t wanted) noexcept {
    for (Region** at = &regions_;; at = &(*at)->next) {
      if (*at == nullptr && (*at = new_region(this)) == nullptr) {
        return nullptr;
      }
      Region& region = **at;
      if (wanted > static_cast<std::size_t>(region.end() - region.top)) {
        continue;
      }
      std::byte* const top = region.top + wanted;
      if (top > region.committed) {
        const auto missing = static_cast<std::size_t>(top - region.committed);
        const std::size_t step = (missing + kCommitStep - 1) / kCommitStep * kCommitStep;
        if (::mprotect(region.committed, step, PROT_READ | PROT_WRITE) != 0) {
          return nullptr;
        }
        region.committed += step;
      }
      auto* const block = new (region.top) Block;
      block->bytes = wanted;
      block->before = region.last;
      region.last = block;
      region.top = top;
      region.touched = std::max(region.touched, top);
      return block;
    }
  }

  static void join(Region& region, Block* below, Block* above) noexcept {
    below->bytes += above->bytes;
    if (above == region.last) {
      region.last = below;
    } else {
      below->after()->before = below;
    }
  }

  static void return_pages(Region& region) noexcept {
    constexpr std::uintptr_t kPage = 1U << 16;  // of any kernel
    auto* const begin = reinterpret_cast<std::byte*>(
        (reinterpret_cast<std::uintptr_t>(region.top) + kPage - 1) / kPage * kPage);
    if (begin < region.committed) {
      ::madvise(begin, static_cast<std::size_t>(region.committed - begin), MADV_DONTNEED);
    }
    region.touched = region.top;
  }

  void link(Block* block) noexcept {
    block->free = true;
    block->last_free = nullptr;
    block->next_free = free_;
    if (free_ != nullptr) {
      free_->last_free = block;
    }
    free_ = block;
  }
  void unlink(Block* block) noexcept {
    block->free = false;
    if (block->last_free != nullptr) {
      block->last_free->next_free = block->next_free;
    } else {
      free_ = block->next_free;
    }
    if (block->next_free != nullptr) {
      block->next_free->last_free = block->last_free;
    }
  }

  std::mutex mutex_;
  Region* regions_ = nullptr;
  Block* free_ = nullptr;
};

constinit std::array<Pool, kMostPools> pools{};

/// Not a member of the claim: it is read after the claim's end.
constinit thread_local bool claim_is_over = false;

/// A thread's claim on a pool.
struct Claim {
  Pool* pool = nullptr;
  Claim() noexcept {
    for (Pool& one : pools) {
      if (!one.claimed.exchange(true, std::memory_order_acquire)) {
        pool = &one;
        return;
      }
    }
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  ~Claim() {
    claim_is_over = true;
    if (pool != nullptr) {
      pool->claimed.store(false, std::memory_order_release);
    }
  }
};

}  // namespace

void* pool_take(std::size_t bytes) noexcept {
  if (bytes < kSmallestPoolBlock || bytes > kLargestPoolBlock || claim_is_over) {
    return nullptr;
  }
  thread_local Claim claim;
  return claim.pool != nullptr ? claim.pool->take(bytes) : nullptr;
}

bool pool_give_back(void* block) noexcept {
  Region* const region = region_of(block);
  if (region == nullptr) {
    return false;
  }
  region->pool->give_back(*region, static_cast<Block*>(block) - 1);
  return true;
}

}  // namespace strew_tool

#else

namespace strew_tool {

void* pool_take(std::size_t /*bytes*/) noexcept {
  return nullptr;
}
bool pool_give_back(void* /*block*/) noexcept {
  return false;
}

}  // namespace strew_tool

#endif
