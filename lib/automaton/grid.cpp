#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

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

std::uint64_t population(const BitGrid& grid) noexcept {
  std::uint64_t count = 0;
  for (std::int64_t y = 0; y < grid.height(); ++y) {
    const std::uint64_t* const row = grid.row(y);
    for (std::int64_t i = 0; i < grid.words(); ++i) {
      count += static_cast<std::uint64_t>(std::popcount(row[i]));
    }
  }
  return count;
}

SetHash hash_cells(const BitGrid& grid, std::int64_t x0, std::int64_t y0) noexcept {
  SetHash hash;
  // Words with living cells only, so that neither padding nor an empty margin counts; cells of a word keep
  // their place, so x0 enters in cells.
  for (std::int64_t y = 0; y < grid.height(); ++y) {
    const std::uint64_t row_key = mix64(static_cast<std::uint64_t>(y0 + y) + 0x9E3779B97F4A7C15U);
    const std::uint64_t* const row = grid.row(y);
    for (std::int64_t i = 0; i < grid.words(); ++i) {
      if (row[i] != 0) {
        hash.add(mix64(row_key ^ static_cast<std::uint64_t>(x0 + 64 * i)) ^ row[i]);
      }
    }
  }
  return hash;
}

}  // namespace strew
