#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "guard.hpp"
#include "parallel.hpp"
#include "strew/automaton.hpp"

namespace strew {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::int64_t kStrideWords = 8;

}  // namespace

Result<BitGrid> BitGrid::create(std::int64_t width, std::int64_t height, const Allocator* allocator) {
  if (width < 1 || height < 1 || width > kMaxGridSide || height > kMaxGridSide) {
    return invalid_argument("is " + std::to_string(width) + "x" + std::to_string(height) +
                                " cells; expected sides from 1 to 2147483648",
                            "size");
  }
  BitGrid grid;
  grid.width_ = width;
  grid.height_ = height;
  grid.stride_ = ((width + 63) / 64 + kStrideWords - 1) / kStrideWords * kStrideWords;
  grid.allocator_ = allocator;
  const auto bytes = static_cast<std::size_t>(grid.stride_) * static_cast<std::size_t>(height) * 8;
  void* memory = allocator != nullptr ? allocator->allocate(allocator->self, bytes, kAlignment)
                                      : ::operator new (bytes, std::align_val_t{kAlignment}, std::nothrow);
  if (memory == nullptr) {
    return make_error(StatusCode::kOutOfMemory, "no memory for a grid of " + std::to_string(width) + "x" +
                                                    std::to_string(height) + " cells (" +
                                                    std::to_string(bytes) +
                                                    " bytes); ask for a smaller one or stream it in bands");
  }
  std::memset(memory, 0, bytes);
  grid.data_ = static_cast<std::uint64_t*>(memory);
  return grid;
}

BitGrid::BitGrid(BitGrid&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      width_(std::exchange(other.width_, 0)),
      height_(std::exchange(other.height_, 0)),
      stride_(std::exchange(other.stride_, 0)),
      allocator_(other.allocator_) {}

BitGrid& BitGrid::operator=(BitGrid&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(width_, other.width_);
  std::swap(height_, other.height_);
  std::swap(stride_, other.stride_);
  std::swap(allocator_, other.allocator_);
  return *this;
}

BitGrid::~BitGrid() {
  if (data_ == nullptr) {
    return;
  }
  if (allocator_ != nullptr) {
    const auto bytes = static_cast<std::size_t>(stride_) * static_cast<std::size_t>(height_) * 8;
    allocator_->release(allocator_->self, data_, bytes, kAlignment);
  } else {
    ::operator delete (data_, std::align_val_t{kAlignment});
  }
}

bool operator==(const BitGrid& a, const BitGrid& b) noexcept {
  if (a.width_ != b.width_ || a.height_ != b.height_) {
    return false;
  }
  for (std::int64_t y = 0; y < a.height_; ++y) {
    if (!std::equal(a.row(y), a.row(y) + a.words(), b.row(y))) {
      return false;
    }
  }
  return true;
}

namespace {

std::uint64_t odd_key(std::int64_t i, std::uint64_t salt) noexcept {
  return mix64(static_cast<std::uint64_t>(i) + salt) | 1U;
}

/// Living cells of `count` words: carry-save adders reduce eight words to their eights, so that few words are
/// counted bit by bit. Processors' own instruction is not in the baseline, and the library call that stands
/// for it costs more than all of this.
class PopulationCounter {
 public:
  void add(const std::uint64_t* words, std::int64_t count) noexcept {
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
      std::uint64_t twos[4];
      std::uint64_t fours[2];
      std::uint64_t eights = 0;
      for (std::int64_t pair = 0; pair < 4; ++pair) {
        add3(ones_, words[i + 2 * pair], words[i + 2 * pair + 1], ones_, twos[pair]);
      }
      add3(twos_, twos[0], twos[1], twos_, fours[0]);
      add3(twos_, twos[2], twos[3], twos_, fours[1]);
      add3(fours_, fours[0], fours[1], fours_, eights);
      total_ += 8 * bits(eights);
    }
    for (; i < count; ++i) {
      total_ += bits(words[i]);
    }
  }
  [[nodiscard]] std::uint64_t total() const noexcept {
    return total_ + 4 * bits(fours_) + 2 * bits(twos_) + bits(ones_);
  }

 private:
  static void add3(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t& sum,
                   std::uint64_t& carry) noexcept {
    const std::uint64_t x = a ^ b;
    carry = (a & b) | (x & c);
    sum = x ^ c;
  }
  static std::uint64_t bits(std::uint64_t x) noexcept {
    x -= (x >> 1) & 0x5555555555555555U;
    x = (x & 0x3333333333333333U) + ((x >> 2) & 0x3333333333333333U);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
    return (x * 0x0101010101010101U) >> 56;
  }
  std::uint64_t ones_ = 0;
  std::uint64_t twos_ = 0;
  std::uint64_t fours_ = 0;
  std::uint64_t total_ = 0;
};

/// Sums over words: word * key(column) * key(row), so that sums of parts add up, one multiplication a word;
/// and living cells.
GridStatistics count_rows(const BitGrid& grid, std::int64_t x0, std::int64_t y0, std::int64_t first,
                          std::int64_t last) noexcept {
  constexpr std::int64_t kTile = 512;
  std::array<std::uint64_t, kTile> keys;
  GridStatistics statistics;
  PopulationCounter population;
  for (std::int64_t tile = 0; tile < grid.words(); tile += kTile) {
    const std::int64_t words = std::min(kTile, grid.words() - tile);
    for (std::int64_t i = 0; i < words; ++i) {
      keys[static_cast<std::size_t>(i)] = odd_key(x0 + 64 * (tile + i), 0x9E3779B97F4A7C15U);
    }
    for (std::int64_t y = first; y < last; ++y) {
      const std::uint64_t* const row = grid.row(y) + tile;
      std::uint64_t sum = 0;
      for (std::int64_t i = 0; i < words; ++i) {
        sum += row[i] * keys[static_cast<std::size_t>(i)];
      }
      population.add(row, words);
      statistics.hash.sum += sum * odd_key(y0 + y, 0xD1B54A32D192ED03U);
    }
  }
  statistics.population = population.total();
  statistics.hash.count = statistics.population;
  return statistics;
}

}  // namespace

std::uint64_t population(const BitGrid& grid) noexcept {
  return count_rows(grid, 0, 0, 0, grid.height()).population;
}

SetHash hash_cells(const BitGrid& grid, std::int64_t x0, std::int64_t y0) noexcept {
  return count_rows(grid, x0, y0, 0, grid.height()).hash;
}

Result<GridStatistics> grid_statistics(const BitGrid& grid, std::int64_t x0, std::int64_t y0,
                                       const RunContext& context) {
  return guarded([&]() -> Result<GridStatistics> {
    constexpr std::int64_t kRows = 64;
    const std::int64_t blocks = (grid.height() + kRows - 1) / kRows;
    std::vector<GridStatistics> parts(static_cast<std::size_t>(blocks));
    RunContext quiet = context;
    quiet.progress = nullptr;
    STREW_RETURN_IF_ERROR(
        parallel_for(quiet, parts.size(), [&](std::uint64_t block, std::uint32_t /*worker*/) -> Status {
          const std::int64_t first = static_cast<std::int64_t>(block) * kRows;
          parts[block] = count_rows(grid, x0, y0, first, std::min(first + kRows, grid.height()));
          return {};
        }));
    GridStatistics all;
    for (const GridStatistics& part : parts) {
      all.population += part.population;
      all.hash.merge(part.hash);
    }
    return all;
  });
}

}  // namespace strew
