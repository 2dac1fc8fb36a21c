// Connected regions of a grid: runs of equal cells in a row, joined to those of the row below.
#include <algorithm>
#include <bit>
#include <vector>

#include "guard.hpp"
#include "strew/automaton.hpp"

namespace strew {
namespace {

/// Disjoint sets with sizes; roots are found with path halving.
class Regions {
 public:
  std::uint32_t add(std::uint64_t cells) {
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    size_.push_back(cells);
    return parent_.back();
  }
  std::uint32_t root(std::uint32_t i) noexcept {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) noexcept {
    a = root(a);
    b = root(b);
    if (a != b) {
      const bool swap = size_[a] < size_[b];
      parent_[swap ? a : b] = swap ? b : a;
      size_[swap ? b : a] += size_[swap ? a : b];
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return parent_.size(); }
  [[nodiscard]] bool is_root(std::size_t i) const noexcept { return parent_[i] == i; }
  [[nodiscard]] std::uint64_t cells(std::size_t i) const noexcept { return size_[i]; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint64_t> size_;
};

struct Run {
  std::int64_t first;
  std::int64_t end;
  std::uint32_t region;
};

/// Runs of cells of one state in a row.
template <class Take>
void each_run(const BitGrid& grid, std::int64_t y, bool alive, const Take& take) {
  const std::uint64_t* const row = grid.row(y);
  const std::uint64_t flip = alive ? 0 : ~std::uint64_t{0};
  std::int64_t start = -1;
  for (std::int64_t i = 0; i < grid.words(); ++i) {
    const std::uint64_t word = row[i] ^ flip;
    if (word == 0 || word == ~std::uint64_t{0}) {
      if ((word != 0) != (start >= 0)) {
        if (start >= 0) {
          take(start, 64 * i);
        }
        start = word != 0 ? 64 * i : -1;
      }
      continue;
    }
    for (std::int64_t bit = 0; bit < 64;) {
      const std::uint64_t rest = word >> bit;
      if (start < 0) {
        bit += rest == 0 ? 64 - bit : std::countr_zero(rest);
        if (bit < 64) {
          start = 64 * i + bit;
        }
      } else {
        bit += std::min<std::int64_t>(std::countr_one(rest), 64 - bit);
        if (bit < 64) {
          take(start, 64 * i + bit);
          start = -1;
        }
      }
    }
  }
  if (start >= 0 && start < grid.width()) {
    take(start, grid.width());
  }
}

}  // namespace

Result<RegionStatistics> region_statistics(const BitGrid& grid, bool alive) {
  return guarded([&]() -> Result<RegionStatistics> {
    constexpr std::size_t kMaxRuns = std::size_t{0xFFFFFFFFU};
    Regions regions;
    std::vector<Run> below;
    std::vector<Run> now;
    // Diagonal neighbours join living cells and do not join dead ones, so that regions of the two never
    // cross.
    const std::int64_t reach = alive ? 1 : 0;
    for (std::int64_t y = 0; y < grid.height(); ++y) {
      now.clear();
      std::size_t candidate = 0;
      bool full = false;
      each_run(grid, y, alive, [&](std::int64_t first, std::int64_t end) {
        end = std::min(end, grid.width());
        if (first >= end || full || regions.size() >= kMaxRuns) {
          full = full || regions.size() >= kMaxRuns;
          return;
        }
        const std::uint32_t region = regions.add(static_cast<std::uint64_t>(end - first));
        while (candidate < below.size() && below[candidate].end + reach <= first) {
          ++candidate;
        }
        for (std::size_t b = candidate; b < below.size() && below[b].first < end + reach; ++b) {
          regions.join(region, below[b].region);
        }
        now.push_back({first, end, region});
      });
      if (full) {
        return make_error(StatusCode::kLimit, "has more than 2^32 runs of equal cells; take a part of it",
                          "grid");
      }
      std::swap(below, now);
    }
    RegionStatistics statistics;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      if (regions.is_root(i)) {
        ++statistics.regions;
        statistics.cells += regions.cells(i);
        statistics.largest = std::max(statistics.largest, regions.cells(i));
      }
    }
    return statistics;
  });
}

}  // namespace strew
