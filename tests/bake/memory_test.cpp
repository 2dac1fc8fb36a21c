// What a bake holds in memory: nothing of a tile after it, and some bytes for each tile of the world.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "bake_fixture.hpp"

namespace {

std::atomic<std::size_t> live{0};
std::atomic<std::size_t> most{0};

void* counted(void* block) {
  if (block == nullptr) {
    throw std::bad_alloc();
  }
  const std::size_t now = live += ::malloc_usable_size(block);
  most = std::max(most.load(), now);  // one thread
  return block;
}
void uncounted(void* block) noexcept {
  live -= ::malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t bytes) {
  return counted(std::malloc(std::max<std::size_t>(bytes, 1)));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  void* block = nullptr;
  return counted(::posix_memalign(&block, static_cast<std::size_t>(alignment), bytes) == 0 ? block : nullptr);
}
// A sanitizer's own would stand in for this one.
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return ::operator new(bytes, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* block) noexcept {
  uncounted(block);
}
void operator delete(void* block, std::size_t /*bytes*/) noexcept {
  uncounted(block);
}
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept {
  uncounted(block);
}
void operator delete(void* block, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  uncounted(block);
}

namespace strew {
namespace {

using namespace strew_test;

TEST(BakeMemory, NothingOfATileOutlivesIt) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  struct Range {
    std::size_t least = ~std::size_t{0};
    std::size_t largest = 0;
    std::uint64_t instances = 0;
  } range;
  const auto between_tiles = [](void* user, const BakeProgress& progress) {
    Range& seen = *static_cast<Range*>(user);
    seen.least = std::min(seen.least, live.load());
    seen.largest = std::max(seen.largest, live.load());
    seen.instances = progress.instances;
    return true;
  };
  ASSERT_TRUE(bake(scatter, flat_terrain(), folder / "bake", tiles_of(20), {}, between_tiles, &range).ok());
  EXPECT_GT(range.instances, 10000U);
  // Strings of file names differ by some bytes.
  EXPECT_LE(range.largest - range.least, 256U);
}

/// The most that a bake of side x side tiles of 4 m holds: the same in all of them, little, so that lists of
/// tiles show.
std::size_t peak_of(std::int64_t side, const std::string& folder, bool twice) {
  ScatterSpec spec;
  spec.seed = 3;
  const auto size = static_cast<double>(4 * side);
  spec.extent = metres(0, 0, size, size);
  spec.layers = {grid_layer("grid", 16)};  // in one of 16 tiles
  const auto scatter = Scatter::create(spec, {}, grid_registry());
  EXPECT_TRUE(scatter.ok());
  BakeOptions options = tiles_of(4);
  most = live.load();
  const std::size_t before = live;
  bake_flat(scatter.value(), folder, options);
  if (twice) {
    most = live.load();
    options.force = true;
    bake_flat(scatter.value(), folder, options);
  }
  return most - before;
}

TEST(BakeMemory, ATileMoreTakesEightBytes) {
  const TemporaryFolder folder;
  constexpr std::int64_t kSmall = 16;
  constexpr std::int64_t kLarge = 128;
  constexpr std::size_t kMore = kLarge * kLarge - kSmall * kSmall;
  for (const bool twice : {false, true}) {
    const std::size_t small = peak_of(kSmall, folder / ("small" + std::to_string(twice)), twice);
    const std::size_t large = peak_of(kLarge, folder / ("large" + std::to_string(twice)), twice);
    // Half as much again for what varies otherwise: the manifest is written by pieces.
    EXPECT_LE(large, small + 12 * kMore) << small;
    EXPECT_GE(large, small + 8 * kMore) << "fewer than are documented";
  }
}

}  // namespace
}  // namespace strew
